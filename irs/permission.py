"""What a run is permitted now, what may take its place, and what it was permitted before."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

from irs.plan import Plan
from irs.relaxation import Permitted, Relaxation
from irs.schedule import End, Free, Next

Told = Callable[[Permitted], None]


class Permission:
    """The plan that is kept to; used under the gate's mutex."""

    def __init__(self, plan: Plan, told: Told | None = None) -> None:
        self.plan = plan
        self.number = 0
        self.dropping = False  # nothing is to be ordered after what has been begun
        self.log: list[Permitted] = []
        self._told = told
        self._began = time.monotonic()
        self._newest = plan.schedule
        self._waiting: deque[tuple[Plan, Relaxation]] = deque()
        self._everybody = frozenset(range(len(plan.threads)))
        self._note(0, 0)

    def add(self, relaxation: Relaxation, plan: Plan | None) -> None:
        """One more schedule, to be gone over to from the one before it."""
        problem = relaxation.misfit(self._newest)
        if problem:
            raise ValueError(problem)
        if relaxation.schedule is None or plan is None:
            self.dropping = True
            return
        self._newest = relaxation.schedule
        self._waiting.append((plan, relaxation))

    def next(self, section: int) -> Next:
        """What comes after a section of the plan."""
        found = self.plan.sections[section].next
        return Free() if self.dropping and not isinstance(found, End) else found

    def later(self, section: int) -> frozenset[int]:
        """Who may be asked for after a section of the plan."""
        return self._everybody if self.dropping else self.plan.later[section]

    def entry(self, section: int, begun: int) -> int | None:
        """Goes over to the next plan, if that can be done after a section; where it goes on."""
        if not self._waiting or section not in self._waiting[0][1].entries:
            return None
        self.plan, relaxation = self._waiting.popleft()
        self.number += 1
        self._note(self.number, begun)
        return relaxation.entries[section]

    def open(self, begun: int) -> None:
        """Nothing is ordered any more."""
        self._note(None, begun)

    def _note(self, schedule: int | None, begun: int) -> None:
        self.log.append(Permitted(schedule, begun, time.monotonic() - self._began))
        if self._told is not None:
            self._told(self.log[-1])
