"""A layered layout of a graph: layers from the longest paths, few crossings, straight edges."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from imc.report.drawing import Drawing, DrawnEdge, DrawnNode, columns, shown

LINE, COLUMN = 16, 7.23  # pixels: the height of a line of text, the width of a letter
PAD, GAP, LANE = 10, 26, 14  # pixels: inside boxes, between boxes, between edges side by side
LEFT, DOWN, RIGHT = -1, 0, 1


@dataclass(slots=True, eq=False)
class Slot:
    """Something in a layer: a box, or the place where a long edge passes (`node` is None)."""

    layer: int
    rank: float  # the place in the layer to begin with
    node: DrawnNode | None = None
    width: float = 0
    height: float = 0
    lanes: dict[int, int] = field(default_factory=lambda: {LEFT: 0, RIGHT: 0})  # beside the box
    aside: dict[int, float] = field(default_factory=lambda: {LEFT: 0, RIGHT: 0})  # for a label
    room: float = 0  # width of a label above it
    x: float = 0  # of the centre of the box
    y: float = 0  # of its top
    above: list[Segment] = field(default_factory=list)
    below: list[Segment] = field(default_factory=list)

    def extent(self, side: int) -> float:
        """How much space it needs there, from its centre."""
        lanes = self.lanes[side] * LANE + self.aside[side]
        return max(self.width / 2 + lanes, self.room / 2)


@dataclass(slots=True, eq=False)
class Segment:
    """The part of an edge between two neighbouring layers.

    An edge that leads upwards has a `side`, where it leaves and reaches boxes; others are `DOWN`.
    """

    upper: Slot
    lower: Slot
    side: int
    weight: float
    at_upper: float = 0  # where it touches, from the centre
    at_lower: float = 0

    def ends(self, order: dict[Slot, int]) -> tuple[float, float]:
        """Between which places of the two layers it lies."""
        upper = 0.4 * self.side if self.upper.node else 0
        lower = 0.4 * self.side if self.lower.node else 0
        return order[self.upper] + upper, order[self.lower] + lower


@dataclass(slots=True, eq=False)
class Route:
    """An edge with its links from top to bottom; none, if it stays in its layer."""

    edge: DrawnEdge
    source: Slot
    target: Slot
    links: list[Segment] = field(default_factory=list)

    @property
    def side(self) -> int:
        return self.links[0].side if self.links else DOWN

    def turn(self, side: int) -> None:
        """Gives an edge that leads upwards a side."""
        rank = self.source.rank + 0.5 if side == RIGHT else self.target.rank + 0.5
        for link in self.links:
            link.side = side
        for link in self.links[1:]:
            link.upper.rank = rank


class Component:
    """The layout of a connected part of a graph; `x`, `y` is its upper left corner."""

    def __init__(self, nodes: list[DrawnNode], edges: list[DrawnEdge]) -> None:
        layers = Drawing("", tuple(nodes), tuple(edges)).layers()
        preorder = {name: number for number, name in enumerate(layers)}
        self.items = {node.id: Slot(layers[node.id], preorder[node.id], node) for node in nodes}
        self.rows: list[list[Slot]] = [[] for _ in range(max(layers.values()) + 1)]
        for node, item in zip(nodes, self.items.values(), strict=True):
            item.width = max(map(text_width, node.lines), default=8) + 2 * PAD
            item.height = max(len(node.lines), 1) * LINE + PAD
            self.rows[item.layer].append(item)
        self.routes = [self._route(edge) for edge in edges]
        self.tops: list[float] = [0]  # of the rows
        self.bottoms: list[float] = []
        self._arrange()
        self._reserve()
        self._across()
        self._down()
        every = [item for row in self.rows for item in row]
        self.x, self.y = min(item.x - item.extent(LEFT) for item in every), 0.0
        self.width = max(item.x + item.extent(RIGHT) for item in every) - self.x
        self.height = self.bottoms[-1]

    def move(self, x: float, y: float) -> None:
        """Puts the upper left corner there."""
        for item in (item for row in self.rows for item in row):
            item.x, item.y = item.x + x - self.x, item.y + y - self.y
        self.tops = [top + y - self.y for top in self.tops]
        self.bottoms = [bottom + y - self.y for bottom in self.bottoms]
        self.x, self.y = x, y

    def _route(self, edge: DrawnEdge) -> Route:
        route = Route(edge, self.items[edge.source], self.items[edge.target])
        up = route.source.layer > route.target.layer
        first, last = (route.target, route.source) if up else (route.source, route.target)
        between = [Slot(layer, last.rank - 0.5) for layer in range(first.layer + 1, last.layer)]
        for item in between:
            self.rows[item.layer].append(item)
        for upper, lower in pairwise([first, *between, last] if first.layer < last.layer else []):
            bends = bool(upper.node) + bool(lower.node)
            weight = (8, 2, 1)[bends] * (0.1 if bends and (up or edge.style == "dashed") else 1)
            link = Segment(upper, lower, DOWN, weight)
            route.links.append(link)
            upper.below.append(link)
            lower.above.append(link)
        if up:
            route.turn(RIGHT)
        return route

    def _arrange(self) -> None:
        """Orders the layers, and moves edges that lead upwards to a side where few edges cross."""
        cost, rows = self._ordered()
        rising = [route for route in self.routes if route.side]
        for route in 2 * rising if len(rising) * len(self.items) < 3000 else []:
            if not cost:
                break
            route.turn(-route.side)
            other, turned = self._ordered()
            if other < cost:
                cost, rows = other, turned
            else:
                route.turn(-route.side)
        self.rows = rows

    def _ordered(self) -> tuple[int, list[list[Slot]]]:
        """The best result of some barycentre sweeps, and how many edges cross in it."""
        rows = [sorted(row, key=lambda item: item.rank) for row in self.rows]
        best = _crossings(rows), [list(row) for row in rows]
        for sweep in range(10):
            down = sweep % 2 == 0
            for fixed, row in pairwise(rows if down else rows[::-1]):
                order = {item: place for some in (row, fixed) for place, item in enumerate(some)}
                centre: dict[Slot, float] = {}
                for item in row:
                    links = item.above if down else item.below
                    pull = sum(link.weight * link.ends(order)[not down] for link in links)
                    weight = sum(link.weight for link in links)
                    centre[item] = pull / weight if links else order[item]
                row.sort(key=centre.__getitem__)
            if (cost := _crossings(rows)) < best[0]:
                best = cost, [list(row) for row in rows]
        return best

    def _reserve(self) -> None:
        """Spreads the edges along the sides of a box and keeps space for lanes and labels."""
        order = {item: place for row in self.rows for place, item in enumerate(row)}
        for route in self.routes:
            route.source.lanes[RIGHT] += route.source is route.target
            width = text_width(route.edge.label) + 8 if route.edge.label else 0
            if route.links and not route.side:
                item = route.links[0].lower
                item.room = max(item.room, width)
            elif route.side or route.source is route.target:
                between = [link.upper for link in route.links[1:]]
                item = between[len(between) // 2] if between else route.target
                item.aside[route.side or RIGHT] = max(item.aside[route.side or RIGHT], width)
        for item in self.items.values():
            item.above.sort(key=lambda link: order[link.upper])
            item.below.sort(key=lambda link: order[link.lower])
            for link, at in _touching(item.above, item):
                link.at_lower = at
            for link, at in _touching(item.below, item):
                link.at_upper = at
            for side in item.lanes:
                used = [sum(k.side == side for k in links) for links in (item.above, item.below)]
                item.lanes[side] += max(used)

    def _across(self) -> None:
        """Finds x: row by row, items move to where their edges are short and straight.

        First all edges pull like springs; later, long edges pull less than that, so that few
        edges are oblique instead of all of them a little.
        """
        rows = [(row, _offsets(row)) for row in self.rows]
        for row, offsets in rows:
            _settle(row, offsets, [0] * len(row), [1] * len(row))
        for sweep in range(100):
            down, both = sweep % 2 == 0, sweep >= 10
            for row, offsets in rows if down else rows[::-1]:
                wanted, weights = [], []
                for item in row:
                    pulls = [(0.001, item.x)]
                    for link in item.above if both or down else []:
                        pulls.append((link.weight, link.upper.x + link.at_upper - link.at_lower))
                    for link in item.below if both or not down else []:
                        pulls.append((link.weight, link.lower.x + link.at_lower - link.at_upper))
                    if sweep >= 20:
                        pulls = [(force / (abs(x - item.x) + 20), x) for force, x in pulls]
                    weights.append(sum(force for force, _ in pulls))
                    wanted.append(sum(force * x for force, x in pulls) / weights[-1])
                _settle(row, offsets, wanted, weights)

    def _down(self) -> None:
        """Finds y: rows below each other, further apart where edges are labelled or lead far."""
        labelled = {r.links[0].upper.layer for r in self.routes if r.edge.label and r.links}
        for layer, row in enumerate(self.rows):
            for item in row:
                item.y = self.tops[-1]
            self.bottoms.append(self.tops[-1] + max(item.height for item in row))
            links = [link for item in row for link in item.below]
            span = max((abs(link.upper.x - link.lower.x) for link in links), default=0)
            self.tops.append(self.bottoms[-1] + 34 + min(50, span / 12) + 18 * (layer in labelled))


def text_width(text: str) -> float:
    """The width of a line of text in pixels."""
    return COLUMN * columns(shown(text))


def _crossings(rows: list[list[Slot]]) -> int:
    """The number of pairs of edges that cross; those that lead downwards count three times."""
    count = 0
    order = {item: place for row in rows for place, item in enumerate(row)}
    for row in rows:
        links = [link for item in row for link in item.below]
        for some, factor in ((links, 1), ([link for link in links if not link.side], 2)):
            lower: list[float] = []
            for _, end in sorted(link.ends(order) for link in some):
                count += factor * (len(lower) - bisect_right(lower, end))
                insort(lower, end)
    return count


def _touching(links: list[Segment], item: Slot) -> Iterator[tuple[Segment, float]]:
    """Where links, from left to right, touch a box or its lanes, as distances from its middle."""
    falling = [link for link in links if not link.side]
    step = min(16, (item.width - 14) / max(len(falling), 1))
    for number, link in enumerate(falling):
        yield link, (number - (len(falling) - 1) / 2) * step
    for side in (LEFT, RIGHT):
        rising = [link for link in links[::side] if link.side == side]
        for lane, link in enumerate(rising, item.lanes[side]):
            yield link, side * (item.width / 2 + (lane + 0.9) * LANE)


def _offsets(row: list[Slot]) -> list[float]:
    """Where items are, from the first one, if they stand as close as they may."""
    offsets = [0.0]
    for left, right in pairwise(row):
        gap = GAP if left.node and right.node else LANE
        offsets.append(offsets[-1] + left.extent(RIGHT) + gap + right.extent(LEFT))
    return offsets


def _settle(
    row: list[Slot], offsets: list[float], wanted: list[float], weights: list[float]
) -> None:
    """Isotonic regression: each item goes to its wanted place, or next to its neighbour.

    Neighbours that would overlap form a block, at the mean of what its members want.
    """
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
