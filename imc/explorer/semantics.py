"""How the explorers run a program: the interpreter's steps, one thread at a time."""

from __future__ import annotations

from imc.program.code import Site
from imc.program.ends import AWAITED
from imc.program.events import Access, Event, Mode
from imc.program.faults import Blocked
from imc.program.instructions import Library
from imc.program.interpreter import Interpreter, Moves, obstacle, persists
from imc.program.keys import StateKeys
from imc.program.library import LIBRARY
from imc.program.machine import Outcome
from imc.program.state import State, Status

Step = tuple[int, tuple[int, ...]]  # thread, choices


class Semantics:
    """The program as it is written."""

    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter = interpreter
        self.image = interpreter.image
        self.keys = StateKeys(interpreter.image)
        self._waits: dict[Site, bool] = {}

    def starts(self) -> list[Outcome]:
        return self.interpreter.initial()

    def running(self, state: State) -> list[int]:
        """Threads that are to be tried: one that is paused at an input goes on by itself."""
        if state.exit_code is not None:
            return []
        paused = [t.id for t in state.threads.values() if t.paused]
        if paused:
            return [min(paused)]
        return sorted(t.id for t in state.threads.values() if t.status is Status.RUNNING)

    def successors(self, state: State, number: int) -> list[Outcome]:
        """The ways a running thread's next step can go; raises Blocked."""
        thread = state.threads[number]
        if thread.obstacle is not None and persists(thread.obstacle, state):
            raise thread.obstacle[0]
        try:
            return self.interpreter.successors(state, number)
        except Blocked as blocked:
            blocked.with_traceback(None)
            thread.obstacle = obstacle(blocked, state)
            raise

    def again(self, state: State, event: Event) -> State:
        """The state after an event that is known to be possible."""
        return self.interpreter.step(state, event.thread, event.choices).state

    def may_wait(self, event: Event) -> bool:
        """Whether a step like this one can be unable to move, after other events before it."""
        site = (event.function, event.pc)
        known = self._waits.get(site)
        if known is None:
            instruction = self.image.program.functions[event.function].code[event.pc]
            known = isinstance(instruction, Library) and LIBRARY[instruction.function].waits
            self._waits[site] = known
        return known

    def livelock(self, state: State, blocked: dict[int, Blocked]) -> tuple[list[Step], int] | None:
        """How the threads that are left go round at the end of an execution, if they do.

        The steps that follow, and how many of them, at the end, come again and again.
        """
        return None

    def moves(self, state: State) -> Moves:
        """All that can happen next, as far as it matters at the end of an execution."""
        moves = Moves()
        for number in self.running(state):
            try:
                moves.outcomes.extend(self.successors(state, number))
            except Blocked as blocked:
                moves.blocked[number] = blocked
        return moves


def footprint(blocked: Blocked) -> tuple[Access, ...]:
    """What a step that waits has looked at, the whole object that it waits for included."""
    accesses = blocked.accesses
    if blocked.what == AWAITED:
        return accesses
    if isinstance(blocked.pointer, tuple):
        number, _ = blocked.pointer
        accesses += (Access(Mode.WRITE, number, 0, 1 << 40, True, None),)
    return accesses
