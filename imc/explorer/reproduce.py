"""Runs a trace again: the same threads, the same choices of the environment."""

from __future__ import annotations

from collections.abc import Sequence

from imc.explorer.recording import Recording
from imc.explorer.semantics import Step
from imc.program.ends import classify
from imc.program.events import Event
from imc.program.faults import Blocked, Fault, NeedChoice, Property
from imc.program.interpreter import Interpreter
from imc.program.inventions import Invention, invention_behind
from imc.program.lasso import any_livelock
from imc.program.machine import Outcome
from imc.program.races import find_race
from imc.program.state import State


def reproduces(interpreter: Interpreter, trace: Sequence[Event], fault: Fault) -> bool:
    """Whether the trace leads to a fault of the same kind."""
    outcomes = run_again(interpreter, [(e.thread, e.choices) for e in trace])
    if outcomes is None:
        return False
    found = fault_of(interpreter, outcomes, fault.kind)
    return found is not None and found.kind is fault.kind


def invented(
    interpreter: Interpreter, execution: Sequence[Outcome], fault: Fault
) -> Invention | None:
    """What was made up for a function, if the fault at the end of an execution depends on it."""
    return invention_behind(
        interpreter, execution, fault, lambda again, others: fault_of(again, others, fault.kind)
    )


def run_again(
    interpreter: Interpreter, steps: Sequence[Step], before: list[Outcome] | None = None
) -> list[Outcome] | None:
    """What the steps lead to, the program's start included; None if one is not possible."""
    outcomes = list(before or ())
    if before is None:
        (_, choices), steps = steps[0], steps[1:]
        outcomes = [o for o in interpreter.initial() if o.event.choices == choices][:1]
        if not outcomes:
            return None
    for thread, choices in steps:
        if outcomes[-1].fault is not None or thread not in outcomes[-1].state.threads:
            return None
        try:
            outcomes.append(interpreter.step(outcomes[-1].state, thread, choices))
        except (Blocked, NeedChoice, IndexError):
            return None
    return outcomes


def run_recording(interpreter: Interpreter, recording: Recording) -> list[Outcome] | None:
    """The same for a recording, whose threads have names; None if it is not possible."""
    names = interpreter.image.threads.names
    outcomes: list[Outcome] | None = None
    for length in range(1, len(recording.steps) + 1):
        name, choices = recording.steps[length - 1]
        if name not in names:
            return None
        step = names.index(name), choices
        outcomes = run_again(interpreter, [step], outcomes)
        if outcomes is None:
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
    fault = classify(interpreter, last.state, interpreter.moves(last.state))[1]
    if fault is None and kind is Property.LIVELOCK:
        return any_livelock(interpreter, outcomes)
    return fault


def _race(interpreter: Interpreter, state: State) -> Fault | None:
    return find_race(interpreter.image, [o.event for o in interpreter.moves(state).outcomes])
