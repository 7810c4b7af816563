"""What stateless explorers share: depth-first over executions, with sleep sets and an undo."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections import Counter

from imc.explorer.circles import broken_circle, detaches
from imc.explorer.execution import Execution
from imc.explorer.levels import Level, expected_executions
from imc.explorer.reproduce import invented, run_again
from imc.explorer.result import (
    Clock,
    Exploration,
    FaultFound,
    LimitReached,
    Unsuitable,
    loop_at_work,
    note_interrupt,
    note_invention,
)
from imc.explorer.reversals import standing
from imc.explorer.semantics import Semantics
from imc.explorer.shortest import tell_shortly
from imc.explorer.traces import Stamp, trace_of
from imc.explorer.turns import Turns, at_once
from imc.explorer.wakeup import WakeupBranch, both_arrive
from imc.program.dependence import dependence, races
from imc.program.ends import Ending, classify
from imc.program.events import Event
from imc.program.faults import Blocked, Fault, OutOfTime, Property, TooManyThreads
from imc.program.interpreter import Moves
from imc.program.keys import Key
from imc.program.lasso import any_livelock, livelock_of
from imc.program.machine import Outcome
from imc.program.races import race_fault
from imc.program.verdict import Verdict
from imc.program.watch import OutOfSight

LOOKED_AT = 200  # events, from which on an execution is watched for states that come again


class Explorer(ABC):
    """Depth-first; subclasses say which executions have to be explored besides the first one."""

    name: str

    def __init__(
        self, semantics: Semantics, clock: Clock, seed: int | None = None, traces: bool = False
    ) -> None:
        """`seed`: of another order of threads. `traces`: keeps all of them, to see what is new."""
        self.semantics = semantics
        self.clock = clock
        self.seen: Counter[frozenset[Stamp]] | None = Counter() if traces else None
        self.result = Exploration(self.name, stateful=False)
        self.result.complete = self.result.blocked = 0
        self.finals: set[object] = set()
        self.root = Level({})  # its branches are the starts
        self.levels: list[Level] = []
        self.late: FaultFound | None = None  # threads that hang, which is told at the end
        self.execution: Execution
        self._detaches = detaches(semantics)
        self._random = random.Random(seed) if seed is not None else None
        self._keys: set[Key] = set()  # of the levels that have one

    # ------------------------------------------------------- what is special

    @abstractmethod
    def ended(self, blocked: dict[int, Blocked]) -> None:
        """An execution is complete: adds what it shows to be needed to the levels."""

    @abstractmethod
    def exhausted(self, blocked: dict[int, Blocked]) -> None:
        """Threads could move, but all that is asleep; others are blocked."""

    def taking(self, branch: WakeupBranch) -> None:  # noqa: B027 (most have nothing to do)
        """A branch is about to be followed."""

    # ------------------------------------------------------------- the search

    def run(self) -> Exploration:
        return at_once(self.turns())

    def turns(self) -> Turns[Exploration]:
        """Explores; rests whenever the clock says so."""
        result = self.result
        image = self.semantics.image
        image.deadline = self.clock.deadline
        try:
            starts = self.semantics.starts()
            self.root.branches = [WakeupBranch(start.event) for start in starts]
            for start in starts:
                self.execution = Execution(self.semantics, start)
                if start.fault is not None:
                    raise FaultFound(start.fault)
                try:
                    yield from self._explore()
                finally:
                    result.dependency_checks += self.execution.checks
            result.verdict = Verdict.SAFE
        except FaultFound as found:
            self._tell(found)
        except (LimitReached, OutOfTime, TooManyThreads) as limit:
            where = (
                loop_at_work(self.execution.events) if self.levels else ""
            )  # else nothing has happened yet
            result.bounds.append((str(limit) or self.clock.time_limit()) + where)
        except OutOfSight as unseen:
            result.reason = str(unseen)
            result.bounds.append(result.reason)
        except KeyboardInterrupt:
            note_interrupt(result)
        except Unsuitable:
            result.final_states = len(self.finals)
            if self.late is None:
                raise
        if result.fault is None and self.late is not None:
            self._tell(self.late)
        result.bounds.extend(sorted(image.bounds))
        if result.bounds and result.verdict is Verdict.SAFE:
            result.verdict = Verdict.UNKNOWN
        result.final_states = len(self.finals)
        if self.seen is not None:
            result.traces = len(self.seen)
            result.duplicates = self.seen.total() - len(self.seen)
        result.time_s = self.clock.elapsed()
        return result

    def _tell(self, found: FaultFound) -> None:
        result = self.result
        result.verdict, result.fault = Verdict.UNSAFE, found.fault
        result.trace = self.execution.trace() if found.trace is None else found.trace
        tell_shortly(self.semantics.interpreter, result)

    def _explore(self) -> Turns[None]:
        levels, execution = self.levels, self.execution
        levels.append(Level({}))
        while levels:
            if self.clock.is_turn_over():
                yield
            level = levels[-1]
            if not level.begun:
                level.begun = True
                if not level.branches and not self.choose(level):
                    self._back()
                    continue
            if not level.branches:
                self._back()
                continue
            self.clock.tick(self.result)
            if self.result.events & 1023 == 0:
                self._look_ahead()
            branch = level.branches[0]
            if (branch.event.thread, branch.event.choices) in level.sleep:
                level.branches.pop(0)
                self.result.redundant += 1
                continue
            self.taking(branch)
            outcome = branch.outcome or self._outcome(branch.event)
            event = outcome.event
            sleep = {
                step: other
                for step, other in level.sleep.items()
                if other.thread != event.thread
                and dependence(other, event) is None
                and (not both_arrive(other, event) or self.commutes(len(execution), other, [event]))
            }
            execution.push(outcome)
            self.result.events += 1
            levels.append(Level(sleep, branch.branches))
            if outcome.fault is not None:
                self._found(outcome.fault)
                levels[-1].begun, levels[-1].branches = True, []
            if len(levels) > LOOKED_AT:
                self._watch(levels[-1])

    def _found(self, fault: Fault) -> None:
        """Ends the search, unless nobody can tell whether the error at the end is real."""
        execution, trace = self.execution, self.execution.trace()
        if execution.state.exit_code is not None and fault.kind is Property.DEADLOCK:
            trace = trace[:-1]
        outcomes = run_again(self.semantics.interpreter, [(e.thread, e.choices) for e in trace])
        invention = outcomes and invented(self.semantics.interpreter, outcomes, fault)
        if not invention:
            raise FaultFound(fault, trace)
        note_invention(self.result, fault, invention)

    def _back(self) -> None:
        """Leaves the last level; what led to it sleeps from now on."""
        left = self.levels.pop()
        self._keys.discard(left.key)
        level = self.levels[-1] if self.levels else self.root
        level.leave(left)
        if level is self.root:
            return
        event = self.execution.events[-1]
        self.execution.pop()
        level.sleep[event.thread, event.choices] = event

    def commutes(self, base: int, event: Event, others: list[Event]) -> bool:
        """Whether an event that is possible after `base` events does the same after others."""
        state = self.execution.states[base]
        for other in others:
            state = self.semantics.again(state, other)
        try:
            outcomes = self.semantics.successors(state, event.thread)
        except Blocked:
            return False
        modes = [(a.mode, a.object, a.offset) for a in event.accesses]
        return any(
            modes == [(a.mode, a.object, a.offset) for a in outcome.event.accesses]
            for outcome in outcomes
        )

    def _outcome(self, event: Event) -> Outcome:
        """The step of a branch, taken in the current state."""
        for outcome in self.execution.outcomes(event.thread):
            if outcome.event.choices == event.choices:
                return outcome
        raise AssertionError(f"a planned step is not possible: {event}")

    def choose(self, level: Level) -> bool:
        """Any thread that can move, awake; at the end of an execution there is none."""
        blocked: dict[int, Blocked] = {}
        able = False
        for thread in self._order():
            try:
                outcomes = self.execution.outcomes(thread)
            except Blocked as why:
                blocked[thread] = why
                continue
            able = True
            awake = [o for o in outcomes if (thread, o.event.choices) not in level.sleep]
            if awake:
                level.branches.extend(WakeupBranch(o.event, outcome=o) for o in awake)
                return True
        if able:
            self.exhausted(blocked)
        else:
            self._end(blocked)
        return False

    def _order(self) -> list[int]:
        """The running threads, the one that has moved last first."""
        execution = self.execution
        running = self.semantics.running(execution.state)
        if self._random is not None:
            self._random.shuffle(running)
        elif execution.events:
            last = execution.events[-1].thread
            if last in running and not execution.state.threads[last].frames[-1].loops:
                running.remove(last)
                running.insert(0, last)
        return running

    def _end(self, blocked: dict[int, Blocked]) -> None:
        result, state = self.result, self.execution.state
        assert result.complete is not None and result.blocked is not None
        if state.exit_code is not None:
            blocked = self._blocked_at_exit()
        end, fault = classify(self.semantics.interpreter, state, Moves([], blocked))
        if fault is not None and fault.kind is Property.LIVELOCK:
            self._hangs(FaultFound(fault, self.execution.trace()))
        elif fault is not None:
            self._found(fault)
            result.blocked += 1
            self.ended(blocked)
            return
        if end is Ending.COMPLETE:
            result.complete += 1
            self.finals.add(self.semantics.keys.final(state, with_output=True))
        else:
            result.blocked += 1
            self._look_for_livelock(blocked)
        self._look_for_races(blocked)
        if self._detaches and (found := broken_circle(self.execution)) is not None:
            raise FaultFound(*found)
        if self.seen is not None:
            self.seen[trace_of(self.execution.trace())] += 1
        self.ended(blocked)

    def _blocked_at_exit(self) -> dict[int, Blocked]:
        """Threads that could not move when the program ended as a whole."""
        blocked: dict[int, Blocked] = {}
        state = self.execution.states[-2]
        for thread in self.semantics.running(state):
            if thread != self.execution.events[-1].thread:
                try:
                    self.semantics.successors(state, thread)
                except Blocked as why:
                    blocked[thread] = why
        return blocked

    def _look_for_livelock(self, blocked: dict[int, Blocked]) -> None:
        """Whether all who are left would only go round: run as it would be, to be sure."""
        interpreter = self.semantics.interpreter
        if self.late is not None or Property.LIVELOCK not in interpreter.settings.properties:
            return
        found = self.semantics.livelock(self.execution.state, blocked)
        if found is None:
            return
        steps, loop = found
        before = [(e.thread, e.choices) for e in self.execution.trace()]
        outcomes = run_again(interpreter, [*before, *steps])
        if outcomes is None:
            return
        if loop:
            fault = livelock_of(interpreter, self.semantics.keys, outcomes, loop)
        else:
            state = outcomes[-1].state
            fault = classify(interpreter, state, interpreter.moves(state))[1]
        if fault is not None:
            self._hangs(FaultFound(fault, [o.event for o in outcomes]))

    def _hangs(self, found: FaultFound) -> None:
        """Threads go round for ever: that is told if nothing else is wrong."""
        self.late = self.late or found

    def _look_for_races(self, blocked: dict[int, Blocked]) -> None:
        """Dependent events next to each other can happen at the same time, if none has to wait."""
        if Property.RACE not in self.semantics.interpreter.settings.properties:
            return
        execution = self.execution
        image = self.semantics.image
        for position, event in enumerate(execution.events):
            for first in execution.races[position]:
                for x, y in races(execution.events[first], event):
                    if self._need_not_wait(first, position, event):
                        pair = (execution.events[first], x), (event, y)
                        raise FaultFound(
                            race_fault(image, *pair), execution.trace()[: position + 2]
                        )
        for thread, why in blocked.items():
            event = standing(execution, thread, why.accesses)
            own = execution.own_past(thread)
            for first in execution.touching(why.accesses):
                if not own >> first & 1:
                    for x, y in races(execution.events[first], event):
                        if self._need_not_wait(first, len(execution), event):
                            raise FaultFound(
                                race_fault(image, (execution.events[first], x), (event, y))
                            )

    def _need_not_wait(self, first: int, position: int, event: Event) -> bool:
        """Whether an event that races with an earlier one was possible before that as well."""
        if not Semantics.may_wait(self.semantics, event):
            return True
        earlier, beside = self.execution.events[first], self.execution.beside
        found = beside(first, position, event.thread)
        return any(True for outcome in found for _ in races(earlier, outcome.event))

    # ------------------------------------------------------ long executions

    def _watch(self, level: Level) -> None:
        """Stops where a state comes again on the way: the program could go on like this."""
        key = self.semantics.keys.key(self.execution.state)
        if key in self._keys:
            self._look_at_round()
            where = loop_at_work(self.execution.events)
            raise Unsuitable(f"executions that do not end{where}", self.result)
        level.key = key
        self._keys.add(key)

    def _look_at_round(self) -> None:
        """An execution that comes round may be a livelock as it is: if nobody else can move."""
        interpreter = self.semantics.interpreter
        if Property.LIVELOCK not in interpreter.settings.properties:
            return
        outcomes = run_again(interpreter, [(e.thread, e.choices) for e in self.execution.trace()])
        fault = any_livelock(interpreter, outcomes) if outcomes is not None else None
        if outcomes is not None and fault is not None:
            self._hangs(FaultFound(fault, [o.event for o in outcomes]))

    def _look_ahead(self) -> None:
        """How long it will take at this pace."""
        levels = [self.root, *self.levels]
        expected, done = expected_executions(levels), sum(level.executions for level in levels)
        now, result = self.clock.elapsed(), self.result
        if done:
            executions = (result.complete or 0) + (result.blocked or 0)
            result.expected = round(executions * expected / done)
            result.rest_s = now * (expected / done - 1)
