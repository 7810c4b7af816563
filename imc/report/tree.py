"""Schedules as trees: text, and graphs to be drawn."""

from __future__ import annotations

from imc.program.words.description import Describer
from imc.report.drawing import Drawing, DrawnEdge, DrawnNode
from imc.report.labels import AND, label_text
from imc.verifier.engine import Engine
from imc.verifier.result import VerifiedNode, VerifiedTree


class TreeTexts:
    """Names what is in a schedule's nodes, as the source does."""

    def __init__(self, engine: Engine, full: bool) -> None:
        self.places = engine.places
        self.image = engine.image
        self.describer = Describer(self.image)
        self.full = full

    def label(self, node: VerifiedNode) -> str:
        """What is proved to hold at a node, besides the values that it keeps."""
        return label_text(node.label, lambda symbol: self.places.of[symbol].name, self.full)

    def step(self, node: VerifiedNode) -> str:
        """The step that leads to a node."""
        event = node.node.event
        line = f"{event.loc.line}: " if event.loc else ""
        return f"{self.image.threads.names[event.thread]} {line}{self.describer.event(event)}"


def tree_text(schedule: VerifiedTree, engine: Engine, full: bool = False) -> str:
    """One line per node, indented where the input decides; what covers a node is named."""
    texts = TreeTexts(engine, full)
    lines: list[str] = []
    stack = [(schedule.root, 0)]
    while stack:
        number, depth = stack.pop()
        node = schedule.nodes[number]
        label = texts.label(node)
        cover = f"  ▷ {node.cover}" if node.cover is not None else ""
        lines.append(
            f"{number:>5}  {'  ' * depth}{texts.step(node)}"
            + (f"  {{{label}}}" if label else "")
            + cover
        )
        children = [c for group in node.permits.values() for c in group]
        deeper = depth + (len(children) > 1)
        stack.extend((c, deeper) for c in reversed(children))
    return "\n".join(lines)


def tree_graph(schedule: VerifiedTree, engine: Engine, title: str, full: bool = False) -> Drawing:
    """The tree with its covers, for drawing."""
    texts = TreeTexts(engine, full)
    nodes, edges = [], []
    for number, node in schedule.nodes.items():
        label = texts.label(node)
        lines = tuple(label.split(AND)) if label else ("true",)
        kind = "entry" if number == schedule.root else "covered" if node.cover is not None else ""
        nodes.append(DrawnNode(str(number), (f"{number}", *lines), kind))
        for children in node.permits.values():
            edges += [
                DrawnEdge(str(number), str(c), texts.step(schedule.nodes[c])) for c in children
            ]
        if node.cover is not None:
            edges.append(DrawnEdge(str(number), str(node.cover), "", "dashed"))
    return Drawing(title, tuple(nodes), tuple(edges))
