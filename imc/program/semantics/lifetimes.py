"""Locals of blocks: they begin with their block, uninitialised each time, and end with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imc.program.analysis.lifetimes import local_of
from imc.program.analysis.promotion import SCOPE
from imc.program.events import Mode
from imc.program.instructions import Library, Reg
from imc.program.machine import Machine
from imc.program.semantics.dispatch import Op, Regs
from imc.program.values import UNDEF

if TYPE_CHECKING:
    from imc.program.code import FunctionCode


def prepare_lifetime(i: Library, code: FunctionCode, visible: bool) -> Op:
    """The mark of a local's beginning or end, as an operation."""
    pointer = i.args[-1]
    slot = code.operand(pointer)
    if isinstance(pointer, Reg) and slot in code.promoted:
        return _forgets(slot) if i.function == SCOPE else _does_nothing
    local = local_of(code.function, pointer)
    if local is None:  # it lives as long as its function
        return _does_nothing
    size, loc = code.image.layout.size(local.type), i.loc

    def begin(m: Machine, r: Regs) -> None:
        number = r[slot][0]
        found = m.memory.get(number)
        if found is None or found.cells or found.fill is not UNDEF:
            m.begin_scope(number, size)
            if not visible:
                m.hide(number, True, loc)
        if visible:
            m.touch(Mode.WRITE, (number, 0), max(size, 1), False)

    def end(m: Machine, r: Regs) -> None:
        number, before = r[slot][0], len(m.accesses)
        if number in m.memory:
            if visible:
                m.touch(Mode.WRITE, (number, 0), max(size, 1), False)
            m.end_scope(number)
            m.account(visible, before, loc)

    return begin if i.function == SCOPE else end


def _forgets(slot: int) -> Op:
    def forget(m: Machine, r: Regs) -> None:
        r[slot] = UNDEF

    return forget


def _does_nothing(m: Machine, r: Regs) -> None:
    """The local ends with its function."""
