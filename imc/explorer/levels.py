"""The stack of prefixes of a depth-first search, and how large the whole search will be.

Knuth estimates the size of a tree from random probes: a leaf stands for as many as the product of
the numbers of branches on the way to it. Probes of the part that is known can be taken all at once,
without dice: what has been explored counts as it is, and a branch that has not counts like the mean
of its siblings (Kilby, Slaney, Thiébaux, Walsh, Estimating search tree size). Branches that nobody
has found yet are missing, so the first estimates are too low.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from imc.explorer.wakeup import Step, WakeupBranch
from imc.program.events import Event
from imc.program.keys import Key


@dataclass(slots=True, eq=False)
class Level:
    """A prefix of the execution: who sleeps there, and what is to be explored from it."""

    sleep: dict[Step, Event]
    branches: list[WakeupBranch] = field(default_factory=list)
    begun: bool = False
    done: int = 0  # branches that have been explored
    executions: int = 0  # which these have come to, those that were cut included
    key: Key | None = None  # of the state, where executions are watched

    def leave(self, child: Level) -> None:
        """The first branch has been explored, and the child has seen all of it."""
        self.done += 1
        self.executions += max(child.executions, 1)
        self.branches.pop(0)


def expected_executions(levels: list[Level]) -> float:
    """About how many executions there are below the first level."""
    expected = 1.0
    for level in reversed(levels):
        if level.branches:  # the first one is being explored
            known = level.executions + expected
            expected = known + (len(level.branches) - 1) * known / (level.done + 1)
    return expected
