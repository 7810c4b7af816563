"""Loops that wait: threads that would only go round do not move.

A step that leads its thread back to where it has been, with no effect in between, ends an idle
iteration of a loop: what it has seen could as well have been seen later. Such a step waits for
another value, or stops its thread for good. That is decided where it happens, on values, so that
calls, pointers and conditions of any form are no obstacle. A step without effect that leads to a
failed assumption waits as well: no execution is meant in which it has been taken.
"""

from __future__ import annotations

from imc.explorer.foresight import Foresight
from imc.explorer.restarts import Restarts, touched
from imc.explorer.semantics import Semantics, Step
from imc.program.analysis.assuming import before_assumptions
from imc.program.analysis.loops import inside_loops
from imc.program.ends import AWAITED
from imc.program.events import Event
from imc.program.faults import Blocked
from imc.program.interpreter import Interpreter, obstacle, persists
from imc.program.keys import Shape
from imc.program.machine import ENDLESS, REFUTED, Outcome
from imc.program.state import State, Status, Thread

AWAIT = "optimal-await"  # the engine that explores so
LONGEST_ITERATION = 1000  # steps, when looking whether it would go round again
PURE = "a loop went round without effect"


class Awaiting(Semantics):
    """The program without iterations of loops that have no effect.

    `pure`: of several steps, too, not of one only. `awaits`: the last step waits for another value,
    instead of stopping its thread.
    """

    def __init__(self, interpreter: Interpreter, awaits: bool = True, pure: bool = True) -> None:
        super().__init__(interpreter)
        self.awaits = awaits
        self.pure = pure
        self._foresight = Foresight(self)
        self.restarts = Restarts(self, self._has_effect, self._place)
        self._inside = inside_loops(interpreter.image.sharing)
        self._waiting = self._inside | before_assumptions(interpreter.image.sharing)

    def may_wait(self, event: Event) -> bool:
        if self.awaits and (event.function, event.pc) in self._waiting:
            return True
        return super().may_wait(event)

    def successors(self, state: State, number: int) -> list[Outcome]:
        thread = state.threads[number]
        if thread.obstacle is not None and persists(thread.obstacle, state):
            raise thread.obstacle[0]
        outcomes = super().successors(state, number)
        kept = [o for o in outcomes if not self._goes_round(state, number, o)]
        if kept:
            return kept
        blocked = _awaited(outcomes[0].event)
        thread.obstacle = obstacle(blocked, state)
        raise blocked

    def again(self, state: State, event: Event) -> State:
        outcome = self.interpreter.step(state, event.thread, event.choices)
        self._goes_round(state, event.thread, outcome)
        return outcome.state

    def _goes_round(self, before: State, number: int, outcome: Outcome) -> bool:
        """Whether the step is a wait; a thread that has gone round in several steps is stopped."""
        if outcome.fault is not None or outcome.state.exit_code is not None:
            return False
        thread = outcome.state.threads[number]
        if thread.status is Status.STUCK and thread.reason == REFUTED:
            return self.awaits and self.postpones(before, outcome)
        if thread.status is not Status.RUNNING:
            return False
        frame = thread.frames[-1]
        if (frame.code.function.name, frame.pc) not in self._inside:
            thread.seen, thread.way = (), ()
            return False
        if self._has_effect(before, outcome):
            thread.seen, thread.way = (self._place(thread),), ()
            return False
        shape = self._place(thread)
        old = self._place(before.threads[number])
        seen = thread.seen or (old,)
        idle = shape == old or (
            self.pure
            and (
                shape in seen
                or self.restarts.lead_here(outcome.state, outcome.event, thread.way)
                or self._foresight.comes_back(outcome.state, thread, shape, seen)
            )
        )
        if not idle:
            thread.seen = (*seen, shape)
            thread.way = (*thread.way, (touched(outcome.event), before.threads[number]))
            return False
        if self.awaits:
            return True
        thread.status, thread.reason, thread.key = Status.STUCK, PURE, None
        return False

    def postpones(self, before: State, outcome: Outcome) -> bool:
        """Whether a step that leads to a failed assumption has done nothing else."""
        return not self._has_effect(before, outcome)

    def _has_effect(self, before: State, outcome: Outcome) -> bool:
        event, after = outcome.event, outcome.state
        if event.spawned or event.joined or event.choices or event.wakes:
            return True
        if after.output is not before.output or len(after.memory) != len(before.memory):
            return True
        for number in outcome.written:
            was, now = before.memory.get(number), after.memory.get(number)
            if was is None or now is None or self.keys.shape(was) != self.keys.shape(now):
                return True
        return False

    def _place(self, thread: Thread) -> Shape:
        """Where a thread is, however often its loops have gone round."""
        if self.interpreter.settings.loop_bound is None:
            return self.keys.thread(thread)
        copy = thread.copy()
        for frame in copy.frames:
            frame.loops = {}
        return self.keys.thread(copy)

    # -------------------------------------------------------------- livelocks

    def livelock(self, state: State, blocked: dict[int, Blocked]) -> tuple[list[Step], int] | None:
        """It is none if a thread could go on now, or if somebody was stopped for another reason."""
        stopped = {t.id: t.reason for t in state.threads.values() if t.status is Status.STUCK}
        idle = [t for t, why in blocked.items() if why.what == AWAITED]
        idle += [t for t, reason in stopped.items() if reason == PURE]
        if not idle or not {PURE, ENDLESS}.issuperset(stopped.values()):
            return None
        ways = [self._idle_way(state, number) for number in sorted(idle)]
        entries, rounds = [], []
        for way in ways:
            if way is None:
                return None
            entries += way[0]
            rounds += way[1]
        return entries + rounds, len(rounds)

    def _idle_way(self, state: State, number: int) -> tuple[list[Step], list[Step]] | None:
        """What a thread, left alone, does before it goes round in this state, and the round.

        The round is empty if it comes to where it has to wait. None: it has an effect.
        """
        state = state.copy()
        thread = state.threads[number] = state.threads[number].copy()
        thread.status, thread.reason = Status.RUNNING, ""
        seen = {self._place(thread): 0}
        way: list[Step] = []
        for _ in range(LONGEST_ITERATION):
            try:
                outcomes = super().successors(state, number)
            except Blocked:
                return way, []
            outcome = outcomes[0]
            if len(outcomes) > 1 or outcome.fault or self._has_effect(state, outcome):
                return None
            state = outcome.state
            way.append((number, outcome.event.choices))
            if state.threads[number].status is not Status.RUNNING:
                return None
            place = self._place(state.threads[number])
            if place in seen:
                return way[: seen[place]], way[seen[place] :]
            seen[place] = len(way)
        return None


def _awaited(event: Event) -> Blocked:
    objects = {access.object for access in event.accesses}
    first = event.accesses[0] if len(objects) == 1 else None
    blocked = Blocked(AWAITED, (first.object, first.offset) if first else None)
    blocked.accesses = event.accesses
    return blocked
