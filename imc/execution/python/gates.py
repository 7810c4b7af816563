"""Where threads stop while a schedule is enforced, and what they do without stopping."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock

from imc.execution.python.in_place import InPlaceMachine
from imc.program.code import FunctionCode, Image, reads_input
from imc.program.instructions import Instruction, Load, Store
from imc.program.machine import Machine
from imc.program.semantics import Op
from imc.program.state import Frame
from imc.program.values import Value
from irs.passage import UNKNOWN
from irs.plan import Plan


class Gates:
    """The sites of a schedule in the code of one image.

    Events that need no gate become local instructions, and those that are left out return 0.
    """

    def __init__(self, image: Image, plan: Plan, lock: RLock) -> None:
        self.plan = plan
        self.passes = [site.action == "pass" for site in plan.sites]
        self.singles = [False] * len(plan.sites)  # one access to memory, with no lock around it
        self._lock = lock
        self._local: dict[FunctionCode, list[Op]] = {}
        self.sites: dict[FunctionCode, dict[int, int]] = {}  # by number of the instruction
        for name, function in image.program.functions.items():
            if not function.is_declaration:
                self._guard(image.code(name))

    def open(self) -> None:
        """Threads stop at every event again, and do all that the program says."""
        for code, local in self._local.items():
            code.local = local

    def leave_out(self, frame: Frame) -> None:
        """The thread passes an operation without performing it."""
        instruction = frame.code.function.code[frame.pc]
        if instruction.result is not None:
            frame.regs[instruction.result] = 0
        frame.pc += 1

    def _guard(self, code: FunctionCode) -> None:
        self._local[code] = code.local
        found = self.sites[code] = {}
        guarded = list(code.local)
        for pc, instruction in enumerate(code.function.code):
            if pc not in code.visible and not reads_input(instruction):
                continue
            site = self.plan.site(code.function.name, pc)
            action = "gate" if site is None else self.plan.sites[site].action
            found[pc] = UNKNOWN if site is None else site
            if site is not None:
                self.singles[site] = isinstance(instruction, (Load, Store))
            if action == "free":
                guarded[pc] = self._free(code, pc, instruction)
            elif action == "skip":
                guarded[pc] = left_out(instruction)
        code.local = guarded

    def _free(self, code: FunctionCode, pc: int, instruction: Instruction) -> Op:
        operation, lock = code.full[pc], self._lock
        if isinstance(instruction, (Load, Store)):
            return operation

        def run(m: Machine, r: list[Value]) -> int | None:
            assert isinstance(m, InPlaceMachine)
            m.forget()
            with lock:
                after = operation(m, r)
                if m.touched or m.started:
                    m.settle()
            return after

        return run


def left_out(instruction: Instruction) -> Callable[[Machine, list[Value]], None]:
    """What takes the place of an operation that is not performed: its result is 0."""
    result = instruction.result

    def run(m: Machine, r: list[Value]) -> None:
        if result is not None:
            r[result] = 0

    return run
