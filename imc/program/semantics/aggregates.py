"""Structs, arrays and vectors that live in registers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imc.program.instructions import (
    ExtractElement,
    ExtractValue,
    InsertElement,
    InsertValue,
    ShuffleVector,
)
from imc.program.machine import Machine
from imc.program.semantics.dispatch import Op, Regs, destination, prepare_instruction
from imc.program.types import ArrayType, StructType, Type, VectorType
from imc.program.values import UNDEF, Aggregate, Value, settled

if TYPE_CHECKING:
    from imc.program.code import FunctionCode


def _element(value: Value, path: tuple[int, ...]) -> Value:
    for index in path:
        if value is UNDEF:
            return UNDEF
        value = value[index]
    return value


def _part(type: Type, index: int) -> Type:
    if isinstance(type, StructType):
        return type.fields[index]
    assert isinstance(type, (ArrayType, VectorType))
    return type.element


def _replace(value: Value, type: Type, path: tuple[int, ...], new: Value) -> Value:
    if not path:
        return new
    count = len(type.fields) if isinstance(type, StructType) else type.count  # type: ignore[attr-defined]
    parts = [UNDEF] * count if value is UNDEF else list(value)
    parts[path[0]] = _replace(parts[path[0]], _part(type, path[0]), path[1:], new)
    return Aggregate(parts)


@prepare_instruction.register(ExtractValue)
def _(i: ExtractValue, code: FunctionCode, pc: int) -> Op:
    d, a, path = destination(i), code.operand(i.aggregate), i.path

    moves = d in code.tolerant

    def run(m: Machine, r: Regs) -> None:
        value = _element(r[a], path)
        r[d] = value if moves else settled(value)

    return run


@prepare_instruction.register(InsertValue)
def _(i: InsertValue, code: FunctionCode, pc: int) -> Op:
    d, a, v = destination(i), code.operand(i.aggregate), code.operand(i.value)

    def run(m: Machine, r: Regs) -> None:
        r[d] = _replace(r[a], i.type, i.path, r[v])

    return run


@prepare_instruction.register(ExtractElement)
def _(i: ExtractElement, code: FunctionCode, pc: int) -> Op:
    d, a, k = destination(i), code.operand(i.vector), code.operand(i.index)

    def run(m: Machine, r: Regs) -> None:
        r[d] = _element(r[a], (m.known(r[k]),))

    return run


@prepare_instruction.register(InsertElement)
def _(i: InsertElement, code: FunctionCode, pc: int) -> Op:
    d, a = destination(i), code.operand(i.vector)
    v, k = code.operand(i.value), code.operand(i.index)

    def run(m: Machine, r: Regs) -> None:
        r[d] = _replace(r[a], i.type, (m.known(r[k]),), r[v])

    return run


@prepare_instruction.register(ShuffleVector)
def _(i: ShuffleVector, code: FunctionCode, pc: int) -> Op:
    d, a, b = destination(i), code.operand(i.left), code.operand(i.right)
    assert isinstance(i.type, VectorType)
    count = i.type.count

    def run(m: Machine, r: Regs) -> None:
        both = [x for v in (r[a], r[b]) for x in ([UNDEF] * count if v is UNDEF else v)]
        r[d] = Aggregate(UNDEF if k < 0 else both[k] for k in i.mask)

    return run
