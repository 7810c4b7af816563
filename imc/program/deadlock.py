"""Deadlocks, told in words: who waits for what, and who stands in the way."""

from __future__ import annotations

from imc.errors import SourceLoc
from imc.program.code import Image
from imc.program.faults import Blocked, Fault, Property
from imc.program.state import State


def deadlock(image: Image, state: State, reasons: dict[int, Blocked], circle: list[int]) -> Fault:
    """The fault of threads that wait for each other, or (without a circle) for what never comes."""
    names = image.threads.names
    details = []
    for thread, reason in sorted(reasons.items()):
        what = _what(image, thread, reason)
        loc = _place(state, thread)
        details.append(f"{names[thread]} waits for {what}" + (f" (line {loc.line})" if loc else ""))
    message = "deadlock: " + (
        " waits for ".join(names[t] for t in [*circle, circle[0]])
        if circle
        else "no thread can move"
    )
    first = circle[0] if circle else min(reasons)
    return Fault(Property.DEADLOCK, message, _place(state, first), first, tuple(details))


def _what(image: Image, thread: int, reason: Blocked) -> str:
    holder = reason.holder
    whose = (
        None if holder is None else "itself" if holder == thread else image.threads.names[holder]
    )
    if reason.what == "end of thread":
        return f"the end of {whose}"
    if not isinstance(reason.pointer, tuple):
        return f"an {reason.what}"
    number, offset = reason.pointer
    cell = image.objects[number].cell(offset, outermost=True)
    return f"{reason.what} '{cell}'" + (f", held by {whose}" if whose else "")


def _place(state: State, thread: int) -> SourceLoc | None:
    frame = state.threads[thread].frames[-1]
    return frame.code.locs[frame.pc]


def cycle_of(waits: dict[int, int | None]) -> list[int]:
    """Threads that wait for one another in a circle, if there are any."""
    for start in sorted(waits):
        path = [start]
        while (after := waits.get(path[-1])) is not None and after not in path:
            path.append(after)
        if after is not None and after in path:
            return path[path.index(after) :]
    return []
