"""Runs a program under a schedule in every order and for every input that it permits.

The concrete interpreter is all that this shares with the verifier. Whatever is wrong is told: an
error, a deadlock, an event that is not where it is expected, a thread that has to wait or starves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import networkx as nx
from left_out import interpreter_under

from imc.program import ends
from imc.program.deadlock import cycle_of
from imc.program.faults import Blocked
from imc.program.keys import Key, StateKeys
from imc.program.machine import ENDLESS, Outcome
from imc.program.program import Program
from imc.program.settings import Settings
from imc.program.state import State, Status
from irs.schedule import Branch, Case, Choice, End, Follow, Free, Schedule, ScheduledEvent

MOST_POSITIONS = 30_000
MOST_AHEAD = 3  # sections that are under way at once


class TooLarge(Exception):
    """There are more executions than are gone through."""


class Progress(NamedTuple):
    """The sections under way, the first one not complete, and how far each thread has come.

    Without sections, nothing is ordered any more.
    """

    sections: tuple[int, ...]
    done: tuple[int, ...]  # gated events, by thread, since the first of the sections began


@dataclass(eq=False)
class Position:
    """A state of the program, and how far the schedule has come."""

    state: State
    at: Progress
    enabled: set[int] = field(default_factory=set)
    permitted: set[int] = field(default_factory=set)
    extended: bool = False  # it was known what comes next, which was all that happened here


class Stage:
    """A program as schedules that leave out the same operations run it; states can be compared."""

    def __init__(self, program: Program, settings: Settings, schedule: Schedule) -> None:
        self.interpreter = interpreter_under(program, settings, schedule)
        self.keys = StateKeys(self.interpreter.image)


class Enforcement:
    """All executions under one schedule."""

    def __init__(self, stage: Stage, schedule: Schedule) -> None:
        self.schedule = schedule
        self.level = schedule.made.optimisation
        # Whoever waits for a lock that is left out stands behind it, and could move from there.
        self.left_out = any(site.action in ("pass", "skip") for site in schedule.sites)
        self.interpreter = stage.interpreter
        self.keys = stage.keys
        self.sites = {(s.function, s.pc): n for n, s in enumerate(schedule.sites)}
        self.gated = [
            [e for e in section.events if schedule.sites[e.site].gated]
            for section in schedule.sections
        ]
        self.complaints: dict[str, None] = {}
        self.boundaries: set[tuple[int, Key]] = set()  # states in which sections begin
        self.ends: set[Key] = set()
        self.positions: dict[object, Position] = {}
        self.edges: list[tuple[Position, int | None, Position]] = []
        self.steps: list[tuple[Position, Outcome, Position]] = []
        self.work: list[Position] = []

    def check(self) -> list[str]:
        """What is wrong, if anything."""
        start = Progress((self.schedule.start,), (0,) * len(self.schedule.threads))
        for outcome in self.interpreter.initial():
            self._reach(outcome.state, start, None, None)
        while self.work and not self.complaints:
            self._leave(self.work.pop())
        # Whoever waits for a lock that is left out stands behind it, and could move from there.
        if not self.complaints and all(
            s.action not in ("pass", "skip") for s in self.schedule.sites
        ):
            self._check_fairness()
        return list(self.complaints)

    def _reach(
        self, state: State, at: Progress, before: Position | None, thread: int | None
    ) -> Position:
        while len(at.sections) > 1 and (counts := self._completed(at)) is not None:
            done = tuple(n - c for n, c in zip(at.done, counts, strict=True))
            at = Progress(at.sections[1:], done)
        if len(at.sections) == 1 and not any(at.done):
            self.boundaries.add((at.sections[0], self.keys.key(state)))
        key = (self.keys.key(state), at)
        found = self.positions.get(key)
        if found is None:
            if len(self.positions) >= MOST_POSITIONS:
                raise TooLarge
            found = self.positions[key] = Position(state, at)
            self.work.append(found)
        if before is not None:
            self.edges.append((before, thread, found))
        return found

    def _completed(self, at: Progress) -> tuple[int, ...] | None:
        """The events of the first section by thread, if all of them have happened."""
        counts = [0] * len(at.done)
        for event in self.gated[at.sections[0]]:
            counts[event.thread] += 1
        return tuple(counts) if all(d >= c for d, c in zip(at.done, counts, strict=True)) else None

    # --------------------------------------------------------------- one position

    def _leave(self, position: Position) -> None:
        self._look(position)
        if position.state.ended:
            self.ends.add(self.keys.key(position.state))
        position.extended = self._extend(position)
        if position.extended:
            return
        moved = False
        for thread in range(len(self.schedule.threads)):
            moved |= self._move(position, thread)
        if not moved and not self.complaints:
            self._check_end(position)

    def _look(self, position: Position) -> None:
        blocked = {}
        for number, thread in position.state.threads.items():
            if thread.status is Status.RUNNING and position.state.exit_code is None:
                try:
                    self.interpreter.successors(position.state, number)
                    position.enabled.add(number)
                except Blocked as why:
                    blocked[number] = why.with_traceback(None)
        if cycle_of({t: b.holder for t, b in blocked.items()}):
            self.complaints["threads wait for each other"] = None

    def _move(self, position: Position, thread: int) -> bool:
        """Lets a thread do its next event if it may; whether it does or computes for ever."""
        number = self.number(self.schedule.threads[thread])
        where = self.site(position.state, number)
        if where is None:
            return self._is_endless(position.state, number)
        site = self.sites.get(where)
        if not position.at.sections or (site is not None and not self._is_gated(site)):
            return self._step(position, number, where, position.at)
        expected = self._next_event(position.at, thread)
        if expected is None or not self._may(position.at, expected):
            return False
        if expected.event.site != site:
            name = self.schedule.threads[thread]
            wanted = self.schedule.sites[expected.event.site]
            self.complaints[f"{name} is at {where}, not at {wanted}"] = None
            return False
        done = tuple(n + (t == thread) for t, n in enumerate(position.at.done))
        return self._step(position, number, where, position.at._replace(done=done))

    def _step(
        self, position: Position, number: int, where: tuple[str, int], after: Progress
    ) -> bool:
        name = self.interpreter.image.threads.names[number]
        try:
            outcomes = self.interpreter.successors(position.state, number)
        except Blocked as why:
            if self._is_endless(position.state, why.holder):
                return True
            if why.what == "end of thread":  # which comes by itself, after locks that are left out
                return False
            if position.at.sections:
                self.complaints[f"{name} has to wait for {why.what} at {where}"] = None
            return False
        position.permitted.add(number)
        for outcome in outcomes:
            if outcome.fault is not None:
                self.complaints[f"{name} errs: {outcome.fault.message}"] = None
                break
            found = self._reach(outcome.state, after, position, number)
            self.steps.append((position, outcome, found))
        return True

    def _is_gated(self, site: int) -> bool:
        return self.schedule.sites[site].gated

    # ---------------------------------------------------------------- what may happen

    def _listed(self, at: Progress) -> Iterator[tuple[int, tuple[int, ...], ScheduledEvent]]:
        """The gated events under way: how many sections before, what these count, the event."""
        base = [0] * len(at.done)
        for earlier, section in enumerate(at.sections):
            start = tuple(base)
            for event in self.gated[section]:
                yield earlier, start, event
                base[event.thread] += 1

    def _next_event(self, at: Progress, thread: int) -> Turn | None:
        """A thread's next event, if it is known."""
        left = at.done[thread]
        for earlier, start, event in self._listed(at):
            if event.thread == thread:
                if not left:
                    return Turn(event, start, earlier)
                left -= 1
        return None

    def _may(self, at: Progress, turn: Turn) -> bool:
        if turn.earlier and not self.schedule.overlap:
            return False
        return all(at.done[t] >= turn.start[t] + count for t, count in turn.event.waits)

    # ------------------------------------------------------------------- sections

    def _extend(self, position: Position) -> bool:
        """Takes up the next section as soon as it is known; whether it was."""
        at = position.at
        if not at.sections or len(at.sections) >= MOST_AHEAD:
            return False
        complete = sum(at.done) == sum(len(self.gated[s]) for s in at.sections)
        if not complete and not self.schedule.overlap:
            return False
        match self.schedule.sections[at.sections[-1]].next:
            case Follow(section):
                chosen = [section]
            case Choice(sections):
                chosen = list(sections)
            case Branch(thread, cases):
                if not self._is_told(position, thread, cases, complete):
                    return False
                fitting = [c for c in cases if self.fits(position.state, thread, c)]
                if len(fitting) != 1:
                    self.complaints[f"{len(fitting)} cases fit after {at.sections}"] = None
                chosen = [case.section for case in fitting]
            case End():
                return False
            case Free():
                if complete:
                    self._reach(position.state, at._replace(sections=()), position, None)
                return complete
        for section in chosen:
            after = at._replace(sections=(*at.sections, section))
            self._reach(position.state, after, position, None)
        return True

    def _is_told(
        self, position: Position, thread: int, cases: tuple[Case, ...], complete: bool
    ) -> bool:
        """Whether it can be seen by now where a thread stands, or what a number is."""
        if any(case.guard not in (None, ("stopped",)) for case in cases):
            return complete
        number = self.number(self.schedule.threads[thread])
        if self._next_event(position.at, thread) or self._is_endless(position.state, number):
            return False
        if number not in position.state.threads:
            return False
        where = self.site(position.state, number)
        site = self.sites.get(where) if where is not None else None
        return site is None or self._is_gated(site)

    def fits(self, state: State, thread: int, case: Case) -> bool:
        number = self.number(self.schedule.threads[thread])
        stopped = number in state.threads and state.threads[number].status is Status.STUCK
        match case.guard:
            case ("stopped",):
                return stopped
            case ("=", place, value):
                return self._value(state, place) == value
        site = self.site(state, number)
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
            case ("register", str(name), int(depth), function, int(register)):
                frame = state.threads[self.number(name)].frames[depth]
                assert frame.code.function.name == function
                return frame.regs[register]
        return None

    # -------------------------------------------------------------------- the state

    def _is_endless(self, state: State, thread: int | None) -> bool:
        """Whether a thread computes for ever, so that whoever waits for it does so as well."""
        return thread in state.threads and state.threads[thread].reason == ENDLESS

    def number(self, name: str) -> int:
        names = self.interpreter.image.threads.names
        return names.index(name) if name in names else -1

    def site(self, state: State, thread: int) -> tuple[str, int] | None:
        found = state.threads.get(thread)
        if found is None or found.status is not Status.RUNNING or state.exit_code is not None:
            return None
        return found.frames[-1].code.function.name, found.frames[-1].pc

    # --------------------------------------------------------------------- verdicts

    def _check_end(self, position: Position) -> None:
        """Nothing moves: the program has ended, or nobody could move whatever the schedule says."""
        threads = range(len(position.at.done))
        expected = any(self._next_event(position.at, thread) for thread in threads)
        over = bool(position.at.sections) and not expected
        if position.state.ended or (over and self.left_out):
            return
        if not position.at.sections and not position.enabled:
            moves = self.interpreter.moves(position.state)
            end, _ = ends.classify(self.interpreter, position.state, moves)
            if end is ends.Ending.BLOCKED:
                return  # an assumption has stopped the program
        if position.enabled:
            names = self.interpreter.image.threads.names
            able = ", ".join(names[t] for t in sorted(position.enabled))
            self.complaints[f"nothing moves although {able} could, at {position.at}"] = None
        elif not over:
            self.complaints[f"nothing moves, at {position.at}"] = None

    def _check_fairness(self) -> None:
        """A thread that could move is let through again and again, if all that may move do."""
        for thread in sorted({t for p in self.positions.values() for t in p.enabled}):
            graph = nx.MultiDiGraph()
            graph.add_edges_from((a, b, {"by": t}) for a, t, b in self.edges if t != thread)
            for component in nx.strongly_connected_components(graph):
                moving = {by for _, _, by in graph.subgraph(component).edges(data="by")}
                if not moving or not any(thread in p.enabled for p in component):
                    continue
                waiting = [p.permitted for p in component if not p.extended]
                if not set.intersection(*waiting) - moving:
                    name = self.interpreter.image.threads.names[thread]
                    self.complaints[f"{name} starves"] = None
                    return


class Turn(NamedTuple):
    """An event, what was counted where its section begins, and how many sections come before."""

    event: ScheduledEvent
    start: tuple[int, ...]
    earlier: int
