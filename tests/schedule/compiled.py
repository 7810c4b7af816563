"""Programs to schedules, as the tests of schedules need them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from imc.program.program import Program
from imc.program.settings import Settings
from imc.schedule import listed
from imc.schedule.certificate import certificate
from imc.schedule.compiler import Compiler
from imc.verifier.iteration import Verification
from imc.verifier.options import VerifyOptions
from irs.format import dumps, loads
from irs.schedule import Made, ProgramIdentity, Schedule

HANG_S = 600.0  # for what would never end

# Inputs are assumed to lie in 0..2; 3 stands for all that violate the assumption.
SETTINGS = Settings(inputs=(0, 1, 2, 3)).enforced()


def compiled(
    program: Program,
    results: int,
    levels: tuple[str, ...] = ("opt1",),
    time_s: float = HANG_S,
    settings: Settings = SETTINGS,
) -> Iterator[list[Schedule]]:
    """For each of the first results, its schedule at all levels, with a certificate."""
    options = VerifyOptions(iterations=results, time_s=time_s)
    verification = Verification(program, settings, options)
    places = verification.engine.places
    compiler = Compiler(places, lambda function, pc: f"{function} {pc}")
    named = ProgramIdentity("program", program.digest)
    properties = tuple(sorted(map(str, settings.properties)))
    for result in verification:
        if result.schedule is None:
            continue
        proof = certificate(result.schedule, places)
        found = []
        for level in levels:
            made = Made("a test", result.index, level, "round-robin", properties)
            rests_on = listed(verification.enforced_assumptions())
            one = compiler.compile(result.schedule, named, made, rests_on)
            found.append(read_back(replace(one, certificate=proof)))
        yield found


def read_back(schedule: Schedule) -> Schedule:
    """What a file would hold."""
    return loads(dumps(schedule), "a test")
