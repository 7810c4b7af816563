"""Execution graphs, which the native core explores, told as its engines by traces are.

There is no engine in Python for it. What the core does not take has no answer, and a reason.
"""

from __future__ import annotations

from imc.compact.form import NotCompact
from imc.core.engine import Algorithm
from imc.core.library import Unavailable
from imc.explorer.native_traces import NativeTraces
from imc.explorer.result import GRAPHS, Clock, Exploration, Reduction, note_interrupt
from imc.explorer.turns import Turns
from imc.program.interpreter import Interpreter


def explore_graphs(
    interpreter: Interpreter, reduction: Reduction, clock: Clock
) -> Turns[Exploration]:
    """Explores all execution graphs. Raises Unsuitable where executions do not end."""
    result = Exploration(GRAPHS, stateful=False)
    result.complete = result.blocked = 0
    bounds = interpreter.image.bounds
    before = set(bounds)
    try:
        search = NativeTraces(interpreter, clock, result)
        try:
            yield from search.explore(Algorithm.EXECUTION_GRAPHS, reduction)
        except KeyboardInterrupt:
            note_interrupt(result)
    except (NotCompact, Unavailable) as why:
        bounds &= before
        refused = Exploration(GRAPHS, stateful=False)
        refused.reason = f"execution graphs do not have what the program does: {why}"
        refused.time_s = clock.elapsed()
        return refused
    return search.finish()
