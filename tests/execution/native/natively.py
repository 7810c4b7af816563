"""Programs built with their schedules and run, as the tests of the native run-time need them."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from patience import HANG_S

import imc.api
import imc.schedule
from imc.execution.native.build import BuildOptions, Built, build
from imc.execution.native.process import NativeOptions
from imc.program.program import Program
from imc.program.words.sites import site_text
from irs.errors import BadRecord
from irs.record import check_record
from irs.schedule import Schedule

EXAMPLES = Path(__file__).parents[3] / "examples"


@cache
def program_of(source: Path, defines: tuple[str, ...] = ()) -> Program:
    return imc.api.load(source, define=defines)


@cache
def schedule_of(source: Path, level: str = "opt1", defines: tuple[str, ...] = ()) -> Schedule:
    """The first schedule that is found."""
    return schedule_for(program_of(source, defines), level)


def schedule_for(program: Program, level: str = "opt1") -> Schedule:
    """The same of a program that is loaded."""
    verification = imc.api.verify(program, iterations=1)
    result = next(r for r in verification if r.schedule is not None)
    return imc.schedule.compile(verification, result, level).schedule


def problem(schedule: Schedule, record: list[object]) -> str:
    """Why a record is not one of a run that the schedule permits; empty if it is."""
    try:
        check_record(schedule, record)
    except BadRecord as found:
        return str(found)
    return ""


@dataclass(frozen=True, slots=True)
class Ran:
    """How a run ended, what it said, and the lines of its record."""

    status: int
    output: str
    errors: str
    record: list[object]


@dataclass(frozen=True, slots=True)
class Native:
    """A built program."""

    program: Program
    schedule: Schedule | None
    built: Built

    def run(self, options: NativeOptions | None = None, prefix: tuple[str, ...] = ()) -> Ran:
        """Runs it; a run that hangs is an error of the test."""
        options = options or NativeOptions()
        done = subprocess.run(
            [*prefix, str(self.built.executable), *options.arguments],
            env=options.environment(),
            capture_output=True,
            text=True,
            errors="replace",
            timeout=HANG_S,
            stdin=subprocess.DEVNULL,
        )
        record: list[object] = []
        if options.trace is not None and options.trace.exists():
            record = [json.loads(line) for line in options.trace.read_text().splitlines()]
        return Ran(done.returncode, done.stdout, done.stderr, record)


def native(
    source: Path,
    folder: Path,
    level: str = "opt1",
    defines: tuple[str, ...] = (),
    options: BuildOptions | None = None,
) -> Native:
    """A program with its first schedule; level "" is none."""
    schedule = schedule_of(source, level, defines) if level else None
    program = program_of(source, defines)
    return with_schedule(program, schedule, folder, options)


def with_schedule(
    program: Program, schedule: Schedule | None, folder: Path, options: BuildOptions | None = None
) -> Native:
    name = f"program{len(list(folder.iterdir()))}"
    built = build(program, schedule, folder / name, site_text, options)
    return Native(program, schedule, built)
