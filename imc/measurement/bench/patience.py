"""How long to wait for a run that may never end, and how often to try again."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

LONGEST_S = 60.0  # that a run may take, besides the seconds that it is asked to
SHORTEST_S = 5.0  # that is waited for a program that is known to hang
TIMES = 20  # what others took, before a run is believed to hang
MARGIN_S = 1.0  # even at the deadline, for a run to start and to end by itself
WATCHDOG_S = 1.0  # without an event, until a native run without a schedule is looked at
MOST_HANGS, MOST_AT_FIRST = 5, 2  # in all, and as long as no run has completed


@dataclass(slots=True)
class Experience:
    """With all variants of a program."""

    longest_s: float = 0.0  # of a run that has completed
    hung: bool = False


@dataclass(slots=True)
class Patience:
    """With one variant of a program; it ends at the deadline, if there is one."""

    deadline: float | None = None  # of time.monotonic()
    experience: Experience = field(default_factory=Experience)
    hangs: int = 0
    completed: int = 0

    def limit(self, seconds: float | None) -> float:
        """How long the next run may take, of which so many seconds are asked for."""
        known = self.experience
        longest = LONGEST_S
        if known.longest_s or known.hung:
            longest = min(longest, max(SHORTEST_S, TIMES * known.longest_s))
        longest += seconds or 0.0
        if self.deadline is None:
            return longest
        left = self.deadline - time.monotonic()
        return min(longest, max(left, (seconds or 0.0) + MARGIN_S))

    @property
    def tries_again(self) -> bool:
        """What hangs again and again is believed to hang; nothing begins after the deadline, once
        there has been a run."""
        late = self.deadline is not None and time.monotonic() >= self.deadline
        if late and (self.hangs or self.completed):
            return False
        return self.hangs < (MOST_HANGS if self.completed else MOST_AT_FIRST)

    def note(self, took: float | None = None, hung: bool = False) -> None:
        """What became of a run: how long it took if it has completed."""
        self.hangs += hung
        self.experience.hung |= hung
        if took is not None:
            self.completed += 1
            self.experience.longest_s = max(self.experience.longest_s, took)
