"""Locals that need no memory: scalars whose address goes nowhere but into their own accesses."""

from __future__ import annotations

from imc.program.instructions import Alloca, Const, Library, Load, Reg, Store
from imc.program.program import Function
from imc.program.types import DataLayout, FloatType, IntType, PtrType, Type

SCOPE = "lifetime_start"  # where a local comes into scope, again or for the first time
SCOPE_END = "lifetime_end"
LIFETIME = (SCOPE, SCOPE_END)


def promotable(function: Function, layout: DataLayout | None = None) -> frozenset[int]:
    """Registers of allocas that only loads and stores of the whole variable use.

    Where the layout is known, an address may be stored as a number of the same size, and the other
    way round: so clang keeps what it has exchanged atomically.
    """
    allocas = {
        i.result: i.type
        for i in function.code
        if isinstance(i, Alloca)
        and i.result is not None
        and isinstance(i.type, (IntType, FloatType, PtrType))
        and isinstance(i.count, Const)
        and i.count.value == 1
    }
    escaped: set[int] = set()
    for block in function.blocks:
        for i in (*block.phis, *block.body):
            if isinstance(i, Library) and i.function in LIFETIME:
                continue
            for operand in i.operands():
                if not isinstance(operand, Reg) or operand.index not in allocas:
                    continue
                whole = (
                    isinstance(i, (Load, Store))
                    and operand is i.pointer
                    and _holds(allocas[operand.index], i.type, layout)
                    and not (isinstance(i, Store) and i.value == operand)
                )
                if not whole:
                    escaped.add(operand.index)
    return frozenset(allocas.keys() - escaped)


def _holds(variable: Type, value: Type, layout: DataLayout | None) -> bool:
    if layout is None or variable == value:
        return variable == value
    word = IntType(8 * layout.pointer_bytes), PtrType()
    return variable in word and value in word
