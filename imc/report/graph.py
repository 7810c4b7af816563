"""Graphs to be drawn: boxes of text lines and arrows, with no knowledge of what they stand for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

STYLES = ("solid", "dashed", "dotted", "bold")


class Colours(NamedTuple):
    """Fill and border of a box, on a light and on a dark page."""

    fill: str
    border: str
    dark_fill: str
    dark_border: str


PLAIN = Colours("#ffffff", "#8894a4", "#252b33", "#77838f")
KINDS = {
    "entry": Colours("#e3f4e6", "#3f9a56", "#1c3524", "#5bb874"),
    "exit": Colours("#e8ecf1", "#66758a", "#303842", "#8d9bad"),
    "loop": Colours("#e4effb", "#3d7fc4", "#1b2f47", "#5f9fe0"),
    "call": Colours("#f0eafa", "#8462bd", "#30264a", "#a68bdc"),
    "sync": Colours("#fdf2d9", "#c28a1e", "#3d3117", "#d9a842"),
    "error": Colours("#fde6e4", "#cf4338", "#482120", "#ee7268"),
    "covered": Colours("#f3f3f3", "#b3b8bf", "#1f2328", "#545d68"),
}
"""Kinds of nodes with colours of their own; every other kind is drawn in `PLAIN`."""


@dataclass(frozen=True, slots=True)
class Node:
    """A box; nodes of one `group` are drawn together, under that name."""

    id: str
    lines: tuple[str, ...]
    kind: str
    group: str = ""


@dataclass(frozen=True, slots=True)
class Edge:
    """An arrow; `style` is one of `STYLES`."""

    source: str
    target: str
    label: str = ""
    style: str = "solid"


@dataclass(frozen=True, slots=True)
class Graph:
    """Nodes with distinct ids, and edges between them, in the order they should be drawn in."""

    title: str
    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()

    def __post_init__(self) -> None:
        ids = {node.id for node in self.nodes}
        if len(ids) != len(self.nodes):
            raise ValueError("two nodes have the same id")
        for edge in self.edges:
            if missing := {edge.source, edge.target} - ids:
                raise ValueError(f"an edge leads to or from an unknown node: {missing.pop()!r}")
            if edge.style not in STYLES:
                raise ValueError(f"unknown style of an edge: {edge.style!r}")

    def groups(self) -> dict[str, list[Node]]:
        """The nodes of each group; groups in the order of their first nodes."""
        result: dict[str, list[Node]] = {}
        for node in self.nodes:
            result.setdefault(node.group, []).append(node)
        return result

    def shaping(self) -> list[Edge]:
        """The edges that decide what stands below what.

        An edge that is not solid only does so where its target hangs on no solid edge: thus the
        edges that cover a node of a tree leave the tree as it is.
        """
        held = {e.target for e in self.edges if e.style in ("solid", "bold")}
        return [e for e in self.edges if e.style in ("solid", "bold") or e.target not in held]


def printable(text: str) -> str:
    """The text on one line, as XML and terminals can show it: no control character is left."""
    text = re.sub(r"[\r\n]+", " ", text.expandtabs(4))
    return re.sub(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]", "\ufffd", text)
