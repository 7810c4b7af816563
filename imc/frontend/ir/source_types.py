"""Types as the source wrote them, from debug information."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from imc.frontend.ir.metadata import Metadata, MetadataNode
from imc.program.program import SourceType

_RECORD = re.compile(r'(?:distinct )?!DICompositeType\(tag: DW_TAG_(structure|union)_type, name: "')
_TYPEDEF = re.compile(r"!DIDerivedType\(tag: DW_TAG_typedef, name: ")
_RECORD_WORDS = {"DW_TAG_structure_type": "struct", "DW_TAG_union_type": "union"}
_QUALIFIERS = {"DW_TAG_const_type": "const", "DW_TAG_volatile_type": "volatile"}
_SUFFIX = re.compile(r"\.\d+\Z")
_UNKNOWN = SourceType("", 0)


class SourceTypes:
    """Decodes the type nodes of one module."""

    def __init__(self, metadata: Metadata, pointer_bytes: int) -> None:
        self._metadata = metadata
        self._pointer_bytes = pointer_bytes
        self._known: dict[str, SourceType] = {}
        self._names: dict[str, str] = {}

    def get(self, reference: str) -> SourceType:
        """The type that a node describes; pointers are not followed."""
        known = self._known.get(reference)
        if known is None:
            self._known[reference] = _UNKNOWN  # ends a cycle, which only malformed nodes have
            known = self._known[reference] = self._read(reference)
        return known

    def name(self, reference: str) -> str:
        """What C calls the type: `unsigned int`, `struct node *`, `int (*)(void *)`."""
        known = self._names.get(reference)
        if known is None:
            self._names[reference] = ""
            known = self._names[reference] = self._name(reference)
        return known

    def records(self, llvm_names: Iterable[str]) -> dict[str, SourceType]:
        """Source types of LLVM's `struct.x` and `union.y`, for those that the source names."""
        references = self._record_references()
        found = {}
        for name in llvm_names:
            reference = references.get(name) or references.get(_SUFFIX.sub("", name))
            if reference is not None:
                found[name] = self.get(reference)
        return found

    def _record_references(self) -> dict[str, str]:
        """References of record types by LLVM's name for them, definitions before declarations."""
        references: dict[str, str] = {}
        for reference, text in self._metadata.raw.items():
            if match := _RECORD.match(text):
                node = self._metadata.node(reference)
                word = "struct" if match[1] == "structure" else "union"
                name = f"{word}.{node.text('name')}"
            elif _TYPEDEF.match(text):
                # LLVM calls an unnamed struct by the typedef that names it.
                node = self._metadata.node(reference)
                base = self._metadata.node(node.text("baseType"))
                if base.text("name") or base.text("tag") not in _RECORD_WORDS:
                    continue
                name = f"{_RECORD_WORDS[base.text('tag')]}.{node.text('name')}"
                node = base
            else:
                continue
            if name not in references or "elements" in node.fields:
                references[name] = reference
        return references

    def _read(self, reference: str) -> SourceType:
        node = self._metadata.node(reference)
        name = self.name(reference)
        size = node.number("size") // 8
        if node.kind == "DIBasicType":
            encoding = node.text("encoding")
            signed = "unsigned" not in encoding and encoding not in ("DW_ATE_boolean", "DW_ATE_UTF")
            return SourceType(name, size, signed=signed)
        if node.kind == "DICompositeType":
            return self._composite(node, name, size)
        if node.kind == "DIDerivedType":
            if node.text("tag") == "DW_TAG_pointer_type":
                return SourceType(name, size or self._pointer_bytes, signed=False)
            base = self.get(node.text("baseType"))
            unnamed = base.name in ("struct", "union", "enum")
            return replace(base, name=name) if unnamed and node.text("name") else base
        return SourceType(name, size)

    def _composite(self, node: MetadataNode, name: str, size: int) -> SourceType:
        tag = node.text("tag")
        if tag == "DW_TAG_array_type":
            return self._array(node)
        if tag == "DW_TAG_enumeration_type":
            base = node.text("baseType")
            return SourceType(name, size, signed=self.get(base).signed if base else True)
        fields = []
        for item in self._metadata.items(node.text("elements")):
            member = self._metadata.node(item)
            if member.text("tag") == "DW_TAG_member":
                fields.append(self._member(member))
        return SourceType(name, size, fields=tuple(fields))

    def _member(self, member: MetadataNode) -> tuple[int, str, SourceType]:
        offset, kind = member.number("offset"), self.get(member.text("baseType"))
        if "DIFlagBitField" in member.text("flags"):
            # Only the bytes it covers: the rest of its type's size belongs to its neighbours.
            kind = replace(kind, size=(offset % 8 + member.number("size") + 7) // 8)
        return offset // 8, member.text("name"), kind

    def _array(self, node: MetadataNode) -> SourceType:
        result = self.get(node.text("baseType"))
        base, counts = result.name, self._counts(node)
        for depth in reversed(range(len(counts))):
            name = base + _dimensions(counts[depth:])
            size = counts[depth] * result.size
            result = SourceType(name, size, element=result, count=counts[depth])
        return result

    def _counts(self, array: MetadataNode) -> list[int]:
        """The number of elements in each dimension, 0 where it is not fixed."""
        ranges = map(self._metadata.node, self._metadata.items(array.text("elements")))
        return [max(r.number("count"), 0) for r in ranges]

    def _name(self, reference: str) -> str:
        if reference in ("", "null"):
            return "void"
        node = self._metadata.node(reference)
        tag, name = node.text("tag"), node.text("name")
        if node.kind == "DISubroutineType":
            return self._function_name(node, "")
        if tag in _RECORD_WORDS or tag == "DW_TAG_enumeration_type":
            return f"{_RECORD_WORDS.get(tag, 'enum')} {name}".rstrip()
        if tag == "DW_TAG_array_type":
            return self.name(node.text("baseType")) + _dimensions(self._counts(node))
        if tag == "DW_TAG_pointer_type":
            return self._pointer_name(node.text("baseType"))
        if name or node.kind != "DIDerivedType":
            return name
        base = self.name(node.text("baseType"))
        return f"{_QUALIFIERS[tag]} {base}" if tag in _QUALIFIERS else base

    def _pointer_name(self, pointee: str) -> str:
        node = self._metadata.node(pointee)
        if node.kind == "DISubroutineType":
            return self._function_name(node, "(*)")
        if node.text("tag") == "DW_TAG_array_type":
            return f"{self.name(node.text('baseType'))} (*){_dimensions(self._counts(node))}"
        base = self.name(pointee)
        return f"{base}*" if base.endswith("*") else f"{base} *"

    def _function_name(self, node: MetadataNode, middle: str) -> str:
        result, *params = self._metadata.items(node.text("types")) or ["null"]
        names = [self.name(p) for p in params]
        if names and params[-1] == "null":
            names[-1] = "..."
        return f"{self.name(result)} {middle}({', '.join(names) or 'void'})"


def _dimensions(counts: list[int]) -> str:
    return "".join(f"[{count or ''}]" for count in counts)
