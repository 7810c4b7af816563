"""Data races, told in words: which two accesses, and who makes them."""

from __future__ import annotations

from collections.abc import Sequence

from imc.program.code import Image
from imc.program.dependence import race
from imc.program.events import Access, Event, Mode
from imc.program.faults import Fault, Property


def find_race(image: Image, events: Sequence[Event]) -> Fault | None:
    """A data race between two of the steps that are possible in one state."""
    for n, a in enumerate(events):
        for b in events[n + 1 :]:
            found = race(a, b)
            if found is not None:
                cell = image.objects[found[0].object].cell(found[0].offset)
                details = (
                    _describe(image, a, found[0]),
                    _describe(image, b, found[1]),
                )
                message = f"data race on '{cell}'"
                return Fault(Property.RACE, message, b.loc, b.thread, details)
    return None


def _describe(image: Image, event: Event, access: Access) -> str:
    verb = "reads" if access.mode is Mode.READ else "writes"
    kind = " atomically" if access.atomic else ""
    cell = image.objects[access.object].cell(access.offset)
    line = f" (line {event.loc.line})" if event.loc else ""
    return f"{image.threads.names[event.thread]} {verb} '{cell}'{kind}{line}"
