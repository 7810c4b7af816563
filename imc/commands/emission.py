"""--emit-schedule: the schedule on disk, as soon as there is one, replaced by every later one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from imc import __version__
from imc.commands.options import assumptions_of
from imc.errors import UserError

if TYPE_CHECKING:
    from imc.symbolic.result import Result
    from imc.symbolic.verify import Verification

SUFFIX = ".sched.json"
SOURCES = (".c", ".h", ".i", ".ll")


def schedule_path(given: str, source: Path) -> Path:
    """The file to write: as given, or after the program, in the current folder."""
    path = Path(given) if given else Path(source.stem + SUFFIX)
    if path.suffix in SOURCES:
        raise UserError(
            f"'{path}' looks like a program, not like a schedule to be written",
            hint=f"--emit-schedule={source.stem}{SUFFIX}",
        )
    return path


class Emission:
    """Writes the schedules of one verification."""

    def __init__(self, verification: Verification, path: Path, optimisation: str) -> None:
        from imc.report.show import site_text
        from imc.schedule.compile import Compiler

        sharing = verification.engine.sharing
        self.verification = verification
        self.path = path
        self.optimisation = optimisation
        self.problem: UserError | None = None
        self.unproved = ""
        self.compiler = Compiler(
            verification.engine.places, lambda function, pc: site_text(sharing, function, pc)
        )

    def emit(self, result: Result) -> None:
        """Compiles a result and puts it in the place of the one before."""
        from imc.schedule.beliefs import Ambiguous
        from imc.schedule.certificate import certificate
        from imc.schedule.formulas import Inexpressible
        from irs.format import dump
        from irs.schedule import Made, Program

        if result.schedule is None:
            return
        verification = self.verification
        program = verification.engine.program
        made = Made(
            f"imc {__version__}",
            result.index,
            self.optimisation,
            verification.strategy.name,
            tuple(sorted(str(p) for p in verification.settings.properties)),
        )
        given = assumptions_of(program, verification.settings)
        assumptions = [*given, *verification.assumptions()]
        try:
            compiled = self.compiler.compile(
                result.schedule,
                Program(program.name, program.digest),
                made,
                [str(a) for a in assumptions],
                sorted(verification.engine.image.bounds),
            )
        except Ambiguous as problem:
            self.problem = problem
            return
        self.problem = None
        try:
            proof = certificate(result.schedule, verification.engine.places)
            compiled = replace(compiled, certificate=proof)
            self.unproved = ""
        except Inexpressible as reason:
            self.unproved = f", without a certificate: it cannot express {reason}"
        dump(compiled, self.path)

    def text(self) -> str:
        """What was written, in one line."""
        if self.problem is not None:
            return f"schedule: the last one was not written: {self.problem}"
        s = self.compiler.statistics
        if s.sections == 0:
            return "schedule: none was found, so none was written"
        return (
            f"schedule: {self.path} ({s.sections} section{'s' * (s.sections != 1)}, "
            f"{s.events} events, {s.waits} wait{'s' * (s.waits != 1)} "
            f"of {s.dependences}, {self.optimisation}{self.unproved})"
        )
