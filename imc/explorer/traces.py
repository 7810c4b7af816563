"""Mazurkiewicz traces: a canonical form of an execution's happens-before order.

Each event gets a vector clock: how many events of every thread come before it. Two executions
are equivalent iff they have the same events with the same clocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

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


def dependent(a: Event, b: Event) -> bool:
    return dependence(a, b) is not None


class TraceBuilder:
    """Follows a depth-first search: events are pushed and popped."""

    def __init__(self, depend: Callable[[Event, Event], bool] = dependent) -> None:
        self._depend = depend
        self.events: list[Event] = []
        self._clocks: list[dict[int, int]] = []
        self._stamps: list[Stamp] = []
        self._numbers: list[int] = []
        self._interned: dict[Stamp, int] = {}

    def push(self, event: Event) -> None:
        self.events.append(event)

    def pop(self) -> None:
        self.events.pop()
        if len(self._clocks) > len(self.events):
            self._clocks.pop()
            self._stamps.pop()
            self._numbers.pop()

    def _stamp(self) -> None:
        """Events get their clocks when somebody asks: many searches turn back before."""
        for position in range(len(self._clocks), len(self.events)):
            event = self.events[position]
            clock: dict[int, int] = {}
            for k in range(position - 1, -1, -1):
                earlier = self.events[k]
                if clock.get(earlier.thread, 0) > earlier.index:
                    continue  # already known to come before
                if self._depend(earlier, event):
                    for thread, count in self._clocks[k].items():
                        if clock.get(thread, 0) < count:
                            clock[thread] = count
            clock[event.thread] = event.index + 1
            self._clocks.append(clock)
            stamped = (event.identity, tuple(sorted(clock.items())))
            self._stamps.append(stamped)
            self._numbers.append(self._interned.setdefault(stamped, len(self._interned)))

    def stamps(self) -> list[Stamp]:
        """Each event with its clock, in the order of the execution."""
        self._stamp()
        return list(self._stamps)

    def canonical(self) -> tuple[int, ...]:
        """The same for equivalent executions, different for all others."""
        self._stamp()
        return tuple(sorted(self._numbers))
