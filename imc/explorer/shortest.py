"""A shortest execution to a fault, by breadth-first search within a budget."""

from __future__ import annotations

from contextlib import suppress

from imc.explorer.reproduce import invented, reproduces
from imc.explorer.result import Exploration
from imc.program.ends import classify
from imc.program.events import Event
from imc.program.faults import Fault, OutOfTime, Property
from imc.program.interpreter import Interpreter
from imc.program.keys import StateKeys
from imc.program.machine import Outcome
from imc.program.races import find_race

BUDGET = 4000  # states: never a time, so that a counterexample is the same on every machine


def tell_shortly(interpreter: Interpreter, result: Exploration) -> None:
    """Looks for a shorter way to the fault, as long as that costs little, and runs it again."""
    assert result.fault is not None
    bounds = set(interpreter.image.bounds)
    kind, length = result.fault.kind, len(result.trace)
    found = None if result.fault.loop else shortest_fault(interpreter, kind, length)
    if found is not None:
        result.trace, result.fault = found
    with suppress(OutOfTime):
        result.reproduced = reproduces(interpreter, result.trace, result.fault)
    interpreter.image.bounds &= bounds


def shortest_fault(
    interpreter: Interpreter, kind: Property, below: int
) -> tuple[list[Event], Fault] | None:
    """A trace of fewer than `below` events to a fault of the kind, if the budget finds one."""
    try:
        return _breadth_first(interpreter, kind, below)
    except OutOfTime:
        return None


def _breadth_first(
    interpreter: Interpreter, kind: Property, below: int
) -> tuple[list[Event], Fault] | None:
    keys = StateKeys(interpreter.image)
    seen = set()
    # (outcome, index of its predecessor), level by level
    queue: list[tuple[Outcome, int]] = [(outcome, -1) for outcome in interpreter.initial()]
    for position, (outcome, _) in enumerate(queue):  # grows while we walk it
        fault = outcome.fault
        if fault is None:
            key = keys.key(outcome.state)
            if key in seen:
                continue
            seen.add(key)
            moves = interpreter.moves(outcome.state)
            if kind is Property.RACE:
                fault = find_race(interpreter.image, [o.event for o in moves.outcomes])
            elif kind in (Property.DEADLOCK, Property.LIVELOCK):
                fault = classify(interpreter, outcome.state, moves)[1]
            queue.extend((o, position) for o in moves.outcomes)
        if fault is not None and fault.kind is kind:
            way = _path(queue, position)
            if len(way) >= below:
                return None
            if invented(interpreter, way, fault) is None:
                return [outcome.event for outcome in way], fault
        if len(seen) > BUDGET or interpreter.image.out_of_time():
            return None
    return None


def _path(queue: list[tuple[Outcome, int]], position: int) -> list[Outcome]:
    way = []
    while position >= 0:
        outcome, position = queue[position]
        way.append(outcome)
    return way[::-1]
