"""The Python API: load a program, verify it, explore it, make and check its schedules."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from imc.explore import Exploration, Limits, explore_exhaustively
from imc.frontend import FrontendOptions, load_program
from imc.frontend.cache import Cache
from imc.program.interpreter import Interpreter
from imc.program.program import Program
from imc.program.settings import Settings

if TYPE_CHECKING:
    from imc.program.program import Assumption
    from imc.schedule.check import Acceptance
    from imc.schedule.prefix import TracePrefixes
    from imc.symbolic.verify import Verification, VerifyOptions
    from irs import Schedule

__all__ = ["check", "explore", "load", "trace_prefixes", "verify"]


def load(
    sources: str | Path | Iterable[str | Path],
    options: FrontendOptions | None = None,
    cache: Cache | None = None,
) -> Program:
    """Reads C, preprocessed C or LLVM IR; raises `imc.errors.UserError` for bad input."""
    paths = [sources] if isinstance(sources, (str, Path)) else list(sources)
    return load_program([Path(p) for p in paths], options, cache)


def explore(
    program: Program | str | Path,
    settings: Settings | None = None,
    stateful: bool = True,
    limits: Limits | None = None,
    progress: Callable[[Exploration], None] | None = None,
) -> Exploration:
    """Explores every interleaving of a program, exhaustively."""
    loaded = program if isinstance(program, Program) else load(program)
    return explore_exhaustively(Interpreter(loaded, settings), stateful, limits, progress)


def trace_prefixes(
    program: Program | str | Path,
    settings: Settings | None = None,
    optimisation: str = "opt3",
    limits: Limits | None = None,
    progress: Callable[[Exploration], None] | None = None,
    assumptions: Iterable[Assumption] | None = None,
    interval_s: float = 0.0,
) -> TracePrefixes:
    """An iterator over schedules that order less and less, while a terminating program is explored.

    With an interval, those that come sooner after another are left out, but for the last one.
    """
    from imc.explore.recorded import RecordedSearch
    from imc.schedule.prefix import TracePrefixes

    loaded = program if isinstance(program, Program) else load(program)
    search = RecordedSearch(Interpreter(loaded, settings), limits, progress)
    given = loaded.assumptions if assumptions is None else assumptions
    return TracePrefixes(search, optimisation, [str(a) for a in given], interval_s)


def verify(
    program: Program | str | Path,
    settings: Settings | None = None,
    options: VerifyOptions | None = None,
) -> Verification:
    """An iterator over verified schedules as they are found; `outcome` has the final verdict."""
    from imc.symbolic.verify import Verification  # the solver takes a while to import

    loaded = program if isinstance(program, Program) else load(program)
    return Verification(loaded, settings, options)


def check(
    program: Program | str | Path, schedule: Schedule, settings: Settings | None = None
) -> Acceptance:
    """Proves a schedule anew; raises `imc.schedule.checker.Rejected` with the claim that fails."""
    from imc.schedule.check import check_schedule

    loaded = program if isinstance(program, Program) else load(program)
    return check_schedule(loaded, schedule, settings or Settings())
