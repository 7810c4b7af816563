"""All interleavings of a program, one by one, and what they come to."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from tiny.language import Program
from tiny.semantics import Blocked, Event, Semantics, State, Status, Step

Label = tuple[int, int, int]  # level in the Foata normal form, number in the thread, the event


class TooMany(Exception):
    """The program has more interleavings, or states, than asked for."""


@dataclass
class Behaviour:
    """What the interleavings of a program come to."""

    complete: int = 0
    blocked: int = 0
    deadlocked: int = 0
    events: int = 0  # nodes of the tree of all interleavings
    faults: set[str] = field(default_factory=set)
    first_faults: set[str] = field(default_factory=set)  # those with no other fault before them
    has_race: bool = False
    finals: set[Hashable] = field(default_factory=set)  # memory at the end of complete runs
    final_values: set[tuple[int, ...]] = field(default_factory=set)  # of the variables alone
    traces: set[frozenset[Label]] = field(default_factory=set)
    states: set[Hashable] = field(default_factory=set)
    places: set[Hashable] = field(default_factory=set)  # the same without registers

    @property
    def runs(self) -> int:
        return self.complete + self.blocked + self.deadlocked


def enumerate_interleavings(
    program: Program, limit: int, spurious_wakeups: bool = False
) -> Behaviour:
    """Runs all interleavings; TooMany if there are more than `limit`."""
    graph = _Graph(program, limit, spurious_wakeups)
    if graph.start.runs > limit:
        raise TooMany
    return _Enumeration(program, graph).run()


# ------------------------------------------------------------------ the states


@dataclass
class _Node:
    """A state with what can happen next; only here to compute each step no more than once."""

    state: State
    edges: list[tuple[int, Step, _Node]] = field(default_factory=list)  # with the event's number
    blocked: list[Blocked] = field(default_factory=list)
    runs: int = 1  # from here to an end
    circle: bool = False
    race: bool = False


class _Graph:
    def __init__(self, program: Program, limit: int, spurious_wakeups: bool) -> None:
        self.limit = limit
        self.semantics = Semantics(program, spurious_wakeups)
        self.nodes: dict[Hashable, _Node] = {}
        self.events: dict[Event, int] = {}
        self.start = self._node(State(program))

    def _node(self, state: State) -> _Node:
        key = state.key()
        if key in self.nodes:
            return self.nodes[key]
        if len(self.nodes) == self.limit:
            raise TooMany
        node = self.nodes[key] = _Node(state)
        for result in self.semantics.steps(state):
            if isinstance(result, Blocked):
                node.blocked.append(result)
            else:
                number = self.events.setdefault(result.event, len(self.events))
                node.edges.append((number, result, self._node(result.state)))
        events = [step.event for _, step, _ in node.edges]
        node.race = any(a.races(b) for n, a in enumerate(events) for b in events[:n])
        node.circle = _has_circle({b.thread: b.holder for b in node.blocked})
        if node.edges:
            node.runs = sum(after.runs for _, _, after in node.edges)
        return node


def _has_circle(holders: dict[int, int | None]) -> bool:
    """Whether some threads wait for one another, so that none of them will ever move again."""
    for start in holders:
        thread: int | None = start
        for _ in holders:
            thread = None if thread is None else holders.get(thread)
            if thread == start:
                return True
    return False


# ------------------------------------------------------------- the interleavings


class _Enumeration:
    def __init__(self, program: Program, graph: _Graph) -> None:
        self.program = program
        self.graph = graph
        self.behaviour = Behaviour()
        self.run_so_far: list[tuple[Label, Event]] = []
        self.dependent: dict[tuple[int, int], bool] = {}

    def run(self) -> Behaviour:
        for node in self.graph.nodes.values():
            self.behaviour.has_race |= node.race
            self._note_state(node.state)
        self._explore(self.graph.start, faulty=False)
        return self.behaviour

    def _explore(self, node: _Node, faulty: bool) -> None:
        self.behaviour.events += 1
        if node.circle:
            self._note_fault("deadlock", faulty)
            faulty = True
        if not node.edges:
            self._end(node)
        for number, step, after in node.edges:
            if step.fault is not None:
                self._note_fault(step.fault, faulty)
            self.run_so_far.append((self._label(number, step.event), step.event))
            self._explore(after, faulty or step.fault is not None)
            self.run_so_far.pop()

    def _label(self, number: int, event: Event) -> Label:
        """Equivalent runs have the same labels: an event's level is above all it depends on."""
        level, nth = 1, 0
        for (before, _, other), earlier in self.run_so_far:
            pair = (other, number)
            if pair not in self.dependent:
                self.dependent[pair] = earlier.depends(event)
            if before >= level and self.dependent[pair]:
                level = before + 1
            nth += earlier.thread == event.thread
        return level, nth, number

    def _note_fault(self, kind: str, faulty: bool) -> None:
        self.behaviour.faults.add(kind)
        if not faulty:
            self.behaviour.first_faults.add(kind)

    def _note_state(self, state: State) -> None:
        memory = tuple(state.memory.values())
        statuses = tuple(state.statuses)
        places = tuple(
            -1 if status is Status.STUCK else place
            for status, place in zip(statuses, state.places, strict=True)
        )
        self.behaviour.places.add((state.exited, memory, statuses, places))
        registers = tuple(state.registers)
        self.behaviour.states.add((state.exited, memory, statuses, places, registers))

    def _end(self, node: _Node) -> None:
        behaviour, state = self.behaviour, node.state
        behaviour.traces.add(frozenset(label for label, _ in self.run_so_far))
        if state.exited:
            behaviour.complete += 1
            behaviour.finals.add(tuple(state.memory.values()))
            values = tuple(state.memory[name] for name in self.program.shared)
            behaviour.final_values.add(values)
        elif node.circle:
            behaviour.deadlocked += 1
        elif Status.STUCK in state.statuses or any(b.by_assumption for b in node.blocked):
            behaviour.blocked += 1  # without the assumption it might have gone on
        else:
            behaviour.deadlocked += 1
            self._note_fault("deadlock", faulty=False)
