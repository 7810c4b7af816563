"""The Python API: load a program, verify it, explore it, compile and check its schedules."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
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
    from imc.schedule.compile import Compiled
    from imc.symbolic.result import Result
    from imc.symbolic.verify import Verification, VerifyOptions
    from irs import Schedule

__all__ = ["check", "compile_schedule", "explore", "load", "verify"]


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


def verify(
    program: Program | str | Path,
    settings: Settings | None = None,
    options: VerifyOptions | None = None,
) -> Verification:
    """An iterator over verified schedules as they are found; `outcome` has the final verdict."""
    from imc.symbolic.verify import Verification  # the solver takes a while to import

    loaded = program if isinstance(program, Program) else load(program)
    return Verification(loaded, settings, options)


def compile_schedule(
    verification: Verification,
    result: Result,
    optimisation: str = "opt3",
    assumptions: Iterable[Assumption] | None = None,
) -> Compiled:
    """The schedule of a safe result as data that `irs.format.dump` writes, with a certificate.

    Raises `imc.schedule.beliefs.Ambiguous` where running threads could not be told what to do.
    """
    from imc import __version__
    from imc.report.show import site_text
    from imc.schedule.certificate import certificate
    from imc.schedule.compile import Compiled, Compiler
    from imc.schedule.formulas import Inexpressible
    from irs.schedule import Made
    from irs.schedule import Program as Named

    if result.schedule is None:
        raise ValueError("only a safe result has a schedule")
    engine = verification.engine
    program = engine.program
    properties = tuple(sorted(map(str, verification.settings.properties)))
    strategy = verification.strategy.name
    made = Made(f"imc {__version__}", result.index, optimisation, strategy, properties)
    given = program.assumptions if assumptions is None else assumptions
    compiler = Compiler(engine.places, lambda f, pc: site_text(engine.sharing, f, pc))
    schedule = compiler.compile(
        result.schedule,
        Named(program.name, program.digest),
        made,
        [str(a) for a in (*given, *verification.assumptions())],
        sorted(engine.image.bounds),
    )
    try:
        proof = certificate(result.schedule, engine.places)
    except Inexpressible as reason:
        return Compiled(schedule, compiler.statistics, str(reason))
    return Compiled(replace(schedule, certificate=proof), compiler.statistics)


def check(
    program: Program | str | Path, schedule: Schedule, settings: Settings | None = None
) -> Acceptance:
    """Proves a schedule anew; raises `imc.schedule.checker.Rejected` with the claim that fails."""
    from imc.schedule.check import check_schedule

    loaded = program if isinstance(program, Program) else load(program)
    return check_schedule(loaded, schedule, settings or Settings())
