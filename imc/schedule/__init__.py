"""Schedules as things: from verified trees to sections with vector clocks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from imc.program.assumptions import Assumption
    from imc.schedule.compiler import Compiled
    from imc.verifier.iteration import Verification
    from imc.verifier.result import Result
    from irs.schedule import ListedAssumption, Made

__all__ = ["compile", "listed", "made"]


def compile(verification: Verification, result: Result, optimisation: str = "opt3") -> Compiled:
    """The schedule of a safe result as data that `irs.format.dump` writes, with a certificate.

    Raises `imc.schedule.beliefs.Ambiguous` where running threads could not be told what to do.
    """
    from imc.checker.formulas import Inexpressible
    from imc.program.words.sites import site_text
    from imc.schedule.certificate import certificate
    from imc.schedule.compiler import Compiled, Compiler
    from imc.schedule.files import identity_of

    if result.schedule is None:
        raise ValueError("only a safe result has a schedule")
    engine = verification.engine
    program = engine.program
    compiler = Compiler(engine.places, lambda f, pc: site_text(engine.sharing, f, pc))
    schedule = compiler.compile(
        result.schedule,
        identity_of(program),
        made(verification, result, optimisation),
        listed(verification.enforced_assumptions()),
        sorted(engine.image.bounds),
    )
    try:
        proof = certificate(result.schedule, engine.places)
    except Inexpressible as reason:
        return Compiled(schedule, compiler.statistics, str(reason))
    return Compiled(replace(schedule, certificate=proof), compiler.statistics)


def made(verification: Verification, result: Result, optimisation: str) -> Made:
    """Who has made a schedule, and what of."""
    from imc.version import VERSION
    from irs.schedule import Made

    properties = tuple(sorted(map(str, verification.settings.properties)))
    strategy = verification.strategy.name
    return Made(f"imc {VERSION}", result.index, optimisation, strategy, properties)


def listed(assumptions: Iterable[Assumption]) -> list[ListedAssumption]:
    """Assumptions as schedule files have them."""
    from irs.schedule import ListedAssumption

    return [
        ListedAssumption(
            a.code,
            a.text,
            a.subject or None,
            a.loc.file if a.loc is not None else None,
            a.loc.line if a.loc is not None else None,
        )
        for a in assumptions
    ]
