"""Draws a graph as one SVG file that needs no other file or program, on a light or dark page."""

from __future__ import annotations

from html import escape

import networkx as nx

from imc.report.graph import KINDS, PLAIN, Colours, Edge, Graph, Node, printable
from imc.report.layout import LANE, LINE, LONGEST, PAD, Item, Part, Route, shelves, text_width

MARGIN, ARROW = 20, 8  # pixels
FONT = 'ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace'
Rectangle = tuple[float, float, float, float]  # left, top, right, bottom


def to_svg(graph: Graph) -> str:
    """The picture of the graph; groups stand side by side."""
    drawing = _Drawing()
    heading = 34 if graph.title else 0
    groups = graph.groups()
    blocks = [_parts(nodes, graph) for nodes in groups.values()]
    frames = [(PAD + 4, LINE + 2 * PAD) if group else (0, 0) for group in groups]
    sizes = [
        (max(width + 2 * side, text_width(group) + 30), height + top + side)
        for group, (_, (width, height)), (side, top) in zip(groups, blocks, frames, strict=True)
    ]
    corners, (width, height) = shelves(sizes, 30)
    items: dict[str, Item] = {}
    for group, block, frame, size, (x, y) in zip(
        groups, blocks, frames, sizes, corners, strict=True
    ):
        x, y = x + MARGIN, y + MARGIN + heading
        if group:
            drawing.group(group, x, y, size)
        inset = (size[0] - block[1][0]) / 2
        for part in block[0]:
            part.move(part.x + x + inset, part.y + y + frame[1])
            items |= part.items
    for edge in graph.edges:
        source, target = items[edge.source], items[edge.target]
        if source.node and target.node and source.node.group != target.node.group:
            drawing.bridge(edge, source, target)
    for group, block in zip(groups, blocks, strict=True):
        drawing.parts(block[0], bool(group))
    width = max(width, text_width(graph.title) * 1.2) + 2 * MARGIN
    return drawing.finish(graph.title, width, height + heading + 2 * MARGIN)


def _parts(nodes: list[Node], graph: Graph) -> tuple[list[Part], tuple[float, float]]:
    """The connected parts of a group, placed, and the size of the whole."""
    names = {node.id for node in nodes}
    edges = [edge for edge in graph.edges if edge.source in names and edge.target in names]
    undirected = nx.Graph()
    undirected.add_nodes_from(node.id for node in nodes)
    undirected.add_edges_from((edge.source, edge.target) for edge in edges)
    parts = [
        Part([n for n in nodes if n.id in some], [e for e in edges if e.source in some])
        for some in nx.connected_components(undirected)
    ]
    places, size = shelves([(part.width, part.height) for part in parts], 26)
    for part, (x, y) in zip(parts, places, strict=True):
        part.move(x, y)
    return parts, size


