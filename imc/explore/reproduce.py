"""Runs a trace again: the same threads, the same choices of the environment."""

from __future__ import annotations

from collections.abc import Sequence

from imc.program.ends import classify
from imc.program.events import Event
from imc.program.faults import Blocked, Fault, NeedChoice, Property
from imc.program.interpreter import Interpreter
from imc.program.machine import Outcome
from imc.program.races import find_race
from imc.program.state import State

Step = tuple[int, tuple[int, ...]]  # thread, choices


def reproduces(interpreter: Interpreter, trace: Sequence[Event], fault: Fault) -> bool:
    """Whether the trace leads to a fault of the same kind."""
    outcomes = run_again(interpreter, [(e.thread, e.choices) for e in trace])
    if outcomes is None:
        return False
    found = fault_of(interpreter, outcomes, fault.kind)
    return found is not None and found.kind is fault.kind


def run_again(interpreter: Interpreter, steps: Sequence[Step]) -> list[Outcome] | None:
    """What the steps lead to, the program's start included; None if one is not possible."""
    starts = [o for o in interpreter.initial() if o.event.choices == steps[0][1]]
    if not starts:
        return None
    outcomes = [starts[0]]
    for thread, choices in steps[1:]:
        if outcomes[-1].fault is not None or thread not in outcomes[-1].state.threads:
            return None
        try:
            outcomes.append(interpreter.step(outcomes[-1].state, thread, choices))
        except (Blocked, NeedChoice, IndexError):
            return None
    return outcomes


def fault_of(interpreter: Interpreter, outcomes: Sequence[Outcome], kind: Property) -> Fault | None:
    """The fault that an execution shows."""
    last = outcomes[-1]
    if last.fault is not None:
        return last.fault
    if kind is Property.RACE:
        races = (_race(interpreter, o.state) for o in reversed(outcomes))
        return next((race for race in races if race is not None), None)
    moves = interpreter.moves(last.state)
    return classify(interpreter, last.state, moves)[1]


def _race(interpreter: Interpreter, state: State) -> Fault | None:
    return find_race(interpreter.image, [o.event for o in interpreter.moves(state).outcomes])
