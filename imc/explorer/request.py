"""What is asked of an exploration, and whether that can be had at once."""

from __future__ import annotations

from dataclasses import dataclass, replace

from imc.core.library import why_not
from imc.errors import UserError
from imc.explorer.algorithms import (
    ALGORITHMS,
    AUTO,
    EXHAUSTIVE,
    Progress,
    explore,
)
from imc.explorer.awaiting import AWAIT
from imc.explorer.exhaustive import explore_exhaustively
from imc.explorer.native import CORES, NATIVE
from imc.explorer.result import GRAPHS, Exploration, Limits, Reduction
from imc.program.interpreter import Interpreter
from imc.program.settings import Settings, Wakeups


@dataclass(frozen=True, slots=True)
class ExploreRequest:
    """Which engine explores, what it leaves out and when it stops.

    Raises `UserError` where one wish rules out another.
    """

    algorithm: str = AUTO
    count: bool = False  # run and count every execution, instead of visiting every state
    reduction: Reduction = Reduction()  # noqa: RUF009 (immutable)
    commuting: bool = True  # atomic additions commute, for the engine that can use it
    limits: Limits = Limits()  # noqa: RUF009 (immutable)
    recorded: bool = False  # what becomes of every state is kept, to make schedules of it
    core: str = NATIVE  # where it takes the program; else Python explores

    def __post_init__(self) -> None:
        by_states = self.algorithm in (AUTO, EXHAUSTIVE)
        if self.algorithm not in ALGORITHMS:
            hint = f"there are {', '.join(ALGORITHMS)}"
            raise UserError(f"no algorithm is called '{self.algorithm}'", hint=hint)
        if self.core not in CORES:
            hint = f"there are {', '.join(CORES)}"
            raise UserError(f"no core is called '{self.core}'", hint=hint)
        if self.algorithm == GRAPHS and self.core != NATIVE:
            raise UserError("execution graphs are explored in native code", hint="--core native")
        if self.algorithm == GRAPHS and self.reduction.seed is not None:
            hint = "leave out --threads-order"
            raise UserError("execution graphs have one order of threads", hint=hint)
        if self.recorded and (self.count or not by_states):
            hint = "leave out --count and --algorithm"
            raise UserError("a schedule is made from states", hint=hint)
        if self.reduction.traces and by_states:
            hint = "name one by --algorithm, or use --count"
            raise UserError("which engine's traces?", hint=hint)
        if self.limits.executions is not None and by_states and not self.count:
            hint = "--count, or one of the others by --algorithm"
            raise UserError("executions are limited where they are counted", hint=hint)
        if self.count and not by_states:
            raise UserError(f"{self.algorithm} always counts executions", hint="leave out --count")

    def settings(self, given: Settings) -> Settings:
        """The settings that a program is explored with."""
        adds = self.commuting and self.algorithm in (AUTO, AWAIT)
        if not self.recorded:
            return replace(given, independent_adds=adds and not self.count)
        if given.wakeups is Wakeups.UNGUARDED:  # nothing else was asked for: as irs runs it
            given = replace(given, wakeups=Wakeups.SIGNALLED)
        return given

    def explore(self, interpreter: Interpreter, progress: Progress | None = None) -> Exploration:
        if self.count:
            result = explore_exhaustively(interpreter, False, self.limits, progress, self.core)
        else:
            result = explore(
                interpreter, self.algorithm, self.reduction, self.limits, progress, self.core
            )
        result.image = interpreter.image
        if self.core == NATIVE:
            result.no_core = why_not()
        return result
