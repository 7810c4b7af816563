"""The check of a schedule as a whole: its tree holds for the program, and it keeps to the tree."""

from __future__ import annotations

import time
from dataclasses import dataclass

from imc.program.faults import Property
from imc.program.program import Program
from imc.program.settings import Settings
from imc.schedule.checker import Checker, Rejected
from imc.schedule.conformance import Conformance
from irs.schedule import Schedule

# A schedule orders accesses, so that they do not race; that loops end is not in certificates.
NOT_CHECKED = (Property.RACE, Property.TERMINATION)


@dataclass(frozen=True, slots=True)
class Acceptance:
    """What was proved, and how much there was to do."""

    properties: tuple[Property, ...]
    nodes: int
    sections: int
    questions: int
    solver: str
    time_s: float
    bounds: tuple[str, ...]


def check_schedule(program: Program, schedule: Schedule, settings: Settings) -> Acceptance:
    """Proves a schedule anew, for the settings; raises `Rejected` with the claim that fails."""
    began = time.monotonic()
    if schedule.certificate is None:
        raise Rejected("there is no certificate to be checked")
    checker = Checker(program, settings, schedule.threads, schedule.certificate)
    checker.check()
    try:
        Conformance(checker, schedule).check()
    except (KeyError, TypeError, ValueError, IndexError) as problem:
        raise Rejected(f"the sections are damaged: {problem!r}") from problem
    return Acceptance(
        tuple(sorted(p for p in settings.properties if p not in NOT_CHECKED)),
        len(checker.points),
        len(schedule.sections),
        checker.solver.calls,
        checker.solver.name,
        time.monotonic() - began,
        tuple(sorted(checker.image.bounds)),
    )
