"""Sections as the optimiser sees them: whose steps come one after the other, and from where."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from imc.program.code import Site
from imc.schedule.beliefs import BeliefPoint
from imc.schedule.relation import Relation
from imc.schedule.stretches import Stretch


@dataclass(slots=True, eq=False)
class Line:
    """The steps of a section that are counted."""

    steps: list[BeliefPoint]
    threads: list[int]
    kinds: list[int]
    before: list[int] = field(default_factory=list)  # the sections that lead here
    totals: dict[int, int] = field(default_factory=dict)  # each thread's steps
    places: dict[int, list[int]] = field(default_factory=dict)  # where in the line these are
    after: dict[int, int] = field(default_factory=dict)  # its thread's steps after a kind's last


class Lines:
    """The lines of all sections, and what lies behind where one begins."""

    def __init__(
        self, sections: Sequence[Stretch], relation: Relation, uncounted: Collection[Site] = ()
    ) -> None:
        self.relation = relation
        self.lines = [_line(section, relation, uncounted) for section in sections]
        numbers = {id(section): number for number, section in enumerate(sections)}
        for number, section in enumerate(sections):
            for following in section.followers():
                before = self.lines[numbers[id(following)]].before
                if number not in before:
                    before.append(number)
        self._distances: dict[tuple[int, int, int], int | None] = {}

    def __iter__(self) -> Iterator[Line]:
        return iter(self.lines)

    def __getitem__(self, number: int) -> Line:
        return self.lines[number]

    def __len__(self) -> int:
        return len(self.lines)

    def last(self, number: int, thread: int, kind: int) -> int | None:
        """How many of a thread's steps in a section come after its last one that a kind depends on.

        None if there is no such step in the section.
        """
        after = self.lines[number].after
        found = [after[own] for own in self.relation.depending(kind, thread) if own in after]
        return min(found, default=None)

    def distance(self, number: int, thread: int, kind: int) -> int | None:
        """As `last`, over all ways that lead to where a section begins: the fewest on any."""
        key = (number, thread, kind)
        if key not in self._distances:
            self._distances[key] = self._nearest(number, thread, kind)
        return self._distances[key]

    def _nearest(self, number: int, thread: int, kind: int) -> int | None:
        found: int | None = None
        heap = [(0, before) for before in self.lines[number].before]
        seen = set()
        while heap:
            passed, at = heapq.heappop(heap)
            if at in seen or (found is not None and passed >= found):
                continue
            seen.add(at)
            last = self.last(at, thread, kind)
            if last is not None:
                found = passed + last if found is None else min(found, passed + last)
                continue
            further = passed + self.lines[at].totals.get(thread, 0)
            for before in self.lines[at].before:
                heapq.heappush(heap, (further, before))
        return found

    def behind(self, number: int, thread: int, distance: int) -> Iterator[BeliefPoint]:
        """The step after which a thread has so many more to where a section begins, on each way."""
        work = [(number, distance)]
        seen = set(work)
        while work:
            at, left = work.pop()
            for before in self.lines[at].before:
                own = self.lines[before].places.get(thread, ())
                further = (before, left - len(own))
                if len(own) > left:
                    yield self.lines[before].steps[own[len(own) - 1 - left]]
                elif further not in seen:
                    seen.add(further)
                    work.append(further)


def _line(section: Stretch, relation: Relation, uncounted: Collection[Site]) -> Line:
    line = Line([], [], [])
    for step in section.steps:
        assert step.thread is not None
        if step.site in uncounted:
            continue
        line.places.setdefault(step.thread, []).append(len(line.steps))
        line.steps.append(step)
        line.threads.append(step.thread)
        line.kinds.append(relation.kind(step))
        line.totals[step.thread] = line.totals.get(step.thread, 0) + 1
    passed = dict.fromkeys(line.totals, 0)
    for thread, kind in zip(reversed(line.threads), reversed(line.kinds), strict=True):
        line.after.setdefault(kind, passed[thread])
        passed[thread] += 1
    return line
