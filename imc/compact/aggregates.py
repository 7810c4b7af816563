"""Structs, arrays and vectors in registers: a register for each scalar, moved one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imc.compact.dispatch import lower_instruction
from imc.compact.words import count
from imc.program.instructions import ExtractValue, InsertValue
from imc.program.types import ArrayType, StructType, Type, VectorType, is_aggregate

if TYPE_CHECKING:
    from imc.compact.function import FunctionLowering


def _place(type: Type, path: tuple[int, ...]) -> tuple[int, int]:
    """Where a part begins among the scalars of a type, and how many it has."""
    at = 0
    for index in path:
        if isinstance(type, StructType):
            at += sum(map(count, type.fields[:index]))
            type = type.fields[index]
        else:
            assert isinstance(type, ArrayType | VectorType)
            at += index * count(type.element)
            type = type.element
    return at, count(type) if is_aggregate(type) else 1


@lower_instruction.register(ExtractValue)
def _(i: ExtractValue, f: FunctionLowering) -> None:
    at, size = _place(i.type, i.path)
    f.move(f.results(i), f.words(i.aggregate, i)[at : at + size])


@lower_instruction.register(InsertValue)
def _(i: InsertValue, f: FunctionLowering) -> None:
    at, size = _place(i.type, i.path)
    given = f.words(i.aggregate, i)
    given[at : at + size] = f.words(i.value, i)
    f.move(f.results(i), given)
