"""Whether what a thread computes between two events ends, whatever its inputs are."""

from __future__ import annotations

from imc.program.faults import Fault, Property
from imc.program.interpreter import Interpreter
from imc.program.keys import Key, StateKeys
from imc.program.machine import Outcome
from imc.program.state import State


def endless_inputs(
    interpreter: Interpreter, keys: StateKeys, state: State
) -> tuple[list[Outcome], Fault] | None:
    """Steps of a thread that reads inputs for ever and comes to no event, if there are any."""
    path: list[Outcome] = []
    on_path: dict[Key, None] = {keys.key(state): None}
    done: set[Key] = set()
    stack = [interpreter.moves(state).outcomes]
    while stack:
        if not stack[-1]:
            stack.pop()
            if path:
                path.pop()
                done.add(on_path.popitem()[0])
            continue
        outcome = stack[-1].pop()
        key = keys.key(outcome.state)
        paused = any(t.paused for t in outcome.state.threads.values())
        if outcome.fault is not None or not paused or key in done:
            continue
        path.append(outcome)
        if key in on_path:
            message = "inputs can keep a loop without a visible operation going for ever"
            event = outcome.event
            return path, Fault(Property.TERMINATION, message, event.loc, event.thread)
        on_path[key] = None
        stack.append(interpreter.moves(outcome.state).outcomes)
    return None
