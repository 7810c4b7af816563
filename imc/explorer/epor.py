"""Eager POR: the traces of a section are computed from one execution of it, not explored.

A section is a stretch in which all executions have the same events with the same dependences. One
execution of it tells which events depend on each other; every way to orient these pairs that has no
circle is a trace, and one execution of each is scheduled. Races are only looked for between an
event and what came before its section (Metzler, chapter 3).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from imc.explorer.cells import Cells
from imc.explorer.levels import Level
from imc.explorer.result import Clock, LimitReached
from imc.explorer.reversals import Reversal
from imc.explorer.semantics import Semantics
from imc.explorer.sites import SiteKinds
from imc.explorer.source import Source
from imc.explorer.wakeup import WakeupBranch
from imc.program.dependence import dependence
from imc.program.events import Event
from imc.program.faults import Blocked
from imc.program.state import Status

Pair = tuple[int, int]  # two events of a section, by their numbers
LONGEST_SECTION = 200  # events: a loop that decides nothing may have no end


@dataclass(slots=True)
class EagerSection:
    """Events in the order in which they were executed first, and what is known of them."""

    events: list[Event] = field(default_factory=list)
    fixed: list[Pair] = field(default_factory=list)  # one thread, or a thread and its start
    free: list[Pair] = field(default_factory=list)  # dependent, in either order
    closed: set[int] = field(default_factory=set)  # threads that have no further event in it
    cells: Cells = field(default_factory=Cells)  # which events touch them
    past: list[int] = field(default_factory=list)  # what is fixed to come before an event, as bits

    def fixed_before(self, event: Event) -> int | None:
        """The last event before one that is yet to be added, whatever the order of others."""
        for number in range(len(self.events) - 1, -1, -1):
            other = self.events[number]
            if other.thread == event.thread or event.thread in other.spawned:
                return number
        return None

    def dependent(self, event: Event) -> tuple[list[int], int]:
        """Events that an event depends on and may come after it; how many were looked at."""
        before = self.fixed_before(event)
        past = 0 if before is None else self.past[before]
        touched = [(a.object, a.offset, a.size) for a in event.accesses]
        near = [n for n in self.cells.touching(touched) if not past >> n & 1]
        return [n for n in near if dependence(self.events[n], event) is not None], len(near)

    def add(self, event: Event, dependent: list[int]) -> None:
        mine = len(self.events)
        before = self.fixed_before(event)
        if before is not None:
            self.fixed.append((before, mine))
        self.past.append((0 if before is None else self.past[before]) | 1 << mine)
        self.free.extend((number, mine) for number in dependent)
        for access in event.accesses:
            self.cells.push(access, mine)
        self.events.append(event)


class Epor(Source):
    """Sections of any length; all orientations are tried, those with circles in vain."""

    name = "epor"

    def __init__(
        self, semantics: Semantics, clock: Clock, seed: int | None = None, traces: bool = False
    ) -> None:
        super().__init__(semantics, clock, seed, traces)
        self.sites = SiteKinds(semantics)
        self.section = 0  # where the section of the event to come has begun
        self.starts: list[int] = []  # of each event

    # --------------------------------------------------- between the sections

    def taking(self, branch: WakeupBranch) -> None:
        position = len(self.execution)
        self.section = position if branch.section is None else branch.section
        del self.starts[position:]
        self.starts.append(self.section)
        self.execution.known_from = self.section

    def reversals(self, blocked: dict[int, Blocked]) -> Iterator[Reversal]:
        """Only those of events before a section: those within it are scheduled."""
        for base, sequence in super().reversals(blocked):
            second = sequence[-1].event
            position = self._position(second)
            if position is None or base < self.starts[position]:
                yield base, sequence

    def _position(self, event: Event) -> int | None:
        for position in self.execution.of_thread.get(event.thread, ()):
            if self.execution.events[position].index == event.index:
                return position
        return None

    # ------------------------------------------------------------ the sections

    def choose(self, level: Level) -> bool:
        section = self._next_section({thread for thread, _ in level.sleep})
        if len(section.events) < 2:
            return super().choose(level)
        start = len(self.execution)
        for order in self.orders(section):
            self._look_at_clock()
            branches = level.branches
            for number in order:
                event = section.events[number]
                branch = next((b for b in branches if b.event.thread == event.thread), None)
                if branch is None:
                    branch = WakeupBranch(event, section=start)
                    branches.append(branch)
                    branches.sort(key=lambda b: b.event.thread)
                branches = branch.branches
        return True

    def _next_section(self, asleep: set[int]) -> EagerSection:
        """Runs on from the current state for as long as the conditions of a section hold.

        Who sleeps is left out: it has been first already.
        """
        section, semantics = EagerSection(closed=asleep), self.semantics
        state, progress = self.execution.state, True
        while progress and len(section.events) < LONGEST_SECTION:
            progress = False
            for thread in semantics.running(state):
                while thread not in section.closed and len(section.events) < LONGEST_SECTION:
                    at = state.threads[thread]
                    if at.status is not Status.RUNNING or self.sites.is_alone(at):
                        section.closed.add(thread)
                        break
                    try:
                        outcomes = semantics.successors(state, thread)
                    except Blocked:
                        section.closed.add(thread)
                        break
                    event = outcomes[0].event
                    after = outcomes[0].state.threads[thread].status
                    alone = len(outcomes) > 1 or outcomes[0].fault is not None
                    alone |= after is not Status.RUNNING and semantics.image.has_thread_locals
                    if alone or self.sites.stands_alone(event):
                        section.closed.add(thread)
                        break
                    dependent, checks = section.dependent(event)
                    self.result.dependency_checks += checks
                    if not self.fits(section, event, dependent):
                        section.closed.add(thread)
                        break
                    section.add(event, dependent)
                    self.result.race_checks += 1
                    state, progress = outcomes[0].state, True
                    if self.sites.decides(event):
                        section.closed.add(thread)
        return section

    def fits(self, section: EagerSection, event: Event, dependent: list[int]) -> bool:
        """Whether an event may be part of a section, as far as its dependences go."""
        return True

    def _look_at_clock(self) -> None:
        if self.clock.is_over():
            raise LimitReached(self.clock.time_limit())

    def orders(self, section: EagerSection) -> Iterator[list[int]]:
        """An execution of each trace: every orientation of the free pairs, but for circles."""
        count = len(section.free)
        for signs in range(1 << count):
            self._look_at_clock()
            pairs = [
                pair if not signs >> n & 1 else pair[::-1] for n, pair in enumerate(section.free)
            ]
            order = _linear(section.events, [*section.fixed, *pairs])
            if order is None:
                self.result.unsatisfiable += 1
            else:
                yield order


class EporShort(Epor):
    """Short sections: only one event of a thread depends on others, so that circles are rare."""

    name = "epor-sh"

    def fits(self, section: EagerSection, event: Event, dependent: list[int]) -> bool:
        if not dependent:
            return True
        by_thread = {section.events[n].thread: n for pair in section.free for n in pair}
        threads = {section.events[n].thread: n for n in dependent}
        return (
            event.thread not in by_thread
            and len(threads) == len(dependent)
            and all(by_thread.get(thread, n) == n for thread, n in threads.items())
        )


class EporPlus(Epor):
    """Orientations are built pair by pair: what has a circle once is never completed.

    Sections end where so many events depend on each other that their traces would be too many to
    schedule at once.
    """

    name = "epor+"
    MOST_PAIRS = 24

    def fits(self, section: EagerSection, event: Event, dependent: list[int]) -> bool:
        return len(section.free) + len(dependent) <= self.MOST_PAIRS

    def orders(self, section: EagerSection) -> Iterator[list[int]]:
        count = len(section.events)
        after = [1 << n for n in range(count)]  # what comes after an event, itself included
        for first, second in section.fixed:
            _order(after, first, second)
        yield from self._oriented(section, 0, after, list(section.fixed))

    def _oriented(
        self, section: EagerSection, number: int, after: list[int], pairs: list[Pair]
    ) -> Iterator[list[int]]:
        if number == len(section.free):
            order = _linear(section.events, pairs)
            assert order is not None
            yield order
            return
        for first, second in (section.free[number], section.free[number][::-1]):
            if after[second] >> first & 1:  # the second comes first already
                self.result.unsatisfiable += not after[first] >> second & 1
                continue
            further = after.copy()
            _order(further, first, second)
            yield from self._oriented(section, number + 1, further, [*pairs, (first, second)])


def _order(after: list[int], first: int, second: int) -> None:
    """Notes that one event comes before another, and what follows from that."""
    reached = after[second]
    for n, known in enumerate(after):
        if known >> first & 1:
            after[n] = known | reached


def _linear(events: list[Event], pairs: list[Pair]) -> list[int] | None:
    """The order in which the lowest thread that can go on does; None if there is a circle."""
    waiting = [0] * len(events)
    following: list[list[int]] = [[] for _ in events]
    for first, second in pairs:
        waiting[second] += 1
        following[first].append(second)
    order: list[int] = []
    ready = [n for n, count in enumerate(waiting) if count == 0]
    while ready:
        ready.sort(key=lambda n: events[n].thread, reverse=True)
        number = ready.pop()
        order.append(number)
        for n in following[number]:
            waiting[n] -= 1
            if waiting[n] == 0:
                ready.append(n)
    return order if len(order) == len(events) else None
