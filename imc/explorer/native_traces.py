"""The reducing engines in the native core: source, optimal, and optimal without idle iterations."""

from __future__ import annotations

from imc.explorer.result import Clock, Exploration, Reduction
from imc.program.interpreter import Interpreter


def explore_traces(
    interpreter: Interpreter,
    algorithm: str,
    reduction: Reduction,
    clock: Clock,
    patience_s: float | None = None,
) -> Exploration | None:
    return None
