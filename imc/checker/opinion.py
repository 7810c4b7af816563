"""A second opinion: the solver that checks is another one than the solver that proved."""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import nullcontext

import pysmt.operators as op
from pysmt.exceptions import PysmtException
from pysmt.fnode import FNode
from pysmt.logics import QF_AUFLIA, Logic
from pysmt.solvers.cvcfive import CVC5Solver

from imc.checker.deadline import Deadline
from imc.checker.refusal import Undecided
from imc.interrupts import at_once
from imc.terms.terms import Terms

LONGEST_S = 20.0  # for one question
SHORT_S = 0.5  # that one takes before Ctrl-C would have to wait too long for its end
NEARLY = 0.9  # of a limit: two clocks do not agree to the millisecond
ENOUGH = 0.5  # of its time that a question has to have computed for to be given up

_PRODUCTS = QF_AUFLIA.theory.copy()
_PRODUCTS.linear = False
QF_AUFNIA = Logic("QF_AUFNIA", "integers with products, and arrays", True, _PRODUCTS)


class SecondOpinion:
    """cvc5 on integers and arrays; every answer is exact, or `Undecided` is raised."""

    name = "cvc5"

    def __init__(self, terms: Terms, deadline: Deadline) -> None:
        self.terms = terms
        self.deadline = deadline
        self.calls = 0
        self._solvers: dict[Logic, CVC5Solver] = {}
        self._answers: dict[frozenset[FNode], bool] = {}
        self._products: dict[FNode, bool] = {}

    def satisfiable(self, formulas: Iterable[FNode]) -> bool:
        key = frozenset(formulas) - {self.terms.true}
        if self.terms.false in key:
            return False
        if key and key not in self._answers:
            self._answers[key] = self._solve(key, None) is not None
        return not key or self._answers[key]

    def value(self, term: FNode, formulas: Iterable[FNode]) -> int | None:
        """What an integer term can be where the formulas hold; None: they do not."""
        return self._solve(frozenset(formulas), term)

    def _solve(self, formulas: frozenset[FNode], term: FNode | None) -> int | None:
        """A value of the term (0 without one) in a model, or None if there is no model."""
        self.deadline.look()
        self.calls += 1
        asked = formulas if term is None else formulas | {term}
        solver = self._solver(QF_AUFNIA if any(map(self._multiplies, asked)) else QF_AUFLIA)
        computed, longest = time.process_time(), SHORT_S
        while True:
            limit = max(1, int(1000 * self.deadline.left(longest)))
            began = time.monotonic()
            try:
                with at_once() if longest > SHORT_S else nullcontext():
                    return self._ask(solver, formulas, term, limit)
            except PysmtException as problem:
                self.deadline.look()
                over = time.monotonic() - began >= NEARLY * limit / 1000
                if over and time.process_time() - computed < ENOUGH * LONGEST_S:
                    longest = LONGEST_S  # or the solver, which looks at the clock, had to wait
                    continue
                why = str(problem) or "it does not know"
                raise Undecided(f"{self.name} gave up: {why}") from problem

    def _ask(
        self, solver: CVC5Solver, formulas: frozenset[FNode], term: FNode | None, limit: int
    ) -> int | None:
        """The same, within so many milliseconds."""
        solver.set_option("tlimit-per", str(limit))
        solver.push()
        try:
            for formula in sorted(formulas, key=FNode.node_id):
                solver.add_assertion(formula)
            if not solver.solve():
                return None
            return 0 if term is None else int(solver.get_value(term).constant_value())
        finally:
            solver.pop()

    def _solver(self, logic: Logic) -> CVC5Solver:
        """One for each logic: products of unknowns are another matter than sums."""
        found = self._solvers.get(logic)
        if found is None:
            environment = self.terms.environment
            found = CVC5Solver(environment, logic, generate_models=True, incremental=True)
            self._solvers[logic] = found
        return found

    def _multiplies(self, term: FNode) -> bool:
        """Whether two unknowns are multiplied somewhere in a term."""
        found = self._products.get(term)
        if found is None:
            unknown = [a for a in term.args() if not a.is_int_constant()]
            found = (term.node_type() == op.TIMES and len(unknown) > 1) or any(
                map(self._multiplies, term.args())
            )
            self._products[term] = found
        return found
