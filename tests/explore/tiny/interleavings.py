"""All interleavings of a program, one by one, and what they come to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from tiny.language import Program
from tiny.semantics import Blocked, Event, Semantics, State, Status, Step

Label = tuple[int, int, Event]  # level in the Foata normal form, number in the thread, the event


class TooMany(Exception):
    """The program has more interleavings than asked for."""


@dataclass
class Behaviour:
    """What the interleavings of a program come to."""

    complete: int = 0
    aborted: int = 0  # by a failed assertion
    blocked: int = 0
    deadlocked: int = 0
    events: int = 0  # nodes of the tree of all interleavings
    faults: set[str] = field(default_factory=set)
    first_faults: set[str] = field(default_factory=set)  # those with no other fault before them
    has_race: bool = False
    finals: set[object] = field(default_factory=set)  # exit code and memory
    final_values: set[tuple[int, ...]] = field(default_factory=set)  # of variables, exit code 0
    traces: set[frozenset[Label]] = field(default_factory=set)
    states: set[object] = field(default_factory=set)
    places: set[object] = field(default_factory=set)  # the same without registers

    @property
    def runs(self) -> int:
        return self.complete + self.aborted + self.blocked + self.deadlocked


def enumerate_interleavings(
    program: Program, limit: int, spurious_wakeups: bool = False
) -> Behaviour:
    """Runs all interleavings; TooMany if there are more than `limit`."""
    return _Enumeration(program, limit, spurious_wakeups).run()


class _Enumeration:
    def __init__(self, program: Program, limit: int, spurious_wakeups: bool) -> None:
        self.program = program
        self.limit = limit
        self.semantics = Semantics(program, spurious_wakeups)
        self.behaviour = Behaviour()
        self.run_so_far: list[Label] = []

    def run(self) -> Behaviour:
        self._explore(State(self.program), faulty=False)
        return self.behaviour

    def _explore(self, state: State, faulty: bool) -> None:
        self.behaviour.events += 1
        self._note_state(state)
        steps: list[Step] = []
        blocked: list[Blocked] = []
        for thread in range(len(state.statuses)):
            for result in self.semantics.steps(state, thread):
                if isinstance(result, Step):
                    steps.append(result)
                else:
                    blocked.append(result)
        if not steps:
            self._end(state, blocked)
            return
        if any(a.event.races(b.event) for n, a in enumerate(steps) for b in steps[:n]):
            self.behaviour.has_race = True
        for step in steps:
            if step.fault is not None:
                self.behaviour.faults.add(step.fault)
                if not faulty:
                    self.behaviour.first_faults.add(step.fault)
            self.run_so_far.append(self._label(step.event))
            self._explore(step.state, faulty or step.fault is not None)
            self.run_so_far.pop()

    def _label(self, event: Event) -> Label:
        """Equivalent runs have the same labels: an event's level is above all it depends on."""
        level = 1 + max((n for n, _, e in self.run_so_far if e.depends(event)), default=0)
        return level, sum(e.thread == event.thread for _, _, e in self.run_so_far), event

    def _note_state(self, state: State) -> None:
        memory = tuple(state.memory.values())
        statuses = tuple(state.statuses)
        places = tuple(
            -1 if status is Status.STUCK else place
            for status, place in zip(statuses, state.places, strict=True)
        )
        self.behaviour.places.add((state.exit_code, memory, statuses, places))
        registers = tuple(state.registers)
        self.behaviour.states.add((state.exit_code, memory, statuses, places, registers))

    def _end(self, state: State, blocked: list[Blocked]) -> None:
        behaviour = self.behaviour
        behaviour.traces.add(frozenset(self.run_so_far))
        if state.exit_code is not None:
            behaviour.finals.add((state.exit_code, tuple(state.memory.values())))
        if state.exit_code == 0:
            behaviour.complete += 1
            values = tuple(state.memory[name] for name in self.program.shared)
            behaviour.final_values.add(values)
        elif state.exit_code is not None:
            behaviour.aborted += 1
        elif Status.STUCK in state.statuses or Blocked.ASSUMPTION in blocked:
            behaviour.blocked += 1
        else:
            behaviour.deadlocked += 1
            behaviour.faults.add("deadlock")
            behaviour.first_faults.add("deadlock")
        if behaviour.runs > self.limit:
            raise TooMany
