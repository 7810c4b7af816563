"""The one way to ask a solver. Every question has a time limit, and 'unknown' is an answer."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

import z3
from pysmt.fnode import FNode
from pysmt.solvers.z3 import Z3Converter

from imc.symbolic.terms import Terms

TIMEOUT_MS = 5000


class SolverUnknown(Exception):
    """The solver gave up; nothing may be concluded from that."""


@dataclass(slots=True)
class SolverStatistics:
    calls: int = 0
    cached: int = 0
    unknown: int = 0
    time_s: float = 0.0


class Solver(Protocol):
    """What the engine asks. Answers are exact; `SolverUnknown` is raised where there is none."""

    statistics: SolverStatistics

    def satisfiable(self, formulas: Iterable[FNode]) -> bool: ...

    def core(self, formulas: list[FNode]) -> list[int] | None:
        """Indices of formulas that contradict each other, none superfluous; None if satisfiable."""
        ...

    def model(self, formulas: Iterable[FNode], wanted: Iterable[FNode]) -> dict[FNode, int] | None:
        """Values of integer symbols that make the formulas true, or None."""
        ...


class Z3Solver:
    """z3 on integers: incremental, with every term converted once."""

    name = "z3"

    def __init__(
        self,
        terms: Terms,
        timeout_ms: int = TIMEOUT_MS,
        statistics: SolverStatistics | None = None,
    ) -> None:
        self.terms = terms
        self.timeout_ms = timeout_ms
        self.statistics = statistics or SolverStatistics()
        self._context = z3.Context()
        self._converter = Z3Converter(terms.environment, z3_ctx=self._context)
        self._solver = self._fresh()
        self._answers: dict[frozenset[FNode], bool] = {}

    def _fresh(self) -> z3.Solver:
        solver = z3.SolverFor("QF_AUFLIA", ctx=self._context)
        solver.set("timeout", self.timeout_ms)
        return solver

    def satisfiable(self, formulas: Iterable[FNode]) -> bool:
        key = frozenset(formulas) - {self.terms.true}
        if self.terms.false in key:
            return False
        if not key:
            return True
        found = self._answers.get(key)
        if found is not None:
            self.statistics.cached += 1
            return found
        self._solver.push()
        try:
            self._solver.add([self._convert(f) for f in key])
            answer = self._check(self._solver)
        finally:
            self._solver.pop()
        self._answers[key] = answer
        return answer

    def core(self, formulas: list[FNode]) -> list[int] | None:
        if self.terms.false in formulas:
            return [formulas.index(self.terms.false)]
        solver = self._fresh()
        names = [z3.Bool(f"core!{n}", ctx=self._context) for n in range(len(formulas))]
        for name, formula in zip(names, formulas, strict=True):
            solver.add(z3.Implies(name, self._convert(formula)))
        if self._check(solver, names):
            return None
        kept = sorted(int(str(n)[5:]) for n in solver.unsat_core())
        for candidate in list(kept):  # leave out one after the other
            rest = [n for n in kept if n != candidate]
            try:
                if not self._check(solver, [names[n] for n in rest]):
                    kept = rest
            except SolverUnknown:
                continue
        return kept

    def model(self, formulas: Iterable[FNode], wanted: Iterable[FNode]) -> dict[FNode, int] | None:
        solver = self._fresh()
        solver.add([self._convert(f) for f in formulas])
        if not self._check(solver):
            return None
        model = solver.model()
        return {
            symbol: model.eval(self._convert(symbol), model_completion=True).as_long()
            for symbol in wanted
        }

    def _convert(self, formula: FNode) -> z3.BoolRef:
        return self._converter.convert(formula)

    def _check(self, solver: z3.Solver, assumptions: Iterable[z3.BoolRef] = ()) -> bool:
        start = time.perf_counter()
        answer = solver.check(*assumptions)
        self.statistics.time_s += time.perf_counter() - start
        self.statistics.calls += 1
        if answer == z3.unknown:
            self.statistics.unknown += 1
            raise SolverUnknown(solver.reason_unknown())
        return bool(answer == z3.sat)


def entails(solver: Solver, terms: Terms, facts: Iterable[FNode], claim: FNode) -> bool:
    """Whether the facts imply the claim."""
    known = set(facts)
    if claim is terms.true or claim in known:
        return True
    return not solver.satisfiable([*known, terms.negate(claim)])
