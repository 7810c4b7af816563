"""Locals that need no memory: scalars whose address goes nowhere but into their own accesses."""

from __future__ import annotations

from imc.program.instructions import Alloca, Const, Library, Load, Reg, Store
from imc.program.program import Function
from imc.program.types import FloatType, IntType, PtrType

SCOPE = "lifetime_start"  # where a local comes into scope, again or for the first time
SCOPE_END = "lifetime_end"
LIFETIME = (SCOPE, SCOPE_END)


def promotable(function: Function) -> frozenset[int]:
    """Registers of allocas that only loads and stores of the whole variable use."""
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
                    and i.type == allocas[operand.index]
                    and not (isinstance(i, Store) and i.value == operand)
                )
                if not whole:
                    escaped.add(operand.index)
    return frozenset(allocas.keys() - escaped)
