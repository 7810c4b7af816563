"""Interpolants along a path: the seam that every strategy speaks, its check, and a portfolio.

An interpolant sequence says for each position of a path what suffices there for the rest of it to
lead to its goal. No sequence is used unchecked.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from math import inf
from typing import Any, NamedTuple, Protocol

import pysmt.operators as op
from pysmt.fnode import FNode

from imc.errors import UserError
from imc.terms.paths import Path, Transition
from imc.terms.terms import Terms
from imc.verifier.solver import Solver, SolverUnknown, entails

# Whether what is known already at a position implies a conjunct there; a no is always allowed.
# Asked where a conjunct comes up, and again before the next step that changes or tests it.
Known = Callable[[int, FNode], bool]


class Interpolator(Protocol):
    """Finds for a path with n transitions the formulas I_0 to I_n over the places' symbols.

    The start implies I_0, I_i and the guard of transition i imply I_i+1 after it, whatever its
    inputs, and I_n implies the goal. A conjunct that is known at a position needs no explanation
    there. None: this strategy cannot.
    """

    name: str

    def sequence(self, path: Path, known: Known | None = None) -> list[FNode] | None: ...


# ----------------------------------------------------------------------- portfolio

ORDER = ("wp", "farkas", "spacer")


# Where a strategy is, and what it is told; imported when named, since it imports this module.
STRATEGIES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "wp": ("imc.verifier.interpolation.weakest", "WeakestPreconditions", {}),
    "wp-uncapped": ("imc.verifier.interpolation.weakest", "WeakestPreconditions", {"cap": False}),
    "farkas": ("imc.verifier.interpolation.farkas", "Farkas", {}),
    "spacer": ("imc.verifier.interpolation.spacer", "Spacer", {}),
}


def make(name: str, terms: Terms, solver: Solver) -> Interpolator:
    """The strategy of that name.

    There is none of bitwuzla's: it interpolates bit-vectors, and our terms are integers.
    """
    if name not in STRATEGIES:
        raise UserError(
            f"unknown interpolation strategy '{name}'", hint=f"known: {', '.join(STRATEGIES)}"
        )
    module, attribute, options = STRATEGIES[name]
    strategy: Interpolator = getattr(import_module(module), attribute)(terms, solver, **options)
    return strategy


@dataclass(slots=True)
class StrategyStatistics:
    asked: int = 0
    answered: int = 0
    declined: int = 0
    unknown: int = 0
    invalid: int = 0  # sequences that failed their check: defects, never used
    time_s: float = 0.0


class Portfolio:
    """Strategies in order: the first whose sequence passes the check answers."""

    name = "portfolio"

    def __init__(
        self,
        terms: Terms,
        solver: Solver,
        order: Sequence[str] = ORDER,
        made: dict[str, Interpolator] | None = None,
    ) -> None:
        """`made`: strategies of these terms and this solver that are there; new ones are added."""
        self.terms, self.solver = terms, solver
        made = {} if made is None else made
        for name in order:
            if name not in made:
                made[name] = make(name, terms, solver)
        self.strategies = {name: made[name] for name in order}
        self.statistics = {name: StrategyStatistics() for name in order}

    def sequence(self, path: Path, known: Known | None = None) -> list[FNode] | None:
        for name, strategy in self.strategies.items():
            statistics = self.statistics[name]
            began = time.perf_counter()
            try:
                found = self._checked(strategy, statistics, path, known)
            except SolverUnknown:
                statistics.unknown += 1
                found = None
            finally:
                statistics.asked += 1
                statistics.time_s += time.perf_counter() - began
            if found is not None:
                return found
        return None

    def accepts(self, path: Path, sequence: Sequence[FNode], known: Known) -> bool:
        """Whether a sequence that was found for an equal path will do."""
        try:
            return check_sequence(self.terms, self.solver, path, sequence, known) is None
        except SolverUnknown:
            return False

    def _checked(
        self,
        strategy: Interpolator,
        statistics: StrategyStatistics,
        path: Path,
        known: Known | None,
    ) -> list[FNode] | None:
        found = strategy.sequence(path, known)
        if found is None:
            statistics.declined += 1
            return None
        if check_sequence(self.terms, self.solver, path, found, known) is not None:
            statistics.invalid += 1
            return None
        statistics.answered += 1
        return found


# --------------------------------------------------------------------------- check


def check_sequence(
    terms: Terms,
    solver: Solver,
    path: Path,
    sequence: Sequence[FNode],
    known: Known | None = None,
) -> str | None:
    """What is wrong with an interpolant sequence, or None."""
    if len(sequence) != len(path.transitions) + 1:
        return f"{len(sequence)} formulas for {len(path.transitions)} transitions"
    foreign = _foreign_symbols(terms, path, sequence)
    if foreign is not None:
        return foreign
    for position, label in enumerate(sequence):
        transition = path.transitions[position - 1] if position else Transition()
        facts = path.start if not position else _facts(terms, sequence[position - 1], transition)
        for conjunct in terms.conjuncts(label):
            claim = terms.substitute(conjunct, transition.updates)
            if _evident(terms, claim, facts) or (known and known(position, conjunct)):
                continue
            if not entails(solver, terms, facts, claim):
                return f"position {position}: {conjunct} is not implied"
    if not entails(solver, terms, terms.conjuncts(sequence[-1]), path.goal):
        return "the last formula does not imply the goal"
    return None


def _facts(terms: Terms, label: FNode, transition: Transition) -> tuple[FNode, ...]:
    return (*terms.conjuncts(label), *transition.guard)


def _foreign_symbols(terms: Terms, path: Path, sequence: Sequence[FNode]) -> str | None:
    """Says which formula mentions a symbol that the rest of the path does not read."""
    live = set(terms.symbols(path.goal))
    for position in range(len(path.transitions), -1, -1):
        if position < len(path.transitions):
            _extend(terms, live, path.transitions[position])
        extra = terms.symbols(sequence[position]) - live
        if extra:
            names = ", ".join(sorted(map(str, extra)))
            return f"position {position}: {names} is not read from here on"
    return None


def _extend(terms: Terms, live: set[FNode], transition: Transition) -> None:
    """From the symbols that are read after a transition to those that are read from it on."""
    if transition.updates:
        live.difference_update(transition.updates)
        for term in transition.updates.values():
            live |= terms.symbols(term)
    for conjunct in transition.guard:
        live |= terms.symbols(conjunct)
    live -= transition.inputs


def _evident(terms: Terms, claim: FNode, facts: Collection[FNode]) -> bool:
    """Whether the normal form alone shows that the facts imply the claim."""
    if claim is terms.true or claim in facts or terms.false in facts:
        return True
    kind = claim.node_type()
    if kind == op.AND:
        return all(_evident(terms, part, facts) for part in claim.args())
    if kind == op.OR:
        return any(_evident(terms, part, facts) for part in claim.args())
    if kind == op.NOT and claim.arg(0).is_equals() and not terms.is_array(claim.arg(0).arg(0)):
        left, right = claim.arg(0).args()
        sides = terms.less(left, right), terms.less(right, left)
        return any(_evident(terms, side, facts) for side in sides)
    wanted = bounds(terms, claim)
    return any(bounds(terms, fact).imply(wanted) for fact in facts)


class Bounds(NamedTuple):
    """What a linear atom says: bounds of a sum. Any other formula bounds nothing but itself."""

    subject: FNode
    low: float
    high: float

    def imply(self, other: Bounds) -> bool:
        return self.subject is other.subject and self.low >= other.low and self.high <= other.high


def bounds(terms: Terms, formula: FNode) -> Bounds:
    """A formula as bounds, with the subject's first coefficient positive."""
    if formula.is_le() or formula.is_equals():
        left, right = formula.args()
        if left.is_int_constant():
            return Bounds(right, left.constant_value(), inf)
        if right.is_int_constant():
            number = right.constant_value()
            if formula.is_equals():
                return Bounds(left, number, number)
            coefficients, _ = terms.linear(left)
            if coefficients[min(coefficients, key=FNode.node_id)] < 0:
                return Bounds(terms.scale(left, -1), -number, inf)
            return Bounds(left, -inf, number)
    return Bounds(formula, -inf, inf)


