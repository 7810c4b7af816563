"""How instructions find their records: each module registers the ones it knows."""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING

from imc.compact.form import NotCompact
from imc.program.instructions import Instruction
from imc.program.types import FLOAT_BITS, FloatType, IntType, PtrType, Type

if TYPE_CHECKING:
    from imc.compact.function import FunctionLowering


@singledispatch
def lower_instruction(i: Instruction, f: FunctionLowering) -> None:
    """Emits the records of one instruction; the first one is where a thread stands at it."""
    raise NotCompact(f"the instruction '{type(i).__name__.lower()}'", i.loc)


def width(type: Type, where: Instruction) -> int:
    """The bits of a number that fits a register."""
    if isinstance(type, PtrType):
        return 64
    if isinstance(type, IntType) and type.width <= 64:
        return type.width
    raise NotCompact(f"a value of type {type}", where.loc)


def moved(type: Type, where: Instruction) -> int:
    """The same for a scalar that nobody computes with here."""
    if isinstance(type, FloatType) and FLOAT_BITS[type.kind] <= 64:
        return FLOAT_BITS[type.kind]
    return width(type, where)
