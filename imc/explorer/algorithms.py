"""The engines by name, and which one a program is explored with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from imc.explorer.awaiting import Awaiting
from imc.explorer.dpor import Explorer, Unsuitable
from imc.explorer.epor import Epor, EporPlus, EporShort
from imc.explorer.exhaustive import explore_exhaustively
from imc.explorer.optimal import Optimal
from imc.explorer.result import Clock, Exploration, Limits
from imc.explorer.semantics import Semantics
from imc.explorer.source import Source
from imc.program.interpreter import Interpreter
from imc.program.verdict import Verdict

AUTO, EXHAUSTIVE, AWAIT = "auto", "exhaustive", "optimal-await"
EXPLORERS: dict[str, type[Explorer]] = {
    **{kind.name: kind for kind in (Source, Epor, EporShort, EporPlus)},
    Optimal.name: Optimal,
    AWAIT: Optimal,
}
ALGORITHMS = (AUTO, EXHAUSTIVE, *EXPLORERS)
FEW_STATES = 10_000  # which are visited before anything cleverer is tried
PATIENCE_S = 30.0  # with traces, before states are visited after all

Progress = Callable[[Exploration], None]


@dataclass(frozen=True, slots=True)
class Reduction:
    """What optimal-await leaves out besides equivalent executions, and the order of threads."""

    pure: bool = True  # iterations of loops without effect
    awaits: bool = True  # spinning for a value
    seed: int | None = None  # for another order of threads; it changes no count
    traces: bool = False  # keeps all traces, to see that none comes twice


def explore(
    interpreter: Interpreter,
    algorithm: str = AUTO,
    reduction: Reduction | None = None,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> Exploration:
    """Explores a program with the engine that is asked for, or with one that suits it."""
    reduction, limits = reduction or Reduction(), limits or Limits()
    if algorithm == EXHAUSTIVE:
        return explore_exhaustively(interpreter, True, limits, progress)
    clock = Clock(limits, progress)
    if algorithm != AUTO:
        try:
            return _reduced(interpreter, algorithm, reduction, clock)
        except Unsuitable as problem:
            problem.result.bounds.append(str(problem))
            problem.result.time_s = clock.elapsed()
            return problem.result
    return _suitable(interpreter, reduction, limits, clock, progress)


def _suitable(
    interpreter: Interpreter,
    reduction: Reduction,
    limits: Limits,
    clock: Clock,
    progress: Progress | None,
) -> Exploration:
    few = replace(limits, states=min(FEW_STATES, limits.states or FEW_STATES))
    result = explore_exhaustively(interpreter, True, few, progress)
    few_enough = result.states is None or result.states < FEW_STATES
    if few_enough or result.interrupted or result.verdict is Verdict.UNSAFE:
        result.why = "few states"
        return result
    interpreter.image.bounds.clear()
    try:
        patience = clock.elapsed() + (PATIENCE_S if limits.time_s is None else limits.time_s / 4)
        result = _reduced(interpreter, AWAIT, reduction, clock, patience)
        result.why = f"more than {FEW_STATES} states"
    except Unsuitable as problem:
        interpreter.image.bounds.clear()
        limits = replace(limits, spent_s=limits.spent_s + clock.elapsed())
        result = explore_exhaustively(interpreter, True, limits, progress)
        result.why = str(problem)
    result.time_s = clock.elapsed()
    return result


def _reduced(
    interpreter: Interpreter,
    algorithm: str,
    reduction: Reduction,
    clock: Clock,
    patience_s: float | None = None,
) -> Exploration:
    awaits = algorithm == AWAIT and (reduction.pure or reduction.awaits)
    semantics = (
        Awaiting(interpreter, reduction.awaits, reduction.pure)
        if awaits
        else Semantics(interpreter)
    )
    explorer = EXPLORERS[algorithm](semantics, clock, reduction.seed, reduction.traces)
    explorer.patience_s = patience_s
    result = explorer.run()
    result.algorithm = algorithm
    return result
