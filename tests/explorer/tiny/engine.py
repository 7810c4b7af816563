"""A second look at the engine's own steps: final values, and whether independence is true."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field

from imc.program.dependence import dependence
from imc.program.faults import Blocked, Property
from imc.program.interpreter import Interpreter, Moves
from imc.program.keys import Key, StateKeys
from imc.program.machine import Machine, Outcome
from imc.program.state import State, Status
from imc.program.types import IntType
from imc.program.values import to_signed


class Backwards(Interpreter):
    """Offers the steps of a state in the opposite order."""

    def moves(self, state: State, postponed: bool = False) -> Moves:
        moves = super().moves(state, postponed)
        moves.outcomes.reverse()
        return moves


@dataclass
class Walk:
    """What a visit of every state finds."""

    final_values: set[tuple[int, ...]] = field(default_factory=set)
    false_independence: set[str] = field(default_factory=set)


def walk(interpreter: Interpreter, variables: tuple[str, ...]) -> Walk:
    """Visits every state once and looks whether independent events commute."""
    found = Walk()
    keys = StateKeys(interpreter.image)
    visited: set[Key] = set()
    work = [outcome.state for outcome in interpreter.initial()]
    while work:
        state = work.pop()
        key = keys.key(state)
        if key in visited:
            continue
        visited.add(key)
        if state.exit_code is not None:
            found.final_values.add(_values(interpreter, state, variables))
            continue
        outcomes = _steps(interpreter, state)
        after = [_steps(interpreter, outcome.state) for outcome in outcomes]
        for first, following in zip(outcomes, after, strict=True):
            if first.fault is None:
                work.append(first.state)
            found.false_independence |= _false_independence(keys, first, following, outcomes, after)
    return found


def _steps(interpreter: Interpreter, state: State) -> list[Outcome]:
    """The steps of all threads; unlike `moves`, it lets others move before an input is read."""
    outcomes: list[Outcome] = []
    for thread in state.threads.values():
        if thread.status is Status.RUNNING and state.exit_code is None:
            with suppress(Blocked):
                outcomes += interpreter.successors(state, thread.id)
    return outcomes


def _values(interpreter: Interpreter, state: State, variables: tuple[str, ...]) -> tuple[int, ...]:
    image = interpreter.image
    machine = Machine(image, state)
    loaded = (machine.load((image.symbols[name], 0), IntType(32)) for name in variables)
    return tuple(to_signed(value, 32) for value in loaded)


Choice = tuple[int, tuple[int, ...]]  # a thread, and what the environment chooses


def _choice(outcome: Outcome) -> Choice:
    return outcome.event.thread, outcome.event.choices


def _kind(outcome: Outcome) -> Property | None:
    return outcome.fault.kind if outcome.fault else None


def _false_independence(
    keys: StateKeys,
    first: Outcome,
    following: list[Outcome],
    outcomes: list[Outcome],
    after: list[list[Outcome]],
) -> set[str]:
    """Compares what others can do without `first` (`outcomes`) and after it (`following`)."""
    if first.fault is not None or first.state.exit_code is not None:
        return set()
    found = set()
    event = first.event
    before = {_choice(o): (o, then) for o, then in zip(outcomes, after, strict=True)}
    later = {_choice(o): o for o in following}
    for choice in before.keys() | later.keys():
        old, then = before.get(choice, (None, []))
        new = later.get(choice)
        if any(o is not None and dependence(event, o.event) for o in (old, new)):
            continue
        one = old or new
        assert one is not None
        if old is None or new is None:
            what = "disables" if new is None else "enables"
        elif old.event.accesses != new.event.accesses or _kind(old) != _kind(new):
            what = "changes"
        elif new.fault is not None:
            continue
        else:
            swapped = [o for o in then if _choice(o) == _choice(first)]
            if len(swapped) == 1 and keys.key(swapped[0].state) == keys.key(new.state):
                continue
            what = "does not commute with"
        found.add(
            f"{event.operation} of {event.thread} {what} {one.event.operation} of {choice[0]}"
        )
    return found
