"""Whether what a schedule permits can go on for ever without effect, on the states it leads to."""

from __future__ import annotations

from collections.abc import Iterator

from enforcement import Enforcement, Position

from imc.program.effects import Deeds
from imc.program.ends import classify
from imc.program.livelock import LivelockUndecided, find_loop
from imc.program.state_graph import StateGraph


def rounds(enforcement: Enforcement) -> list[str]:
    """A livelock among the executions that have been played, in words.

    Operations that are left out are not seen, so nothing is said where there are any.
    """
    if enforcement.left_out:
        return []
    deeds = Deeds(enforcement.keys)
    numbers = {position: n for n, position in enumerate(enforcement.positions.values())}
    onward: dict[Position, list[Position]] = {}
    for before, thread, after in enforcement.edges:
        if thread is None:
            onward.setdefault(before, []).append(after)
    graph = StateGraph()
    graph.states = len(numbers)
    for before, outcome, after in enforcement.steps:
        deed = deeds.deed(before.state, outcome)
        _, order = enforcement.keys.named_key(outcome.state)
        for end in _settled(after, onward):
            _, other = enforcement.keys.named_key(end.state)
            deeds.merge(deeds.names(outcome.state, order), deeds.names(end.state, other))
            graph.add(numbers[before], deed, numbers[end])
    if deeds.unsteady:
        graph = graph.blurred(deeds.unsteady)
    try:
        loop = find_loop(graph)
    except LivelockUndecided:
        return []
    if loop is None:
        return _endless(enforcement)
    names = enforcement.interpreter.image.threads.names
    who = sorted({names[graph.thread(step)] for step in loop})
    return [f"{', '.join(who)} go round for ever without effect"]


def _endless(enforcement: Enforcement) -> list[str]:
    """Nobody can move but threads that compute for ever."""
    interpreter = enforcement.interpreter
    ended = (
        classify(interpreter, position.state, interpreter.moves(position.state))
        for position in enforcement.positions.values()
        if not position.enabled
    )
    return [fault.message for _, fault in ended if fault is not None]


def _settled(position: Position, onward: dict[Position, list[Position]]) -> Iterator[Position]:
    """Where an execution is when the schedule has taken up what comes next."""
    if not position.extended:
        yield position
        return
    for after in onward.get(position, ()):
        yield from _settled(after, onward)