class _Drawing:
    """Collects the elements of the picture, from back to front."""

    def __init__(self) -> None:
        self.out: list[str] = []
        self.labels: list[Rectangle] = []

    def group(self, name: str, x: float, y: float, size: tuple[float, float]) -> None:
        self.out.append(
            f'<rect class="group" x="{x:.1f}" y="{y:.1f}" width="{size[0]:.1f}"'
            f' height="{size[1]:.1f}" rx="10"/>'
        )
        self.text(name, x + PAD + 4, y + PAD + 12, "name")

    def text(self, text: str, x: float, y: float, kind: str) -> None:
        shown = printable(text)
        shown = shown if len(shown) <= LONGEST else shown[: LONGEST - 1] + "…"
        self.out.append(f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(shown)}</text>')

    def parts(self, parts: list[Part], boxed: bool) -> None:
        self.out.append('<g class="boxed">' if boxed else "<g>")
        for part in parts:
            for route in part.routes:
                self.route(part, route)
        for part in parts:
            for item in part.items.values():
                self.box(item)
            for route in part.routes:
                self.label(part, route)
        self.out.append("</g>")

    def box(self, item: Item) -> None:
        assert item.node
        kind = item.node.kind if item.node.kind in KINDS else "plain"
        tip = escape("\n".join(map(printable, item.node.lines)))
        self.out.append(
            f'<g class="node {kind}" data-id="{escape(printable(item.node.id))}">'
            f'<title>{tip}</title><rect x="{item.x - item.width / 2:.1f}" y="{item.y:.1f}"'
            f' width="{item.width:.1f}" height="{item.height:.1f}" rx="6"/>'
        )
        for number, line in enumerate(item.node.lines):
            y = item.y + PAD / 2 + LINE * (number + 0.75)
            self.text(line, item.x - item.width / 2 + PAD, y, "line")
        self.out.append("</g>")

    def path(self, edge: Edge, path: str, tip: tuple[float, float], way: str, up: bool) -> None:
        """A path, and its head at `tip`, which points down, up, left or right."""
        x, y = tip
        a, b = {"down": (0, -1), "up": (0, 1), "left": (1, 0), "right": (-1, 0)}[way]
        base = [(x + a * ARROW + s * b * 4, y + b * ARROW + s * a * 4) for s in (-1, 1)]
        head = f"M{x:.1f} {y:.1f}" + "".join(f"L{p:.1f} {q:.1f}" for p, q in base) + "Z"
        self.out.append(
            f'<g class="edge {edge.style}{" rising" if up else ""}">'
            f'<path d="{path}"/><path class="head" d="{head}"/></g>'
        )

    def route(self, part: Part, route: Route) -> None:
        source, target, links = route.source, route.target, route.links
        if source is target:
            x, y = source.x + source.width / 2, source.y + source.height / 2
            path = f"M{x:.1f} {y - 5:.1f}h4c{LANE} 0 {LANE} 10 0 10h-4"
            self.path(route.edge, path, (x, y + 5), "left", True)
        elif not links:  # in the same row
            low = part.bottoms[source.layer]
            ends = f"{source.x:.1f} {low + 34:.1f} {target.x:.1f} {low + 34:.1f} {target.x:.1f} {low:.1f}"
            start = source.y + source.height
            path = f"M{source.x:.1f} {start:.1f}V{low:.1f}C{ends}"
            tip = target.y + target.height
            self.path(route.edge, f"{path}V{tip + ARROW:.1f}", (target.x, tip), "up", False)
        elif links[0].up:
            self.rising(part, route)
        else:
            x = source.x + links[0].at_upper
            path = f"M{x:.1f} {source.y + source.height:.1f}"
            for link in links:
                layer = link.upper.layer
                x, to = link.upper.x + link.at_upper, link.lower.x + link.at_lower
                y, end = part.bottoms[layer], part.tops[layer + 1]
                end -= ARROW if link.lower is target else 0
                path += f"V{y:.1f}{_curve(x, y, to, end)}"
            tip = links[-1].lower.x + links[-1].at_lower
            self.path(route.edge, path, (tip, target.y), "down", False)

    def rising(self, part: Part, route: Route) -> None:
        """Leaves and reaches boxes at the right side, outer lanes around inner ones."""
        source, target, links = route.source, route.target, route.links
        x, to = source.x + links[-1].at_lower, target.x + links[0].at_upper
        y = source.y + source.height * (0.1 + 0.3 * _outer(source, links[-1].at_lower))
        end = target.y + target.height * (0.9 - 0.3 * _outer(target, links[0].at_upper))
        path = f"M{source.x + source.width / 2:.1f} {y:.1f}H{x - 6:.1f}q6 0 6 -6"
        for link in reversed(links):
            high, low = part.bottoms[link.upper.layer], part.tops[link.lower.layer]
            x, above = link.lower.x + link.at_lower, link.upper.x + link.at_upper
            path += f"V{low:.1f}{_curve(x, low, above, high)}"
        edge_x = target.x + target.width / 2
        path += f"V{end + 6:.1f}q0 -6 -6 -6H{edge_x + ARROW - 1:.1f}"
        self.path(route.edge, path, (edge_x, end), "left", True)

    def label(self, part: Part, route: Route) -> None:
        if not route.edge.label:
            return
        source, target, links = route.source, route.target, route.links
        width = text_width(route.edge.label[:LONGEST])
        if links and not links[0].up:
            x, to = source.x + links[0].at_upper, links[0].lower.x + links[0].at_lower
            y, end = part.bottoms[source.layer], part.tops[source.layer + 1] - ARROW
            for t in (0.7, 0.45, 0.85, 0.3, 0.6):
                left = x + (to - x) * t * t * (3 - 2 * t) - width / 2
                middle = y + (end - y) * (1.5 * t * (1 - t) + t**3)
                if self.free((left, middle - 7, left + width, middle + 7)):
                    break
        elif links:
            lane = links[len(links) // 2]
            left = lane.upper.x + lane.at_upper + 5
            middle = (part.bottoms[lane.upper.layer] + part.tops[lane.lower.layer]) / 2
            if len(links) > 1:
                middle = (part.tops[lane.upper.layer] + part.bottoms[lane.upper.layer]) / 2
        elif source is target:
            left = source.x + source.width / 2 + source.lanes * LANE + 5
            middle = source.y + source.height / 2
        else:
            left, middle = (source.x + target.x - width) / 2, part.bottoms[source.layer] + 25
        self.labels.append((left, middle - 7, left + width, middle + 7))
        self.text(route.edge.label, left, middle + 4, "label")

    def free(self, place: Rectangle) -> bool:
        a, b, c, d = place
        return not any(a < z and x < c and b < w and y < d for x, y, z, w in self.labels)

    def bridge(self, edge: Edge, source: Item, target: Item) -> None:
        """An edge between groups: from side to side, behind the boxes."""
        ahead = 1 if source.x < target.x else -1
        x, y = source.x + ahead * source.width / 2, source.y + source.height / 2
        to, end = target.x - ahead * target.width / 2, target.y + target.height / 2
        bend = max(abs(to - x) / 2, 40) * ahead
        curve = f"C{x + bend:.1f} {y:.1f} {to - bend:.1f} {end:.1f} {to - ahead * ARROW:.1f} {end:.1f}"
        way = "right" if ahead > 0 else "left"
        self.path(edge, f"M{x:.1f} {y:.1f}{curve}", (to, end), way, False)
        if edge.label:
            width = text_width(edge.label[:LONGEST])
            self.text(edge.label, (x + to - width) / 2, (y + end) / 2 - 6, "label")

    def finish(self, title: str, width: float, height: float) -> str:
        if title:
            self.text(title, MARGIN, MARGIN + 12, "title")
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" class="imc-graph" width="{width:.0f}"'
                f' height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
                ' xml:space="preserve">',
                f"<title>{escape(printable(title))}</title>",
                f"<style>{_style()}</style>",
                '<rect class="page" width="100%" height="100%"/>',
                *self.out,
                "</svg>\n",
            ]
        )


