"""Draws a graph as one SVG file that needs no other file or program, on a light or dark page."""

from __future__ import annotations

from collections import Counter
from html import escape

import networkx as nx

from imc.report.drawing import Drawing, DrawnEdge, DrawnNode, printable, shown
from imc.report.layout import DOWN, LANE, LINE, PAD, RIGHT, Component, Route, Slot, text_width
from imc.report.style import KINDS, stylesheet

MARGIN, GUTTER, ARROW = 20, 32, 8  # pixels: around the picture, between groups, of arrow heads

Pair = tuple[float, float]
Rectangle = tuple[float, float, float, float]  # left, top, right, bottom


def to_svg(graph: Drawing) -> str:
    """The picture of the graph; groups stand side by side."""
    drawing = _Drawing()
    group_of = {node.id: node.group for node in graph.nodes}
    bridges = [e for e in graph.edges if group_of[e.source] != group_of[e.target]]
    groups = graph.groups()
    blocks = [_parts(nodes, graph.edges) for nodes in groups.values()]
    rims = [(PAD + 4, LINE + 2 * PAD) if group else (0, 0) for group in groups]
    sizes = [
        (max(width + 2 * side, text_width(group) + 30), height + top + side)
        for group, (_, (width, height)), (side, top) in zip(groups, blocks, rims, strict=True)
    ]
    corners, (width, height) = _shelves(sizes, GUTTER)
    above = MARGIN + (34 if graph.title else 0) + (GUTTER / 2 if bridges else 0)
    items: dict[str, Slot] = {}
    frames: dict[str, Rectangle] = {}
    for number, (group, (parts, inner)) in enumerate(zip(groups, blocks, strict=True)):
        left, top = corners[number][0] + MARGIN, corners[number][1] + above
        frames[group] = left, top, left + sizes[number][0], top + sizes[number][1]
        if group:
            drawing.group(group, frames[group])
        for part in parts:
            inset = (sizes[number][0] - inner[0]) / 2
            part.move(part.x + left + inset, part.y + top + rims[number][1])
            items |= part.items
    for edge in bridges:
        drawing.bridge(edge, items[edge.source], items[edge.target], frames)
    for group, (parts, _) in zip(groups, blocks, strict=True):
        drawing.parts(parts, bool(group))
    width = max(width, text_width(graph.title) * 1.2) + 2 * MARGIN
    return drawing.finish(graph.title, width, height + above + MARGIN)


def _parts(nodes: list[DrawnNode], every: tuple[DrawnEdge, ...]) -> tuple[list[Component], Pair]:
    """The connected parts of a group, placed, and the size of the whole."""
    names = {node.id for node in nodes}
    edges = [edge for edge in every if edge.source in names and edge.target in names]
    undirected = nx.Graph()
    undirected.add_nodes_from(node.id for node in nodes)
    undirected.add_edges_from((edge.source, edge.target) for edge in edges)
    parts = [
        Component([n for n in nodes if n.id in some], [e for e in edges if e.source in some])
        for some in nx.connected_components(undirected)
    ]
    places, size = _shelves([(part.width, part.height) for part in parts], 26)
    for part, (x, y) in zip(parts, places, strict=True):
        part.move(x, y)
    return parts, size


def _shelves(sizes: list[Pair], gap: float) -> tuple[list[Pair], Pair]:
    """Where rectangles go, side by side and in rows if they are many, and the size of the whole."""
    area = sum((width + gap) * (height + gap) for width, height in sizes)
    limit = max([2.2 * area**0.5, *(width for width, _ in sizes)])
    places: list[Pair] = []
    x = y = deep = wide = 0.0
    for width, height in sizes:
        if x and x + width > limit:
            x, y, deep = 0, y + deep + gap, 0
        places.append((x, y))
        x, deep, wide = x + width + gap, max(deep, height), max(wide, x + width)
    return places, (wide, y + deep)


