"""Which events need a gate: those that wait or are waited for, and where threads are watched."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Sequence

from imc.program.code import Site
from imc.schedule.ahead import ANYWHERE
from imc.schedule.beliefs import BeliefPoint, Positions
from imc.schedule.clocks import Clocks, Waits
from imc.schedule.lines import Lines
from imc.schedule.stretches import Stretch


def watched(sections: Sequence[Stretch]) -> set[Site]:
    """The sites at which a thread's arrival decides what comes next."""
    return {case.at for section in sections for case, _ in section.cases if case.at is not None}


def abandoned(sections: Sequence[Stretch], positions: Positions) -> set[Site]:
    """The sites at which a thread may stand for ever: it must not go on from there by itself."""
    last = [section.end for section in sections if section.end and not section.followers()]
    last += _exits(sections)
    starts = [section.start for section in sections]
    found: set[Site] = set()
    for thread in {t for point in starts + last for t in _standing(point)}:
        left = _without_further(sections, thread)
        points = last + [section.start for section in sections if id(section) in left]
        for state in {state for point in points for state in point.belief}:
            standing = positions(thread, state)
            found |= {at for at in standing if isinstance(at, tuple)}
            if ANYWHERE in standing:
                found |= {s.site for section in sections for s in section.steps if s.site}
    return found


def _exits(sections: Sequence[Stretch]) -> list[BeliefPoint]:
    """Where a step ends the program while the other threads stand: afterwards nobody does."""
    steps = (step for section in sections for step in section.steps)
    return [step for step in steps if any(event.exits for event in step.events)]


def _standing(point: BeliefPoint) -> set[int]:
    return {t for state in point.belief for node in state.nodes for t in node.state.threads}


def _without_further(sections: Sequence[Stretch], thread: int) -> set[int]:
    """The sections from whose beginning on a thread may do nothing any more."""
    idle = {id(s): s for s in sections if all(step.thread != thread for step in s.steps)}
    while lost := [
        number
        for number, section in idle.items()
        if section.followers() and not any(id(f) in idle for f in section.followers())
    ]:
        for number in lost:
            del idle[number]
    return set(idle)


class NeededGates:
    """The gates that the waits of a schedule need, and the waits as these count them."""

    def __init__(self, lines: Lines, clocks: Clocks, asked: Collection[Site]) -> None:
        self.lines = lines
        self.clocks = clocks
        self.sites: set[Site] = set(asked)
        for number in range(len(lines)):
            self._section(number)
        for line in lines:  # else the run-time would go round such sections without an end
            if line.steps and not any(step.site in self.sites for step in line.steps):
                self._add(line.steps[0])

    def _add(self, step: BeliefPoint) -> None:
        assert step.site is not None
        self.sites.add(step.site)

    def _section(self, number: int) -> None:
        line = self.lines[number]
        if not self.clocks.overlap:  # where a section begins and ends, all its threads must notice
            for thread in line.totals:
                own = [step for step in line.steps if step.thread == thread]
                self._add(own[0])
                self._add(own[-1])
        for step, waits in zip(line.steps, self.clocks.waits[number], strict=True):
            if waits or any(e.spawned or e.joined or e.exits for e in step.events):
                self._add(step)
            for other, count in waits.items():
                if count > 0:
                    own = [step for step in line.steps if step.thread == other]
                    self._add(own[count - 1])
                else:
                    # Whoever waits then knows of this step on every way, not only where it is
                    # what the wait is for: other waits may have been left out because of that.
                    for awaited in self.lines.behind(number, other, -count):
                        self._add(awaited)

    # -------------------------------------------------------------------- counting

    def counted(self, number: int, waits: Waits) -> Waits:
        """Waits that count gated events only."""
        return {other: self._count(number, other, count) for other, count in waits.items()}

    def _count(self, number: int, thread: int, count: int) -> int:
        if count > 0:
            return sum(self._gated(number, thread)[:count])
        return -self._behind(number, thread, -count)

    def _gated(self, number: int, thread: int) -> list[bool]:
        """Of each of a thread's steps in a section, whether it passes a gate."""
        steps = self.lines[number].steps
        return [step.site in self.sites for step in steps if step.thread == thread]

    def _behind(self, number: int, thread: int, distance: int) -> int:
        """The fewest gates on any way among a thread's last steps before a section.

        A way that has not so many steps has nothing that would have to be waited for.
        """
        fewest: int | None = None
        heap = [(0, number, distance)]
        seen = set()
        while heap and fewest is None:
            gates, at, left = heapq.heappop(heap)
            if (at, left) in seen:
                continue
            seen.add((at, left))
            if at < 0:
                fewest = gates
                continue
            for before in self.lines[at].before:
                own = self._gated(before, thread)
                if len(own) > left:  # the step itself is here: -1 ends the way
                    heapq.heappush(heap, (gates + sum(own[len(own) - left :]), -1, 0))
                else:
                    heapq.heappush(heap, (gates + sum(own), before, left - len(own)))
        assert fewest is not None
        return fewest
