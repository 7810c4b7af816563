"""Executions that end in a loop, held against what a livelock is.

Nothing here looks for livelocks: this is the definition, for an execution that is given. It lies in
the room of the program so that whoever finds one, in whatever way, is measured by the same.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from imc.errors import SourceLoc
from imc.program.deadlock import livelock
from imc.program.effects import CLEAN, Deeds, Round, Traces
from imc.program.ends import ASSUMPTION
from imc.program.events import Event
from imc.program.faults import Fault
from imc.program.interpreter import Interpreter
from imc.program.keys import StateKeys
from imc.program.livelock import LivelockUndecided
from imc.program.machine import ENDLESS, Outcome
from imc.program.state import State, Status
from imc.program.state_graph import StateGraph

MOST_ROUNDS = 6  # until objects that take each other's places are back where they were


def is_meant(state: State) -> bool:
    """Not if a thread was stopped by an assumption, or by a bound."""
    return all(t.status is not Status.STUCK or t.reason == ENDLESS for t in state.threads.values())


def livelock_of(
    interpreter: Interpreter, keys: StateKeys, outcomes: Sequence[Outcome], loop: int
) -> Fault | None:
    """The livelock that the last steps of an execution are, by its definition."""
    start, walk = outcomes[-loop - 1].state, outcomes[-loop:]
    states = [start, *(o.state for o in walk[:-1])]
    if keys.key(walk[-1].state) != keys.key(start) or not is_meant(start):
        return None
    moves = [interpreter.moves(state) for state in states]
    places: dict[int, list[SourceLoc | None]] = {}
    for outcome in walk:
        places.setdefault(outcome.event.thread, []).append(outcome.event.loc)
    if any(o.event.thread not in places for m in moves for o in m.outcomes):
        return None  # it is not fair
    if any(why.what == ASSUMPTION and t not in places for t, why in moves[0].blocked.items()):
        return None
    deeds = Deeds(keys)
    done = [deeds.deed(before, outcome) for before, outcome in zip(states, walk, strict=True)]
    rounds = dict.fromkeys(places, Round())
    known: dict[tuple[int, Hashable], Traces] = {
        (thread, deeds.place(start, thread)): CLEAN for thread in places
    }
    for _ in range(2):  # what was written before is known only the second time
        for deed in done:
            thread = deed.thread
            after = rounds[thread].after(deed)
            if after is None:
                return None
            rounds[thread] = after
            if known.setdefault((thread, deed.after), after.traces) != after.traces:
                return None
        if any(way.traces for way in rounds.values()):
            return None
    for stuck in start.threads.values():
        if stuck.status is Status.STUCK:
            places[stuck.id] = [stuck.stopped]
    return livelock(interpreter.image, start, places, moves[0].blocked, loop)


def reproduced(
    interpreter: Interpreter, keys: StateKeys, graph: StateGraph, start: Outcome, loop: list[int]
) -> tuple[Fault, list[Event]]:
    """A livelock that was found on a graph, run again, with the events that lead there and round.

    Raises `LivelockUndecided` where it is none: names on the graph may have been unsteady.
    """
    outcomes = [start]
    for step in graph.way_to(graph.sources[loop[0]]):
        outcomes.append(_taken(interpreter, graph, step, outcomes[-1].state))
    for rounds in range(1, MOST_ROUNDS + 1):
        for step in loop:
            outcomes.append(_taken(interpreter, graph, step, outcomes[-1].state))
        for last in range(1, rounds + 1):
            fault = livelock_of(interpreter, keys, outcomes, last * len(loop))
            if fault is not None:
                return fault, [outcome.event for outcome in outcomes]
    raise LivelockUndecided


def _taken(interpreter: Interpreter, graph: StateGraph, step: int, state: State) -> Outcome:
    return interpreter.step(state, graph.thread(step), graph.choices.get(step, ()))


def any_livelock(interpreter: Interpreter, outcomes: Sequence[Outcome]) -> Fault | None:
    """A livelock that an execution ends with, wherever its loop begins."""
    keys = StateKeys(interpreter.image)
    last = keys.key(outcomes[-1].state)
    for loop in range(1, len(outcomes)):
        if keys.key(outcomes[-loop - 1].state) == last:
            fault = livelock_of(interpreter, keys, outcomes, loop)
            if fault is not None:
                return fault
    return None
