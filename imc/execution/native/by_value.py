"""Structs that a call passes by value, in the text of the IR: read before the call, part by part.

The compiler would read them as a part of the call, where no gate can be. So each part is copied to
a local of the caller, between gates of its own, and the local is what the call passes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from imc.execution.native.call_text import behind_attributes, closing
from imc.program.instructions import Call
from imc.program.types import DataLayout, Type

_BYVAL = re.compile(r"\bbyval\(")
_SIZES = (8, 4, 2, 1)  # bytes that are moved at once


@dataclass(frozen=True, slots=True)
class PassedStruct:
    """An argument that is passed by value: its type, and where its address stands in the line."""

    type: Type
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A call that passes copies: the locals they need, how each part is read, and the call."""

    locals: list[str]
    parts: list[list[str]]  # of each part, the instructions that copy it
    line: str


def rewrite(line: str, number: int, call: Call, layout: DataLayout) -> Rewritten:
    """The call in line `number`, with copies in the place of what it passes by value."""
    types = [type for type in call.byval or () if type is not None]
    found = [PassedStruct(t, *span) for t, span in zip(types, _addresses(line), strict=True)]
    made: list[str] = []
    parts: list[list[str]] = []
    for nth, passed in enumerate(found):
        copy, source = f"%irs.copy.{number}.{nth}", line[passed.start : passed.end]
        made.append(f"  {copy} = alloca [{layout.size(passed.type)} x i8], align 16")
        for at, size in layout.pieces(passed.type):
            parts.append(moves(f"{number}.{nth}", copy, source, at, size))
    for nth, passed in reversed(list(enumerate(found))):
        line = line[: passed.start] + f"%irs.copy.{number}.{nth}" + line[passed.end :]
    return Rewritten(made, parts, line)


def _addresses(line: str) -> list[tuple[int, int]]:
    """Where the addresses of arguments that are passed by value begin and end."""
    found = []
    for match in _BYVAL.finditer(line):
        at = behind_attributes(line, closing(line, match.end()) + 1)
        found.append((at, _end_of_operand(line, at)))
    return found


def _end_of_operand(line: str, at: int) -> int:
    while line[at] not in ",)":
        at = closing(line, at + 1) + 1 if line[at] == "(" else at + 1
    return at


def moves(name: str, copy: str, source: str, at: int, size: int) -> list[str]:
    """Instructions that copy some bytes at an offset, from `source` to `copy`."""
    lines = []
    while size:
        n = next(n for n in _SIZES if n <= size)
        label = f"%irs.{name}.{at}"
        lines += [
            f"  {label}.from = getelementptr i8, ptr {source}, i64 {at}",
            f"  {label}.to = getelementptr i8, ptr {copy}, i64 {at}",
            f"  {label} = load i{8 * n}, ptr {label}.from, align 1",
            f"  store i{8 * n} {label}, ptr {label}.to, align 1",
        ]
        at, size = at + n, size - n
    return lines
