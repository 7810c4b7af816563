"""How often threads hand over to each other under a schedule, and what that costs."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from irs.schedule import Schedule

RECENT = 16  # hand-overs, in which who takes part counts as active
# Events and hand-overs after which nothing new is to be expected; and no more events than this.
ENOUGH, ENOUGH_WAITS, MOST = 4096, 4 * RECENT, 1 << 16
# In the time of an event: from one core to another, at best; and on one core.
BETWEEN_CORES, ON_ONE_CORE = 16, 3


@dataclass(frozen=True, slots=True)
class HandOvers:
    """A schedule played with events that take no time but for their gates."""

    events: int
    waits: int  # events that have to wait for another thread's
    chain: int  # the longest row of events, each of which has to come after the one before
    time: int  # on as many cores as there are threads
    active: int  # threads that hand over to each other at a time, mostly

    @property
    def at_a_time(self) -> float:
        """Events that can happen at the same time, on average: 1 is a sequence."""
        return self.events / self.chain if self.chain else 1.0

    @property
    def one_core_is_enough(self) -> bool:
        """Whether all cores together need no less time than one of them."""
        return self.events + ON_ONE_CORE * self.waits <= self.time

    def __str__(self) -> str:
        often = f"every {self.events / self.waits:.1f} events" if self.waits else "never"
        return f"{self.at_a_time:.1f} events at a time, a hand-over {often}"


def hand_overs(schedule: Schedule) -> HandOvers:
    """Plays a schedule for a while; where ways part, takes the one that was taken least."""
    ends: list[list[tuple[int, int]]] = [[(0, 0)] for _ in schedule.threads]  # chain and time
    taken = [0] * len(schedule.sections)
    number, events = schedule.start, 0
    waiting: list[int] = []
    for _ in range(MOST if schedule.sections else 0):
        section = schedule.sections[number]
        taken[number] += 1
        base = [len(own) - 1 for own in ends]
        last = [own[-1] for own in ends]
        for thread, site, waits in section.events:
            if not schedule.sites[site].gated:
                continue
            before = [ends[other][max(base[other] + count, 0)] for other, count in waits]
            if not schedule.overlap and len(ends[thread]) - 1 == base[thread]:
                before += [end for other, end in enumerate(last) if other != thread]
            chain, time = ends[thread][-1]
            ready = max((end[1] + BETWEEN_CORES for end in before if end[1]), default=0)
            if ready > time:
                waiting.append(thread)
            events += 1
            chain = max(chain, *(end[0] for end in before), 0)
            ends[thread].append((chain + 1, max(time, ready) + 1))
        if not section.next.targets or events >= MOST:
            break
        if events >= ENOUGH and len(waiting) >= ENOUGH_WAITS:
            break
        number = min(section.next.targets, key=lambda target: taken[target])
    longest = max((own[-1][0] for own in ends), default=0)
    latest = max((own[-1][1] for own in ends), default=0)
    return HandOvers(events, len(waiting), longest, latest, _active(waiting))


def _active(waiting: list[int]) -> int:
    """The threads that mostly take part in hand-overs that follow each other."""
    recent = [len({*waiting[n : n + RECENT]}) for n in range(max(1, len(waiting) - RECENT))]
    return round(median(recent))
