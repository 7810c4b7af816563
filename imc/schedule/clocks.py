"""Vector clocks: how many events of each other thread must have happened before an event.

Only dependent events are ordered, and a wait that another one implies is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from imc.program.dependence import dependence
from imc.program.events import Mode
from imc.schedule.beliefs import Point

Waits = dict[int, int]  # thread -> how many of its events
Depends = Callable[[Point, Point], bool]


@dataclass(frozen=True, slots=True)
class Clocks:
    """The waits of each event of a section, and how many there were before the reduction."""

    waits: list[Waits]
    all_waits: int


def depends(a: Point, b: Point) -> bool:
    """Whether the order of two steps matters, whatever way they go."""
    return any(dependence(x, y) is not None for x in a.events for y in b.events)


def depends_widely(dynamic: Sequence[bool]) -> Depends:
    """As `depends`, where objects that the program makes may be called differently later on."""

    def touches(point: Point, writes: bool) -> bool:
        accesses = (a for event in point.events for a in event.accesses if dynamic[a.object])
        return any(a.mode is not Mode.READ or not writes for a in accesses)

    def widely(a: Point, b: Point) -> bool:
        both = touches(a, False) and touches(b, False)
        return depends(a, b) or (both and (touches(a, True) or touches(b, True)))

    return widely


def always(a: Point, b: Point) -> bool:
    """The strict order of a tree's path."""
    return True


def clocks(steps: Sequence[Point], order: Depends = depends) -> Clocks:
    """The fewest waits that keep dependent steps in their order."""
    counts: dict[int, int] = {}  # events of each thread so far
    known: list[Waits] = []  # what has happened when a step has
    latest: dict[int, int] = {}  # each thread's last step
    waits: list[Waits] = []
    total = 0
    for number, step in enumerate(steps):
        thread = step.thread
        assert thread is not None
        needed: Waits = {}
        before = dict(known[latest[thread]]) if thread in latest else {}
        seen: dict[int, int] = dict(counts)  # the position of earlier steps, counted backwards
        sources: dict[int, int] = {}
        for earlier in range(number - 1, -1, -1):
            other = steps[earlier].thread
            assert other is not None
            position = seen[other]
            seen[other] -= 1
            if other != thread and other not in sources and order(steps[earlier], step):
                sources[other] = earlier
                needed[other] = position
        total += len(needed)
        # A wait is implied by the thread's own past, or by another wait's past.
        kept = {
            other: count
            for other, count in needed.items()
            if before.get(other, 0) < count
            and not any(
                known[sources[third]].get(other, 0) >= count for third in needed if third != other
            )
        }
        waits.append(kept)
        for other in needed:
            for third, count in known[sources[other]].items():
                before[third] = max(before.get(third, 0), count)
        counts[thread] = counts.get(thread, 0) + 1
        before[thread] = counts[thread]
        known.append(before)
        latest[thread] = number
    return Clocks(waits, total)
