"""Whether the waits of a schedule keep dependent events in their order, over all its sections.

What each thread knows to have happened is followed through the sections, whatever way led there,
from the waits that are written down and from nothing else: how the compiler has found them plays no
part.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from imc.checker.partners import Dependent, Partners
from imc.program.events import Event
from irs.schedule import Schedule, ScheduledEvent

Known = dict[int, int]  # thread -> how many of its gated events, counted from the section's start

PATIENCE = 2  # times more than there are sections that one is passed through before that ends
REACH = 100  # how far back what is known is remembered, at least
DEEPEST = 1000  # how far back of an event that is waited for is known what it knew, at most


class Unordered(Exception):
    """An event that does not wait for what it depends on: so many events of another thread."""

    def __init__(self, section: int, index: int, other: int, needed: int, name: str) -> None:
        super().__init__(
            f"section {section}: event {index} depends on an earlier event of {name}, "
            "and does not wait for it"
        )
        self.section = section
        self.index = index
        self.other = other
        self.needed = needed


@dataclass(frozen=True, slots=True)
class Happening:
    """An event of a section: all that it can be, nothing if its operation is left out."""

    thread: int
    gated: bool
    events: list[Event]
    waits: tuple[tuple[int, int], ...]
    kind: int


@dataclass(frozen=True, slots=True)
class Memory:
    """What is known where a section begins: by each thread now, and by its last gated events."""

    now: dict[int, Known]
    past: dict[int, list[Known]]  # the last event first

    def before(self, thread: int, count: int) -> Known:
        """What was known to the event of a thread that so many others have followed."""
        past = self.past[thread]
        return past[count] if count < len(past) else {}


class Earlier:
    """The events of a section so far: of each thread the last of each kind."""

    def __init__(self, threads: Collection[int]) -> None:
        # How many gates its thread had passed before.
        self.last: dict[int, dict[int, int]] = {thread: {} for thread in threads}
        self._gates = dict.fromkeys(threads, 0)

    def add(self, happening: Happening) -> None:
        thread = happening.thread
        self.last[thread][happening.kind] = self._gates[thread]
        self._gates[thread] += happening.gated


class Order:
    """Checks the waits of one schedule, given what its events can be."""

    def __init__(
        self,
        schedule: Schedule,
        events: list[list[list[Event]]],
        dependent: Dependent,
        entries: Collection[int] = (),
        local: bool = True,
        look: Callable[[], None] = lambda: None,
    ) -> None:
        self.schedule = schedule
        self.partners = Partners(dependent, local)
        self.look = look  # at the clock
        # Where one may begin: all that came before has happened.
        self.beginnings = {schedule.start, *entries}
        # A thread that never does anything needs no order.
        self.threads = sorted(
            {
                event.thread
                for section, found in zip(schedule.sections, events, strict=True)
                for event, happened in zip(section.events, found, strict=True)
                if happened
            }
        )
        acting = set(self.threads)
        self.sections = [
            [
                self._happening(event, found[n], acting)
                for n, event in enumerate(section.events)
                if event.thread in acting
            ]
            for section, found in zip(schedule.sections, events, strict=True)
        ]
        self.before: list[list[int]] = [[] for _ in self.sections]
        for number, section in enumerate(schedule.sections):
            for target in section.next.targets:
                self.before[target].append(number)
        counts = [-c for s in self.sections for h in s for _, c in h.waits]
        self.depth = min(max([0, *counts]) + 1, DEEPEST)
        self.reach = max(REACH, self.depth, *(2 * len(s) for s in self.sections))
        self._far: dict[tuple[int, int, int], int | None] = {}
        # Of each section: how many gates its thread passes from the last event of a kind.
        self._passed = [Counter(h.thread for h in section if h.gated) for section in self.sections]
        self._since = [_gates_since(section) for section in self.sections]

    def _happening(self, event: ScheduledEvent, found: list[Event], acting: set[int]) -> Happening:
        site = self.schedule.sites[event.site]
        performed = found if site.performed else []
        waits = tuple((other, count) for other, count in event.waits if other in acting)
        kind = self.partners.number(event.thread, performed)
        return Happening(event.thread, site.gated, performed, waits, kind)

    def check(self) -> None:
        """Raises `Unordered` where an event does not wait for one that it depends on."""
        nothing = dict.fromkeys(self.threads, 0)
        start = Memory(
            dict.fromkeys(self.threads, nothing),
            {thread: [nothing] * self.depth for thread in self.threads},
        )
        memories: dict[int, Memory] = dict.fromkeys(self.beginnings, start)
        work = list(self.beginnings)
        if self._seams_order_all():
            memories, work = dict.fromkeys(range(len(self.sections)), start), []
        visits = Counter[int]()
        while work:
            number = work.pop()
            visits[number] += 1
            after = self._through(number, memories[number])
            for target in self.schedule.sections[number].next.targets:
                known = memories.get(target)
                meet = _unchanged if visits[number] > len(self.sections) + PATIENCE else _lower
                joined = after if known is None else _common(known, after, meet)
                if joined != known:
                    memories[target] = joined
                    work.append(target)
        for number, memory in memories.items():
            earlier = Earlier(self.threads)
            for index, facts in self._followed(number, memory):
                self._check_event(number, index, facts, earlier)
                earlier.add(self.sections[number][index])

    def _seams_order_all(self) -> bool:
        """Whether each event waits for all earlier sections, so that these need not be followed."""
        return not self.schedule.overlap and all(h.gated for s in self.sections for h in s)

    # ------------------------------------------------------------- what is known

    def _followed(self, number: int, memory: Memory) -> Iterator[tuple[int, Known]]:
        """Each event of a section with what is known to have happened before it."""
        now = {thread: dict(known) for thread, known in memory.now.items()}
        done: dict[int, list[Known]] = {t: [] for t in self.threads}  # by its gated events
        for index, happening in enumerate(self.sections[number]):
            self.look()
            thread = happening.thread
            known = now[thread]
            if happening.gated and not self.schedule.overlap:
                _add(known, dict.fromkeys(self.threads, 0))
            for other, count in happening.waits:
                facts = done[other][count - 1] if count > 0 else memory.before(other, -count)
                _add(known, {**facts, other: max(count, facts.get(other, count))})
            yield index, known
            if happening.gated:
                known[thread] = len(done[thread]) + 1
                done[thread].append(dict(known))
            for child in {c for e in happening.events for c in e.spawned if c in now}:
                now[child] = dict(known)  # nothing of it happens before
        self._done = now, done

    def _through(self, number: int, memory: Memory) -> Memory:
        """What is known after a section, counted from there."""
        for _ in self._followed(number, memory):
            pass
        now, done = self._done
        passed = {thread: len(own) for thread, own in done.items()}
        past: dict[int, list[Known]] = {}
        for thread, own in done.items():
            self.look()
            last = [*reversed(own), *memory.past[thread]][: self.depth]
            past[thread] = [self._moved(known, passed) for known in last]
        return Memory({t: self._moved(known, passed) for t, known in now.items()}, past)

    def _moved(self, known: Known, passed: Known) -> Known:
        return {t: n - passed[t] for t, n in known.items() if n - passed[t] >= -self.reach}

    # ------------------------------------------------------------- what is needed

    def _check_event(self, number: int, index: int, known: Known, earlier: Earlier) -> None:
        happening = self.sections[number][index]
        for other in self.threads:
            if other == happening.thread:
                continue
            needed = self._needed(number, other, happening, earlier)
            if needed is not None and known.get(other, needed - 1) < needed:
                raise Unordered(number, index, other, needed, self.schedule.threads[other])

    def _needed(
        self, number: int, other: int, happening: Happening, earlier: Earlier
    ) -> int | None:
        """How many gated events of a thread make sure of all that an event depends on."""
        last = earlier.last[other]
        needed = [last[k] + 1 for k in self.partners.of(happening.kind, other) if k in last]
        if needed:
            return max(needed)
        if happening.gated and not self.schedule.overlap:
            return None  # it waits for all earlier sections anyway
        key = (number, other, happening.kind)
        if key not in self._far:
            self._far[key] = self._needed_back(number, other, happening)
        return self._far[key]

    def _needed_back(self, number: int, other: int, happening: Happening) -> int | None:
        heap = [(0, before) for before in self.before[number]]
        seen: set[int] = set()
        fewest: list[int] = []  # gates from what is depended on to where the section begins
        while heap:
            self.look()
            gates, at = heapq.heappop(heap)
            if at in seen:
                continue
            seen.add(at)
            found = self._last(at, other, happening)
            if found is not None:
                fewest.append(gates + found)
                continue
            gates += self._passed[at].get(other, 0)
            for before in self.before[at]:
                heapq.heappush(heap, (gates, before))
        return 1 - min(fewest) if fewest else None

    def _last(self, section: int, other: int, happening: Happening) -> int | None:
        """How many gates a thread passes from its last event that another one depends on."""
        since = self._since[section]
        found = [since[k] for k in self.partners.of(happening.kind, other) if k in since]
        return min(found, default=None)


def _gates_since(section: list[Happening]) -> dict[int, int]:
    gates: dict[int, int] = {}
    since: dict[int, int] = {}
    for happening in reversed(section):
        thread = happening.thread
        gates[thread] = gates.get(thread, 0) + happening.gated
        since.setdefault(happening.kind, gates[thread])
    return since


def _add(known: Known, more: Known) -> None:
    for thread, count in more.items():
        known[thread] = max(known.get(thread, count), count)


def _lower(some: Known, others: Known) -> Known:
    return {thread: min(some[thread], others[thread]) for thread in some.keys() & others.keys()}


def _unchanged(some: Known, others: Known) -> Known:
    """What would fall back a little each time is given up at once."""
    return {t: n for t, n in some.items() if others.get(t, n - 1) >= n}


def _common(some: Memory, others: Memory, meet: Callable[[Known, Known], Known]) -> Memory:
    now = {thread: meet(known, others.now[thread]) for thread, known in some.now.items()}
    past = {
        thread: [meet(a, b) for a, b in zip(own, others.past[thread], strict=True)]
        for thread, own in some.past.items()
    }
    return Memory(now, past)
