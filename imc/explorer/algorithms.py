"""The engines by name, and which one a program is explored with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from imc.explorer.awaiting import AWAIT, Awaiting
from imc.explorer.dpor import Explorer
from imc.explorer.epor import Epor, EporPlus, EporShort
from imc.explorer.exhaustive import explore_exhaustively
from imc.explorer.native import NATIVE
from imc.explorer.native_traces import explore_traces
from imc.explorer.optimal import Optimal
from imc.explorer.result import Clock, Exploration, Limits, Reduction, Unsuitable
from imc.explorer.semantics import Semantics
from imc.explorer.source import Source
from imc.program.interpreter import Interpreter
from imc.program.verdict import Verdict

AUTO, EXHAUSTIVE = "auto", "exhaustive"
EXPLORERS: dict[str, type[Explorer]] = {
    **{kind.name: kind for kind in (Source, Epor, EporShort, EporPlus)},
    Optimal.name: Optimal,
    AWAIT: Optimal,
}
ALGORITHMS = (AUTO, EXHAUSTIVE, *EXPLORERS)
FEW_STATES = 10_000  # which are visited before anything cleverer is tried
PATIENCE_S = 30.0  # with traces, before states are visited after all

Progress = Callable[[Exploration], None]


def explore(
    interpreter: Interpreter,
    algorithm: str = AUTO,
    reduction: Reduction | None = None,
    limits: Limits | None = None,
    progress: Progress | None = None,
    core: str = NATIVE,
) -> Exploration:
    """Explores a program with the engine that is asked for, or with one that suits it.

    In the native core where that has the engine and takes the program, unless Python is asked for.
    """
    reduction, limits = reduction or Reduction(), limits or Limits()
    if algorithm == EXHAUSTIVE:
        return explore_exhaustively(interpreter, True, limits, progress, core)
    clock = Clock(limits, progress)
    if algorithm != AUTO:
        try:
            return _reduced(interpreter, algorithm, reduction, clock, core)
        except Unsuitable as problem:
            problem.result.bounds.append(str(problem))
            problem.result.time_s = clock.elapsed()
            return problem.result
    return _suitable(interpreter, reduction, limits, clock, progress, core)


def _suitable(
    interpreter: Interpreter,
    reduction: Reduction,
    limits: Limits,
    clock: Clock,
    progress: Progress | None,
    core: str,
) -> Exploration:
    few = replace(limits, states=min(FEW_STATES, limits.states or FEW_STATES))
    result = explore_exhaustively(interpreter, True, few, progress, core)
    few_enough = result.states is None or result.states < FEW_STATES
    if few_enough or result.interrupted or result.verdict is Verdict.UNSAFE:
        result.why = "few states"
        return result
    interpreter.image.bounds.clear()
    try:
        patience = clock.elapsed() + (PATIENCE_S if limits.time_s is None else limits.time_s / 4)
        result = _reduced(interpreter, AWAIT, reduction, clock, core, patience)
        result.why = f"more than {FEW_STATES} states"
    except Unsuitable as problem:
        interpreter.image.bounds.clear()
        limits = replace(limits, spent_s=limits.spent_s + clock.elapsed())
        result = explore_exhaustively(interpreter, True, limits, progress, core)
        result.why = str(problem)
    result.time_s = clock.elapsed()
    return result


def _reduced(
    interpreter: Interpreter,
    algorithm: str,
    reduction: Reduction,
    clock: Clock,
    core: str,
    patience_s: float | None = None,
) -> Exploration:
    if core == NATIVE:
        found = explore_traces(interpreter, algorithm, reduction, clock, patience_s)
        if found is not None:
            return found
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
