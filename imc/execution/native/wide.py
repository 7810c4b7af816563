"""Accesses that are wider than a word, in the text of the IR: word by word, by way of a local."""

from __future__ import annotations

from dataclasses import dataclass

from imc.execution.native.by_value import moves
from imc.execution.native.call_text import address_operand
from imc.program.instructions import Load, Store
from imc.program.types import DataLayout


@dataclass(frozen=True, slots=True)
class WideAccess:
    """A load or store of a local, the local, and how each word goes there or comes from there."""

    local: str
    words: list[list[str]]  # of each word, the instructions that copy it
    line: str


def is_wide(access: Load | Store, layout: DataLayout) -> bool:
    """Whether the access is several events."""
    return not access.ordering and len(layout.words(access.type)) > 1


def rewrite_wide(line: str, number: int, access: Load | Store, layout: DataLayout) -> WideAccess:
    """The access in line `number`."""
    start, end = address_operand(line)
    local, address = f"%irs.wide.{number}", line[start:end]
    name, size = f"wide.{number}", max(layout.size(access.type), 1)
    source, target = (address, local) if isinstance(access, Load) else (local, address)
    return WideAccess(
        f"  {local} = alloca [{size} x i8], align 16",
        [moves(name, target, source, at, n) for at, n in layout.words(access.type)],
        line[:start] + local + line[end:],
    )
