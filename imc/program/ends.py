"""How executions end: completely, blocked, or in a deadlock, and then why."""

from __future__ import annotations

from enum import Enum

from imc.program.deadlock import cycle_of, deadlock
from imc.program.faults import Fault, Property
from imc.program.interpreter import Interpreter, Moves
from imc.program.state import State, Status

ASSUMPTION = "assumption"
AWAITED = "value to change"  # what a thread waits for that would only go round


class End(Enum):
    COMPLETE = "complete"
    BLOCKED = "blocked"  # by an assumption, a bound, or an error that is not checked
    DEADLOCK = "deadlock"


def circle_fault(interpreter: Interpreter, state: State, moves: Moves) -> Fault | None:
    """Threads that wait for each other in a circle, whatever the others do."""
    circle = cycle_of({t: b.holder for t, b in moves.blocked.items()})
    if not circle or Property.DEADLOCK not in interpreter.settings.properties:
        return None
    return deadlock(interpreter.image, state, moves.blocked, circle)


def classify(
    interpreter: Interpreter, state: State, moves: Moves
) -> tuple[End | None, Fault | None]:
    """How an execution has ended in a state, if it has; threads in a circle end it as well."""
    checked = Property.DEADLOCK in interpreter.settings.properties
    circle = circle_fault(interpreter, state, moves)
    if circle is not None:
        return End.DEADLOCK, circle
    if moves.outcomes:
        return None, None
    if state.ended:
        return End.COMPLETE, None
    stuck = {t.id for t in state.threads.values() if t.status is Status.STUCK}
    stuck |= {t for t, b in moves.blocked.items() if b.what in (ASSUMPTION, AWAITED)}
    if stuck or not checked:
        return End.BLOCKED, None
    return End.DEADLOCK, deadlock(interpreter.image, state, moves.blocked, [])
