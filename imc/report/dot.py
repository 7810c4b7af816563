"""Writes a graph as text for Graphviz."""

from __future__ import annotations

from imc.report.drawing import Drawing, DrawnEdge, DrawnNode, printable
from imc.report.style import KINDS, PLAIN


def to_dot(graph: Drawing) -> str:
    """The graph in the DOT language; groups become clusters."""
    lines = [
        f"digraph {_id(printable(graph.title))} {{",
        f'  graph [label={_label(graph.title)}, labelloc=t, fontname="Helvetica"];',
        '  node [shape=box, style="rounded,filled", fontname="monospace", fontsize=10];',
        '  edge [fontname="monospace", fontsize=9];',
    ]
    for number, (group, nodes) in enumerate(graph.groups().items()):
        if not group:
            lines += [f"  {_node(node)}" for node in nodes]
            continue
        lines.append(f"  subgraph cluster_{number} {{")
        lines.append(f'    label={_label(group)}; style="rounded,filled"; color="#eef1f5";')
        lines += [f"    {_node(node)}" for node in nodes]
        lines.append("  }")
    shaping = set(graph.shaping())
    lines += [f"  {_edge(edge, edge in shaping)}" for edge in graph.edges]
    return "\n".join([*lines, "}", ""])


def _node(node: DrawnNode) -> str:
    colours = KINDS.get(node.kind, PLAIN)
    label = _label(*node.lines, end=r"\l")
    return f'{_id(node.id)} [label={label}, fillcolor="{colours.fill}", color="{colours.border}"];'


def _edge(edge: DrawnEdge, shaping: bool) -> str:
    options = [f"label={_label(edge.label)}"] if edge.label else []
    options += [f"style={edge.style}"] if edge.style != "solid" else []
    options += ["constraint=false"] if not shaping else []
    text = f"{_id(edge.source)} -> {_id(edge.target)}"
    return f"{text} [{', '.join(options)}];" if options else f"{text};"


def _id(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\0", "\ufffd") + '"'


def _label(*lines: str, end: str = "") -> str:
    """A quoted label: Graphviz also reads backslashes and XML entities in it."""
    texts = (printable(line).replace("&", "&amp;").replace("\\", "\\\\") for line in lines)
    return '"' + "".join(text.replace('"', '\\"') + end for text in texts) + '"'
