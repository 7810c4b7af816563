"""Deadlocks and livelocks, told in words: who waits for what, and who stands in the way."""

from __future__ import annotations

from imc.errors import SourceLoc
from imc.program.code import Image
from imc.program.faults import Blocked, Fault, Property
from imc.program.state import State


def deadlock(image: Image, state: State, reasons: dict[int, Blocked], circle: list[int]) -> Fault:
    """The fault of threads that wait for each other, or (without a circle) for what never comes."""
    names = image.threads.names
    details = [_waits(image, state, thread, why) for thread, why in sorted(reasons.items())]
    message = "deadlock: " + (
        " waits for ".join(names[t] for t in [*circle, circle[0]])
        if circle
        else "no thread can move"
    )
    first = circle[0] if circle else min(reasons)
    return Fault(Property.DEADLOCK, message, _place(state, first), first, tuple(details))


def livelock(
    image: Image,
    state: State,
    rounds: dict[int, list[SourceLoc | None]],
    reasons: dict[int, Blocked],
    loop: int = 0,
) -> Fault:
    """The fault of threads that go round, each over some places, while the others cannot move."""
    names = image.threads.names
    who = sorted(rounds)
    some = " and ".join([", ".join(names[t] for t in who[:-1]), names[who[-1]]][len(who) == 1 :])
    goes = "goes" if len(who) == 1 else "go"
    details = {t: _waits(image, state, t, why) for t, why in reasons.items() if t not in rounds}
    for thread, places in rounds.items():
        lines = sorted({loc.line for loc in places if loc is not None})
        where = f" (line{'s' * (len(lines) > 1)} {', '.join(map(str, lines))})" if lines else ""
        details[thread] = f"{names[thread]} goes round{where}"
    loc = next((loc for loc in rounds[who[0]] if loc is not None), None)
    message = f"livelock: {some} {goes} round for ever without effect"
    told = tuple(details[thread] for thread in sorted(details))
    return Fault(Property.LIVELOCK, message, loc, who[0], told, loop)


def _waits(image: Image, state: State, thread: int, reason: Blocked) -> str:
    loc = _place(state, thread)
    where = f" (line {loc.line})" if loc else ""
    return f"{image.threads.names[thread]} waits for {_what(image, thread, reason)}{where}"


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
