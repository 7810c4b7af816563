"""Vector clocks: how many events of each other thread must have happened before an event.

Only dependent events are ordered, and a wait that another one implies is left out. Counts begin
where the section does; 0 and less reach back over its seam into those before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import reduce

from imc.program.parts import components
from imc.schedule.lines import Lines
from imc.schedule.relation import Relation

Waits = dict[int, int]  # thread -> how many of its events
Known = dict[int, int]  # the same, of what has happened at some point

MOST_REACH = 64  # how far back what is known is remembered, at least
PATIENCE = 2  # rounds more than sections, after which what has not settled is not known


class Done:
    """The steps of a section so far, by thread."""

    def __init__(self, places: dict[int, list[int]]) -> None:
        self.places = places
        self.counts: dict[int, int] = {}
        self._last: dict[int, dict[int, int]] = {}  # of each kind, counted from 1

    def add(self, thread: int, kind: int) -> int:
        """One more step; how many of the thread's there are."""
        count = self.counts[thread] = self.counts.get(thread, 0) + 1
        self._last.setdefault(thread, {})[kind] = count
        return count

    def last(self, thread: int, kind: int, relation: Relation) -> int:
        """Which of a thread's steps is the last that the kind depends on; 0 if there is none."""
        last = self._last.get(thread, {})
        return max((last.get(own, 0) for own in relation.depending(kind, thread)), default=0)


