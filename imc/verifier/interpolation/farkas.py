"""Interpolants by Farkas' lemma: one linear combination of a path's conditions refutes them all.

What the conditions from a position on contribute to the combination is a linear sum over the
values there, and that the sum is positive is the interpolant (it negates what they say together;
the classical partial sum of the conditions before is the same inequality with a stronger bound).
Sums that do not depend on the length of the path make labels that are inductive around loops.
A disjunction among the conditions splits the proof into cases; before it all cases' labels are
needed, after it one of them suffices.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from math import lcm

import z3
from pysmt.fnode import FNode

from imc.interrupts import interruptible
from imc.terms.paths import Path
from imc.terms.terms import Terms
from imc.verifier.interpolation.interpolate import START, History, Known, before
from imc.verifier.interpolation.weakest import Spans
from imc.verifier.solver import Solver, within

MOST_CASES = 16  # four disequalities that are open on both sides
MULTIPLIERS_MS = 1000


@dataclass(frozen=True, slots=True)
class Fact:
    """A formula that holds before the transition of that number; START: at the beginning."""

    position: int
    formula: FNode


@dataclass(frozen=True, slots=True)
class Combination:
    """Facts that are linear atoms, and multipliers that make their sum contradictory."""

    multipliers: tuple[tuple[Fact, int], ...]


@dataclass(frozen=True, slots=True)
class Cases:
    """A refutation for each disjunct of a fact of that position; false has no disjuncts."""

    position: int
    parts: tuple[Refutation, ...]


Refutation = Combination | Cases


class Farkas:
    """The strategy `farkas`: for conditions that are linear, up to a few disjunctions."""

    name = "farkas"

    def __init__(self, terms: Terms, solver: Solver) -> None:
        self.terms, self.solver = terms, solver
        self.context = interruptible(z3.Context())

    def sequence(self, path: Path, known: Known | None = None) -> list[FNode] | None:
        history = History(self.terms, self.solver, path, fold_start=False)
        found = history.explanation()
        if found is None:
            return None
        goal, support = found
        facts = [
            Fact(history.conditions[n].origin, history.conditions[n].conjunct)
            for n in sorted(support)
        ]
        facts.append(Fact(len(path.transitions), self.terms.negate(goal)))
        refutation = Refuter(self.terms, history, self.context).refute([], facts)
        return None if refutation is None else self._labels(history, refutation)

    def _labels(self, history: History, refutation: Refutation) -> list[FNode] | None:
        if isinstance(refutation, Combination):
            return self._partial_sums(history, refutation)
        parts: list[list[FNode]] = []
        for part in refutation.parts:
            labels = self._labels(history, part)
            if labels is None:
                return None
            parts.append(labels)
        joins = self.terms.conjunction, self.terms.disjunction
        return [
            joins[position > refutation.position](labels[position] for labels in parts)
            for position in range(len(history.path.transitions) + 1)
        ]

    def _partial_sums(self, history: History, proof: Combination) -> list[FNode] | None:
        """That the sum of the facts from each position on is positive."""
        terms, transitions = self.terms, history.path.transitions
        rows: dict[int, list[FNode]] = {}
        for fact, multiplier in proof.multipliers:
            rows.setdefault(fact.position, []).append(
                terms.scale(terms.subtract(*fact.formula.args()), multiplier)
            )
        position = len(transitions)
        total = self._sum(rows.get(position, ()))
        spans = Spans(terms)
        while True:
            step = max((p for p in rows if p < position), default=START)
            for symbol in terms.symbols(total):
                step = max(step, before(history.writers.get(symbol, ()), position))
            spans.add(step + 1, position, terms.at_most(terms.one, total))
            if step == START:
                return spans.labels(len(transitions))
            total = terms.substitute(total, transitions[step].updates)
            total = self._sum([total, *rows.get(step, ())])
            inputs = transitions[step].inputs
            if any(t.is_ite() or inputs & terms.symbols(t) for t in terms.linear(total)[0]):
                return None  # a choice, or an input within an atom such as a product
            position = step

    def _sum(self, parts: Iterable[FNode]) -> FNode:
        total = self.terms.zero
        for part in parts:
            total = self.terms.add(total, part)
        return total


class Refuter:
    """Searches for a refutation of facts along one path."""

    def __init__(self, terms: Terms, history: History, context: z3.Context) -> None:
        self.terms, self.history, self.context = terms, history, context
        self.cases_left = MOST_CASES

    def refute(self, atoms: list[Fact], others: list[Fact]) -> Refutation | None:
        """A refutation of linear atoms and other facts, which are split where need be."""
        atoms = list(atoms)
        splits: list[Fact] = []
        for fact in chain.from_iterable(map(self._conjuncts, others)):
            (atoms if fact.formula.is_le() or fact.formula.is_equals() else splits).append(fact)
        multipliers = self._multipliers(atoms)
        if multipliers is not None:
            self.cases_left -= 1
            return Combination(multipliers)
        if not splits or self.cases_left <= 0:
            return None
        # The latest first: the goal's cases are what the labels are to say together.
        fact, rest = splits[-1], splits[:-1]
        cases = self._disjuncts(fact.formula)
        parts: list[Refutation] = []
        for case in cases or ():
            part = self.refute(atoms, [*rest, Fact(fact.position, case)])
            if part is None:
                return None
            parts.append(part)
        return None if cases is None else Cases(fact.position, tuple(parts))

    def _conjuncts(self, fact: Fact) -> Iterator[Fact]:
        for formula in self.terms.conjuncts(fact.formula):
            yield Fact(fact.position, formula)

    def _disjuncts(self, formula: FNode) -> list[FNode] | None:
        """The formula's cases (false has none); None if it is not one that has cases."""
        if formula is self.terms.false:
            return []
        if formula.is_or():
            return list(formula.args())
        if formula.is_not() and formula.arg(0).is_equals():
            left, right = formula.arg(0).args()
            if not self.terms.is_array(left):
                return [self.terms.less(left, right), self.terms.less(right, left)]
        return None

    def _multipliers(self, atoms: list[Fact]) -> tuple[tuple[Fact, int], ...] | None:
        """Small multipliers of few atoms whose sum says that a positive number is at most zero."""
        program = z3.Optimize(ctx=self.context)
        program.set("ctrl_c", False)  # an interrupt is for us
        columns: dict[FNode, list[z3.ArithRef]] = {}
        constants: list[z3.ArithRef] = []
        unknowns: list[tuple[Fact, int, z3.ArithRef]] = []
        for number, fact in enumerate(atoms):
            if self.terms.is_array(fact.formula.arg(0)):
                continue
            difference = self.terms.subtract(*fact.formula.args())
            row, constant = self.terms.linear(self.history.value(difference, max(fact.position, 0)))
            for sign in (1, -1) if fact.formula.is_equals() else (1,):
                unknown = z3.Real(f"{number}:{sign}", ctx=self.context)
                program.add(unknown >= 0)
                unknowns.append((fact, sign, unknown))
                constants.append(unknown * (sign * constant))
                for atom, factor in row.items():
                    columns.setdefault(atom, []).append(unknown * (sign * factor))
        if not unknowns:
            return None
        program.add(*(z3.Sum(column) == 0 for column in columns.values()), z3.Sum(constants) >= 1)
        program.minimize(z3.Sum([unknown for _, _, unknown in unknowns]))

        def solved(limit_ms: int) -> z3.ModelRef | None:
            program.set("timeout", limit_ms)
            return program.model() if program.check() == z3.sat else None

        model = within(MULTIPLIERS_MS, solved)
        return None if model is None else _integral(model, unknowns)


def _integral(
    model: z3.ModelRef, unknowns: list[tuple[Fact, int, z3.ArithRef]]
) -> tuple[tuple[Fact, int], ...]:
    """The unknowns' values times what makes them all integers, without the zeros."""
    values = [
        (fact, sign * model.eval(unknown, model_completion=True).as_fraction())
        for fact, sign, unknown in unknowns
    ]
    scale = lcm(*(value.denominator for _, value in values))
    return tuple((fact, int(value * scale)) for fact, value in values if value)
