"""How executions end: completely, blocked, or in a deadlock, and then why."""

from __future__ import annotations

from enum import Enum

from imc.program.code import Image
from imc.program.deadlock import cycle_of, deadlock, livelock
from imc.program.faults import Blocked, Fault, Property
from imc.program.interpreter import Interpreter, Moves
from imc.program.machine import ENDLESS
from imc.program.missing import is_somebody_missing
from imc.program.state import State, Status

ASSUMPTION = "assumption"
AWAITED = "value to change"  # what a thread waits for that would only go round


class Ending(Enum):
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
) -> tuple[Ending | None, Fault | None]:
    """How an execution has ended in a state, if it has; threads in a circle end it as well."""
    checked = Property.DEADLOCK in interpreter.settings.properties
    circle = circle_fault(interpreter, state, moves)
    if circle is not None:
        return Ending.DEADLOCK, circle
    if moves.outcomes:
        return None, None
    if state.ended:
        return Ending.COMPLETE, None
    stuck = [t for t in state.threads.values() if t.status is Status.STUCK]
    waits = {b.what for b in moves.blocked.values()}
    if stuck and ASSUMPTION not in waits and AWAITED not in waits:
        hangs = Property.LIVELOCK in interpreter.settings.properties
        return Ending.BLOCKED, endless(interpreter.image, state, moves.blocked) if hangs else None
    missing = is_somebody_missing(interpreter.image, state)
    if stuck or missing or waits & {ASSUMPTION, AWAITED} or not checked:
        return Ending.BLOCKED, None
    return Ending.DEADLOCK, deadlock(interpreter.image, state, moves.blocked, [])


def endless(image: Image, state: State, blocked: dict[int, Blocked]) -> Fault | None:
    """Threads that compute for ever and never come to an event, while nobody else can move.

    None if a thread has stopped for another reason: then that is how the execution ends. Who
    computes without an event hangs, whoever is missing.
    """
    stuck = {t.id: t for t in state.threads.values() if t.status is Status.STUCK}
    if any(t.reason != ENDLESS for t in stuck.values()):
        return None
    return livelock(image, state, {n: [t.stopped] for n, t in stuck.items()}, blocked)