class Clocks:
    """The fewest waits that keep dependent steps in their order, in all sections."""

    def __init__(self, lines: Lines, overlap: bool, beginnings: Collection[int] = (0,)) -> None:
        self.lines = lines
        self.overlap = overlap
        self.beginnings = beginnings  # sections before which all that came before has happened
        self.waits: list[list[Waits]] = [[] for _ in lines]
        self.dependences = 0  # waits before those that others imply were left out
        self._reach = max([MOST_REACH, *(2 * len(line.steps) for line in lines)])
        # What is known after each step, and by each thread where a section begins.
        self._known: list[list[Known] | None] = [None] * len(lines)
        self._entries: list[dict[int, Known] | None] = [None] * len(lines)
        self._back: dict[tuple[int, int], Known] = {}  # what `_known_back` says of one section
        self._ways: dict[tuple[int, int, int], list[tuple[int, int | None, Known]]] = {}
        self._threads = sorted({thread for line in lines for thread in line.totals})
        self._start = {t: dict.fromkeys(self._threads, 0) for t in self._threads}
        self._settle()

    def _settle(self) -> None:
        """Goes round until nothing that was taken to be known has to be given up."""
        changed, rounds = True, 0
        while changed:
            changed, rounds = False, rounds + 1
            for number in range(len(self.lines)):
                entry = self._entry(number)
                if entry is None:
                    continue
                earlier = self._entries[number]
                if earlier is not None and rounds > len(self.lines) + PATIENCE:
                    entry = _lasting(earlier, entry)
                before = self._known[number]
                self._section(number, entry)
                changed |= before != self._known[number] or entry != self._entries[number]
                self._entries[number] = entry
        self.dependences = sum(
            self._section(n, e) for n, e in enumerate(self._entries) if e is not None
        )

    def _entry(self, number: int) -> dict[int, Known] | None:
        """What each thread knows where a section begins, whatever came before."""
        if not self.overlap:
            return {}
        found = self._start if number in self.beginnings else None
        for before in self.lines[number].before:
            after = self._after(before)
            if after is not None:
                found = after if found is None else _agreed(found, after)
        return found

    def _after(self, number: int) -> dict[int, Known] | None:
        """What each thread knows at the end of a section, counted from there."""
        entry, known = self._entries[number], self._known[number]
        if entry is None or known is None:
            return None
        line = self.lines[number]
        last = dict(entry)
        for thread, facts in zip(line.threads, known, strict=True):
            last[thread] = facts
        return {thread: self._shifted(facts, line.totals) for thread, facts in last.items()}

    def _shifted(self, known: Known, passed: Known) -> Known:
        """What is known, counted from after so many more steps; not what lies too far back."""
        moved = {thread: count - passed.get(thread, 0) for thread, count in known.items()}
        return {thread: count for thread, count in moved.items() if count >= -self._reach}

    # ---------------------------------------------------------------- one section

    def _section(self, number: int, entry: dict[int, Known]) -> int:
        """Finds the waits of a section; answers how many there were before any was left out."""
        line = self.lines[number]
        self._back.clear()
        known: list[Known] = []
        waits: list[Waits] = []
        latest = {thread: dict(facts) for thread, facts in entry.items()}
        done = Done(line.places)
        total = 0
        for index, (thread, kind) in enumerate(zip(line.threads, line.kinds, strict=True)):
            own = dict(latest.get(thread, {}))
            needed: Waits = {}
            sources: dict[int, Known] = {}
            for other, count, facts in self._needed(number, thread, kind, done, known):
                needed[other] = count
                sources[other] = facts
            total += len(needed)
            waits.append({u: c for u, c in needed.items() if not _implied(u, c, own, sources)})
            for other, count in needed.items():
                _learn(own, sources[other])
                _learn(own, {other: count})
            for child in {child for event in line.steps[index].events for child in event.spawned}:
                latest[child] = dict(own)
            own[thread] = done.add(thread, kind)
            known.append(own)
            latest[thread] = own
        self.waits[number] = waits
        self._known[number] = known
        return total

    def _needed(
        self,
        number: int,
        thread: int,
        kind: int,
        done: Done,
        known: list[Known],
    ) -> Iterator[tuple[int, int, Known]]:
        """For each other thread its last step that the kind depends on, and what is known then."""
        for other in self._threads if self.overlap else done.counts:
            if other == thread:
                continue
            position = done.last(other, kind, self.lines.relation)
            if position:
                yield other, position, known[done.places[other][position - 1]]
            else:
                distance = self.lines.distance(number, other, kind) if self.overlap else None
                if distance is not None:
                    known_back = self._back.get((other, distance))
                    if known_back is None:
                        known_back = self._known_back(number, other, distance)
                        self._back[other, distance] = known_back
                    yield other, -distance, known_back

    def _known_back(self, number: int, thread: int, distance: int) -> Known:
        """What is known when all but so many of a thread's steps before a section have happened."""
        way = (number, thread, distance)
        if way not in self._ways:
            self._ways[way] = self._ways_back(*way)
        nothing = dict.fromkeys(self._threads, 0)
        found: list[Known] = []
        for before, step, passed in self._ways[way]:
            known = self._known[before]
            if step is None:
                found.append(self._shifted(nothing, passed))
            elif known is not None:
                found.append(self._shifted(known[step], passed))
        return reduce(_lower, found)

    def _ways_back(
        self, number: int, thread: int, distance: int
    ) -> list[tuple[int, int | None, Known]]:
        """The steps that are the last of so many, on all ways: section, step, what comes after it.

        No step: where nothing has to be waited for that came before. Each comes with the most that
        can happen behind it. That is a longest way through a graph whose circles add without end.
        """
        start = (number, distance)
        graph: dict[tuple[int, int], list[tuple[int, tuple[int, int]]]] = {}
        ends: list[tuple[tuple[int, int], int, int]] = []  # from where, section, step
        work = [start]
        while work:
            node = work.pop()
            if node in graph:
                continue
            at, left = node
            graph[node] = []
            for before in self.lines[at].before:
                line = self.lines[before]
                total = line.totals.get(thread, 0)
                if total <= left:
                    after = (before, left - total)
                    graph[node].append((before, after))
                    work.append(after)
                else:
                    ends.append((node, before, line.places[thread][total - 1 - left]))
        passed = self._longest(start, graph)
        begun = [(n[0], None, passed[n]) for n in graph if n[0] in self.beginnings]
        return begun + [
            (before, step, self._sum(passed[node], self.lines[before].totals))
            for node, before, step in ends
        ]

    def _longest(
        self,
        start: tuple[int, int],
        graph: dict[tuple[int, int], list[tuple[int, tuple[int, int]]]],
    ) -> dict[tuple[int, int], Known]:
        """The most steps of each thread on ways from a node of a graph to all others."""
        parts = list(components(set(graph), graph.__getitem__))
        part_of = {node: n for n, part in enumerate(parts) for node in part}
        passed = {start: dict.fromkeys(self._threads, 0)}
        for number in reversed(range(len(parts))):  # from the start on
            part = parts[number]
            most = reduce(_greater, (passed[node] for node in part if node in passed))
            for node in part:
                for section, after in graph[node]:
                    if part_of[after] == number:
                        for thread, steps in self.lines[section].totals.items():
                            most[thread] = 2 * self._reach if steps else most[thread]
            for node in part:
                passed[node] = most
            for node in part:
                for section, after in graph[node]:
                    if part_of[after] != number:
                        behind = self._sum(most, self.lines[section].totals)
                        passed[after] = _greater(passed.get(after, behind), behind)
        return passed

    def _sum(self, some: Known, others: Known) -> Known:
        """Counts together; what lies too far back, even for a section's last step, is one."""
        return {t: min(n + others.get(t, 0), 2 * self._reach) for t, n in some.items()}


def _implied(thread: int, count: int, own: Known, sources: dict[int, Known]) -> bool:
    """Whether a wait follows from the thread's own past, or from another wait's."""
    least = count - 1
    return own.get(thread, least) >= count or any(
        facts.get(thread, least) >= count for third, facts in sources.items() if third != thread
    )


def _learn(known: Known, more: Known) -> None:
    for thread, count in more.items():
        known[thread] = max(known.get(thread, count), count)


def _lower(some: Known, others: Known) -> Known:
    return {thread: min(some[thread], others[thread]) for thread in some.keys() & others.keys()}


def _agreed(some: dict[int, Known], others: dict[int, Known]) -> dict[int, Known]:
    return {t: _lower(some[t], others[t]) for t in some.keys() & others.keys()}


def _lasting(earlier: dict[int, Known], now: dict[int, Known]) -> dict[int, Known]:
    """What is known as well as before: all else falls back a little in each round."""
    return {
        thread: {t: n for t, n in facts.items() if n >= earlier[thread].get(t, n + 1)}
        for thread, facts in now.items()
        if thread in earlier
    }


def _greater(some: Known, others: Known) -> Known:
    return {t: max(count, others[t]) for t, count in some.items()}
