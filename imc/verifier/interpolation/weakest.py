"""Interpolants by weakest preconditions: from the goal backwards, guided by the path's values.

Each conjunct travels on its own and is touched only by the steps that write or test its symbols.
Where a choice in a formula (if-then-else, disjunction, disequality) is decided by the path, the
side the path takes stands for the choice, so that labels stay conjunctions of linear atoms.
Performance-critical: a solver is asked only where the path's values leave something open.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pysmt.operators as op
from pysmt.fnode import FNode

from imc.terms.paths import Path, Transition
from imc.terms.terms import Terms
from imc.verifier.interpolation.interpolate import (
    START,
    Bounds,
    History,
    Known,
    before,
    bounds,
)
from imc.verifier.interpolation.spacer import InputElimination
from imc.verifier.solver import Solver, entails


@dataclass(frozen=True, slots=True)
class Duty:
    """A conjunct that must hold at a position, and conditions that (with the start) imply it."""

    formula: FNode
    support: frozenset[int]


class WeakestPreconditions:
    """The strategy `wp`; with `cap`, disequalities become the inequality that the path obeys."""

    name = "wp"

    def __init__(self, terms: Terms, solver: Solver, cap: bool = True) -> None:
        self.terms, self.solver, self.cap = terms, solver, cap
        self.inputs = InputElimination(terms)
        self._eliminated: dict[object, FNode | None] = {}

    def sequence(self, path: Path, known: Known | None = None) -> list[FNode] | None:
        history = History(self.terms, self.solver, path, fold_start=True)
        end = len(path.transitions)
        goal = history.explanation()
        if goal is None:
            return None
        spans = Spans(self.terms)
        agenda = {end: list(self._resolve(history, Duty(*goal), end))}
        while agenda:
            position = max(agenda)
            for duty in spans.without_implied(position, agenda.pop(position)):
                step = self._previous(history, duty, position)
                if known is not None and known(position, duty.formula):
                    spans.add(position, position, duty.formula)
                    continue
                spans.add(step + 1, position, duty.formula)
                if step == START or (known is not None and known(step + 1, duty.formula)):
                    continue
                needed = self._precondition(history, duty, step)
                if needed is None:
                    return None
                agenda.setdefault(step, []).extend(self._resolve(history, needed, step))
        return spans.labels(end)

    def _previous(self, history: History, duty: Duty, position: int) -> int:
        """The last transition before the position that writes or tests what the duty is about."""
        last = START
        for symbol in self.terms.symbols(duty.formula):
            for steps in (history.writers.get(symbol), history.tests.get(symbol)):
                if steps is not None:
                    last = max(last, before(steps, position))
        for number in duty.support:
            origin = history.conditions[number].origin
            if origin < position:
                last = max(last, origin)
        return last

    def _precondition(self, history: History, duty: Duty, step: int) -> Duty | None:
        """What must hold before a transition for the duty to hold after it; None: not known."""
        terms, transition = self.terms, history.path.transitions[step]
        formula = terms.substitute(duty.formula, transition.updates)
        if self._guarded(transition, formula):
            return Duty(terms.true, frozenset())
        used = [n for n in duty.support if history.conditions[n].origin == step]
        needed = [history.conditions[n].conjunct for n in used]
        weakened = terms.disjunction([*(terms.negate(g) for g in needed), formula])
        if not transition.inputs.isdisjoint(terms.symbols(weakened)):
            found = self._for_all_inputs(transition, weakened)
            if found is None:
                return None
            weakened = found
        return Duty(weakened, duty.support.difference(used))

    def _guarded(self, transition: Transition, formula: FNode) -> bool:
        """Whether the formula follows from the transition's guard alone (or from nothing)."""
        symbols = self.terms.symbols(formula)
        related = [g for g in transition.guard if not symbols.isdisjoint(self.terms.symbols(g))]
        if formula is self.terms.true or formula in related:
            return True
        if not related and transition.inputs.isdisjoint(symbols) and not self._divides(formula):
            return False  # no arithmetic to be done
        return entails(self.solver, self.terms, transition.guard if related else (), formula)

    def _divides(self, formula: FNode) -> bool:
        return any(t.node_type() == op.DIV for t in _subterms(formula))

    def _for_all_inputs(self, transition: Transition, formula: FNode) -> FNode | None:
        # The same steps come back on path after path: unlike a formula's value, this one lasts.
        key = transition.guard, transition.inputs, formula
        if key not in self._eliminated:
            self._eliminated[key] = self.inputs.for_all(transition, formula)
        return self._eliminated[key]

    # ----------------------------------------------------------- the path's side

    def _resolve(self, history: History, duty: Duty, position: int) -> Iterator[Duty]:
        """The duty as conjuncts, with every choice that the path decides replaced by its side."""
        work = [duty]
        while work:
            duty = work.pop()
            formula, kind = duty.formula, duty.formula.node_type()
            if formula is self.terms.true:
                continue
            if kind == op.AND:
                work += [Duty(part, duty.support) for part in formula.args()]
                continue
            if kind == op.OR:
                chosen = self._disjunct(history, duty, position)
            elif self.cap and kind == op.NOT and formula.arg(0).is_equals():
                chosen = self._capped(history, duty, position)
            else:
                chosen = self._branch(history, duty, position)
            if len(chosen) == 1 and chosen[0].formula is formula:
                yield chosen[0]
            else:
                work += chosen

    def _disjunct(self, history: History, duty: Duty, position: int) -> list[Duty]:
        parts = sorted(duty.formula.args(), key=lambda p: len(self.terms.symbols(p)))
        open_parts: list[FNode] = []
        for part in parts:
            value = history.value(part, position)
            if value is self.terms.true:
                return [Duty(part, frozenset())]
            if value is not self.terms.false:
                open_parts.append(part)
        if len(open_parts) > 1:
            for part in open_parts:
                support = history.support(part, position)
                if support is not None:
                    return [Duty(part, support)]
        if not open_parts:  # the path contradicts itself before it comes here
            return [duty]
        return [Duty(self.terms.disjunction(open_parts), duty.support)]

    def _capped(self, history: History, duty: Duty, position: int) -> list[Duty]:
        left, right = duty.formula.arg(0).args()
        if self.terms.is_array(left):
            return [duty]
        for side in (self.terms.less(left, right), self.terms.less(right, left)):
            support = history.support(side, position)
            if support is not None:
                return [Duty(side, support)]
        return self._branch(history, duty, position)

    def _branch(self, history: History, duty: Duty, position: int) -> list[Duty]:
        for term in (t for t in _subterms(duty.formula) if t.is_ite()):
            condition, then, otherwise = term.args()
            for taken, side in ((condition, then), (self.terms.negate(condition), otherwise)):
                support = history.support(taken, position)
                if support is not None:
                    formula = _replace(self.terms, duty.formula, term, side)
                    return [Duty(taken, support), Duty(formula, duty.support | support)]
        return [duty]


