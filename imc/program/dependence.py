"""The one dependence relation: which pairs of events may not be swapped, and why."""

from __future__ import annotations

from collections.abc import Iterator

from imc.program.events import Access, Event, Mode


def conflict(a: Access, b: Access) -> bool:
    """The accesses overlap and do not commute; a carry out of a part is an addition's own."""
    return (
        a.object == b.object
        and a.offset < b.offset + b.size
        and b.offset < a.offset + a.size
        and (
            a.mode is not b.mode
            or a.mode is Mode.WRITE
            or (a.mode is Mode.ADD and (a.offset != b.offset or a.size != b.size))
        )
    )


def dependence(a: Event, b: Event) -> str | None:
    """Why the order of two events matters, or None when they are independent."""
    if a.thread == b.thread:
        return "same thread"
    if b.thread in a.spawned or a.thread in b.spawned:
        return "thread start"
    if b.thread in a.joined or a.thread in b.joined:
        return "thread end"
    if a.exits or b.exits:
        return "program exit"
    for x in a.accesses:
        for y in b.accesses:
            if conflict(x, y):
                return (
                    "same cell, one write"
                    if x.mode <= Mode.WRITE and y.mode <= Mode.WRITE
                    else "same object"
                )
    return None


def races(a: Event, b: Event) -> Iterator[tuple[Access, Access]]:
    """Conflicting accesses, not both atomic, by events that could happen at the same time."""
    if a.thread == b.thread:
        return
    for x in a.accesses:
        for y in b.accesses:
            if not (x.atomic and y.atomic) and conflict(x, y):
                yield x, y
