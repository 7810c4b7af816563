"""The check of one schedule: its executions, the nodes they pass, and whether it is fair.

An empty list of complaints promises that no permitted execution errs, deadlocks, starves a thread
or leaves the schedule, for the inputs of the settings.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field

import networkx as nx

from game.formulas import Binding, Mismatch, evaluate, symbols
from game.matcher import Matcher
from game.steps import runs
from imc.program.concrete import ConcreteDomain
from imc.program.deadlock import cycle_of
from imc.program.faults import Blocked, Property
from imc.program.interpreter import Interpreter
from imc.program.keys import StateKeys
from imc.program.program import Program
from imc.program.settings import Settings
from imc.program.state import State, Status
from imc.verifier.result import VerifiedTree

MOST_STATES = 20_000
MOST_JUMPS = 5_000
MOST_COMPLAINTS = 8


class TooLarge(Exception):
    """The schedule has more executions than the check goes through."""


def check_schedule(
    program: Program, settings: Settings, schedule: VerifiedTree, states: int = MOST_STATES
) -> list[str]:
    """What is wrong with a schedule, for the inputs of the settings; nothing if all is well."""
    game = _Game(program, settings, schedule, states)
    game.explore()
    if not game.complaints:
        game.check_fairness()
    return list(game.complaints)


@dataclass(eq=False)
class _Position:
    """A concrete state with the node that it belongs to."""

    key: object
    state: State
    node: int
    binding: Binding  # what the symbols of labels stand for, or stood for when they last did
    before: tuple[_Position, str] | None
    enabled: set[int] = field(default_factory=set)


class _Game:
    def __init__(
        self, program: Program, settings: Settings, schedule: VerifiedTree, states: int
    ) -> None:
        self.settings = settings
        self.schedule = schedule
        self.most = states
        self.interpreter = Interpreter(program, settings.enforced(), ConcreteDomain())
        self.image = self.interpreter.image
        self._share_names()
        self.names = self.image.threads.names
        self.keys = StateKeys(self.image)
        self.complaints: dict[str, None] = {}
        self.positions: dict[object, _Position] = {}
        self.edges: list[tuple[_Position, int, _Position]] = []
        self.work: list[_Position] = []
        self.labelled = frozenset(
            symbol
            for node in schedule.nodes.values()
            for conjunct in node.label
            for symbol in symbols(conjunct)
        )

    def _share_names(self) -> None:
        """Gives objects and threads the numbers that they have in the schedule."""
        states = (n.node.state for n in self.schedule.nodes.values())
        frames = (f for s in states for t in s.threads.values() for f in t.frames)
        frame = next(frames, None)
        if frame is not None:
            self.image.objects = copy.deepcopy(frame.code.image.objects)
            self.image.threads = copy.deepcopy(frame.code.image.threads)

    def _complain(self, text: str, at: _Position | None) -> None:
        """With the threads that have moved, so that it can be looked at."""
        moved = []
        where = f"node {at.node}: " if at is not None else ""
        while at is not None and at.before is not None:
            at, name = at.before
            moved.append(name)
        self.complaints[f"{where}{text} (after {' '.join(moved[::-1]) or 'the start'})"] = None

    # -------------------------------------------------------------- executions

    def explore(self) -> None:
        """Goes through all executions that are permitted."""
        self._step(None, 0, (self.schedule.root,))
        while self.work and len(self.complaints) < MOST_COMPLAINTS:
            self._leave(self.work.pop())

    def _leave(self, at: _Position) -> None:
        """Takes every step that is permitted at a position."""
        permits = self.schedule.nodes[at.node].permits
        if at.state.exit_code is not None:
            if permits:
                self._complain("there are steps after the program's end", at)
            return
        blocked = self._look(at)
        circle = cycle_of({t: b.holder for t, b in blocked.items()})
        if circle and Property.DEADLOCK in self.settings.properties:
            names = " and ".join(self.names[t] for t in circle)
            self._complain(f"{names} wait for each other", at)
        elif not permits:
            self._check_end(at, blocked)
        for thread, children in permits.items():
            found = at.state.threads.get(thread)
            if found is None or found.status is not Status.RUNNING:
                self._complain(f"{self.names[thread]} is permitted but not running", at)
            else:
                self._step(at, thread, children)

    def _look(self, at: _Position) -> dict[int, Blocked]:
        """Notes who can move; answers who cannot, and why."""
        blocked = {}
        for number, thread in sorted(at.state.threads.items()):
            if thread.status is Status.RUNNING:
                try:
                    self.interpreter.successors(at.state, number)
                    at.enabled.add(number)
                except Blocked as why:
                    blocked[number] = why.with_traceback(None)
        return blocked

    def _check_end(self, at: _Position, blocked: dict[int, Blocked]) -> None:
        if at.state.ended:
            return
        if at.enabled:
            names = ", ".join(self.names[t] for t in sorted(at.enabled))
            self._complain(f"nothing is permitted although {names} could move", at)
            return
        stuck = any(t.status is Status.STUCK for t in at.state.threads.values())
        waits = any(why.what == "assumption" for why in blocked.values())
        if not stuck and not waits and Property.DEADLOCK in self.settings.properties:
            self._complain("no thread can move: a deadlock", at)

    def _step(self, at: _Position | None, thread: int, children: tuple[int, ...]) -> None:
        """One thread's step for all choices; each must lead to a child.

        A symbolic step ends at a jump back once it has branched on something unknown. So the
        concrete one is cut there too: at the first jump back whose state belongs to a child.
        """
        name = self.names[thread]
        work: list[tuple[int, tuple[int, ...]]] = [(1, ())]
        while work:
            jumps, choices = work.pop()
            for run in runs(self.image, at.state if at else None, thread, jumps, choices):
                if run.outcome is None:
                    assert run.blocked is not None
                    self._complain(f"{name} is permitted but waits: {run.blocked.what}", at)
                    continue
                if run.outcome.fault is not None:
                    self._complain(f"{name} errs: {run.outcome.fault.message}", at)
                    continue
                wrong = self._arrive(run.outcome.state, children, at, name, thread)
                if wrong and run.cut and jumps < MOST_JUMPS:
                    work.append((jumps + 1, run.choices))
                elif wrong:
                    self._complain(f"a step of {name} leads nowhere: {'; '.join(wrong)}", at)

    def _arrive(
        self,
        state: State,
        children: tuple[int, ...],
        before: _Position | None,
        name: str,
        thread: int,
    ) -> list[str]:
        """Finds the children that a state belongs to; if there is none, answers why not."""
        wrong = []
        found = False
        for child in children:
            try:
                binding = self._belongs(state, child, before.binding if before else {})
            except Mismatch as why:
                wrong.append(f"not to {child}, {why}")
                continue
            found = True
            at = self._follow(state, child, binding, before, name)
            if at is not None and before is not None:
                self.edges.append((before, thread, at))
        return [] if found else wrong or ["there are no children"]

    def _belongs(self, state: State, node: int, earlier: Binding) -> Binding:
        """What a node's symbols stand for in a state; raises Mismatch if it is not one of its."""
        if node not in self.schedule.nodes:
            raise Mismatch("there is no such node")
        found = self.schedule.nodes[node]
        here = Matcher(self.image, state, found.node.state).match()
        binding = {**earlier, **here}
        for conjunct in found.label:
            if not evaluate(conjunct, binding):
                values = {str(s): binding[s] for s in sorted(symbols(conjunct), key=str)}
                raise Mismatch(f"its label {conjunct.serialize()} is false for {values}")
        return binding

    def _follow(
        self,
        state: State,
        node: int,
        binding: Binding,
        before: _Position | None,
        name: str,
    ) -> _Position | None:
        """Goes along cover links, and notes the position if it is new."""
        passed = {node}
        while (cover := self.schedule.nodes[node].cover) is not None:
            here = _Position(None, state, node, binding, (before, name) if before else None)
            try:
                binding = self._belongs(state, cover, binding)
            except Mismatch as why:
                self._complain(f"it is covered by {cover} but does not belong to it: {why}", here)
                return None
            if cover in passed:
                self._complain("covers go round in a circle", here)
                return None
            node = cover
            passed.add(node)
        binding = {s: v for s, v in binding.items() if s in self.labelled}
        key = (self.keys.key(state), node, frozenset(binding.items()))
        found = self.positions.get(key)
        if found is None:
            if len(self.positions) >= self.most:
                raise TooLarge(f"more than {self.most} states")
            found = _Position(key, state, node, binding, (before, name) if before else None)
            self.positions[key] = found
            self.work.append(found)
        return found

    # ---------------------------------------------------------------- fairness

    def check_fairness(self) -> None:
        """No thread may be left out for ever although it can move."""
        for thread in sorted({t for p in self.positions.values() for t in p.enabled}):
            graph = nx.DiGraph()
            graph.add_edges_from((a, b) for a, t, b in self.edges if t != thread)
            for component in nx.strongly_connected_components(graph):
                one = next(iter(component))
                if len(component) == 1 and not graph.has_edge(one, one):
                    continue
                starved = [p for p in component if thread in p.enabled]
                if starved:
                    nodes = ", ".join(map(str, sorted({p.node for p in component})))
                    text = f"{self.names[thread]} starves in the nodes {nodes}"
                    self._complain(text, min(starved, key=lambda p: p.node))
                    break
