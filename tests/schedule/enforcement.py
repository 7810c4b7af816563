"""Runs a program under a schedule in every order and for every input that it permits.

The concrete interpreter is all that this shares with the verifier. Whatever is wrong is told: an
error, a deadlock, an event that is not where it is expected, a thread that has to wait or starves.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import networkx as nx

from imc.program.deadlock import cycle_of
from imc.program.faults import Blocked
from imc.program.interpreter import Interpreter
from imc.program.keys import Key, StateKeys
from imc.program.machine import ENDLESS
from imc.program.state import State, Status
from irs.schedule import Branch, Case, Choice, End, Follow, Schedule

MOST_POSITIONS = 30_000


class TooLarge(Exception):
    """There are more executions than are gone through."""


@dataclass(eq=False)
class Position:
    """A state of the program, and how far a section has come."""

    state: State
    section: int
    done: tuple[int, ...]  # events of the section, by thread
    enabled: set[int] = field(default_factory=set)


class Enforcement:
    """All executions under one schedule."""

    def __init__(self, interpreter: Interpreter, keys: StateKeys, schedule: Schedule) -> None:
        self.schedule = schedule
        self.interpreter = interpreter
        self.keys = keys  # the same for schedules whose boundaries are compared
        self.complaints: dict[str, None] = {}
        self.boundaries: set[tuple[int, Key]] = set()  # states in which sections begin
        self.positions: dict[object, Position] = {}
        self.edges: list[tuple[Position, int | None, Position]] = []
        self.work: list[Position] = []

    def check(self) -> list[str]:
        """What is wrong, if anything."""
        for outcome in self.interpreter.initial():
            self._reach(outcome.state, self.schedule.start, None, None)
        while self.work and not self.complaints:
            self._leave(self.work.pop())
        if not self.complaints:
            self._check_fairness()
        return list(self.complaints)

    def _reach(
        self,
        state: State,
        section: int,
        before: Position | None,
        thread: int | None,
        done: tuple[int, ...] | None = None,
    ) -> None:
        if done is None:
            done = (0,) * len(self.schedule.threads)
            self.boundaries.add((section, self.keys.key(state)))
        key = (self.keys.key(state), section, done)
        found = self.positions.get(key)
        if found is None:
            if len(self.positions) >= MOST_POSITIONS:
                raise TooLarge
            found = self.positions[key] = Position(state, section, done)
            self.work.append(found)
        if before is not None:
            self.edges.append((before, thread, found))

    # --------------------------------------------------------------- one position

    def _leave(self, at: Position) -> None:
        self._look(at)
        events = self.schedule.sections[at.section].events
        if sum(at.done) == len(events):
            self._next(at)
            return
        position = [0] * len(at.done)
        for event in events:
            thread = event.thread
            if position[thread] == at.done[thread] and all(
                at.done[other] >= count for other, count in event.waits
            ):
                self._event(at, thread, event.site)
            position[thread] += 1

    def _look(self, at: Position) -> None:
        blocked = {}
        for number, thread in at.state.threads.items():
            if thread.status is Status.RUNNING and at.state.exit_code is None:
                try:
                    self.interpreter.successors(at.state, number)
                    at.enabled.add(number)
                except Blocked as why:
                    blocked[number] = why.with_traceback(None)
        if cycle_of({t: b.holder for t, b in blocked.items()}):
            self.complaints["threads wait for each other"] = None

    def _event(self, at: Position, thread: int, site: int) -> None:
        number = self._number(self.schedule.threads[thread])
        name = self.schedule.threads[thread]
        expected = self.schedule.sites[site]
        if self._is_endless(at.state, number):
            return
        if self._site(at.state, number) != (expected.function, expected.pc):
            found = self._site(at.state, number)
            self.complaints[f"{name} is at {found}, not at {expected}"] = None
            return
        try:
            outcomes = self.interpreter.successors(at.state, number)
        except Blocked as why:
            if self._is_endless(at.state, why.holder):
                return
            self.complaints[f"{name} has to wait for {why.what} (line {expected.line})"] = None
            return
        done = tuple(n + (t == thread) for t, n in enumerate(at.done))
        for outcome in outcomes:
            if outcome.fault is not None:
                self.complaints[f"{name} errs: {outcome.fault.message}"] = None
                return
            self._reach(outcome.state, at.section, at, number, done)

    def _is_endless(self, state: State, thread: int | None) -> bool:
        """Whether a thread computes for ever, so that whoever waits for it does so as well."""
        return thread in state.threads and state.threads[thread].reason == ENDLESS

    def _number(self, name: str) -> int:
        names = self.interpreter.image.threads.names
        return names.index(name) if name in names else -1

    def _site(self, state: State, thread: int) -> tuple[str, int] | None:
        found = state.threads.get(thread)
        if found is None or found.status is not Status.RUNNING or state.exit_code is not None:
            return None
        return found.frames[-1].code.function.name, found.frames[-1].pc

    # ------------------------------------------------------------------- sections

    def _next(self, at: Position) -> None:
        match self.schedule.sections[at.section].next:
            case Follow(section):
                self._reach(at.state, section, at, None)
            case Choice(sections):
                for section in sections:
                    self._reach(at.state, section, at, None)
            case Branch(thread, cases):
                if self._is_endless(at.state, self._number(self.schedule.threads[thread])):
                    return
                fitting = [c for c in cases if self._fits(at.state, thread, c)]
                if len(fitting) != 1:
                    self.complaints[f"{len(fitting)} cases fit after section {at.section}"] = None
                for case in fitting:
                    self._reach(at.state, case.section, at, None)
            case End():
                self._check_end(at)

    def _fits(self, state: State, thread: int, case: Case) -> bool:
        number = self._number(self.schedule.threads[thread])
        stopped = number in state.threads and state.threads[number].status is Status.STUCK
        match case.guard:
            case ("stopped",):
                return stopped
            case ("=", place, value):
                return self._value(state, place) == value
        site = self._site(state, number)
        if case.at is None or site is None:
            return case.at is None and site is None and not stopped
        expected = self.schedule.sites[case.at]
        return site == (expected.function, expected.pc)

    def _value(self, state: State, place: object) -> object:
        match place:
            case ("memory", *name, offset):
                number = self.interpreter.image.objects.find(tuple(name))
                if number is not None and offset in state.memory[number].cells:
                    return state.memory[number].cells[offset][1]
            case ("register", name, depth, function, register):
                frame = state.threads[self._number(name)].frames[depth]
                assert frame.code.function.name == function
                return frame.regs[register]
        return None

    def _check_end(self, at: Position) -> None:
        if at.state.ended:
            return
        if at.enabled:
            names = self.interpreter.image.threads.names
            able = ", ".join(names[t] for t in sorted(at.enabled))
            self.complaints[f"the schedule ends although {able} could move"] = None

    def _check_fairness(self) -> None:
        for thread in sorted({t for p in self.positions.values() for t in p.enabled}):
            graph = nx.DiGraph((a, b) for a, t, b in self.edges if t != thread)
            for component in nx.strongly_connected_components(graph):
                one = next(iter(component))
                if len(component) == 1 and not graph.has_edge(one, one):
                    continue
                if any(thread in p.enabled for p in component):
                    name = self.interpreter.image.threads.names[thread]
                    self.complaints[f"{name} starves"] = None
                    return
