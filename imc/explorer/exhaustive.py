"""The ground truth: depth-first over all interleavings, with nothing clever in it.

Stateful, it visits every state once and gives verdicts; stateless, it runs every execution and
counts them. All other engines are compared with this one.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import replace

from imc.explorer.counting import count_executions
from imc.explorer.input_loops import endless_inputs
from imc.explorer.native import NATIVE, PYTHON, count_all, visit_states
from imc.explorer.reproduce import invented
from imc.explorer.result import (
    Clock,
    Exploration,
    FaultFound,
    LimitReached,
    Limits,
    note_interrupt,
    note_invention,
)
from imc.explorer.shortest import tell_shortly
from imc.explorer.standing_still import UNDECIDED, Hanging
from imc.explorer.traces import TraceBuilder
from imc.explorer.turns import Turns, at_once
from imc.program.analysis.loops import has_visible_loop
from imc.program.ends import Ending, circle_fault, classify
from imc.program.faults import Fault, OutOfTime, Property, TooManyThreads
from imc.program.interpreter import Interpreter, Moves
from imc.program.keys import Key, StateKeys
from imc.program.livelock import LivelockUndecided
from imc.program.machine import Outcome
from imc.program.races import find_race
from imc.program.state import State
from imc.program.verdict import Verdict
from imc.program.watch import OutOfSight

Progress = Callable[[Exploration], None]
ENDLESS_THREADS_STEPS = 40_000  # spent on a program that makes threads without end


def explore_exhaustively(
    interpreter: Interpreter,
    stateful: bool = True,
    limits: Limits | None = None,
    progress: Progress | None = None,
    core: str = PYTHON,
) -> Exploration:
    """Explores all interleavings and inputs up to the limits; stops at the first fault.

    Others are measured by this one, so it is Python's own unless another core is asked for.
    """
    return at_once(explored(interpreter, stateful, Clock(limits or Limits(), progress), core))


def explored(
    interpreter: Interpreter, stateful: bool, clock: Clock, core: str
) -> Turns[Exploration]:
    """The same; rests whenever the clock says so."""
    if core == NATIVE:
        found = yield from (visit_states if stateful else count_all)(interpreter, clock)
        if found is not None:
            return found if stateful else _with_livelocks(interpreter, clock, found)
    if not stateful:
        counted = count_executions(interpreter, clock)
        if counted is not None:
            return _with_livelocks(interpreter, clock, counted)
    search = ExhaustiveSearch(interpreter, stateful, clock)
    yield from search.steps()
    result = search.result
    if search.too_many is not None:
        result = _with_few_threads(interpreter, stateful, clock, result, search.too_many)
        clock.struck = False  # there is no more to be found
    return result if stateful else _with_livelocks(interpreter, clock, result)


def _with_livelocks(interpreter: Interpreter, clock: Clock, counted: Exploration) -> Exploration:
    """Some executions have been cut where they repeat a state: whether they hang, states tell."""
    if not counted.endless or counted.verdict is not Verdict.SAFE:
        return counted
    found = ExhaustiveSearch(interpreter, True, clock).run()
    counted.verdict, counted.fault = found.verdict, found.fault
    counted.trace, counted.reproduced = found.trace, found.reproduced
    counted.bounds, counted.time_s = found.bounds, clock.elapsed()
    return counted


def _with_few_threads(
    interpreter: Interpreter, stateful: bool, clock: Clock, result: Exploration, why: str
) -> Exploration:
    """The program never stops making threads: look at its first ones for a while."""
    settings = interpreter.settings
    clock.allow_steps(ENDLESS_THREADS_STEPS)
    for threads in range(2, settings.thread_limit):
        interpreter.change_settings(replace(settings, max_threads=threads))
        attempt = ExhaustiveSearch(interpreter, stateful, clock).run()
        if attempt.fault is None and clock.is_over():
            break
        result = attempt
        if result.fault is not None:
            return result
    result.verdict = Verdict.UNKNOWN
    result.bounds = [why, *(b for b in result.bounds if b != why)]
    return result


class ExhaustiveSearch:
    """One depth-first search; `steps` can be followed, and rests whenever there is `news`, and
    when a turn is over."""

    news = False  # what a search that records more has to tell

    def __init__(self, interpreter: Interpreter, stateful: bool, clock: Clock) -> None:
        self.interpreter = interpreter
        self.clock = clock
        self.keys = StateKeys(interpreter.image)
        self.result = Exploration("exhaustive", stateful)
        self.too_many: str | None = None
        self.trace = TraceBuilder() if not stateful else None
        self.late: FaultFound | None = None  # threads that hang, which is told at the end
        self.path: list[Outcome] = []
        self.visited: dict[Key, int] = {}  # states by number
        self.hanging = Hanging(interpreter, self.keys) if stateful else None
        self.on_path: set[Key] = set()
        self.resumed: set[Key | None] = set()
        self.finals: set[object] = set()
        self.traces: set[tuple[int, ...]] = set()
        self.detects_cycles = stateful or (
            interpreter.settings.loop_bound is None and has_visible_loop(interpreter.image.sharing)
        )
        self.checks_races = Property.RACE in interpreter.settings.properties
        self.checks_sections = Property.TERMINATION in interpreter.settings.properties
        if stateful:
            self.result.states = 0
        else:
            self.result.complete = self.result.blocked = self.result.endless = 0

    def run(self) -> Exploration:
        for _ in self.steps():
            pass
        return self.result

    def steps(self) -> Generator[None, None, None]:
        """Searches, up to a limit or an interrupt; then the result is complete."""
        result = self.result
        self.interpreter.image.deadline = self.clock.deadline
        try:
            for outcome in self._starts():
                yield from self._explore(outcome)
            result.verdict = Verdict.SAFE
            self._look_for_livelock()
        except FaultFound as found:
            self._tell(found)
        except OutOfSight as found:
            result.reason = str(found)
            result.bounds.append(result.reason)
        except TooManyThreads as limit:
            self.too_many = str(limit)
            result.bounds.append(self.too_many)
        except (LimitReached, OutOfTime) as limit:
            result.bounds.append(str(limit) or self.clock.time_limit())
        except KeyboardInterrupt:
            note_interrupt(result)
        if result.fault is None and self.late is not None:
            self._tell(self.late)
        result.bounds.extend(sorted(self.interpreter.image.bounds))
        if result.bounds and result.verdict is Verdict.SAFE:
            result.verdict = Verdict.UNKNOWN
        result.final_states = len(self.finals)
        if not result.stateful:
            result.traces = len(self.traces)
        result.time_s = self.clock.elapsed()

    def _tell(self, found: FaultFound) -> None:
        result = self.result
        result.verdict, result.fault = Verdict.UNSAFE, found.fault
        events = [outcome.event for outcome in self.path]
        result.trace = events if found.trace is None else found.trace
        tell_shortly(self.interpreter, result)

    def _starts(self) -> list[Outcome]:
        return self.interpreter.initial()

    def _explore(self, start: Outcome) -> Iterator[None]:
        """Depth-first; each level of the stack holds the outcomes still to be tried there."""
        stack: list[list[Outcome]] = [[start]]
        keys: list[Key | None] = []  # of the states on the path
        while stack:
            if not stack[-1]:
                stack.pop()
                if self.path and stack:
                    self._leave(keys)
                if self.news:
                    yield
                continue
            if self.clock.is_turn_over():
                yield
            outcome = stack[-1].pop()
            self.clock.tick(self.result)
            self._enter(outcome)
            if outcome.fault is not None:
                keys.append(None)
                if self.hanging is not None:
                    self.hanging.fail()
                stack.append(self._found(outcome.fault))
                continue
            key: Key | None = None
            order: list[int] = []
            if self.detects_cycles:
                key, order = self.keys.named_key(outcome.state)
            keys.append(key)
            if self.hanging is not None:
                assert key is not None
                self.hanging.come(self.path, self.visited.get(key, len(self.visited)), order)
            if self._seen_before(key):
                keys[-1] = None
                stack.append(self._postponed(outcome.state, key))
                continue
            if key is not None:
                self.on_path.add(key)
            stack.append(self._outcomes(outcome.state))

    def _postponed(self, state: State, key: Key | None) -> list[Outcome]:
        """A loop over inputs may never let the other threads run: where it closes, they do."""
        if key in self.resumed or not any(t.paused for t in state.threads.values()):
            return []
        self.resumed.add(key)
        moves = self.interpreter.moves(state, postponed=True)
        fault = circle_fault(self.interpreter, state, moves) or self._race(moves)
        return moves.outcomes if fault is None else self._found(fault)

    def _found(self, fault: Fault) -> list[Outcome]:
        """What to go on with where something goes wrong: nothing, and the search ends here.

        It goes on if nobody can tell whether the error is real.
        """
        invention = invented(self.interpreter, self.path, fault)
        if invention is None:
            raise FaultFound(fault)
        note_invention(self.result, fault, invention)
        return []

    def _seen_before(self, key: Key | None) -> bool:
        if key is None:
            return False
        if self.result.stateful:
            if key in self.visited:
                return True
            self.visited[key] = len(self.visited)
            self.result.states = len(self.visited)
            return False
        if key in self.on_path:
            assert self.result.endless is not None
            self.result.endless += 1
            return True
        return False

    def _enter(self, outcome: Outcome) -> None:
        self.result.events += 1
        self.path.append(outcome)
        if self.trace is not None:
            self.trace.push(outcome.event)

    def _leave(self, keys: list[Key | None]) -> None:
        self.path.pop()
        if self.hanging is not None:
            self.hanging.leave()
        key = keys.pop()
        if key is not None:
            self.on_path.discard(key)
        if self.trace is not None:
            self.trace.pop()

    def _outcomes(self, state: State) -> list[Outcome]:
        """Every step that is possible now, last thread first; with none, the execution ends."""
        if self.checks_sections and any(t.paused for t in state.threads.values()):
            found = endless_inputs(self.interpreter, self.keys, state)
            if found is not None:
                return self._found_further(*found)
        moves = self.interpreter.moves(state)
        end, fault = classify(self.interpreter, state, moves)
        if self.hanging is not None:
            self.hanging.note(moves)
        if fault is not None and fault.kind is Property.LIVELOCK:
            self._hangs(fault)
            fault = None
        fault = fault or self._race(moves)
        if fault is not None:
            return self._found(fault)
        if end is not None:
            self._end(state, end)
        return moves.outcomes[::-1]

    def _hangs(self, fault: Fault) -> None:
        """Threads go round for ever: that is told if nothing else is wrong."""
        if self.late is None:
            self.late = FaultFound(fault, [outcome.event for outcome in self.path])

    def _look_for_livelock(self) -> None:
        """All has been explored, and nothing else is wrong: whether one can go round for ever."""
        if self.hanging is None or self.late is not None:
            return
        try:
            found = self.hanging.livelock()
        except LivelockUndecided:
            self.result.bounds.append(UNDECIDED)
            return
        if found is not None:
            self.late = FaultFound(*found)

    def _race(self, moves: Moves) -> Fault | None:
        if not self.checks_races:
            return None
        return find_race(self.interpreter.image, [o.event for o in moves.outcomes])

    def _found_further(self, steps: list[Outcome], fault: Fault) -> list[Outcome]:
        """As `_found`, so many steps behind where the search is."""
        length = len(self.path)
        self.path += steps
        found = self._found(fault)
        del self.path[length:]
        return found

    def _end(self, state: State, end: Ending) -> None:
        result = self.result
        if end is Ending.COMPLETE:
            self.finals.add(self.keys.final(state, with_output=not result.stateful))
        if self.trace is None:
            return
        assert result.complete is not None and result.blocked is not None
        self.traces.add(self.trace.canonical())
        if end is Ending.COMPLETE:
            result.complete += 1
        else:
            result.blocked += 1
