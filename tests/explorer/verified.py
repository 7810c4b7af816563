"""Compares what symbolic verification says of a program with its exploration."""

from __future__ import annotations

from collections import Counter

import imc.api
from imc.explorer import explore_exhaustively
from imc.program.interpreter import Interpreter
from imc.program.program import Program
from imc.program.verdict import Verdict


def verdict_differences(program: Program, seconds: float, figures: Counter[str]) -> list[str]:
    """Safe is what all schedules are, unsafe what some are not, whoever says so."""
    explored = explore_exhaustively(Interpreter(program))
    verification = imc.api.verify(program, time_limit=seconds)
    outcome = verification.run()
    violation = outcome.violation
    reproduced = violation is not None and violation.reproduced
    figures[f"explored {explored.verdict}, verified {outcome.verdict}"] += 1
    if explored.verdict is Verdict.UNSAFE and outcome.verdict is Verdict.SAFE:
        return [f"verified safe, but explored unsafe: {explored.fault}"]
    if explored.verdict is Verdict.SAFE and (reproduced or outcome.verdict is Verdict.UNSAFE):
        return [f"verified {outcome.verdict}, but explored safe: {violation}"]
    return []
