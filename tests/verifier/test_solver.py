"""Questions to the solver: their limit is one of computing, whatever else the machine does."""

from __future__ import annotations

import time
from typing import cast

import pytest
import z3

from imc.program.faults import OutOfTime
from imc.terms.terms import Terms
from imc.verifier.solver import SolverUnknown, Z3Solver, within

LIMIT_MS = 50


class Clock:
    """One of z3's solvers whose time is over until it is given enough of it."""

    def __init__(self, enough_ms: int, why: str = "timeout", computes: bool = False) -> None:
        self.enough_ms, self.why, self.computes = enough_ms, why, computes
        self.limit_ms = LIMIT_MS
        self.asked = 0

    def set(self, option: str, value: int) -> None:
        assert option == "timeout"
        self.limit_ms = value

    def check(self, *assumptions: z3.BoolRef) -> z3.CheckSatResult:
        self.asked += 1
        until = time.process_time() + self.limit_ms / 1000
        while self.computes and time.process_time() < until:
            pass
        return z3.sat if self.limit_ms >= self.enough_ms else z3.unknown

    def reason_unknown(self) -> str:
        return self.why


def check(clock: Clock, deadline: float | None = None) -> bool:
    solver = Z3Solver(Terms(), LIMIT_MS)
    solver.deadline = deadline
    return solver._check(cast(z3.Solver, clock))


def test_who_was_kept_waiting_is_asked_again() -> None:
    clock = Clock(7 * LIMIT_MS)
    assert check(clock)
    assert (clock.asked, clock.limit_ms) == (4, LIMIT_MS)


@pytest.mark.parametrize(
    "clock",
    [Clock(7 * LIMIT_MS, computes=True), Clock(7 * LIMIT_MS, "incomplete")],
    ids=["has computed", "does not know"],
)
def test_who_gives_up_is_not(clock: Clock) -> None:
    with pytest.raises(SolverUnknown, match=f"gave up: {clock.why}"):
        check(clock)
    assert clock.asked == 1


def test_not_after_the_time_that_the_user_gives() -> None:
    with pytest.raises(OutOfTime):
        check(Clock(7 * LIMIT_MS), deadline=time.monotonic() - 1)


def test_others_are_given_more_time_as_well() -> None:
    given: list[int] = []

    def waits(limit_ms: int) -> int | None:
        given.append(limit_ms)
        time.sleep(limit_ms / 1000)
        return limit_ms if limit_ms > 250 else None

    assert within(100, waits) == 400
    assert given == [100, 200, 400]
    assert within(100, lambda limit_ms: None) is None


def test_a_signal_between_two_questions_harms_nobody() -> None:
    terms = Terms()
    solver = Z3Solver(terms)
    claim = terms.at_most(terms.zero, terms.symbol("x"))
    assert solver.satisfiable([claim])
    solver._context.interrupt()
    assert not solver.satisfiable([claim, terms.negate(claim)])