# ------------------------------------------------------------------- along the path

START = -1  # the origin of what holds at the beginning


@dataclass(frozen=True, slots=True)
class Demand:
    """A conjunct that the path demands, as the step writes it and over the values at the start."""

    origin: int  # the number of the transition, or START
    conjunct: FNode
    value: FNode


class History:
    """The values along a path over those at its start, computed where they are asked for."""

    def __init__(self, terms: Terms, solver: Solver, path: Path, fold_start: bool) -> None:
        """With `fold_start`, constants that the start demands stand for their symbols."""
        self.terms, self.solver, self.path = terms, solver, path
        self.initial = dict(_constants(terms, path.start)) if fold_start else {}
        self.writers: dict[FNode, list[int]] = {}
        self.tests: dict[FNode, list[int]] = {}
        self._values: dict[tuple[int, FNode], FNode] = {}
        self._supports: dict[FNode, tuple[int, frozenset[int] | None]] = {}
        for number, transition in enumerate(path.transitions):
            for symbol in transition.updates:
                self.writers.setdefault(symbol, []).append(number)
            for conjunct in transition.guard:
                for symbol in terms.symbols(conjunct):
                    self.tests.setdefault(symbol, []).append(number)

    def value(self, term: FNode, position: int) -> FNode:
        """The term, read before the transition of that number, over the values at the start."""
        symbols = self.terms.symbols(term)
        versions = {s: self._writer(s, position) for s in symbols}
        self._evaluate((w, s) for s, w in versions.items())
        values = {s: self._version(w, s) for s, w in versions.items()}
        return self.terms.substitute(term, {s: v for s, v in values.items() if v is not s})

    def _writer(self, symbol: FNode, position: int) -> int:
        return before(self.writers.get(symbol, ()), position)

    def _version(self, writer: int, symbol: FNode) -> FNode:
        if writer == START:
            return self.initial.get(symbol, symbol)
        return self._values[writer, symbol]

    def _evaluate(self, versions: Iterable[tuple[int, FNode]]) -> None:
        """Computes what symbols hold after their writers, with all that this needs, in order."""
        work = [v for v in versions if v[0] != START and v not in self._values]
        needed: dict[tuple[int, FNode], dict[FNode, int]] = {}
        while work:
            version = work.pop()
            if version in needed:
                continue
            writer, symbol = version
            term = self.path.transitions[writer].updates[symbol]
            reads = {s: self._writer(s, writer) for s in self.terms.symbols(term)}
            needed[version] = reads
            work += [(w, s) for s, w in reads.items() if w != START and (w, s) not in self._values]
        for version in sorted(needed, key=lambda v: v[0]):
            values = {s: self._version(w, s) for s, w in needed[version].items()}
            writer, symbol = version
            self._values[version] = self.terms.substitute(
                self.path.transitions[writer].updates[symbol], values
            )

    @cached_property
    def conditions(self) -> list[Demand]:
        """All that the path demands, earliest first, without what is true by arithmetic."""
        found = [Demand(START, c, self.value(c, 0)) for c in self.path.start]
        for number, transition in enumerate(self.path.transitions):
            found += [Demand(number, c, self.value(c, number)) for c in transition.guard]
        return [c for c in found if c.value is not self.terms.true]

    @cached_property
    def _mentions(self) -> dict[FNode, list[int]]:
        """The conditions whose values mention a symbol."""
        mentions: dict[FNode, list[int]] = {}
        for number, condition in enumerate(self.conditions):
            for symbol in self.terms.symbols(condition.value):
                mentions.setdefault(symbol, []).append(number)
        return mentions

    def support(self, claim: FNode, position: int) -> frozenset[int] | None:
        """The conditions before that position that imply the claim there; None if they do not.

        Conditions that share no symbols with the claim, directly or not, are left aside: a claim
        that holds only because those contradict one another is not found.
        """
        value = self.value(claim, position)
        if value is self.terms.true:
            return frozenset()
        if value is self.terms.false:
            return None
        asked, found = self._supports.get(value, (START, None))
        if found is None and position <= asked:
            return None
        if found is not None and all(self.conditions[n].origin < position for n in found):
            return found
        found = self._core(value, self._connected(value, position))
        self._supports[value] = position, found
        return found

    def explanation(self) -> tuple[FNode, frozenset[int]] | None:
        """The goal, or false if the path cannot be taken, with the conditions that imply it."""
        support = self.support(self.path.goal, len(self.path.transitions))
        if support is not None:
            return self.path.goal, support
        contradiction = self._core(self.terms.false, range(len(self.conditions)))
        return None if contradiction is None else (self.terms.false, contradiction)

    def _core(self, value: FNode, numbers: Iterable[int]) -> frozenset[int] | None:
        # The earliest come first, hence are left out first: what is close by explains best.
        latest = {self.conditions[n].value: n for n in numbers}
        chosen = sorted(latest.values())
        formulas = [self.conditions[n].value for n in chosen]
        if value is not self.terms.false:
            formulas.append(self.terms.negate(value))
        core = self.solver.core(formulas) if formulas else None
        if core is None:
            return None
        return frozenset(chosen[n] for n in core if n < len(chosen))

    def _connected(self, value: FNode, position: int) -> list[int]:
        found: set[int] = set()
        work = list(self.terms.symbols(value))
        seen = set(work)
        while work:
            for number in self._mentions.get(work.pop(), ()):
                condition = self.conditions[number]
                if number in found or condition.origin >= position:
                    continue
                found.add(number)
                new = self.terms.symbols(condition.value) - seen
                seen |= new
                work += new
        return sorted(found)


def before(steps: list[int] | tuple[()], position: int) -> int:
    """The last of the ascending steps before the position, or START."""
    index = bisect_left(steps, position)
    return steps[index - 1] if index else START


def _constants(terms: Terms, start: Iterable[FNode]) -> Iterator[tuple[FNode, FNode]]:
    """The symbols that the start gives a value."""
    for conjunct in start:
        if conjunct.is_equals():
            left, right = conjunct.args()
            if left.is_symbol() and not terms.symbols(right):
                yield left, right
