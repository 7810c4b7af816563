"""Iterations of loops that are bound to have no effect, whatever they read on the way.

A thread that has read a lock's odd sequence number will try again, although it looks at the data
first. The rest of the iteration is run with what is known of its values: loads of shared variables
give a value that nobody knows, and a branch on such a value goes both ways. This is what forward
purity conditions say of the control flow (partial loop purity, in Awaiting for Godot), for the
values at hand.
"""

from __future__ import annotations

from imc.explorer.semantics import Semantics
from imc.program.code import FunctionCode
from imc.program.faults import DEFAULT_PROPERTIES, Blocked, FaultRaised, NeedChoice
from imc.program.instructions import (
    Binary,
    Cast,
    Compare,
    CondBranch,
    Freeze,
    Instruction,
    Jump,
    Load,
    Reg,
    Select,
    Store,
    Switch,
)
from imc.program.keys import Shape
from imc.program.machine import Machine
from imc.program.semantics.control import edge, fill_phis
from imc.program.state import State, Thread
from imc.program.values import Value

LONGEST = 200  # instructions, of all ways together
CodePlace = tuple[int, list[Value]]  # an instruction, and the registers before it
HARMLESS = ("add", "sub", "mul", "and", "or", "xor")  # arithmetic that cannot go wrong
LOCAL = (Binary, Jump, Compare, CondBranch, Freeze, Select, Switch)


class Unknown:
    """A value that depends on what others will have written."""


UNKNOWN = Unknown()


class Foresight:
    """Looks ahead in one thread, from where it stands."""

    def __init__(self, semantics: Semantics) -> None:
        self.semantics = semantics
        settings = semantics.interpreter.settings
        self._answers: dict[tuple[Shape, tuple[Shape, ...]], bool] = {}
        # What is left out is not looked at: a race, an overflow or a bound would be missed.
        self.permitted = settings.properties <= DEFAULT_PROPERTIES and settings.loop_bound is None

    def comes_back(
        self, state: State, thread: Thread, place: Shape, seen: tuple[Shape, ...]
    ) -> bool:
        """Whether every way from its place leads to one of others, with no effect and no fault.

        Memory has no part in it, so each question is answered once.
        """
        if not self.permitted or thread.paused:
            return False
        known = self._answers.get((place, seen))
        if known is None:
            known = self._answers[place, seen] = self._all_ways_lead_back(state, thread, seen)
        return known

    def _all_ways_lead_back(self, state: State, thread: Thread, seen: tuple[Shape, ...]) -> bool:
        frame = thread.frames[-1]
        code = frame.code
        machine = Machine(self.semantics.image, state.copy())
        machine.thread, machine.frames = thread, thread.frames
        work: list[CodePlace] = [(frame.pc, frame.regs.copy())]
        start = True
        for _ in range(LONGEST):
            if not work:
                return True
            pc, regs = work.pop()
            if not start and pc in code.visible and self._was_there(thread, pc, regs, seen):
                continue
            start = False
            after = self._after(machine, code, pc, regs)
            if not after:
                return False
            work += after
        return False

    def _was_there(
        self, thread: Thread, pc: int, regs: list[Value], seen: tuple[Shape, ...]
    ) -> bool:
        if any(regs[r] is UNKNOWN for r in thread.frames[-1].code.live[pc]):
            return False
        there = thread.copy()
        there.frames[-1].pc, there.frames[-1].regs = pc, regs
        return self.semantics.keys.thread(there) in seen

    def _after(
        self, machine: Machine, code: FunctionCode, pc: int, regs: list[Value]
    ) -> list[CodePlace]:
        """Performs one instruction; where it may lead, or nothing if it may do more."""
        i = code.function.code[pc]
        unknown = any(isinstance(o, Reg) and regs[o.index] is UNKNOWN for o in i.operands())
        if isinstance(i, Load) and not self._is_promoted(code, i):
            size = code.image.layout.store_size(i.type)
            if unknown or not self._is_variable(regs[code.operand(i.pointer)], size):
                return []
            assert i.result is not None
            regs[i.result] = UNKNOWN
            return [(pc + 1, regs)]
        if pc in code.visible or not _is_local(code, i):
            return []
        if unknown and isinstance(i, CondBranch | Switch):
            return _both_ways(code, pc, regs)
        if unknown and not isinstance(i, Load | Store | Jump):
            if i.result is None or (isinstance(i, Binary) and i.op not in HARMLESS):
                return []
            regs[i.result] = UNKNOWN
            return [(pc + 1, regs)]
        try:
            to = code.full[pc](machine, regs)
        except (FaultRaised, Blocked, NeedChoice):
            return []
        return [(pc + 1 if to is None else to, regs)]

    def _is_promoted(self, code: FunctionCode, i: Load | Store) -> bool:
        return isinstance(i.pointer, Reg) and i.pointer.index in code.promoted

    def _is_variable(self, pointer: Value, size: int) -> bool:
        """Whether a pointer leads into a variable, which is always there."""
        if not isinstance(pointer, tuple) or not isinstance(pointer[1], int):
            return False
        variable = self.semantics.image.variables.get(pointer[0])
        return variable is not None and 0 <= pointer[1] <= variable.size - size


def _is_local(code: FunctionCode, i: Instruction) -> bool:
    """Whether an instruction does nothing but compute, in registers."""
    if isinstance(i, Load | Store):
        return isinstance(i.pointer, Reg) and i.pointer.index in code.promoted
    if isinstance(i, Cast):
        return i.op in ("trunc", "zext", "sext", "bitcast")
    return isinstance(i, LOCAL)


def _both_ways(code: FunctionCode, pc: int, regs: list[Value]) -> list[CodePlace]:
    block = code.function.block_of[pc]
    ways = []
    for label in block.terminator.targets():
        target, moves = edge(code, block.label, label)
        ways.append((target, regs.copy()))
        fill_phis(ways[-1][1], moves)
    return ways
