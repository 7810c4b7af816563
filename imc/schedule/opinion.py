"""A second opinion: the solver that checks is another one than the solver that proved."""

from __future__ import annotations

from collections.abc import Iterable

from pysmt.exceptions import PysmtException
from pysmt.fnode import FNode

from imc.symbolic.terms import Terms

TIMEOUT_MS = 20_000


class Undecided(Exception):
    """The solver cannot tell, so nothing counts as proved."""


class SecondOpinion:
    """cvc5 on integers and arrays; every answer is exact, or `Undecided` is raised."""

    name = "cvc5"

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.calls = 0
        self._solver = terms.environment.factory.Solver(
            name=self.name,
            logic="QF_AUFLIA",
            solver_options={"tlimit-per": str(TIMEOUT_MS)},
        )
        self._answers: dict[frozenset[FNode], bool] = {}

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
        self.calls += 1
        self._solver.push()
        try:
            for formula in sorted(formulas, key=FNode.node_id):
                self._solver.add_assertion(formula)
            if not self._solver.solve():
                return None
            return 0 if term is None else int(self._solver.get_value(term).constant_value())
        except PysmtException as problem:
            raise Undecided(f"{self.name} gave up: {problem}") from problem
        finally:
            self._solver.pop()
