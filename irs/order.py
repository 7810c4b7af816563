"""Schedules made by hand, and the beginnings of schedules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from irs.errors import BadSchedule
from irs.format import dumps
from irs.schedule import (
    Branch,
    Case,
    Choice,
    Follow,
    Free,
    Made,
    Next,
    ProgramIdentity,
    Schedule,
    ScheduledEvent,
    Section,
    Site,
)

NAME = "written by hand"


def order(
    events: Sequence[tuple[str, str]],
    repeat: bool = False,
    dependences: Iterable[tuple[int, int]] | None = None,
) -> Schedule:
    """A schedule of events, each a thread's name and a point's name, one after the other.

    With `dependences`, pairs of earlier and later indices, only these are kept in order. If they
    `repeat`, all of them come again and again, until the thread of the first one ends instead of
    beginning anew. After that nothing is ordered any more.
    """
    if not events:
        raise BadSchedule(NAME, "events", "expected at least one")
    threads = list(dict.fromkeys(thread for thread, _ in events))
    points = list(dict.fromkeys(point for _, point in events))
    pairs = zip(range(len(events)), range(1, len(events)), strict=False)
    earlier: dict[int, list[int]] = {}
    for before, after in pairs if dependences is None else dependences:
        if not 0 <= before < after < len(events):
            raise BadSchedule(
                NAME, f"dependence {before}, {after}", "expected an earlier event first"
            )
        earlier.setdefault(after, []).append(before)
    nth = [sum(t == thread for t, _ in events[: n + 1]) for n, (thread, _) in enumerate(events)]
    found = []
    for number, (thread, point) in enumerate(events):
        waits: dict[int, int] = {}
        for before in earlier.get(number, ()):
            if events[before][0] != thread:
                other = threads.index(events[before][0])
                waits[other] = max(waits.get(other, 0), nth[before])
        found.append(
            ScheduledEvent(threads.index(thread), points.index(point), tuple(waits.items()))
        )
    schedule = Schedule(
        program=ProgramIdentity(NAME, ""),
        made=Made("irs.order", 1, "opt0" if dependences is None else "opt1", NAME, ()),
        assumptions=(),
        bounds=(),
        threads=tuple(threads),
        sites=tuple(Site(point, 0, "point", None, None, None, point) for point in points),
        overlap=False,
        start=0,
        sections=_repeated(tuple(found)) if repeat else (Section(tuple(found), Free()),),
    )
    dumps(schedule, NAME)  # keeps to all rules, or raises BadSchedule
    return schedule


def _repeated(events: tuple[ScheduledEvent, ...]) -> tuple[Section, ...]:
    first = events[0]
    again, over = Case(first.site, None, 0), Case(None, None, 1)
    return Section(events, Branch(first.thread, (again, over))), Section((), Free())


def prefix(schedule: Schedule, events: int) -> Schedule:
    """The same schedule for its first events at gates, in the order listed, and freedom after them.

    With fewer and fewer events, its constraints go away one by one, until with 0 there are none.
    Schedules that leave operations out cannot be cut: nobody would do these afterwards.
    """
    if any(site.action in ("pass", "skip") for site in schedule.sites):
        name = schedule.program.name
        raise BadSchedule(name, "sites", "operations are left out, so no beginning is whole")
    return _Prefix(schedule).of(events)


class _Prefix:
    """Unrolls a schedule: its sections come once for each number of events that are left."""

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule
        self.numbers: dict[tuple[int, int], int] = {}
        self.work: list[tuple[int, int]] = []

    def of(self, events: int) -> Schedule:
        sections = []
        self._number(self.schedule.start, events)
        for section, left in self.work:  # grows while we walk it
            sections.append(self._cut(self.schedule.sections[section], left))
        return replace(self.schedule, start=0, sections=tuple(sections), certificate=None)

    def _number(self, section: int, left: int) -> int:
        if (section, left) not in self.numbers:
            self.numbers[section, left] = len(self.work)
            self.work.append((section, left))
        return self.numbers[section, left]

    def _cut(self, section: Section, left: int) -> Section:
        kept: list[ScheduledEvent] = []
        for event in section.events:
            gated = self.schedule.sites[event.site].gated
            if gated and not left:
                return Section(tuple(kept), Free())
            left -= gated
            kept.append(event)
        return Section(tuple(kept), self._next(section.next, left) if left else Free())

    def _next(self, next: Next, left: int) -> Next:
        match next:
            case Follow(section):
                return Follow(self._number(section, left))
            case Branch(thread, cases):
                return Branch(
                    thread,
                    tuple(Case(c.at, c.guard, self._number(c.section, left)) for c in cases),
                )
            case Choice(sections):
                return Choice(tuple(self._number(section, left) for section in sections))
        return next
