"""Iterations that a thread could as well begin again, and be further on sooner.

A failed compare-and-exchange that refreshes what it expects leads to no place where the thread has
been. But had the thread read the cell only now, it would stand at the same place after fewer steps.
So the restart test: a step is idle if the thread, begun again at an earlier place since its last
effect, comes in the present memory to the present place in fewer steps, without effect. The
shortest execution that leads to a state has no such step.

Whether a step is idle must not depend on what it does not touch, or independent steps would get in
each other's way. So only steps that touch one cell are tested, against restarts that touch nothing
but this cell.
"""

from __future__ import annotations

from collections.abc import Callable

from imc.explorer.semantics import Semantics
from imc.program.events import Access, Event, Mode
from imc.program.faults import DEFAULT_PROPERTIES, Blocked
from imc.program.keys import Shape
from imc.program.machine import Outcome
from imc.program.state import State, Status, Thread

MOST_STEPS = 20  # of a restart

Cell = tuple[int, int, int]  # object, offset, size
Way = tuple[tuple[Cell | None, Thread], ...]  # steps: what each touched, and the thread before it


def touched(event: Event) -> Cell | None:
    """The one cell whose value is all that a step can depend on, if there is one."""
    if len(event.accesses) != 1:
        return None
    access = event.accesses[0]
    return _cell(access) if access.mode <= Mode.WRITE and access.unknown is None else None


def _cell(access: Access) -> Cell:
    return access.object, access.offset, access.size


class Restarts:
    """Begins iterations again."""

    def __init__(
        self,
        semantics: Semantics,
        has_effect: Callable[[State, Outcome], bool],
        place: Callable[[Thread], Shape],
    ) -> None:
        self.semantics = semantics
        self.has_effect = has_effect
        self.place = place
        settings = semantics.interpreter.settings
        # What is left out is not looked at: a race, an overflow or a bound would be missed.
        self.permitted = settings.properties <= DEFAULT_PROPERTIES and settings.loop_bound is None

    def lead_here(self, state: State, event: Event, way: Way) -> bool:
        """Whether a step has led its thread to where it would be sooner, if it began again.

        `way`: the steps without effect before it. Memory is as it was before the step.
        """
        cell = touched(event)
        if not self.permitted or cell is None or event.choices:
            return False
        here = self.place(state.threads[event.thread])
        return any(
            self._leads(state, thread, cell, min(len(way) - n, MOST_STEPS), here)
            for n, (then, thread) in enumerate(way)
            if then == cell
        )

    def _leads(self, state: State, thread: Thread, cell: Cell, steps: int, here: Shape) -> bool:
        number = thread.id
        state = state.copy()
        state.threads[number] = thread
        for _ in range(steps):
            try:
                outcomes = self.semantics.interpreter.successors(state, number)
            except Blocked:
                return False
            outcome = outcomes[0]
            if len(outcomes) > 1 or outcome.fault is not None or touched(outcome.event) != cell:
                return False
            if outcome.state.exit_code is not None or self.has_effect(state, outcome):
                return False
            state = outcome.state
            if state.threads[number].status is not Status.RUNNING:
                return False
            if self.place(state.threads[number]) == here:
                return True
        return False
