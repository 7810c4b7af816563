"""What can be said of a schedule before it has run: how often it hands over, who waits how long."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from math import log

from imc.measurement.bench.rounds import repeated
from imc.program.code import Site
from irs.handovers import hand_overs
from irs.schedule import Schedule, Section


@dataclass(frozen=True, slots=True)
class Features:
    """Of the sections that repeat, for each useful round."""

    hand_overs: float  # events that wait for another thread
    gates: float
    threads: int
    active: int  # of these, that hand over to each other at a time
    longest_wait: int | None  # events of others between two of a thread's; None: no bound is known

    def vector(self, cooperative: bool) -> tuple[float, ...]:
        """What the speed is taken to depend on."""
        hand_overs = log(self.hand_overs + 0.001)
        own = (0.0, hand_overs) if cooperative else (hand_overs, 0.0)
        return (1.0, float(cooperative), *own, log(self.gates + 0.001), log(self.active + 1))


def features(schedule: Schedule, useful: Collection[Site]) -> Features:
    numbers = sorted(repeated(schedule)) or range(len(schedule.sections))
    events = [event for n in numbers for event in schedule.sections[n].events]
    sites = [(schedule.sites[e.site].function, schedule.sites[e.site].pc) for e in events]
    rounds = max(sum(site in useful for site in sites), 1)
    return Features(
        sum(bool(event.waits) for event in events) / rounds,
        sum(schedule.sites[event.site].gated for event in events) / rounds,
        len({event.thread for event in events}),
        hand_overs(schedule).active,
        longest_wait(schedule),
    )


def longest_wait(schedule: Schedule) -> int | None:
    """The most events of others between two of a thread's; None if it may wait without end."""
    threads = {event.thread for section in schedule.sections for event in section.events}
    waits = [_longest_wait(schedule, thread) for thread in sorted(threads)]
    known = [wait for wait in waits if wait is not None]
    return max(known, default=0) if len(known) == len(waits) else None


def _longest_wait(schedule: Schedule, thread: int) -> int | None:
    """A thread that never moves again has ended, and waits for nothing."""
    sections = schedule.sections
    lasting = _leading_to(schedule, thread)
    on_path: set[int] = set()

    @cache
    def ahead(number: int) -> int | None:
        """Events of others from a section's begin to the thread's next one, at most."""
        gaps = _gaps(sections[number], thread)
        if len(gaps) > 1:
            return gaps[0]
        if number in on_path:
            return None
        on_path.add(number)
        after = [ahead(n) for n in sections[number].next.targets if n in lasting]
        on_path.discard(number)
        known = [n for n in after if n is not None]
        return None if len(known) < len(after) else gaps[0] + max(known, default=0)

    longest = 0
    for number in sorted(lasting):
        *inner, last = _gaps(sections[number], thread)
        if not inner:
            continue
        after = [ahead(n) for n in sections[number].next.targets if n in lasting]
        if None in after:
            return None
        longest = max(longest, *inner, last + max((n for n in after if n is not None), default=0))
    return longest


def _leading_to(schedule: Schedule, thread: int) -> set[int]:
    """The sections from which the thread may move again."""
    found = {n for n, s in enumerate(schedule.sections) if len(_gaps(s, thread)) > 1}
    while True:
        more = {n for n, s in enumerate(schedule.sections) if found & set(s.next.targets)} - found
        if not more:
            return found
        found |= more


def _gaps(section: Section, thread: int) -> list[int]:
    """How many events of others come before, between and after those of a thread."""
    gaps = [0]
    for event in section.events:
        if event.thread == thread:
            gaps.append(0)
        else:
            gaps[-1] += 1
    return gaps
