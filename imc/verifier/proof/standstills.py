"""Whether all schedules together let threads hang: of a closed tree, and of the program's states.

In a livelock, whatever a thread that is left does next is part of a round without effect, or it
cannot move. Every step that a thread can take is in a tree of all schedules, though not in every
order; so it is known which deeds can be part of such rounds if the others do what is best for that.
A *standstill* is a state in which nobody can do anything else, like a deadlock in which spinning is
a way to wait: where there is none, nothing hangs. It is refuted like other errors, by labels. Where
that is not possible, the program's states are visited, as far as there are few of them.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Hashable, Iterator

from pysmt.fnode import FNode

from imc.program.effects import Deeds
from imc.program.ends import ASSUMPTION, circle_fault
from imc.program.events import Event
from imc.program.faults import Fault, OutOfTime, TooManyThreads
from imc.program.interpreter import Interpreter
from imc.program.keys import Key, StateKeys
from imc.program.lasso import is_meant, reproduced
from imc.program.livelock import LivelockUndecided, find_loop, idle_deeds
from imc.program.machine import Outcome
from imc.program.parts import components
from imc.program.state import State, Status
from imc.program.state_graph import StateGraph
from imc.program.violation import Violation
from imc.program.watch import OutOfSight
from imc.terms.steps import Conditions
from imc.verifier.confirmation import run
from imc.verifier.engine import Engine
from imc.verifier.proof.complete import CompleteSearch, Unproved
from imc.verifier.tree.art import Node, Tree
from imc.verifier.tree.idling import Idle, TreeHanging
from imc.verifier.tree.knowledge import LabelKnowledge, PathKnowledge

MOST_STATES = 10_000
FATE_S = 5.0  # of processor time for visiting all states, when a schedule has been found to hang


def hanging(search: CompleteSearch, engine: Engine, seconds: float) -> Violation | None:
    """A livelock of the program, or none; raises `Unproved` where that is not known."""
    doubtful = None if search.never_still else refute_standstills(search)
    if doubtful is None:
        return None
    states = States.of(engine)
    complete = states.visit(seconds)
    found = states.livelock()
    if found is not None:
        fault, trace = found
        return Violation(states.interpreter.image, fault, tuple(trace), None, True)
    if not complete:
        raise Unproved(f"{_place(doubtful)}that threads go round for ever is not excluded")
    return None


def _place(node: Node) -> str:
    places = (node.state.threads[t].frames[-1] for t in node.running())
    locs = [frame.code.locs[frame.pc] for frame in places]
    return next((f"{loc}: " for loc in reversed(locs) if loc is not None), "")


def refute_standstills(search: CompleteSearch) -> Node | None:
    """Strengthens labels until no node allows a standstill; or a node that may."""
    while True:
        for node, conditions in standstills(search):
            if PathKnowledge(search.tree, node).possible(conditions):
                return node
            if not search.refiner.refute_near(node, conditions):
                return node
        if not search.work:
            return None
        search.run()  # covers that do not hold any more have been given up
        if search.found is not None:
            raise Unproved("a step that was left out cannot be proved any more")


def standstills(search: CompleteSearch) -> Iterator[tuple[Node, Conditions]]:
    """Nodes at which everybody may do nothing that counts, and when that is so."""
    idle = TreeHanging(search.tree).idle()
    if not idle.deeds and not any(_endless(node) for node in search.tree.nodes):
        return
    for node in list(search.tree.nodes):
        if node.removed or node.cover is not None or node.fault is not None:
            continue
        conditions = _standstill(search, node, idle)
        if conditions is not None:
            yield node, conditions


def _endless(node: Node) -> bool:
    return any(t.status is Status.STUCK for t in node.state.threads.values())


def _standstill(search: CompleteSearch, node: Node, idle: Idle) -> Conditions | None:
    """When nobody who is left does anything but go round at a node; None if never."""
    running = node.running()
    if not running or not is_meant(node.state):
        return None
    for thread in running:  # who is sure to do something else
        known = node.children.get(thread)
        surely = known and (node, thread) not in search.unsure
        if surely and not any((node, child.move) in idle for child in known or ()):
            return None
    terms = search.tree.terms
    conditions: list[FNode] = []
    somebody = _endless(node)
    for thread in running:
        if thread in node.blocked:
            if node.blocked[thread].what == ASSUMPTION:
                return None
            continue
        knowledge = LabelKnowledge(search.tree, node)
        expansion = search.expander.stepper.expand(node.state, thread, knowledge)
        moves = [m for m in expansion.moves if m.fault is None and (node, m) in idle]
        ways = [m.transition.guard for m in moves]
        ways += [c for c, why in expansion.blocked if why.what != ASSUMPTION]
        if not ways:
            return None
        somebody = somebody or bool(moves)
        conditions.append(terms.disjunction([terms.conjunction(way) for way in ways]))
    return tuple(conditions) if somebody else None


class States:
    """The program's states, breadth first, as far as there is time."""

    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter = interpreter
        self.keys = StateKeys(interpreter.image)
        self.deeds = Deeds(self.keys)
        self.graph = StateGraph()
        self._numbers: dict[Key, int] = {}
        self._names: list[tuple[Hashable, ...]] = []  # of the dynamic objects of each state
        self._queue: deque[tuple[int, Outcome]] = deque()
        self._starts: dict[int, Outcome] = {}
        self._ended: set[int] = set()  # where executions end as they should

    @classmethod
    def of(cls, engine: Engine) -> States:
        """Those of its program, until the time is over that the user gives."""
        interpreter = Interpreter(engine.program, engine.settings, sharing=engine.sharing)
        interpreter.image.deadline = engine.image.deadline
        return cls(interpreter)

    def visit(self, seconds: float) -> bool:
        """Whether these are all of them, whatever the inputs are; seconds of processor time."""
        image = self.interpreter.image
        image.computes_until = time.process_time() + seconds
        try:
            for start in self.interpreter.initial():
                if start.fault is None:
                    self._starts[self._number(start)] = start
            self.graph.starts = list(self._starts)
            while self._queue:
                if len(self._numbers) > MOST_STATES or image.out_of_time():
                    return False
                self._expand(*self._queue.popleft())
        except (OutOfTime, OutOfSight, TooManyThreads):
            return False
        finally:
            image.computes_until = None  # traces are made later
        return not image.bounds

    def _number(self, outcome: Outcome) -> int:
        key, order = self.keys.named_key(outcome.state)
        names = self.deeds.names(outcome.state, order)
        number = self._numbers.get(key)
        if number is not None:
            self.deeds.merge(names, self._names[number])
        else:
            number = self._numbers[key] = self.graph.states
            self.graph.states += 1
            self._names.append(names)
            if not is_meant(outcome.state):
                self.graph.void.add(number)
            self._queue.append((number, outcome))
        return number

    def _expand(self, number: int, outcome: Outcome) -> None:
        state = outcome.state
        if state.ended:
            self._ended.add(number)
        moves = self.interpreter.moves(state)
        outcomes = moves.outcomes
        if any(t.paused for t in state.threads.values()):
            outcomes = outcomes + self.interpreter.moves(state, postponed=True).outcomes
        assuming = {t for t, why in moves.blocked.items() if why.what == ASSUMPTION}
        if assuming:
            self.graph.assuming[number] = assuming
        if circle_fault(self.interpreter, state, moves) is not None:
            return  # whatever the others do, that goes wrong
        for after in outcomes:
            if after.fault is None:
                deed = self.deeds.deed(state, after)
                self.graph.add(number, deed, self._number(after), after.event.choices)

    def livelock(self) -> tuple[Fault, list[Event]] | None:
        """A livelock among what has been visited; raises `Unproved` if that takes too long."""
        unsteady = self.deeds.unsteady
        graph = self.graph.blurred(unsteady) if unsteady else self.graph
        try:
            loop = find_loop(graph)
            if loop is None:
                return None
            start = self._starts[graph.sources[(graph.way_to(graph.sources[loop[0]]) + loop)[0]]]
            return reproduced(self.interpreter, self.keys, graph, start, loop)
        except LivelockUndecided:
            raise Unproved("whether threads go round for ever was not decided in time") from None

    def lost(self) -> set[int]:
        """States, of all, from which every fair execution hangs, or ends as it should not.

        None from which one can come to an end, or to where rounds may have an effect.
        """
        graph = self.graph
        idle = idle_deeds(graph)
        before: dict[int, list[int]] = {}
        for step, target in enumerate(graph.targets):
            before.setdefault(target, []).append(graph.sources[step])
        work = [*self._ended, *graph.void, *graph.assuming]
        for part in components(set(range(graph.states)), self._steps):
            inner = [s for n in part for s in graph.steps(n) if graph.targets[s] in part]
            if any(graph.labels[step] not in idle for step in inner):
                work += part
        good: set[int] = set()
        while work:
            number = work.pop()
            if number not in good:
                good.add(number)
                work += before.get(number, ())
        return set(range(graph.states)) - good

    def _steps(self, state: int) -> Iterator[tuple[int, int]]:
        for step in self.graph.steps(state):
            yield self.graph.thread(step), self.graph.targets[step]

    def number(self, state: State) -> int | None:
        return self._numbers.get(self.keys.key(state))


class Fate:
    """Whether nothing good can follow where a search for schedules is, if states can tell."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._states: States | None = None
        self._lost: set[int] = set()

    def is_lost(self, tree: Tree, node: Node) -> bool:
        if self._states is None:
            self._states = States.of(self.engine)
            if self._states.visit(FATE_S):
                self._lost = self._states.lost()
        if not self._lost:
            return False
        moves = [n.move for n in node.path()[1:]]
        state = run(self._states.interpreter, tree, moves)
        return state is not None and self._states.number(state) in self._lost
