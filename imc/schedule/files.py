"""Schedule files of users: read for one program, written whole; problems are told in one line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import irs
from imc.errors import UserError
from imc.program.assumptions import flaw, missing, needed, recorded_arguments
from imc.program.program import Program
from irs.errors import BadSchedule
from irs.format import dump
from irs.schedule import ProgramIdentity, Schedule

MOST_NAMES, MOST_LETTERS = 3, 80  # in a message
UNNAMED = "the schedule"  # that was not read from a file
NEW_ONE = "imc verify --emit-schedule makes a new one"


def read_schedule(path: Path) -> Schedule:
    """A schedule file; whatever is wrong with it is told in one line."""
    try:
        found = irs.load(path)
        for number, assumption in enumerate(found.assumptions):
            problem = flaw(assumption.code, assumption.subject)
            if problem:
                raise BadSchedule(str(path), f"assumptions[{number}]", problem)
        return found
    except BadSchedule as bad:
        raise UserError(str(bad), hint=NEW_ONE) from None
    except OSError as lost:
        raise UserError(f"cannot read {path}: {lost.strerror}") from None


def identity_of(program: Program) -> ProgramIdentity:
    """What schedules of a program say about it."""
    return ProgramIdentity(
        program.name,
        program.digest,
        tuple(sorted(program.function_hashes.items())),
        tuple(sorted(program.variable_hashes.items())),
    )


def demand_same_program(
    program: Program, schedule: Schedule, path: Path | None = None, hint: str = NEW_ONE
) -> None:
    """Refuses a schedule that was proved for something else, and says what is different."""
    if program.digest == schedule.program.digest:
        return
    raise UserError(f"{path or UNNAMED} {_difference(program, schedule.program)}", hint=hint)


def _difference(program: Program, other: ProgramIdentity) -> str:
    functions, variables = dict(other.functions or ()), dict(other.variables or ())
    common = functions.keys() & program.function_hashes.keys() - {program.entry}
    only = functions.keys() == {program.entry} == program.function_hashes.keys()
    if not common and not only:
        return "was made for another program, or for other options of the compiler"
    differences = [
        *_differing("function", functions, program.function_hashes),
        *_differing("variable", variables, program.variable_hashes),
    ]
    told = "; ".join(differences) or "other options of the compiler"
    return f"is of another version of the program: {told}"


def _differing(kind: str, old: Mapping[str, str], new: Mapping[str, str]) -> list[str]:
    changed = [name for name in old if name in new and old[name] != new[name]]
    told = [
        _named(kind, changed, "differs", "differ"),
        _named(kind, [name for name in new if name not in old], "is new", "are new"),
        _named(kind, [name for name in old if name not in new], "is gone", "are gone"),
    ]
    return [text for text in told if text]


def _named(kind: str, names: list[str], one: str, several: str) -> str:
    if not names:
        return ""
    shown = [f"'{ascii(name)[1:-1][:MOST_LETTERS]}'" for name in sorted(names)[:MOST_NAMES]]
    rest = len(names) - len(shown)
    listed = ", ".join(shown) + (f" and {rest} more" if rest else "")
    return f"{kind}{'s' * (len(names) > 1)} {listed} {one if len(names) == 1 else several}"


def demand_assumptions(program: Program, schedule: Schedule, path: Path | None = None) -> None:
    """Refuses a schedule that does not say what it rests on: nobody knows what was proved."""
    given = [(a.code, a.subject) for a in schedule.assumptions]
    unsaid = missing(needed(program.assumptions, given), given)
    if unsaid is not None:
        about = f" of '{unsaid.subject}'" if unsaid.subject else ""
        raise UserError(
            f"{path or UNNAMED} does not name the assumption {unsaid.code}{about}, "
            "which this program needs",
            hint=NEW_ONE,
        )


def arguments_of(schedule: Schedule) -> tuple[str, ...] | None:
    """The arguments that the program has to be run with; None if they do not matter."""
    try:
        return recorded_arguments((a.code, a.subject) for a in schedule.assumptions)
    except ValueError as problem:
        raise UserError(f"the schedule is damaged: {problem}", hint=NEW_ONE) from None


def prefix_of(schedule: Schedule, events: int) -> Schedule:
    """Its first events, after which nothing is ordered."""
    try:
        return irs.prefix(schedule, events)
    except BadSchedule as problem:
        hint = "imc verify --optimise opt0 leaves nothing out"
        raise UserError(str(problem), hint=hint) from None


def write_schedule(schedule: Schedule, path: Path) -> None:
    """Puts a schedule in the place of the one before, whole or not at all."""
    try:
        dump(schedule, path)
    except OSError as error:
        raise UserError(
            f"cannot write {path}: {error.strerror}", hint="name a file in a writable folder"
        ) from None
