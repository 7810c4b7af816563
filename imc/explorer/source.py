"""Source-DPOR: at least one execution of each trace, by backtrack sets that are source sets."""

from __future__ import annotations

from collections.abc import Iterator

from imc.explorer.dpor import Explorer
from imc.explorer.reversals import Reversal, reversals
from imc.explorer.wakeup import Planned, WakeupBranch
from imc.program.faults import Blocked


class Source(Explorer):
    """Notes only with which thread a reversal can begin; executions may be cut by sleep sets."""

    name = "source"

    def ended(self, blocked: dict[int, Blocked]) -> None:
        self._detect(blocked)

    def exhausted(self, blocked: dict[int, Blocked]) -> None:
        """What could move sleeps; the races so far still count."""
        self.result.redundant += 1
        self._detect(blocked)

    def reversals(self, blocked: dict[int, Blocked]) -> Iterator[Reversal]:
        return reversals(self.execution, blocked)

    def _detect(self, blocked: dict[int, Blocked]) -> None:
        for base, sequence in self.reversals(blocked):
            self.result.race_checks += 1
            level = self.levels[base]
            initial = initials(sequence)
            known = {(b.event.thread, b.event.choices) for b in level.branches}
            known |= level.sleep.keys()
            if not any(planned.step in known for planned in initial):
                level.branches.append(WakeupBranch(initial[0].event))


def initials(sequence: list[Planned]) -> list[Planned]:
    """Events that could be the first ones."""
    before = 0
    found = []
    for planned in sequence:
        if not planned.past & before & ~planned.bit:
            found.append(planned)
        before |= planned.bit
    return found
