"""How instructions find their meaning: each module here registers the ones it knows.

An instruction becomes a closure over a frame's registers. It returns the next program counter, or
None for the one that follows. Performance-critical: see scripts/bench.py.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch
from typing import TYPE_CHECKING

from imc.errors import Unsupported
from imc.program.instructions import Instruction
from imc.program.machine import Machine
from imc.program.values import Value

if TYPE_CHECKING:
    from imc.program.code import FunctionCode

Regs = list[Value]
Op = Callable[[Machine, Regs], int | None]


@singledispatch
def prepare_instruction(instruction: Instruction, code: FunctionCode, pc: int) -> Op:
    """The closure for one instruction."""
    raise Unsupported(
        f"the instruction '{type(instruction).__name__}' is not supported",
        instruction.loc,
    )


def destination(instruction: Instruction) -> int:
    assert instruction.result is not None
    return instruction.result
