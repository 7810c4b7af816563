"""The engines by name, and which one a program is explored with."""

from __future__ import annotations

from collections.abc import Callable

from imc.explorer.awaiting import AWAIT, Awaiting
from imc.explorer.contenders import Contender, first_answer
from imc.explorer.dpor import Explorer
from imc.explorer.epor import Epor, EporPlus, EporShort
from imc.explorer.exhaustive import explore_exhaustively, explored
from imc.explorer.graphs import explore_graphs
from imc.explorer.native import NATIVE
from imc.explorer.native_traces import explore_traces
from imc.explorer.optimal import Optimal
from imc.explorer.result import (
    GRAPHS,
    Clock,
    Exploration,
    Limits,
    Reduction,
    Unsuitable,
)
from imc.explorer.semantics import Semantics
from imc.explorer.source import Source
from imc.explorer.turns import Turns, at_once
from imc.program.interpreter import Interpreter

AUTO, EXHAUSTIVE = "auto", "exhaustive"
EXPLORERS: dict[str, type[Explorer]] = {
    **{kind.name: kind for kind in (Source, Epor, EporShort, EporPlus)},
    Optimal.name: Optimal,
    AWAIT: Optimal,
}
ALGORITHMS = (AUTO, EXHAUSTIVE, *EXPLORERS, GRAPHS)

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
    if algorithm == AUTO:
        return _first_answer(interpreter, reduction, clock, Clock(limits, progress), core)
    try:
        return at_once(_reduced(interpreter, algorithm, reduction, clock, core))
    except Unsuitable as problem:
        problem.result.bounds.append(str(problem))
        problem.result.time_s = clock.elapsed()
        return problem.result


def _first_answer(
    interpreter: Interpreter, reduction: Reduction, clock: Clock, other: Clock, core: str
) -> Exploration:
    states = explored(interpreter, True, clock, core)
    traces = _reduced(interpreter, AWAIT, reduction, other, core)
    found = first_answer(
        interpreter.image,
        [
            Contender(states, clock, "few states", "sooner than by traces"),
            Contender(traces, other, "many states", "sooner than by states"),
        ],
    )
    found.time_s = clock.elapsed()
    return found


def _reduced(
    interpreter: Interpreter,
    algorithm: str,
    reduction: Reduction,
    clock: Clock,
    core: str,
) -> Turns[Exploration]:
    if algorithm == GRAPHS:
        result = yield from explore_graphs(interpreter, reduction, clock)
        return result
    if core == NATIVE:
        found = yield from explore_traces(interpreter, algorithm, reduction, clock)
        if found is not None:
            return found
    awaits = algorithm == AWAIT and (reduction.pure or reduction.awaits)
    semantics = (
        Awaiting(interpreter, reduction.awaits, reduction.pure)
        if awaits
        else Semantics(interpreter)
    )
    explorer = EXPLORERS[algorithm](semantics, clock, reduction.seed, reduction.traces)
    result = yield from explorer.turns()
    result.algorithm = algorithm
    return result
