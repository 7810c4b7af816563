"""Mazurkiewicz traces: a canonical form of an execution's happens-before order.

Each event gets a vector clock: how many events of every thread come before it. Two executions
are equivalent iff they have the same events with the same clocks.
"""

from __future__ import annotations

from collections.abc import Iterable

from imc.program.dependence import dependence
from imc.program.events import Event

VectorClock = tuple[tuple[int, int], ...]  # (thread, events), sorted by thread
Stamp = tuple[tuple[int, int, tuple[int, ...]], VectorClock]  # an event's identity, its clock


def trace_of(events: Iterable[Event]) -> frozenset[Stamp]:
    """The trace of a whole execution."""
    builder = TraceBuilder()
    for event in events:
        builder.push(event)
    return frozenset(builder.stamps())


class TraceBuilder:
    """Follows a depth-first search: events are pushed and popped."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._clocks: list[dict[int, int]] = []
        self._stamps: list[Stamp] = []
        self._numbers: list[int] = []
        self._interned: dict[Stamp, int] = {}

    def push(self, event: Event) -> None:
        clock: dict[int, int] = {}
        for earlier, before in zip(reversed(self.events), reversed(self._clocks), strict=True):
            if clock.get(earlier.thread, 0) > earlier.index:
                continue  # already known to come before
            if dependence(earlier, event) is not None:
                for thread, count in before.items():
                    if clock.get(thread, 0) < count:
                        clock[thread] = count
        clock[event.thread] = event.index + 1
        self.events.append(event)
        self._clocks.append(clock)
        stamped = (event.identity, tuple(sorted(clock.items())))
        self._stamps.append(stamped)
        self._numbers.append(self._interned.setdefault(stamped, len(self._interned)))

    def pop(self) -> None:
        self.events.pop()
        self._clocks.pop()
        self._stamps.pop()
        self._numbers.pop()

    def stamps(self) -> list[Stamp]:
        """Each event with its clock, in the order of the execution."""
        return list(self._stamps)

    def canonical(self) -> tuple[int, ...]:
        """The same for equivalent executions, different for all others."""
        return tuple(sorted(self._numbers))