class _Drawing:
    """Collects the elements of the picture, from back to front."""

    def __init__(self) -> None:
        self.out: list[str] = []
        self.labels: list[tuple[float, float, float]] = []  # left, middle, width
        self.bridges = 0
        self.loops: Counter[Slot] = Counter()

    def text(self, text: str, x: float, y: float, kind: str) -> None:
        self.out.append(
            f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(shown(text))}</text>'
        )

    def group(self, name: str, frame: Rectangle) -> None:
        self.out.append(f'<rect class="group" {_rectangle(frame)} rx="10"/>')
        self.text(name, frame[0] + PAD + 4, frame[1] + PAD + 12, "name")

    def parts(self, parts: list[Component], boxed: bool) -> None:
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

    def box(self, item: Slot) -> None:
        assert item.node
        kind = item.node.kind if item.node.kind in KINDS else "plain"
        left, right = item.x - item.width / 2, item.x + item.width / 2
        if item.node.link:
            self.out.append(f'<a href="{escape(printable(item.node.link))}">')
        self.out.append(f'<g class="node {kind}" data-id="{escape(printable(item.node.id))}">')
        self.out.append(f"<title>{escape(chr(10).join(map(printable, item.node.lines)))}</title>")
        frame = left, item.y, right, item.y + item.height
        self.out.append(f'<rect {_rectangle(frame)} rx="6"/>')
        for number, line in enumerate(item.node.lines):
            self.text(line, left + PAD, item.y + PAD / 2 + LINE * (number + 0.75), "line")
        self.out.append("</g></a>" if item.node.link else "</g>")

    def arrow(self, edge: DrawnEdge, path: str, tip: Pair, way: Pair, kind: str = "") -> None:
        """A path, and a head at the tip that points that way."""
        (x, y), (a, b) = tip, way
        base = [(x - a * ARROW + s * b * 4, y - b * ARROW + s * a * 4) for s in (-1, 1)]
        head = f"M{_at(tip)}L{_at(base[0])}L{_at(base[1])}Z"
        self.out.append(f'<g class="edge {edge.style} {kind}">')
        self.out.append(f'<path d="{path}"/><path class="head" d="{head}"/></g>')

    def route(self, part: Component, route: Route) -> None:
        source, target, links = route.source, route.target, route.links
        bottom = source.y + source.height
        if source is target:
            self.loops[source] += 1
            size, wide = 3 + 3 * self.loops[source], LANE * self.loops[source]
            x, y = source.x + source.width / 2, source.y + source.height / 2
            path = f"M{x:.1f} {y - size:.1f}h4c{wide} 0 {wide} {2 * size} {ARROW - 4} {2 * size}"
            self.arrow(route.edge, path, (x, y + size), (-1, 0), "rising")
        elif not links:  # in the same row
            low, tip = part.bottoms[source.layer], (target.x, target.y + target.height)
            curve = f"C{source.x:.1f} {low + 40:.1f} {target.x:.1f} {low + 40:.1f} {target.x:.1f} "
            path = f"M{source.x:.1f} {bottom:.1f}V{low:.1f}{curve}{low + ARROW:.1f}"
            self.arrow(route.edge, f"{path}V{tip[1] + ARROW:.1f}", tip, (0, -1))
        elif route.side != DOWN:
            self.rising(part, route)
        else:
            x = source.x + links[0].at_upper
            path = f"M{x:.1f} {bottom:.1f}"
            for link in links:
                x, to = link.upper.x + link.at_upper, link.lower.x + link.at_lower
                y, end = part.bottoms[link.upper.layer], part.tops[link.lower.layer]
                end -= ARROW if link.lower is target else 0
                path += f"V{y:.1f}{_curve(x, y, to, end)}"
            self.arrow(route.edge, path, (to, target.y), (0, 1))

    def rising(self, part: Component, route: Route) -> None:
        """Leaves and reaches boxes at a side, outer lanes around inner ones."""
        source, target, links, side = route.source, route.target, route.links, route.side
        x = source.x + links[-1].at_lower
        y = source.y + source.height * (0.1 + 0.3 * _outer(source, side, links[-1].at_lower))
        end = target.y + target.height * (0.9 - 0.3 * _outer(target, side, links[0].at_upper))
        path = f"M{source.x + side * source.width / 2:.1f} {y:.1f}H{x - side * 6:.1f}"
        path += f"q{side * 6} 0 {side * 6} -6"
        for link in reversed(links):
            x, above = link.lower.x + link.at_lower, link.upper.x + link.at_upper
            low, high = part.tops[link.lower.layer], part.bottoms[link.upper.layer]
            path += f"V{low:.1f}{_curve(x, low, above, high)}"
        tip = target.x + side * target.width / 2
        path += f"V{end + 6:.1f}q0 -6 {side * -6} -6H{tip + side * (ARROW - 1):.1f}"
        self.arrow(route.edge, path, (tip, end), (-side, 0), "rising")

    def label(self, part: Component, route: Route) -> None:
        if not route.edge.label:
            return
        source, target, links = route.source, route.target, route.links
        width = text_width(route.edge.label)
        if source is target:
            left = source.x + source.width / 2 + source.lanes[RIGHT] * LANE + 3
            middle = source.y + source.height / 2
            while not self.free(left, middle, width):
                middle += 14
        elif not links:
            left, middle = (source.x + target.x - width) / 2, part.bottoms[source.layer] + 30
        elif route.side != DOWN:
            lane = links[len(links) // 2]
            left = lane.upper.x + lane.at_upper + (5 if route.side == RIGHT else -5 - width)
            middle = (part.tops[lane.upper.layer] + part.bottoms[lane.upper.layer]) / 2
            if len(links) == 1:
                middle = part.bottoms[target.layer] + 12
        else:
            x, to = source.x + links[0].at_upper, links[0].lower.x + links[0].at_lower
            y, end = part.bottoms[source.layer], part.tops[source.layer + 1] - ARROW
            for t in (0.7, 0.25, 0.45, 0.9, 0.7):  # along the curve
                left = x + (to - x) * t * t * (3 - 2 * t) - width / 2
                middle = y + (end - y) * (1.5 * t * (1 - t) + t**3)
                if self.free(left, middle, width):
                    break
        self.labels.append((left, middle, width))
        self.text(route.edge.label, left, middle + 4, "label")

    def free(self, left: float, middle: float, width: float) -> bool:
        """Whether there is space for a label."""
        return not any(
            left < x + wide and x < left + width and abs(y - middle) < 14
            for x, y, wide in self.labels
        )

    def bridge(
        self, edge: DrawnEdge, source: Slot, target: Slot, frames: dict[str, Rectangle]
    ) -> None:
        """An edge between groups, behind the boxes: to the top of an entry, else to a side."""
        assert source.node and target.node
        side = 1 if source.x < target.x else -1
        x, y = source.x + side * source.width / 2, source.y + source.height / 2
        step = 4 * (self.bridges % 5 - 2)
        self.bridges += 1
        if target.layer == 0:
            frame = frames[source.node.group]
            gutter = (frame[2] if side > 0 else frame[0]) + side * GUTTER / 2 + step
            over, to = frames[target.node.group][1] - GUTTER / 3 + step, target.x + step
            turn = 6 if gutter < to else -6
            path = f"M{x:.1f} {y:.1f}H{gutter - 6 * side:.1f}q{6 * side} 0 {6 * side} -6"
            path += f"V{over + 6:.1f}q0 -6 {turn} -6H{to - turn:.1f}q{turn} 0 {turn} 6"
            self.arrow(edge, f"{path}V{target.y - ARROW:.1f}", (to, target.y), (0, 1), "bridge")
            place = to + 5, target.y - 12
        else:
            to, end = target.x - side * target.width / 2, target.y + target.height / 2
            bend = max(abs(to - x) / 2, 40) * side
            path = f"M{x:.1f} {y:.1f}C{x + bend:.1f} {y:.1f} {to - bend:.1f} {end:.1f} "
            path += f"{to - side * ARROW:.1f} {end:.1f}"
            self.arrow(edge, path, (to, end), (side, 0), "bridge")
            place = (x + to - text_width(edge.label)) / 2, (y + end) / 2 - 6
        if edge.label:
            self.text(edge.label, *place, "label")

    def finish(self, title: str, width: float, height: float) -> str:
        if title:
            self.text(title, MARGIN, MARGIN + 12, "title")
        size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" class="imc-graph" {size}'
        return "\n".join(
            [
                f'{head} xml:space="preserve">',
                f"<title>{escape(printable(title))}</title>",
                f"<style>\n{stylesheet()}\n</style>",
                '<rect class="page" width="100%" height="100%"/>',
                *self.out,
                "</svg>\n",
            ]
        )


def _at(point: Pair) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"


def _rectangle(frame: Rectangle) -> str:
    left, top, right, bottom = frame
    return f'x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="{bottom - top:.1f}"'


def _curve(x: float, y: float, to: float, end: float) -> str:
    """From row to row, vertical at both ends."""
    middle = (y + end) / 2
    return f"C{x:.1f} {middle:.1f} {to:.1f} {middle:.1f} {to:.1f} {end:.1f}"


def _outer(item: Slot, side: int, at: float) -> float:
    """How far out a lane is, from 0 to 1."""
    return (side * at - item.width / 2) / (item.lanes[side] * LANE)
