"""The checker: re-derives a schedule's tree from the program, and proves every claim anew.

It knows the program model and its semantics on terms, and no engine: neither the search nor the
solver nor the interpolants that made the certificate. What it accepts holds for every input: no
step that is permitted errs or waits, every way it can go is foreseen, and no thread starves.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import networkx as nx
from pysmt.fnode import FNode

from imc.errors import Unsupported
from imc.program.analysis.sharing import Sharing
from imc.program.code import Image
from imc.program.events import Event
from imc.program.faults import Property
from imc.program.program import Program
from imc.program.settings import Settings
from imc.program.state import State, Status
from imc.schedule.formulas import Inexpressible, from_json
from imc.schedule.naming import Naming
from imc.schedule.opinion import SecondOpinion, Undecided
from imc.symbolic.integers import IntegerDomain
from imc.symbolic.places import Places, SkeletonKeys
from imc.symbolic.steps import Conditions, Expansion, Move, Stepper
from imc.symbolic.terms import Terms

Json = Any


class Rejected(Exception):
    """A claim of a certificate that does not hold, or cannot be proved; the text says where."""


@dataclass(slots=True, eq=False)
class Point:
    """A node of the tree, derived from the program: who moves, how that can go, and where to."""

    number: int
    state: State
    key: object
    names: list[int]  # dynamic objects in the order of the key
    label: tuple[FNode, ...]
    cover: int | None
    permits: dict[int, list[tuple[Event, int]]] = field(default_factory=dict)


class Checker:
    """Checks one certificate against one program."""

    def __init__(
        self, program: Program, settings: Settings, threads: Iterable[str], document: Json
    ) -> None:
        self.settings = settings
        self.document = document
        self.terms = Terms()
        self.domain = IntegerDomain(self.terms)
        self.image = Image(program, self.domain, settings, Sharing(program))
        self.places = Places(self.image, self.domain)
        self.naming = Naming(self.places)
        self.solver = SecondOpinion(self.terms)
        self.stepper = Stepper(self.places)
        self.keys = SkeletonKeys(self.image)
        self.points: dict[int, Point] = {}
        self.threads = list(threads)

    def check(self) -> None:
        """Raises `Rejected` unless every claim of the tree is proved."""
        try:
            self._seed_threads()
            self.places.abstract = set(map(self.naming.read_variable, self.document["abstract"]))
            self.domain.exact = set(map(self.naming.number, self.document["exact"]))
            self._derive()
            for point in self.points.values():
                self._check_cover(point)
                if point.cover is None:
                    self._check_end(point)
                    self._check_circles(point)
            self._check_fairness()
        except (Inexpressible, Undecided, Unsupported) as problem:
            raise Rejected(str(problem)) from problem
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as problem:
            raise Rejected(f"the certificate is damaged: {problem!r}") from problem

    def _seed_threads(self) -> None:
        """Gives threads the numbers that they have in the certificate."""
        table = self.image.threads
        for name in self.threads:
            parent, _, nth = name.rpartition(".")
            if parent:
                table.child(table.names.index(parent), int(nth))
        if table.names != self.threads:
            raise Rejected("threads are not listed in the order in which they can be started")

    # ----------------------------------------------------------------- the tree

    def _derive(self) -> None:
        """Runs the program along the tree; each step must lead to the children it has there."""
        root = self.document["root"]
        expansion = self.stepper.start(_Oracle(self, ()))
        (move,) = expansion.moves
        if move.fault is not None or expansion.blocked:
            raise Rejected("the program errs before its first event")
        self._bind(root, move, ())
        work = [root]
        while work:
            point = self.points[work.pop()]
            permits = self._node(point.number)["permits"]
            if permits and point.cover is not None:
                raise Rejected(f"node {point.number} is covered and permits a step")
            for thread, children in permits.items():
                self._step(point, int(thread), children)
                work += [child for _, child in point.permits[int(thread)]]

    def _bind(self, number: int, move: Move, before: tuple[FNode, ...]) -> None:
        """A node is what a step leads to; its label must follow from the label before."""
        node = self._node(number)
        key, names = self.keys.named_key(move.state)
        label = tuple(self._formula(conjunct) for conjunct in node["label"])
        if number in self.points:
            raise Rejected(f"node {number} is reached in two ways: this is no tree")
        facts = (*before, *move.transition.guard)
        for conjunct in label:
            claim = self.terms.substitute(conjunct, move.transition.updates)
            if not self._follows(facts, claim):
                raise Rejected(f"the label of node {number} does not hold after its step")
        self.points[number] = Point(number, move.state, key, names, label, node["cover"])

    def _step(self, point: Point, thread: int, children: list[int]) -> None:
        """All ways a permitted step can go: none errs or waits, each leads to a child."""
        name = self.image.threads.names[thread]
        where = f"node {point.number}: {name}"
        state = point.state.threads.get(thread)
        if state is None or state.status is not Status.RUNNING:
            raise Rejected(f"{where} is permitted but not running")
        expansion = self._expand(point, thread)
        for conditions, why in expansion.blocked:
            if self._possible(point, conditions):
                raise Rejected(f"{where} may have to wait: {why.what}")
        ways = {tuple(self._node(c)["choices"]): c for c in children}
        edges = point.permits.setdefault(thread, [])
        for move in expansion.moves:
            if not self._possible(point, move.transition.guard):
                continue
            if move.fault is not None:
                raise Rejected(f"{where} may err: {move.fault.message}")
            child = ways.get(move.event.choices)
            if child is None:
                raise Rejected(f"{where} can go a way that is not in the tree")
            self._bind(child, move, point.label)
            edges.append((move.event, child))

    def _expand(self, point: Point, thread: int) -> Expansion:
        return self.stepper.expand(point.state, thread, _Oracle(self, point.label))

    def _node(self, number: int) -> Json:
        return self.document["nodes"][str(number)]

    def _formula(self, value: Json) -> FNode:
        return from_json(
            self.terms, value, lambda n: self.naming.symbol(self.document["places"][n])
        )

    def _possible(self, point: Point, conditions: Conditions) -> bool:
        return self.solver.satisfiable((*point.label, *self.with_ranges(conditions)))

    def _follows(self, facts: Iterable[FNode], claim: FNode) -> bool:
        listed = tuple(facts)
        if claim is self.terms.true or claim in listed:
            return True
        return not self.solver.satisfiable((*listed, self.terms.negate(claim)))

    def with_ranges(self, conditions: Conditions) -> Conditions:
        inputs = {s for c in conditions for s in self.terms.symbols(c) if s in self.domain.inputs}
        return (*conditions, *(self.domain.in_range(s) for s in inputs))

    # ------------------------------------------------------------ covers and ends

    def _check_cover(self, point: Point) -> None:
        if point.cover is None:
            return
        by = self.points.get(point.cover)
        if by is None or by.cover is not None or by.key != point.key:
            raise Rejected(f"node {point.number} is covered by one that does not fit")
        for conjunct in by.label:
            if not self._follows(point.label, self._translated(conjunct, by, point)):
                raise Rejected(f"node {point.number} is covered by {by.number}, which claims more")

    def _translated(self, formula: FNode, source: Point, target: Point) -> FNode:
        """A formula about one node's places as one about another's with the same key."""
        if source.names == target.names:
            return formula
        objects = dict(zip(source.names, target.names, strict=True))
        mapping: dict[FNode, FNode] = {}
        for symbol in self.terms.symbols(formula):
            number = self.places.of[symbol].object
            if number in objects:
                mapping[symbol] = self.places.moved(symbol, objects[number])
            elif number in target.names:
                return self.terms.false
        return self.terms.substitute(formula, mapping)

    def _check_end(self, point: Point) -> None:
        """Where nothing is permitted, nobody can move, and that is as it should be."""
        if point.permits or point.state.ended:
            return
        waits: list[FNode] = []  # when a thread waits for an assumption to hold
        for thread in _running(point.state):
            if self._may_move(point, thread):
                name = self.image.threads.names[thread]
                raise Rejected(f"node {point.number}: nothing is permitted, but {name} can move")
            for conditions, why in self._expand(point, thread).blocked:
                if why.what == "assumption":
                    waits.append(self.terms.conjunction(conditions))
        stuck = any(t.status is Status.STUCK for t in point.state.threads.values())
        checked = Property.DEADLOCK in self.settings.properties
        nobody = self.terms.negate(self.terms.disjunction(waits))
        if checked and not stuck and self._possible(point, (nobody,)):
            raise Rejected(f"node {point.number}: no thread can move, a deadlock")

    def _may_move(self, point: Point, thread: int) -> bool:
        if point.state.exit_code is not None or thread not in _running(point.state):
            return False
        moves = self._expand(point, thread).moves
        return any(self._possible(point, move.transition.guard) for move in moves)

    def _check_circles(self, point: Point) -> None:
        """No threads wait for each other, in any state of the node."""
        if Property.DEADLOCK not in self.settings.properties or point.state.exit_code is not None:
            return
        graph = nx.DiGraph()
        for thread in _running(point.state):
            if thread in point.permits:
                continue
            for conditions, why in self._expand(point, thread).blocked:
                if why.holder is not None and self._possible(point, conditions):
                    graph.add_edge(thread, why.holder)
        if not nx.is_directed_acyclic_graph(graph):
            raise Rejected(f"node {point.number}: threads may wait for each other")

    # ----------------------------------------------------------------- fairness

    def _check_fairness(self) -> None:
        """Without the steps of a thread, no cycle passes a node where it may move."""
        threads = {t for point in self.points.values() for t in point.state.threads}
        for thread in sorted(threads):
            graph = nx.DiGraph()
            for point in self.points.values():
                if point.cover is not None:
                    graph.add_edge(point.number, point.cover)
                for other, edges in point.permits.items():
                    if other != thread:
                        graph.add_edges_from((point.number, child) for _, child in edges)
            for component in nx.strongly_connected_components(graph):
                one = next(iter(component))
                if len(component) == 1 and not graph.has_edge(one, one):
                    continue
                for number in sorted(component):
                    if self._may_move(self.points[number], thread):
                        name = self.image.threads.names[thread]
                        raise Rejected(f"{name} may starve at node {number}")


class _Oracle:
    """What a label allows, for running steps."""

    def __init__(self, checker: Checker, label: tuple[FNode, ...]) -> None:
        self.checker = checker
        self.label = label
        self._examples: dict[tuple[FNode, Conditions], int | None] = {}

    def possible(self, conditions: Conditions, needed: bool) -> bool:
        ranged = self.checker.with_ranges(conditions)
        return self.checker.solver.satisfiable((*self.label, *ranged))

    def example(self, term: FNode, conditions: Conditions) -> int | None:
        """The same answer each time: a step is run again with every further choice."""
        key = (term, conditions)
        if key not in self._examples:
            ranged = self.checker.with_ranges(conditions)
            self._examples[key] = self.checker.solver.value(term, (*self.label, *ranged))
        return self._examples[key]


def _running(state: State) -> list[int]:
    return sorted(t.id for t in state.threads.values() if t.status is Status.RUNNING)
