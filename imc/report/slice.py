"""Which events of a long counterexample lead to its error.

An event leads there if it happens before the error and hands something on: another thread reads
what it has written, takes a lock that it has given back, is started by it or waits for its end.
Whoever hands on, and who takes it, is shown; so are the last events of those who err.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from imc.program.events import Access, Event, Mode
from imc.program.faults import Fault

LONG = 40  # shorter ones are shown as they are
LAST = 6  # events of a thread before it errs, which say what it was about


class Slice(NamedTuple):
    """Events by their numbers."""

    shown: frozenset[int]
    causes: frozenset[int]  # of those: what the last events have from other threads


def sliced(events: Sequence[Event], fault: Fault) -> Slice:
    """What of a counterexample leads to its error; all of it, unless it is long."""
    if len(events) <= LONG:
        return Slice(frozenset(range(len(events))), frozenset())
    origins = list(_origins(events))
    own: dict[int, list[int]] = {}
    for number, event in enumerate(events):
        own.setdefault(event.thread, []).append(number)
    erring = {fault.thread} if fault.thread is not None and not fault.loop else set(own)
    ends = [number for thread in erring for number in own.get(thread, ())[-LAST:]]
    ends += range(len(events) - fault.loop, len(events))
    shown = set(ends)
    before = dict.fromkeys(own, -1)  # up to where a thread's events happen before the error
    work = ends.copy()
    while work:
        number = work.pop()
        thread = events[number].thread
        for earlier in own[thread]:
            if before[thread] < earlier <= number and origins[earlier]:
                shown |= {earlier, *origins[earlier]}
                work += origins[earlier]
        before[thread] = max(before[thread], number)
    causes = {origin for number in ends for origin in origins[number]} - set(ends)
    return Slice(frozenset(shown), frozenset(causes))


def _origins(events: Sequence[Event]) -> Iterator[set[int]]:
    """For each event, those of other threads that have handed something on to it."""
    written: dict[int, list[tuple[int, Access]]] = {}  # by object, in order
    started: dict[int, int] = {}
    last: dict[int, int] = {}
    for number, event in enumerate(events):
        found = {last[thread] for thread in event.joined if thread in last}
        if event.thread not in last and event.thread in started:
            found.add(started[event.thread])
        for access in event.accesses:
            if access.mode is Mode.READ or event.acquired:
                earlier = reversed(written.get(access.object, ()))
                found.update([n for n, other in earlier if _overlap(access, other)][:1])
        yield {n for n in found if events[n].thread != event.thread}
        for access in event.accesses:
            if access.mode is not Mode.READ:
                written.setdefault(access.object, []).append((number, access))
        started |= dict.fromkeys(event.spawned, number)
        last[event.thread] = number


def _overlap(one: Access, other: Access) -> bool:
    return one.offset < other.offset + other.size and other.offset < one.offset + one.size
