"""A layered layout of a graph: layers from the longest paths, few crossings, short edges."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right, insort
from collections.abc import Iterator
from dataclasses import dataclass, field

import networkx as nx

from imc.report.graph import Edge, Graph, Node

LINE, COLUMN = 16, 7.23  # pixels: the height of a line of text, the width of a letter
PAD, GAP, LANE = 10, 26, 14  # pixels: inside boxes, between boxes, between edges side by side
LONGEST = 72  # columns of a line that are shown

Size = tuple[float, float]


@dataclass(slots=True, eq=False)
class Item:
    """Something in a layer: a box, or the place where a long edge passes (`node` is None)."""

    layer: int
    rank: float  # the place in the layer to begin with
    node: Node | None = None
    width: float = 0
    height: float = 0
    lanes: int = 0  # to the right of the box, for edges that lead upwards
    room: float = 0  # width of a label above it
    aside: float = 0  # width of a label to the right of the lanes
    x: float = 0  # of the centre of the box
    y: float = 0  # of its top
    above: list[Link] = field(default_factory=list)
    below: list[Link] = field(default_factory=list)

    @property
    def left(self) -> float:
        return max(self.width, self.room) / 2

    @property
    def right(self) -> float:
        return max(self.width / 2 + self.lanes * LANE + self.aside, self.room / 2)


@dataclass(slots=True, eq=False)
class Link:
    """The part of an edge between two neighbouring layers; it touches them beside their centres."""

    upper: Item
    lower: Item
    up: bool
    weight: float
    at_upper: float = 0
    at_lower: float = 0

    def places(self, order: dict[Item, int]) -> tuple[float, float]:
        """Where it begins and ends; edges that lead upwards touch boxes at the right."""
        upper = 0.4 if self.up and self.upper.node else 0
        lower = 0.4 if self.up and self.lower.node else 0
        return order[self.upper] + upper, order[self.lower] + lower


@dataclass(slots=True, eq=False)
class Route:
    """An edge with its links from top to bottom; none, if it stays in its layer."""

    edge: Edge
    source: Item
    target: Item
    links: list[Link] = field(default_factory=list)


class Part:
    """The layout of a connected part of a graph; `x`, `y` is its upper left corner."""

    def __init__(self, nodes: list[Node], edges: list[Edge]) -> None:
        shaping = Graph("", tuple(nodes), tuple(edges)).shaping()
        layers, preorder = _layers([node.id for node in nodes], shaping)
        self.items = {node.id: Item(layers[node.id], preorder[node.id], node) for node in nodes}
        self.rows: list[list[Item]] = [[] for _ in range(max(layers.values()) + 1)]
        for node, item in zip(nodes, self.items.values(), strict=True):
            item.width = max([text_width(line[:LONGEST]) for line in node.lines], default=8) + 2 * PAD
            item.height = max(len(node.lines), 1) * LINE + PAD
            self.rows[item.layer].append(item)
        self.routes = [self._route(edge) for edge in edges]
        self._order()
        self._ports()
        self._across()
        self._down()
        every = [item for row in self.rows for item in row]
        self.x, self.y = min(item.x - item.left for item in every), 0.0
        self.width = max(item.x + item.right for item in every) - self.x
        self.height = self.bottoms[-1]

    def _route(self, edge: Edge) -> Route:
        route = Route(edge, self.items[edge.source], self.items[edge.target])
        up = route.source.layer > route.target.layer
        first, last = (route.target, route.source) if up else (route.source, route.target)
        rank = route.source.rank + 0.5 if up else route.target.rank - 0.5
        between = [Item(layer, rank) for layer in range(first.layer + 1, last.layer)]
        for item in between:
            self.rows[item.layer].append(item)
        chain = [first, *between, last] if first.layer < last.layer else []
        for upper, lower in zip(chain, chain[1:], strict=False):
            bends = bool(upper.node) + bool(lower.node)
            weight = (8, 2, 1)[bends] * (0.1 if bends and (up or edge.style == "dashed") else 1)
            link = Link(upper, lower, up, weight)
            route.links.append(link)
            upper.below.append(link)
            lower.above.append(link)
        if edge.label and not up and chain:
            chain[1].room = max(chain[1].room, text_width(edge.label[:LONGEST]) + 8)
        elif edge.label:
            item = between[len(between) // 2] if between else route.source
            item.aside = max(item.aside, text_width(edge.label[:LONGEST]) + 8)
        return route

    def _order(self) -> None:
        """Orders each layer so that few edges cross: barycentre sweeps, the best result is kept."""
        for row in self.rows:
            row.sort(key=lambda item: item.rank)
        best, fewest = [list(row) for row in self.rows], self._crossings()
        for sweep in range(12):
            if not fewest:
                break
            down = sweep % 2 == 0
            for row, fixed in _neighbours(self.rows, down):
                order = {item: place for some in (row, fixed) for place, item in enumerate(some)}
                centre: dict[Item, float] = {}
                for item in row:
                    places = [link.places(order) for link in (item.above if down else item.below)]
                    near = [upper if down else lower for upper, lower in places]
                    centre[item] = sum(near) / len(near) if near else order[item]
                row.sort(key=centre.__getitem__)
            if (crossings := self._crossings()) < fewest:
                best, fewest = [list(row) for row in self.rows], crossings
        self.rows = best

    def _crossings(self) -> int:
        count = 0
        order = {item: place for row in self.rows for place, item in enumerate(row)}
        for row in self.rows:
            ends: list[float] = []
            for _, end in sorted(link.places(order) for item in row for link in item.below):
                count += len(ends) - bisect_right(ends, end)
                insort(ends, end)
        return count

    def _ports(self) -> None:
        """Spreads the edges of a box along its sides, in the order of where they lead."""
        order = {item: place for row in self.rows for place, item in enumerate(row)}
        for route in self.routes:
            route.source.lanes += route.source is route.target
        for item in self.items.values():
            above = sorted(item.above, key=lambda link: order[link.upper])
            below = sorted(item.below, key=lambda link: order[link.lower])
            for link, at in _touching(above, item):
                link.at_lower = at
            for link, at in _touching(below, item):
                link.at_upper = at
            item.lanes += max(sum(link.up for link in above), sum(link.up for link in below))

    def _across(self) -> None:
        """Finds x: rows in turn settle where their edges are short and long ones straight."""
        for row in self.rows:
            _settle(row, [0] * len(row), [1] * len(row))
        for sweep in range(40):
            both = sweep >= 10
            for row, _ in _neighbours(self.rows, sweep % 2 == 0):
                wanted, weights = [], []
                for item in row:
                    pulls = [(0.01, item.x)]
                    if both or sweep % 2 == 0:
                        pulls += [(k.weight, k.upper.x + k.at_upper - k.at_lower) for k in item.above]
                    if both or sweep % 2 == 1:
                        pulls += [(k.weight, k.lower.x + k.at_lower - k.at_upper) for k in item.below]
                    weights.append(sum(weight for weight, _ in pulls))
                    wanted.append(sum(weight * x for weight, x in pulls) / weights[-1])
                _settle(row, wanted, weights)

    def _down(self) -> None:
        """Finds y: rows below each other, further apart where edges are labelled or lead far."""
        self.tops, self.bottoms = [0.0], []
        labelled = {r.links[0].upper.layer for r in self.routes if r.edge.label and r.links}
        for layer, row in enumerate(self.rows):
            for item in row:
                item.y = self.tops[-1]
            self.bottoms.append(self.tops[-1] + max(item.height for item in row))
            links = [link for item in row for link in item.below]
            span = max((abs(link.upper.x - link.lower.x) for link in links), default=0)
            self.tops.append(self.bottoms[-1] + 34 + min(50, span / 12) + 18 * (layer in labelled))

    def move(self, x: float, y: float) -> None:
        """Puts the upper left corner there."""
        for item in (item for row in self.rows for item in row):
            item.x, item.y = item.x + x - self.x, item.y + y - self.y
        self.tops = [top + y - self.y for top in self.tops]
        self.bottoms = [bottom + y - self.y for bottom in self.bottoms]
        self.x, self.y = x, y


def _layers(ids: list[str], edges: list[Edge]) -> tuple[dict[str, int], dict[str, int]]:
    """The layer of each node, without the back edges of a depth-first search, and its preorder."""
    successors: dict[str, list[str]] = {name: [] for name in ids}
    for edge in edges:
        successors[edge.source].append(edge.target)
    inner = {edge.target for edge in edges if edge.style in ("solid", "bold")}
    dag = nx.DiGraph()
    dag.add_nodes_from(ids)
    active: dict[str, bool] = {}  # in the order of the visits; false once a node is done
    for root in sorted(ids, key=inner.__contains__):
        if root in active:
            continue
        active[root] = True
        stack = [(root, iter(successors[root]))]
        while stack:
            name, rest = stack[-1]
            for target in rest:
                if not active.get(target):
                    dag.add_edge(name, target)
                if target not in active:
                    active[target] = True
                    stack.append((target, iter(successors[target])))
                    break
            else:
                active[name] = False
                stack.pop()
    layers: dict[str, int] = {}
    for layer, names in enumerate(nx.topological_generations(dag)):
        layers |= dict.fromkeys(names, layer)
    for name in ids:
        if not dag.in_degree(name) and dag.out_degree(name):
            layers[name] = min(layers[target] for target in dag.successors(name)) - 1
    return layers, {name: number for number, name in enumerate(active)}


def _neighbours(rows: list[list[Item]], down: bool) -> Iterator[tuple[list[Item], list[Item]]]:
    """Each row with the one before it, in the direction of the sweep."""
    ordered = rows if down else rows[::-1]
    return zip(ordered[1:], ordered, strict=False)


def _touching(links: list[Link], item: Item) -> Iterator[tuple[Link, float]]:
    """Where links touch one side of a box, or its lanes, as distances from its middle."""
    falling = [link for link in links if not link.up]
    step = min(16, (item.width - 14) / max(len(falling), 1))
    for number, link in enumerate(falling):
        yield link, (number - (len(falling) - 1) / 2) * step
    for lane, link in enumerate((link for link in links if link.up), item.lanes):
        yield link, item.width / 2 + (lane + 0.9) * LANE


def _settle(row: list[Item], wanted: list[float], weights: list[float]) -> None:
    """Moves items in order as near to the wanted places as their widths allow.

    This is isotonic regression: neighbours that want to overlap are joined to a block, which goes
    to the mean of what its members want.
    """
    offsets = [0.0]
    for left, right in zip(row, row[1:], strict=False):
        gap = GAP if left.node and right.node else LANE
        offsets.append(offsets[-1] + left.right + gap + right.left)
    blocks: list[tuple[float, float, int]] = []
    for offset, place, weight in zip(offsets, wanted, weights, strict=True):
        mean, count = place - offset, 1
        while blocks and blocks[-1][0] > mean:
            other, heavy, many = blocks.pop()
            mean = (mean * weight + other * heavy) / (weight + heavy)
            weight, count = weight + heavy, count + many
        blocks.append((mean, weight, count))
    means = [mean for mean, _, count in blocks for _ in range(count)]
    for item, mean, offset in zip(row, means, offsets, strict=True):
        item.x = mean + offset


def text_width(text: str) -> float:
    """In pixels: letters of East Asian scripts take two columns, combining marks none."""
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    return COLUMN * (len(text) + wide - sum(unicodedata.combining(letter) > 0 for letter in text))


def shelves(sizes: list[Size], gap: float) -> tuple[list[tuple[float, float]], Size]:
    """Where rectangles go, side by side and in rows, and the size of the whole."""
    area = sum((width + gap) * (height + gap) for width, height in sizes)
    limit = max([2.2 * area**0.5, *(width for width, _ in sizes)])
    places: list[tuple[float, float]] = []
    x = y = deep = wide = 0.0
    for width, height in sizes:
        if x and x + width > limit:
            x, y, deep = 0, y + deep + gap, 0
        places.append((x, y))
        x, deep, wide = x + width + gap, max(deep, height), max(wide, x + width)
    return places, (wide, y + deep)
