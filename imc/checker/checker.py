"""The checker: re-derives a schedule's tree from the program, and proves every claim anew.

It knows the program model and its semantics on terms, and no engine: neither the search nor the
solver nor the interpolants that made the certificate. What it accepts holds for every input: no
step that is permitted errs or waits, every way it can go is foreseen, no thread starves, and nobody
goes round for ever without effect.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from pysmt.fnode import FNode

from imc.checker.certificate import Certificate
from imc.checker.deadline import Deadline
from imc.checker.footprint import Footprint, WatchingStepper
from imc.checker.formulas import FormulaReader, Inexpressible
from imc.checker.hanging import EndlessRounds
from imc.checker.naming import Naming
from imc.checker.opinion import SecondOpinion
from imc.checker.progress import Progress
from imc.checker.refusal import Rejected
from imc.errors import Unsupported
from imc.program.analysis.sharing import Sharing
from imc.program.code import Image
from imc.program.events import Event
from imc.program.faults import Blocked, Property, TooManyThreads
from imc.program.program import Program
from imc.program.settings import Settings
from imc.program.state import State, Status
from imc.program.watch import OutOfSight
from imc.terms.integers import IntegerDomain
from imc.terms.places import Places, SkeletonKeys, Variable
from imc.terms.steps import Conditions, Expansion, Move
from imc.terms.terms import Terms

Json = Any
MOST_DIGITS = 9  # of a number in a thread's name


@dataclass(slots=True, eq=False)
class Point:
    """A node of the tree, derived from the program: who moves, how that can go, and where to."""

    number: int
    move: Move  # the step that leads to it
    label: tuple[FNode, ...]
    cover: int | None
    permits: dict[int, list[tuple[Event, int]]] = field(default_factory=dict)
    key: object = None
    names: list[int] = field(default_factory=list)  # dynamic objects in the order of the key

    @property
    def state(self) -> State:
        return self.move.state


class Checker:
    """Checks one certificate against one program."""

    def __init__(
        self,
        program: Program,
        settings: Settings,
        threads: Iterable[str],
        document: Json,
        deadline: Deadline | None = None,
    ) -> None:
        self.settings = settings
        self.deadline = deadline or Deadline()
        self.certificate = Certificate(document)
        self.terms = Terms()
        self.domain = IntegerDomain(self.terms)
        self.image = Image(program, self.domain, settings, Sharing(program))
        self.places = Places(self.image, self.domain)
        self.naming = Naming(self.places)
        self.solver = SecondOpinion(self.terms, self.deadline)
        self.stepper = WatchingStepper(self.places)
        self.keys = SkeletonKeys(self.image)
        self.points: dict[int, Point] = {}
        self.footprints: dict[Event, Footprint] = {}  # of the steps of the tree
        self.threads = list(threads)
        self.image.deadline = self.deadline.at
        self._reader = FormulaReader(
            self.terms,
            lambda n: self.naming.symbol(self.certificate.place(n)),
            self.deadline.look,
        )

    def check(self) -> None:
        """Raises `Rejected` unless every claim of the tree is proved."""
        try:
            self._seed_threads()
            self.places.abstract = set(map(self._variable, self.certificate.abstract))
            self.domain.exact = set(map(self.naming.number, self.certificate.exact))
            self._derive()
            for point in self.points.values():  # only now it is known whether addresses are data
                self.deadline.look()
                point.key, point.names = self.keys.named_key(point.state)
            for point in self.points.values():
                self._check_cover(point)
            Progress(self).check()
            if Property.LIVELOCK in self.settings.properties:
                EndlessRounds(self).check()
        except (Inexpressible, Unsupported, TooManyThreads, OutOfSight) as problem:
            raise Rejected(str(problem)) from problem

    def _seed_threads(self) -> None:
        """Gives threads the numbers that they have in the certificate."""
        table = self.image.threads
        numbers = {"main": 0}
        for name in self.threads:
            self.deadline.look()
            parent, _, nth = name.rpartition(".")
            if parent in numbers and len(nth) <= MOST_DIGITS:
                numbers[name] = table.child(numbers[parent], int(nth))
        if table.names != self.threads:
            raise Rejected("threads are not listed in the order in which they can be started")

    def _variable(self, named: Json) -> Variable:
        self.deadline.look()
        return self.naming.read_variable(named)

    # ----------------------------------------------------------------- the tree

    def _derive(self) -> None:
        """Runs the program along the tree; each step must lead to the children it has there."""
        root = self.certificate.root
        expansion = self.stepper.start(_Oracle(self, ()))
        (move,) = expansion.moves
        if move.fault is not None or expansion.blocked:
            raise Rejected("the program errs before its first event")
        self._bind(root, move, ())
        work = [root]
        while work:
            self.deadline.look()
            point = self.points[work.pop()]
            permits = self.certificate.node(point.number).permits
            if permits and point.cover is not None:
                raise Rejected(f"node {point.number} is covered and permits a step")
            for thread, children in permits.items():
                self._step(point, thread, children)
                work += [child for _, child in point.permits[thread]]

    def _bind(self, number: int, move: Move, before: tuple[FNode, ...]) -> None:
        """A node is what a step leads to; its label must follow from the label before."""
        if number in self.points:
            raise Rejected(f"node {number} is reached in two ways: this is no tree")
        node = self.certificate.node(number)
        label = tuple(map(self._reader.formula, node.label))
        facts = (*before, *move.transition.guard)
        for conjunct in label:
            claim = self.terms.substitute(conjunct, move.transition.updates)
            if not self.follows(facts, claim):
                raise Rejected(f"the label of node {number} does not hold after its step")
        self.points[number] = Point(number, move, label, node.cover)

    def _step(self, point: Point, thread: int, children: list[int]) -> None:
        """All ways a permitted step can go: none errs or waits, each leads to a child."""
        state = point.state.threads.get(thread)
        if state is None or state.status is not Status.RUNNING or point.state.exit_code is not None:
            raise Rejected(f"node {point.number}: thread {thread} is permitted but not running")
        where = f"node {point.number}: {self.image.threads.names[thread]}"
        expansion = self.expand(point, thread)
        footprints = self.stepper.footprints
        for conditions, why in expansion.blocked:
            if self.possible(point, conditions):
                raise Rejected(f"{where} may have to wait: {why.what}")
        ways = {self.certificate.node(c).choices: c for c in children}
        edges = point.permits.setdefault(thread, [])
        for move in expansion.moves:
            child = next((ways[way] for way in move.ways if way in ways), None)
            if move.fault is not None or child is None:
                if not self.possible(point, move.transition.guard):
                    continue
                if move.fault is not None:
                    raise Rejected(f"{where} may err: {move.fault.message}")
                raise Rejected(f"{where} can go a way that is not in the tree")
            self.footprints[move.event] = footprints[move.event]
            self._bind(child, move, point.label)
            edges.append((move.event, child))

    def expand(self, point: Point, thread: int) -> Expansion:
        return self.stepper.expand(point.state, thread, _Oracle(self, point.label))

    def blocked(self, point: Point, thread: int) -> list[tuple[Conditions, Blocked]]:
        """When a thread has to wait, and for what; how it would go on is not asked."""
        arithmetic = self.domain.arithmetic
        promised = arithmetic.promised
        found = self.expand(point, thread).blocked
        arithmetic.promised = promised
        return found

    def possible(self, point: Point, conditions: Conditions) -> bool:
        return self.solver.satisfiable((*point.label, *self.with_ranges(conditions)))

    def follows(self, facts: Iterable[FNode], claim: FNode) -> bool:
        listed = tuple(facts)
        if claim is self.terms.true or claim in listed:
            return True
        return not self.solver.satisfiable((*listed, self.terms.negate(claim)))

    def with_ranges(self, conditions: Conditions) -> Conditions:
        inputs = {s for c in conditions for s in self.terms.symbols(c) if s in self.domain.inputs}
        return (*conditions, *(self.domain.in_range(s) for s in inputs))

    # ------------------------------------------------------------------- covers

    def _check_cover(self, point: Point) -> None:
        if point.cover is None:
            return
        by = self.points.get(point.cover)
        if by is None or by.cover is not None or by.key != point.key:
            raise Rejected(f"node {point.number} is covered by one that does not fit")
        for conjunct in by.label:
            if not self.follows(point.label, self._translated(conjunct, by, point)):
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


class _Oracle:
    """What a label allows, for running steps."""

    def __init__(self, checker: Checker, label: tuple[FNode, ...]) -> None:
        self.checker = checker
        self.label = label
        self._examples: dict[tuple[FNode, Conditions], int | None] = {}

    def goes_on(self, taken: Conditions, condition: FNode, needed: bool) -> bool:
        ranged = self.checker.with_ranges((*taken, condition))
        return self.checker.solver.satisfiable(
            (*self.checker.terms.related((*self.label, *ranged), (condition,)), condition)
        )

    def example(self, term: FNode, conditions: Conditions) -> int | None:
        """The same answer each time: a step is run again with every further choice."""
        key = (term, conditions)
        if key not in self._examples:
            ranged = self.checker.with_ranges(conditions)
            self._examples[key] = self.checker.solver.value(term, (*self.label, *ranged))
        return self._examples[key]