def _curve(x: float, y: float, to: float, end: float) -> str:
    """From row to row, vertical at both ends."""
    middle = (y + end) / 2
    return f"C{x:.1f} {middle:.1f} {to:.1f} {middle:.1f} {to:.1f} {end:.1f}"


def _outer(item: Item, at: float) -> float:
    """How far out a lane is, from 0 to 1."""
    return (at - item.width / 2) / (item.lanes * LANE)


def _style() -> str:
    rules = [
        f"text{{font:12px {FONT};white-space:pre}}.title{{font-size:14px;font-weight:bold}}",
        ".name{font-weight:bold}.label{font-size:11px;paint-order:stroke;stroke-width:4px}",
        ".edge path{fill:none;stroke-width:1.3}.edge .head{stroke:none}.node rect{stroke-width:1.2}",
        ".dashed path{stroke-dasharray:5 4}.dotted path{stroke-dasharray:1.5 3}",
        ".bold path{stroke-width:2.4}.covered rect{stroke-dasharray:4 3}",
    ]
    light = ("#ffffff", "#f2f4f7", "#d5dae1", "#1f2328", "#57606a", "#2f6fb5", "#9a5b13")
    dark = ("#0f1318", "#171c22", "#313943", "#e2e6ea", "#99a3ae", "#6cabec", "#d9a05b")
    rules += _colours(light, {kind: (c.fill, c.border) for kind, c in _kinds().items()})
    rules.append("@media (prefers-color-scheme:dark){")
    rules += _colours(dark, {kind: (c.dark_fill, c.dark_border) for kind, c in _kinds().items()})
    return "\n".join([*rules, "}"])


def _kinds() -> dict[str, Colours]:
    return {"plain": PLAIN, **KINDS}


def _colours(page: tuple[str, ...], boxes: dict[str, tuple[str, str]]) -> list[str]:
    back, group, frame, text, line, loop, cover = page
    rules = [
        f".page{{fill:{back}}}.group{{fill:{group};stroke:{frame}}}text{{fill:{text}}}",
        f".label{{fill:{line};stroke:{back}}}.boxed .label{{stroke:{group}}}",
    ]
    for kind, colour in (("edge", line), ("rising", loop), ("dashed", cover)):
        rules.append(f".{kind} path{{stroke:{colour}}}.{kind} .head{{fill:{colour}}}")
    rules += [f".{k} rect{{fill:{fill};stroke:{line}}}" for k, (fill, line) in boxes.items()]
    return rules
