"""Data races, told in words: which two accesses, and who makes them."""

from __future__ import annotations

from collections.abc import Sequence

from imc.program.code import Image
from imc.program.dependence import races
from imc.program.events import Access, Event, Mode
from imc.program.faults import Fault, Property


def find_race(image: Image, events: Sequence[Event]) -> Fault | None:
    """A data race between two of the steps that are possible in one state."""
    for n, a in enumerate(events):
        for b in events[n + 1 :]:
            for x, y in races(a, b):
                return race_fault(image, (a, x), (b, y))
    return None


def race_fault(image: Image, one: tuple[Event, Access], other: tuple[Event, Access]) -> Fault:
    cell = image.objects[one[1].object].cell(one[1].offset)
    details = (_describe(image, *one), _describe(image, *other))
    event = other[0]
    return Fault(Property.RACE, f"data race on '{cell}'", event.loc, event.thread, details)


def _describe(image: Image, event: Event, access: Access) -> str:
    verb = "reads" if access.mode is Mode.READ else "writes"
    kind = " atomically" if access.atomic else ""
    cell = image.objects[access.object].cell(access.offset)
    line = f" (line {event.loc.line})" if event.loc else ""
    return f"{image.threads.names[event.thread]} {verb} '{cell}'{kind}{line}"
