"""The one way to ask a solver. Every question has a time limit, and 'unknown' is an answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

import z3
from pysmt.fnode import FNode
from pysmt.solvers.z3 import Z3Converter

from imc.interrupts import interruptible
from imc.program.faults import OutOfTime
from imc.terms.terms import Terms

TIMEOUT_MS = 2000
ENOUGH = 0.5  # of its time limit that a question has to have computed for to be given up
STOPPED = ("timeout", "canceled")  # the reasons of z3 when the time was over
FEW = 6  # formulas that are left out one by one, without the solver's advice
MOST_NAMES = 60  # formulas that one solver is given names for: it looks at all of them each time


Answer = TypeVar("Answer")


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

    def __init__(self, terms: Terms, timeout_ms: int = TIMEOUT_MS) -> None:
        self.terms = terms
        self.statistics = SolverStatistics()
        self._context = interruptible(z3.Context())
        self._timeout_ms = timeout_ms
        self._convert = Z3Converter(terms.environment, z3_ctx=self._context).convert
        self._plain = _Incremental(self._context, "QF_LIA", timeout_ms, self._convert)
        self._arrays = _Incremental(self._context, "QF_AUFLIA", timeout_ms, self._convert)
        self._answers: dict[frozenset[FNode], bool] = {}
        self.deadline: float | None = None  # of time.monotonic(), after which nothing is answered

    def _for(self, formulas: Iterable[FNode]) -> _Incremental:
        """The solver of the smallest theory: that of arrays is much slower."""
        return self._arrays if any(map(self.terms.has_arrays, formulas)) else self._plain

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
        chosen = self._for(key)
        solver = chosen.solver
        _push(solver)
        try:
            solver.add([self._convert(f) for f in key])
            answer = self._check(solver)
        finally:
            solver.pop()
        self._answers[key] = answer
        return answer

    def core(self, formulas: list[FNode]) -> list[int] | None:
        if self.terms.false in formulas:
            return [formulas.index(self.terms.false)]
        chosen = self._for(formulas)
        names = chosen.names(formulas)
        if self._check(chosen.named, names):
            return None
        kept = list(range(len(names)))
        if len(names) > FEW:  # which core the solver names is a matter of luck
            found = {name.get_id() for name in chosen.named.unsat_core()}
            kept = [n for n in kept if names[n].get_id() in found]
        kept = [n for n in kept if formulas.index(formulas[n]) == n]
        for candidate in list(kept):  # leave out one after the other
            rest = [n for n in kept if n != candidate]
            try:
                if not self._check(chosen.named, [names[n] for n in rest]):
                    kept = rest
            except SolverUnknown:
                continue
        return kept

    def model(self, formulas: Iterable[FNode], wanted: Iterable[FNode]) -> dict[FNode, int] | None:
        listed = list(formulas)
        solver = self._for(listed).solver
        _push(solver)
        try:
            solver.add([self._convert(f) for f in listed])
            if not self._check(solver):
                return None
            model = solver.model()
            return {
                symbol: model.eval(self._convert(symbol), model_completion=True).as_long()
                for symbol in wanted
            }
        finally:
            solver.pop()

    def _check(self, solver: z3.Solver, assumptions: Iterable[z3.BoolRef] = ()) -> bool:
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise OutOfTime
        start = time.perf_counter()
        answer = self._answer(solver, list(assumptions))
        self.statistics.time_s += time.perf_counter() - start
        self.statistics.calls += 1
        if answer == z3.unknown:
            self.statistics.unknown += 1
            raise SolverUnknown(f"the solver gave up: {solver.reason_unknown()}")
        return bool(answer == z3.sat)

    def _answer(self, solver: z3.Solver, assumptions: list[z3.BoolRef]) -> z3.CheckSatResult:
        """z3 looks at the clock: a question that others have kept waiting is asked once more."""
        given_ms = limit_ms = self._timeout_ms
        try:
            while True:
                if self.deadline is not None:
                    left_ms = max(1, int(1000 * (self.deadline - time.monotonic())))
                    limit_ms = min(limit_ms, left_ms)
                if limit_ms != given_ms:
                    solver.set("timeout", limit_ms)
                    given_ms = limit_ms
                began = time.process_time()
                answer = solver.check(*assumptions)
                computed_ms = 1000 * (time.process_time() - began)
                if answer != z3.unknown or solver.reason_unknown() not in STOPPED:
                    return answer
                if self.deadline is not None and time.monotonic() > self.deadline:
                    raise OutOfTime
                if computed_ms >= ENOUGH * self._timeout_ms:
                    return answer
                limit_ms *= 2
        finally:
            if given_ms != self._timeout_ms:
                solver.set("timeout", self._timeout_ms)


def _push(solver: z3.Solver) -> None:
    """A signal that came while z3 was idle is in the way once, until the next question."""
    try:
        solver.push()
    except z3.Z3Exception:
        solver.check()
        solver.push()


class _Incremental:
    """z3 solvers for one theory: one to push and pop, one that knows formulas by names."""

    def __init__(
        self,
        context: z3.Context,
        logic: str,
        timeout_ms: int,
        convert: Callable[[FNode], z3.BoolRef],
    ) -> None:
        self._context = context
        self._logic = logic
        self._timeout_ms = timeout_ms
        self._convert = convert
        self.solver = self.fresh()
        self.named = self.fresh()
        self._names: dict[FNode, z3.BoolRef] = {}

    def fresh(self) -> z3.Solver:
        solver = z3.SolverFor(self._logic, ctx=self._context)
        solver.set("timeout", self._timeout_ms)
        solver.set("ctrl_c", False)  # an interrupt is for us, not a question without an answer
        return solver

    def names(self, formulas: list[FNode]) -> list[z3.BoolRef]:
        """Propositions that imply the formulas, so that they can be assumed and left out."""
        if len(self._names) > MOST_NAMES:
            self.named, self._names = self.fresh(), {}
        return [self._name(formula) for formula in formulas]

    def _name(self, formula: FNode) -> z3.BoolRef:
        name = self._names.get(formula)
        if name is None:
            name = z3.Bool(f"core!{formula.node_id()}", ctx=self._context)
            self.named.add(z3.Implies(name, self._convert(formula)))
            self._names[formula] = name
        return name


def within(limit_ms: int, ask: Callable[[int], Answer | None]) -> Answer | None:
    """What somebody answers who is given so much time by the clock, and more of it after waiting
    for others; None if there is no answer."""
    given_ms = limit_ms
    while True:
        began, computed = time.monotonic(), time.process_time()
        answer = ask(given_ms)
        if answer is not None or 1000 * (time.monotonic() - began) < given_ms:
            return answer
        if 1000 * (time.process_time() - computed) >= ENOUGH * limit_ms:
            return None
        given_ms *= 2


def entails(solver: Solver, terms: Terms, facts: Iterable[FNode], claim: FNode) -> bool:
    """Whether the facts imply the claim."""
    known = set(facts)
    if claim is terms.true or claim in known:
        return True
    return not solver.satisfiable([*known, terms.negate(claim)])