class Spans:
    """From where to where formulas are to hold; positions are looked at from right to left."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.all: list[tuple[int, int, FNode]] = []
        self._open: dict[FNode, list[tuple[int, Bounds]]] = {}  # by subject; where they begin

    def add(self, first: int, last: int, formula: FNode) -> None:
        self.all.append((first, last, formula))
        bound = bounds(self.terms, formula)
        self._open.setdefault(bound.subject, []).append((first, bound))

    def without_implied(self, position: int, duties: Iterable[Duty]) -> list[Duty]:
        """The duties that nothing else which is to hold at the position makes superfluous."""
        kept: dict[FNode, list[tuple[Bounds, Duty]]] = {}
        for duty in duties:
            bound = bounds(self.terms, duty.formula)
            subject = bound.subject
            if subject in self._open:
                self._open[subject] = [o for o in self._open[subject] if o[0] <= position]
            others = kept.setdefault(subject, [])
            present = [b for _, b in self._open.get(subject, ())] + [b for b, _ in others]
            if not any(b.imply(bound) for b in present):
                others[:] = [o for o in others if not bound.imply(o[0])]
                others.append((bound, duty))
        return [duty for others in kept.values() for _, duty in others]

    def labels(self, end: int) -> list[FNode]:
        """The conjunction, at each position up to the end, of the formulas that are to hold."""
        changes: list[list[tuple[FNode, int]]] = [[] for _ in range(end + 2)]
        for first, last, formula in self.all:
            changes[first].append((formula, 1))
            changes[last + 1].append((formula, -1))
        counts: dict[FNode, int] = {}
        labels: list[FNode] = []
        for change in changes[: end + 1]:
            for formula, difference in change:
                counts[formula] = counts.get(formula, 0) + difference
            if change or not labels:
                counts = {f: n for f, n in counts.items() if n}
                labels.append(self.terms.conjunction(counts))
            else:
                labels.append(labels[-1])
        return labels


def _subterms(formula: FNode) -> Iterator[FNode]:
    """A formula's terms, outer ones first, each once."""
    work, seen = [formula], {formula}
    while work:
        term = work.pop()
        yield term
        new = [a for a in term.args() if a not in seen]
        seen.update(new)
        work += new


def _replace(terms: Terms, term: FNode, old: FNode, new: FNode) -> FNode:
    """The term with one of its subterms replaced, in normal form again."""
    if term is old:
        return new
    if not term.args():
        return term
    return terms.rebuild(term, [_replace(terms, a, old, new) for a in term.args()])
