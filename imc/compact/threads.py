"""The threads of the compact form: one list for each kind of fact, and the log that leads back.

Performance-critical: see scripts/bench_compact.py.
"""

from __future__ import annotations

from imc.compact.form import CompactProgram
from imc.compact.memory import FlatMemory
from imc.compact.opcodes import UNDEF
from imc.compact.visible import ABSENT, RUNNING
from imc.program.code import Image


class FlatThreads(FlatMemory):
    """Where threads are and what they hold; `thread` is the one that moves."""

    def __init__(self, form: CompactProgram, image: Image) -> None:
        super().__init__(form, image)
        self.thread = 0
        self.persistent = form.persistent
        # By thread.
        self.pcs: list[int] = []
        self.status: list[int] = []
        self.events: list[int] = []
        self.spawns: list[int] = []
        self.allocated: list[int] = []
        self.phase: list[int] = []
        self.scratch: list[int] = []
        self.paused: list[int] = []
        self.detached: list[int] = []
        self.is_joined: list[int] = []
        self.results: list[int] = []
        self.reason: list[int] = []  # numbers of texts
        self.extra: list[int] = []  # what the model knows of a thread besides, as a number
        self.output = [0]  # what has been printed, as a number
        self.exit_code = [UNDEF]
        self.regs: list[list[int]] = []
        self._of_threads = [
            self.pcs, self.status, self.events, self.spawns, self.allocated, self.phase,
            self.scratch, self.paused, self.detached, self.is_joined, self.results, self.reason,
            self.extra,
        ]  # fmt: skip
        self.part_of_state = [  # as far as it matters for what can follow
            self.pcs, self.status, self.spawns, self.phase, self.scratch, self.paused,
            self.detached, self.is_joined, self.results, self.reason, self.extra,
        ]  # fmt: skip
        self.parts += [*self._of_threads, self.exit_code, self.output]
        self.first_register_part = len(self.parts)

    @property
    def has_exited(self) -> bool:
        return self.exit_code[0] != UNDEF

    def present(self) -> list[int]:
        """Threads that have been started, in order."""
        return [t for t, status in enumerate(self.status) if status != ABSENT]

    def running(self) -> list[int]:
        """Threads that are to be tried: one that is paused at an input goes on by itself."""
        if self.has_exited:
            return []
        running = [t for t, status in enumerate(self.status) if status == RUNNING]
        paused = [t for t in running if self.paused[t]]
        return paused[:1] or running

    def new_thread(self, number: int) -> None:
        """A thread that stands nowhere yet; its registers are as at the start."""
        while len(self.pcs) <= number:
            for part, first in zip(self._of_threads, (0, ABSENT), strict=False):
                part.append(first)
            for part in self._of_threads[2:]:
                part.append(0)
            self.regs.append(self.form.registers.copy())
            self.parts.append(self.regs[-1])
        for n, part in enumerate(self._of_threads):
            if n != 1 and part[number]:
                self.log += (self.PCS + n, number, part[number])
                part[number] = 0
        self.log += (self.STATUS, number, self.status[number])
        self.status[number] = RUNNING
        self.regs[number][:] = self.form.registers

    def mark(self) -> int:
        """Where the log is; `undo` leads back to here."""
        return len(self.log)

    def undo(self, mark: int) -> None:
        log, parts = self.log, self.parts
        for k in range(len(log) - 3, mark - 1, -3):
            parts[log[k]][log[k + 1]] = log[k + 2]
        del log[mark:]

    def put(self, regs: list[int], register: int, value: int) -> None:
        """Writes a register of the running thread."""
        if register < self.persistent:
            self.log += (self.first_register_part + self.thread, register, regs[register])
        regs[register] = value

    def set_phase(self, phase: int, scratch: int = 0) -> None:
        """How far the thread is inside an operation of several events; what it carries along."""
        thread = self.thread
        self.log += (self.PHASE, thread, self.phase[thread])
        self.log += (self.SCRATCH, thread, self.scratch[thread])
        self.phase[thread], self.scratch[thread] = phase, scratch
