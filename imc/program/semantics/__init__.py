"""What each instruction does: the one definition, for every domain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imc.program.instructions import Instruction

# Importing a module registers the instructions it knows.
from imc.program.semantics import (  # noqa: F401
    access,
    addresses,
    aggregates,
    arithmetic,
    calls,
    control,
)
from imc.program.semantics.dispatch import Op, Regs, prepare_instruction

if TYPE_CHECKING:
    from imc.program.code import FunctionCode
    from imc.program.machine import Machine

__all__ = ["Op", "prepare"]


def prepare(code: FunctionCode, pc: int, instruction: Instruction) -> Op:
    """The closure for an instruction, with addresses of thread-local variables looked up first."""
    op = prepare_instruction(instruction, code, pc)
    for operand in instruction.operands():
        symbol = code.image.thread_local_symbol(operand)
        if symbol is not None:
            op = _with_thread_local(code, symbol, code.operand(operand), op)
    return op


def _with_thread_local(code: FunctionCode, symbol: str, slot: int, op: Op) -> Op:
    image = code.image

    def run(m: Machine, r: Regs) -> int | None:
        r[slot] = image.thread_local(symbol, m.thread.id, m)
        return op(m, r)

    return run
