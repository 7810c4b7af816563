"""How executions end: completely, blocked, or in a deadlock, and then why."""

from __future__ import annotations

from enum import Enum

from imc.errors import SourceLoc
from imc.program.dependence import race
from imc.program.events import Access, Event, Mode
from imc.program.faults import Blocked, Fault, Property
from imc.program.interpreter import Interpreter, Moves
from imc.program.machine import Outcome
from imc.program.state import State, Status


class End(Enum):
    COMPLETE = "complete"
    BLOCKED = "blocked"  # by an assumption, a bound, or an error that is not checked
    DEADLOCK = "deadlock"


def classify(
    interpreter: Interpreter, state: State, moves: Moves
) -> tuple[End | None, Fault | None]:
    """How an execution has ended in a state, if it has; threads in a circle end it as well."""
    checked = Property.DEADLOCK in interpreter.settings.properties
    circle = _cycle({t: b.holder for t, b in moves.blocked.items()})
    if circle and checked:
        return End.DEADLOCK, _deadlock(interpreter, state, moves.blocked, circle)
    if moves.outcomes:
        return None, None
    if state.ended:
        return End.COMPLETE, None
    stuck = {t.id for t in state.threads.values() if t.status is Status.STUCK}
    stuck |= {t for t, b in moves.blocked.items() if b.what == "assumption"}
    if stuck or not checked:
        return End.BLOCKED, None
    return End.DEADLOCK, _deadlock(interpreter, state, moves.blocked, [])


def _deadlock(
    interpreter: Interpreter, state: State, reasons: dict[int, Blocked], circle: list[int]
) -> Fault:
    name = interpreter.thread_name
    details = []
    for thread, reason in sorted(reasons.items()):
        what = _what(interpreter, thread, reason)
        loc = _place(state, thread)
        details.append(f"{name(thread)} waits for {what}" + (f" (line {loc.line})" if loc else ""))
    message = "deadlock: " + (
        " waits for ".join(name(t) for t in [*circle, circle[0]])
        if circle
        else "no thread can move"
    )
    first = circle[0] if circle else min(reasons)
    return Fault(Property.DEADLOCK, message, _place(state, first), first, tuple(details))


def _what(interpreter: Interpreter, thread: int, reason: Blocked) -> str:
    holder = reason.holder
    whose = (
        None
        if holder is None
        else "itself"
        if holder == thread
        else interpreter.thread_name(holder)
    )
    if reason.what == "end of thread":
        return f"the end of {whose}"
    if not isinstance(reason.pointer, tuple):
        return f"an {reason.what}"
    number, offset = reason.pointer
    cell = interpreter.image.objects[number].cell(offset, outermost=True)
    return f"{reason.what} '{cell}'" + (f", held by {whose}" if whose else "")


def _place(state: State, thread: int) -> SourceLoc | None:
    frame = state.threads[thread].frames[-1]
    return frame.code.locs[frame.pc]


def _cycle(waits: dict[int, int | None]) -> list[int]:
    """Threads that wait for one another in a circle, if there are any."""
    for start in sorted(waits):
        path = [start]
        while (after := waits.get(path[-1])) is not None and after not in path:
            path.append(after)
        if after is not None and after in path:
            return path[path.index(after) :]
    return []


def find_race(interpreter: Interpreter, outcomes: list[Outcome]) -> Fault | None:
    """A data race between two of the steps that are possible in one state."""
    for n, a in enumerate(outcomes):
        for b in outcomes[n + 1 :]:
            found = race(a.event, b.event)
            if found is not None:
                cell = interpreter.image.objects[found[0].object].cell(found[0].offset)
                details = (
                    _describe(interpreter, a.event, found[0]),
                    _describe(interpreter, b.event, found[1]),
                )
                message = f"data race on '{cell}'"
                return Fault(Property.RACE, message, b.event.loc, b.event.thread, details)
    return None


def _describe(interpreter: Interpreter, event: Event, access: Access) -> str:
    verb = "reads" if access.mode is Mode.READ else "writes"
    kind = " atomically" if access.atomic else ""
    cell = interpreter.image.objects[access.object].cell(access.offset)
    line = f" (line {event.loc.line})" if event.loc else ""
    return f"{interpreter.thread_name(event.thread)} {verb} '{cell}'{kind}{line}"
