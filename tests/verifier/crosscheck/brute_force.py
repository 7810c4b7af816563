"""All concrete states of a program, and the game of the scheduler against the environment on them.

What it says is true for the inputs of the settings; it raises TooLarge or OutOfTime otherwise.
"""

from __future__ import annotations

import time
from typing import TypeVar

from game import TooLarge

from imc.program.deadlock import cycle_of
from imc.program.faults import Blocked, Property
from imc.program.interpreter import Interpreter
from imc.program.keys import Key, StateKeys
from imc.program.machine import Outcome
from imc.program.program import Program
from imc.program.races import find_race
from imc.program.settings import Settings
from imc.program.state import State, Status


class BruteForce:
    """The concrete states as a game: the scheduler picks a thread, the environment its outcome."""

    def __init__(self, program: Program, settings: Settings, states: int, seconds: float) -> None:
        self.interpreter = Interpreter(program, settings.enforced())
        self.interpreter.image.deadline = time.monotonic() + seconds
        self.keys = StateKeys(self.interpreter.image)
        self.moves: dict[Key, dict[int, list[Key | None]]] = {}  # None is a fault
        self.ends: dict[Key, bool] = {}  # of states where nobody moves: whether that is proper
        self.control: dict[Key, object] = {}  # where the threads are
        self.starts: list[Key | None] = []
        self.limit = states
        self.has_fault = False
        self._work: list[tuple[Key, State]] = []
        self._build()

    def _build(self) -> None:
        self.starts = [self._reached(o) for o in self.interpreter.initial()]
        while self._work:
            if len(self.moves) > self.limit:
                raise TooLarge(f"more than {self.limit} states")
            key, state = self._work.pop()
            self._expand(key, state)

    def _reached(self, outcome: Outcome) -> Key | None:
        if outcome.fault is not None:
            self.has_fault = True
            return None
        key = self.keys.key(outcome.state)
        if key not in self.moves:
            self.moves[key] = {}
            self.control[key] = _control(outcome.state)
            self._work.append((key, outcome.state))
        return key

    def _expand(self, key: Key, state: State) -> None:
        blocked: dict[int, Blocked] = {}
        found: dict[int, list[Outcome]] = {}
        if state.exit_code is None:
            for number, thread in state.threads.items():
                if thread.status is Status.RUNNING:
                    try:
                        found[number] = self.interpreter.successors(state, number)
                    except Blocked as why:
                        blocked[number] = why
        if cycle_of({t: b.holder for t, b in blocked.items()}):
            self.ends[key] = False
            self.has_fault = True
        elif not found:
            stuck = any(t.status is Status.STUCK for t in state.threads.values())
            waits = any(b.what == "assumption" for b in blocked.values())
            self.ends[key] = state.ended or stuck or waits
            self.has_fault |= not self.ends[key]
        else:
            self.moves[key] = {t: [self._reached(o) for o in os] for t, os in found.items()}
            self.has_fault |= self._has_race(found)

    def _has_race(self, found: dict[int, list[Outcome]]) -> bool:
        """A fault of the program, but no loss for the scheduler, who orders the accesses."""
        if Property.RACE not in self.interpreter.settings.properties:
            return False
        events = [o.event for outcomes in found.values() for o in outcomes]
        return find_race(self.interpreter.image, events) is not None

    def has_safe_strategy(self) -> bool:
        """Whether a scheduler that sees the whole state can avoid errors; it may starve threads."""
        graph: Graph[Key] = {
            key: None if key in self.ends else list(moves.values())
            for key, moves in self.moves.items()
        }
        winning = _winning(graph, {key for key, proper in self.ends.items() if not proper})
        return all(start in winning for start in self.starts)

    def has_blind_strategy(self, beliefs: int = 3000) -> bool:
        """Whether one that sees only where the threads are can; raises TooLarge."""
        if None in self.starts:
            return False
        starts = self._observed({s for s in self.starts if s is not None})
        graph: Graph[frozenset[Key]] = {}
        lost: set[frozenset[Key]] = set()
        work = list(starts)
        while work:
            belief = work.pop()
            if belief in graph:
                continue
            if len(graph) > beliefs:
                raise TooLarge(f"more than {beliefs} sets of states")
            proper = [self.ends.get(key) for key in belief]
            graph[belief] = None
            if False in proper or (True in proper and None in proper):
                lost.add(belief)
            elif None in proper:
                graph[belief] = moves = self._moves(belief)
                work.extend(b for after in moves for b in after if b is not None)
        winning = _winning(graph, lost)
        return all(start in winning for start in starts)

    def _moves(self, belief: frozenset[Key]) -> list[list[frozenset[Key] | None]]:
        """Steps of threads that can move in every state."""
        able = set.intersection(*(set(self.moves[key]) for key in belief))
        result: list[list[frozenset[Key] | None]] = []
        for thread in sorted(able):
            after = {k for key in belief for k in self.moves[key][thread]}
            known = {k for k in after if k is not None}
            result.append([*self._observed(known), *([None] if None in after else [])])
        return result

    def _observed(self, keys: set[Key]) -> list[frozenset[Key]]:
        groups: dict[object, set[Key]] = {}
        for key in keys:
            groups.setdefault(self.control[key], set()).add(key)
        return [frozenset(group) for group in groups.values()]


N = TypeVar("N")
Graph = dict[N, list[list[N | None]] | None]  # None: an end


def _winning(graph: Graph[N], lost: set[N]) -> set[N]:
    """The greatest set without lost nodes in which there is always a choice that stays inside."""
    winning = set(graph) - lost
    while True:
        gone = set()
        for node in winning:
            moves = graph[node]
            if moves is not None and not any(all(o in winning for o in after) for after in moves):
                gone.add(node)
        if not gone:
            return winning
        winning -= gone


def _control(state: State) -> object:
    return state.exit_code is None, tuple(
        (t.id, t.status, t.paused, tuple((f.code.number, f.pc, f.phase) for f in t.frames))
        for t in sorted(state.threads.values(), key=lambda t: t.id)
    )
