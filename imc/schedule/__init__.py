"""Schedules as things: from verified trees to sections with vector clocks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from imc.program.program import Assumption
    from imc.schedule.compiler import Compiled
    from imc.symbolic.result import Result
    from imc.symbolic.verify import Verification
    from irs.schedule import Made

__all__ = ["compile", "made"]


def compile(
    verification: Verification,
    result: Result,
    optimisation: str = "opt3",
    assumptions: Iterable[Assumption] | None = None,
) -> Compiled:
    """The schedule of a safe result as data that `irs.format.dump` writes, with a certificate.

    Raises `imc.schedule.beliefs.Ambiguous` where running threads could not be told what to do.
    """
    from imc.report.show import site_text
    from imc.schedule.certificate import certificate
    from imc.schedule.compiler import Compiled, Compiler
    from imc.schedule.formulas import Inexpressible
    from irs.schedule import Program as Named

    if result.schedule is None:
        raise ValueError("only a safe result has a schedule")
    engine = verification.engine
    program = engine.program
    given = program.assumptions if assumptions is None else assumptions
    compiler = Compiler(engine.places, lambda f, pc: site_text(engine.sharing, f, pc))
    schedule = compiler.compile(
        result.schedule,
        Named(program.name, program.digest),
        made(verification, result, optimisation),
        [str(a) for a in (*given, *verification.assumptions())],
        sorted(engine.image.bounds),
    )
    try:
        proof = certificate(result.schedule, engine.places)
    except Inexpressible as reason:
        return Compiled(schedule, compiler.statistics, str(reason))
    return Compiled(replace(schedule, certificate=proof), compiler.statistics)


def made(verification: Verification, result: Result, optimisation: str) -> Made:
    """Who has made a schedule, and what of."""
    from imc import __version__
    from irs.schedule import Made

    properties = tuple(sorted(map(str, verification.settings.properties)))
    strategy = verification.strategy.name
    return Made(f"imc {__version__}", result.index, optimisation, strategy, properties)
