"""--emit-schedule: the schedule on disk, as soon as there is one, replaced by every later one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from imc.commands.options import assumptions_of
from imc.errors import UserError
from imc.program.verdict import Verdict
from imc.schedule import compile

if TYPE_CHECKING:
    from imc.schedule.compiler import Compiled
    from imc.schedule.prefix import TracePrefixes
    from imc.symbolic.result import Result
    from imc.symbolic.verify import Verification
    from irs import Schedule

SUFFIX = ".sched.json"
SOURCES = (".c", ".h", ".i", ".ll")


def schedule_path(given: str, source: Path) -> Path:
    """The file to write: as given, or after the program, in the current folder."""
    path = Path(given) if given else Path(source.stem + SUFFIX)
    if given == "-":
        raise UserError("a schedule is written to a file, and replaced as more is verified")
    if path.suffix in SOURCES:
        raise UserError(
            f"'{path}' looks like a program, not like a schedule to be written",
            hint=f"--emit-schedule={source.stem}{SUFFIX}",
        )
    return path


def write_schedule(schedule: Schedule, path: Path) -> None:
    """Puts a schedule in the place of the one before, whole or not at all."""
    from irs.format import dump

    try:
        dump(schedule, path)
    except OSError as error:
        raise UserError(
            f"cannot write {path}: {error.strerror}", hint="name a file in a writable folder"
        ) from None


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


class Emission:
    """Writes the schedules of one verification."""

    def __init__(self, verification: Verification, path: Path, optimisation: str) -> None:
        self.verification = verification
        self.path = path
        self.optimisation = optimisation
        self.written: Compiled | None = None
        self.problem: UserError | None = None

    def emit(self, result: Result) -> None:
        """Compiles a result and puts it in the place of the one before."""
        from imc.schedule.beliefs import Ambiguous

        if result.schedule is None:
            return
        settings = self.verification.settings
        assumptions = assumptions_of(self.verification.engine.program, settings)
        try:
            compiled = compile(self.verification, result, self.optimisation, assumptions)
        except Ambiguous as problem:
            self.problem = problem
            return
        self.problem = None
        write_schedule(compiled.schedule, self.path)
        self.written = compiled

    def text(self) -> str:
        """What was written, in one line."""
        if self.problem is not None:
            return f"schedule: the last one was not written: {self.problem}"
        if self.written is None:
            return "schedule: none was found, so none was written"
        s, why = self.written.statistics, self.written.uncertified
        needless = self.verification.outcome.verdict is Verdict.SAFE
        return (
            f"schedule: {self.path} ({_count(s.sections, 'section')}, "
            f"{_count(s.events, 'event')}, {_count(s.gates, 'gate')}, {_count(s.waits, 'wait')} "
            f"of {s.dependences}, {self.optimisation}"
            + ("; not needed, all others are safe too" if needless else "")
            + (f", without a certificate: it cannot express {why})" if why else ")")
        )


class PrefixEmission:
    """Writes the trace prefixes of one exploration."""

    def __init__(self, prefixes: TracePrefixes, path: Path) -> None:
        self.prefixes = prefixes
        self.path = path
        self.written: Compiled | None = None

    def follow(self) -> None:
        """Explores the program, and replaces the file as more turns out to be safe."""
        for compiled in self.prefixes:
            write_schedule(compiled.schedule, self.path)
            self.written = compiled

    def text(self) -> str:
        """What was written, in one line."""
        if self.prefixes.problem is not None:
            return f"schedule: the last one was not written: {self.prefixes.problem}"
        if self.written is None:
            return (
                "schedule: none was found that comes safely to an end, so none was written "
                "(imc verify has those of programs that run for ever)"
            )
        s = self.written.statistics
        order = f"{_count(s.events, 'event')} in order, {_count(s.waits, 'wait')}"
        return (
            f"schedule: {self.path} ({order if s.events else 'no order is needed'}, "
            f"{self.prefixes.optimisation})"
        )
