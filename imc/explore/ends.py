"""How executions end: completely, blocked, or in a deadlock, and then why."""

from __future__ import annotations

from enum import Enum

from imc.program.deadlock import cycle_of, deadlock
from imc.program.dependence import race
from imc.program.events import Access, Event, Mode
from imc.program.faults import Fault, Property
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
    circle = cycle_of({t: b.holder for t, b in moves.blocked.items()})
    if circle and checked:
        return End.DEADLOCK, deadlock(interpreter.image, state, moves.blocked, circle)
    if moves.outcomes:
        return None, None
    if state.ended:
        return End.COMPLETE, None
    stuck = {t.id for t in state.threads.values() if t.status is Status.STUCK}
    stuck |= {t for t, b in moves.blocked.items() if b.what == "assumption"}
    if stuck or not checked:
        return End.BLOCKED, None
    return End.DEADLOCK, deadlock(interpreter.image, state, moves.blocked, [])


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
