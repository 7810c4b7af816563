"""Registers that are only moved, or whose bits are only cleared and set."""

from __future__ import annotations

from imc.program.concrete.partial import BITWISE, RESIZING
from imc.program.instructions import (
    Binary,
    Call,
    Cast,
    ExtractValue,
    Instruction,
    Reg,
    Return,
    Store,
)
from imc.program.program import Function


def tolerant(function: Function) -> frozenset[int]:
    """Registers that nobody looks at as a whole: they may be partly undefined."""
    registers = set(range(len(function.registers)))
    for block in function.blocks:
        for phi in block.phis:
            registers -= {o.index for o in phi.operands() if isinstance(o, Reg)}
        for i in block.body:
            if not _looks_at_nothing(i):
                registers -= {o.index for o in i.operands() if isinstance(o, Reg)}
            elif isinstance(i, Store) and isinstance(i.pointer, Reg):
                registers.discard(i.pointer.index)
            elif isinstance(i, Call) and isinstance(i.callee, Reg):
                registers.discard(i.callee.index)
    return frozenset(registers)


def _looks_at_nothing(i: Instruction) -> bool:
    if isinstance(i, Binary):
        return i.op in BITWISE
    if isinstance(i, Cast):
        return i.op in RESIZING
    return isinstance(i, Store | Call | Return | ExtractValue)
