"""Every execution, counted on the compact form: no state is copied, steps are taken back.

The same search as exhaustive.py without a memory of states, with the same figures. What goes wrong
is run again by the model, which tells it. Where the form does not do, NotCompact says so, and the
model counts.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from imc.compact.events import event_of
from imc.compact.flatten import flatten
from imc.compact.form import NotCompact
from imc.compact.keys import Keys
from imc.compact.machine import BLOCKED, CompactMachine
from imc.compact.opcodes import JOIN
from imc.compact.visible import CHOOSING, DONE, STUCK, WAITING
from imc.explorer.reproduce import invented
from imc.explorer.result import Clock, Exploration, FaultFound, LimitReached, note_interrupt
from imc.explorer.shortest import tell_shortly
from imc.explorer.traces import TraceBuilder
from imc.program.deadlock import cycle_of
from imc.program.dependence import dependence
from imc.program.ends import ASSUMPTION, Ending, classify
from imc.program.events import Event
from imc.program.faults import Blocked, Fault, NeedChoice, OutOfTime, Property
from imc.program.interpreter import Interpreter
from imc.program.machine import Outcome
from imc.program.verdict import Verdict
from imc.program.watch import OutOfSight

Choices = tuple[int, ...]  # what the environment chooses
Step = tuple[int, Choices]  # a thread's


def count_executions(interpreter: Interpreter, clock: Clock) -> Exploration | None:
    """Counts all executions, up to a fault or a limit; None where the program needs the model."""
    bounds = interpreter.image.bounds
    before = set(bounds)
    try:
        counting = Counting(interpreter, clock)
        _search(counting)
    except NotCompact:
        bounds &= before
        return None
    result = counting.result
    result.bounds.extend(sorted(bounds))
    if result.bounds and result.verdict is Verdict.SAFE:
        result.verdict = Verdict.UNKNOWN
    result.final_states, result.traces = len(counting.finals), len(counting.traces)
    result.time_s = clock.elapsed()
    return result


def _search(counting: Counting) -> None:
    result = counting.result
    try:
        counting.run()
        result.verdict = Verdict.SAFE
    except FaultFound as found:
        result.verdict, result.fault = Verdict.UNSAFE, found.fault
        told = counting.told()
        result.trace = [outcome.event for outcome in told]
        if invented(counting.interpreter, told, found.fault) is not None:
            raise NotCompact(
                "an error that rests on an invention, behind which others may be"
            ) from None
        tell_shortly(counting.interpreter, result)
    except (LimitReached, OutOfTime) as limit:
        result.bounds.append(str(limit) or counting.clock.time_limit())
    except OutOfSight as unseen:
        result.reason = str(unseen)
        result.bounds.append(result.reason)
    except KeyboardInterrupt:
        note_interrupt(result)


class Counting:
    """One depth-first search over executions."""

    def __init__(self, interpreter: Interpreter, clock: Clock) -> None:
        if Property.RACE in interpreter.settings.properties:
            raise NotCompact("races are looked for among all steps of a state")
        self.interpreter = interpreter
        self.clock = clock
        self.machine = CompactMachine(flatten(interpreter.image), interpreter.image)
        self.result = Exploration("exhaustive", stateful=False, form="compact")
        self.result.complete = self.result.blocked = self.result.endless = 0
        self.finals: set[Hashable] = set()
        self.traces: set[tuple[int, ...]] = set()
        self.path: list[Step] = []
        self._keys = Keys(self.machine)
        self._known = _KnownEvents()
        self._trace = TraceBuilder(self._known.depend)
        self._checks_deadlocks = Property.DEADLOCK in interpreter.settings.properties

    def run(self) -> None:
        """Searches everything; raises FaultFound, NotCompact, and whatever the clock has to say."""
        machine = self.machine
        for choices in self._ways(machine.start) or []:
            machine.start(choices)
            self._explore(choices)

    def told(self) -> list[Outcome]:
        """The path of the search as the model runs it."""
        interpreter = self.interpreter
        (_, choices), *steps = self.path
        told = [next(o for o in interpreter.initial() if o.event.choices == choices)]
        for thread, choices in steps:
            told.append(interpreter.step(told[-1].state, thread, choices))
        return told

    def _explore(self, start: Choices) -> None:
        """Depth-first; each level has its mark in the log, and the steps still to be tried."""
        machine = self.machine
        levels = [(0, self._enter((0, start)))]
        while levels:
            mark, steps = levels[-1]
            if steps:
                before = machine.mark()
                step = steps.pop()
                machine.step(*step)
                levels.append((before, self._enter(step)))
            else:
                levels.pop()
                machine.undo(mark)
                self.path.pop()
                self._trace.pop()
                self._keys.leave()

    def _enter(self, step: Step) -> list[Step]:
        """A step has just been taken: those that can follow it, the first one last."""
        self.clock.tick(self.result)
        self.result.events += 1
        self.path.append(step)
        self._trace.push(self._known.event(self.machine, len(self.path) == 1))
        if self.machine.fault is not None:
            raise FaultFound(self._fault())
        if not self._keys.enter():
            assert self.result.endless is not None
            self.result.endless += 1
            return []
        return self._steps()

    def _steps(self) -> list[Step]:
        machine = self.machine
        blocked: dict[int, Blocked] = {}
        steps: list[Step] = []
        for thread in machine.running():
            opcode = machine.opcode_of(thread)
            if opcode not in WAITING and opcode not in CHOOSING:
                steps.append((thread, ()))
                continue
            holder = machine.awaited(thread) if opcode == JOIN else None
            if holder is not None:  # as main often is
                blocked[thread] = Blocked("end of thread", None, holder)
                continue
            ways = self._ways(lambda choices, t=thread: machine.step(t, choices))  # type: ignore[misc]
            if ways is None:
                blocked[thread] = machine.blocked
            else:
                steps += [(thread, choices) for choices in ways]
        checked = blocked and self._checks_deadlocks
        if checked and cycle_of({t: b.holder for t, b in blocked.items()}):
            raise FaultFound(self._fault())
        if not steps:
            self._end(blocked)
        return steps[::-1]

    def _ways(self, step: Callable[[Choices], int]) -> list[Choices] | None:
        """All choices with which a step is possible; None if it has to wait."""
        machine = self.machine
        ways: list[Choices] = []
        work: list[Choices] = [()]
        waits = False
        while work:
            choices = work.pop()
            mark = machine.mark()
            try:
                if step(choices) == BLOCKED:
                    waits = True
                    continue
            except NeedChoice as need:
                work.extend((*choices, k) for k in reversed(range(need.count)))
                continue
            machine.undo(mark)
            ways.append(choices)
        return None if waits and not ways else ways

    def _end(self, blocked: dict[int, Blocked]) -> None:
        machine, result = self.machine, self.result
        assert result.complete is not None and result.blocked is not None
        present = machine.present()
        stopped = any(machine.status[t] == STUCK for t in present)
        stopped = stopped or any(b.what == ASSUMPTION for b in blocked.values())
        if machine.has_exited or all(machine.status[t] == DONE for t in present):
            result.complete += 1
            self.finals.add(self._keys.final())
        elif stopped or not self._checks_deadlocks:
            result.blocked += 1
        else:
            raise FaultFound(self._fault())
        self.traces.add(self._trace.canonical())

    def _fault(self) -> Fault:
        """What is wrong where the search stands, in the model's words."""
        last = self.told()[-1]
        fault = last.fault
        if fault is None:
            end, fault = classify(self.interpreter, last.state, self.interpreter.moves(last.state))
            assert end is Ending.DEADLOCK
        assert fault is not None
        return fault


class _KnownEvents:
    """Events that look alike to the others are one object, and are compared only once."""

    def __init__(self) -> None:
        self._events: dict[Hashable, Event] = {}
        self._dependent: dict[tuple[int, int], bool] = {}

    def event(self, machine: CompactMachine, starts: bool) -> Event:
        m = machine
        choices = m.choices[: m.chosen]
        cells = tuple([access[:4] for access in m.accesses])
        key = (m.mover, m.events[m.mover], choices, m.exits, cells, m.spawned, m.joined, starts)
        event = self._events.get(key)
        if event is None:
            event = self._events[key] = event_of(m)
        return event

    def depend(self, a: Event, b: Event) -> bool:
        pair = id(a), id(b)
        known = self._dependent.get(pair)
        if known is None:
            known = self._dependent[pair] = dependence(a, b) is not None
        return known
