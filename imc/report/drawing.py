"""Graphs to be drawn: boxes of text lines and arrows, with no knowledge of what they stand for."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

import networkx as nx

STYLES = ("solid", "dashed", "dotted", "bold")
LONGEST = 72  # columns of a line in a picture


@dataclass(frozen=True, slots=True)
class DrawnNode:
    """A box; nodes of one `group` are drawn together, under that name. A `link` can be followed."""

    id: str
    lines: tuple[str, ...]
    kind: str
    group: str = ""
    link: str = ""


@dataclass(frozen=True, slots=True)
class DrawnEdge:
    """An arrow; `style` is one of `STYLES`."""

    source: str
    target: str
    label: str = ""
    style: str = "solid"


@dataclass(frozen=True, slots=True)
class Drawing:
    """Nodes with distinct ids, and edges between them, in the order they should be drawn in."""

    title: str
    nodes: tuple[DrawnNode, ...] = ()
    edges: tuple[DrawnEdge, ...] = ()

    def __post_init__(self) -> None:
        ids = {node.id for node in self.nodes}
        if len(ids) != len(self.nodes):
            raise ValueError("two nodes have the same id")
        for edge in self.edges:
            if missing := {edge.source, edge.target} - ids:
                raise ValueError(f"an edge leads to or from an unknown node: {missing.pop()!r}")
            if edge.style not in STYLES:
                raise ValueError(f"unknown style of an edge: {edge.style!r}")

    def groups(self) -> dict[str, list[DrawnNode]]:
        """The nodes of each group; groups in the order of their first nodes."""
        result: dict[str, list[DrawnNode]] = {}
        for node in self.nodes:
            result.setdefault(node.group, []).append(node)
        return result

    def shaping(self) -> list[DrawnEdge]:
        """The edges that decide what stands below what.

        An edge that is not solid only does so where its target hangs on no solid edge: thus the
        edges that cover a node of a tree leave the tree as it is.
        """
        held = {e.target for e in self.edges if e.style in ("solid", "bold")}
        return [e for e in self.edges if e.style in ("solid", "bold") or e.target not in held]

    def layers(self) -> dict[str, int]:
        """The layer of each node, in the order of a depth-first search.

        It is the longest path to the node, without the back edges of the search.
        """
        successors: dict[str, list[str]] = {node.id: [] for node in self.nodes}
        for edge in self.shaping():
            successors[edge.source].append(edge.target)
        inner = {e.target for e in self.edges if e.style in ("solid", "bold")}
        dag = nx.DiGraph()
        dag.add_nodes_from(successors)
        active: dict[str, bool] = {}  # in the order of the visits; false once a node is done
        for root in sorted(successors, key=inner.__contains__):
            stack = [] if root in active else [(root, iter(successors[root]))]
            active.setdefault(root, True)
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
        layers = dict.fromkeys(active, 0)
        for layer, names in enumerate(nx.topological_generations(dag)):
            layers |= dict.fromkeys(names, layer)
        for name in active:
            if not dag.in_degree(name) and dag.out_degree(name):  # near to what it leads to
                layers[name] = min(layers[target] for target in dag.successors(name)) - 1
        return layers


def printable(text: str) -> str:
    """The text on one line, as XML and terminals can show it.

    No control character is left, nor what would turn the direction of the text after it.
    """
    text = re.sub(r"[\r\n]+", " ", text.expandtabs(4))
    return re.sub(
        r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]", "\ufffd", text
    )


def shown(text: str) -> str:
    """The text as a picture shows it: on one line, the end of a long one left out."""
    text = printable(text)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def columns(text: str) -> int:
    """Its width: letters of East Asian scripts take two columns, combining marks none."""
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    return len(text) + wide - sum(unicodedata.combining(letter) > 0 for letter in text)
