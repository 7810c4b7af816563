"""Metadata nodes: kept as text, decoded when asked for."""

from __future__ import annotations

import re

from imc.frontend.ir.lexer import unquote
from imc.records import record

_KIND = re.compile(r"(?:distinct )?!(\w+)\(")
_FIELD = re.compile(r'(\w+): ("[^"]*"|!\w+(?:\([^)]*\))?|[^,)]+)')


@record
class MetadataNode:
    """A specialised node such as `!DIFile(filename: "a.c", directory: "/src")`."""

    kind: str
    fields: dict[str, str]

    def text(self, name: str) -> str:
        """The field as written, strings without their quotes; empty if there is none."""
        return unquote(self.fields.get(name, ""))

    def number(self, name: str) -> int:
        text = self.fields.get(name, "")
        return int(text) if text.removeprefix("-").isdecimal() else 0


_NONE = MetadataNode("", {})


class Metadata:
    """All nodes of a module, by the reference that names them (`!12`)."""

    def __init__(self) -> None:
        self.raw: dict[str, str] = {}
        self._nodes: dict[str, MetadataNode] = {}

    def node(self, reference: str) -> MetadataNode:
        """The node that a reference names; an empty one if it names none."""
        known = self._nodes.get(reference)
        if known is None:
            text = self.raw.get(reference, "")
            kind = _KIND.match(text)
            known = MetadataNode(kind[1], dict(_FIELD.findall(text, kind.end()))) if kind else _NONE
            self._nodes[reference] = known
        return known

    def items(self, reference: str) -> list[str]:
        """The elements of a plain node `!{!1, null, !2}`, as written."""
        text = self.raw.get(reference, "").removeprefix("distinct ")
        inside = text.removeprefix("!{").removesuffix("}")
        return inside.split(", ") if inside and inside != text else []
