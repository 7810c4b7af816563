"""Whether the engine on execution graphs finds what exhaustive search finds."""

from __future__ import annotations

from imc.explorer.algorithms import explore
from imc.explorer.exhaustive import explore_exhaustively
from imc.explorer.native import NATIVE
from imc.explorer.result import GRAPHS, Exploration, Limits, Reduction
from imc.program.interpreter import Interpreter
from imc.program.program import Program
from imc.program.settings import Settings
from imc.program.verdict import Verdict

GRAPH_LIMITS = Limits(steps=15_000, executions=5_000)
STEPS = Limits(steps=100_000)


def by_graphs(program: Program, settings: Settings, lapor: bool) -> Exploration:
    reduction = Reduction(traces=True, lapor=lapor)
    return explore(Interpreter(program, settings), GRAPHS, reduction, GRAPH_LIMITS)


def by_force(program: Program, settings: Settings, counts: bool) -> Exploration:
    """Every execution, with its trace, or every state."""
    return explore_exhaustively(Interpreter(program, settings), not counts, STEPS, None, NATIVE)


def was_stopped(*found: Exploration) -> bool:
    return any("stopped" in bound or "do not end" in bound for e in found for bound in e.bounds)


def compared(program: Program, settings: Settings, lapor: bool, one_each: bool = True) -> bool:
    """Raises AssertionError where they differ; False where they cannot be compared.

    Locks that are ordered: the same traces. Locks that are not: the same final states. `one_each`:
    each trace or graph by one execution, as nothing is ordered more than traces are.
    """
    graphs = by_graphs(program, settings, lapor)
    if graphs.reason or was_stopped(graphs):
        return False
    force = by_force(program, settings, not lapor)
    if was_stopped(force) or force.endless:
        return False
    assert graphs.verdict == force.verdict, (graphs.verdict, force.verdict)
    if force.verdict is Verdict.UNSAFE:
        assert graphs.reproduced
        return True
    assert graphs.final_states == force.final_states
    if not lapor:
        assert graphs.traces == force.traces
    if one_each:
        assert not graphs.duplicates
    return True
