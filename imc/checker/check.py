"""The check of a schedule as a whole: its tree holds for the program, and it keeps to the tree."""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace

from pysmt.exceptions import PysmtException

from imc.checker.checker import Checker
from imc.checker.conformance import Conformance
from imc.checker.deadline import Deadline
from imc.checker.refusal import Rejected, Undecided, shown
from imc.errors import UserError
from imc.program.assumptions import (
    Assumption,
    assumed,
    described_input,
    flaw,
    missing,
    recorded_arguments,
)
from imc.program.faults import OutOfTime, Property
from imc.program.program import Program
from imc.program.settings import Settings
from irs.schedule import Schedule
from irs.strict_json import quoted

# What a file that was made to do harm may bring about where nobody thought of it.
MISHAPS = (
    ArithmeticError, AssertionError, AttributeError, LookupError, MemoryError, PysmtException,
    RecursionError, TypeError, ValueError,
)  # fmt: skip
MOST_NAMED = 5  # properties in a message
NO_CLAIM = "it claims nothing that a certificate shows"
# A schedule orders accesses, so that they do not race; that loops end is not in certificates.
NOT_CHECKED = (Property.RACE, Property.TERMINATION)


@dataclass(frozen=True, slots=True)
class Acceptance:
    """What was proved, and how much there was to do."""

    properties: tuple[Property, ...]
    unchecked: tuple[Property, ...]  # what the schedule claims too, and certificates do not show
    nodes: int
    sections: int
    questions: int
    solver: str
    time_s: float
    bounds: tuple[str, ...]
    assumptions: tuple[Assumption, ...]


def proved_properties(
    schedule: Schedule, check: Iterable[str] = (), no_check: Iterable[str] = ()
) -> frozenset[Property]:
    """The properties that a schedule speaks of, but for those that the user does not ask for.

    Raises `UserError` if nobody knows them, or if the user asks for others.
    """
    known = {str(p) for p in Property}
    if unknown := set(schedule.made.properties) - known:
        names = ", ".join(map(quoted, sorted(unknown)[:MOST_NAMED]))
        raise UserError(f"the schedule speaks of unknown properties: {names}")
    if not schedule.made.properties:
        raise UserError("the schedule does not say what was proved: it names no properties")
    claimed = frozenset(map(Property, schedule.made.properties))
    for wanted in sorted(set(map(Property, check)) - claimed):
        raise UserError(
            f"the schedule was not made for the property {wanted}",
            hint=f"imc verify --check {wanted} --emit-schedule makes one",
        )
    return claimed - set(map(Property, no_check))


def check_schedule(
    program: Program,
    schedule: Schedule,
    settings: Settings,
    deadline: Deadline | None = None,
) -> Acceptance:
    """Proves a schedule anew, for the settings.

    It is one for runs with the arguments that it names, and proved for these unless the settings
    name others, which is refused. Raises `Rejected` with the claim that fails, or `Undecided` if
    one could not be decided.
    """
    began = time.monotonic()
    limit = deadline or Deadline()
    settings = _surroundings(schedule, settings).enforced()
    unchecked = settings.properties & set(NOT_CHECKED)
    if settings.properties == unchecked:
        named = f": {', '.join(sorted(unchecked))}" if unchecked else ""
        raise Rejected(NO_CLAIM + named)
    try:
        _rests_on(schedule, program.assumptions, settings)
        checker = checked(program, schedule, settings, limit)
        Conformance(checker, schedule).check()
        more = program.assumptions
        if checker.domain.arithmetic.promised and Property.OVERFLOW not in settings.properties:
            more = (*more, Assumption("no-overflow"))
        if checker.domain.numeric:
            more = (*more, Assumption("address-layout"))
        rests_on = _rests_on(schedule, more, settings)
    except OutOfTime:
        raise Undecided(f"it takes longer than {limit.seconds:g} s") from None
    except MISHAPS as problem:
        what = f"{type(problem).__name__}: {problem}"
        raise Rejected(f"the schedule is damaged: {shown(what)}") from problem
    return Acceptance(
        tuple(sorted(settings.properties - unchecked)),
        tuple(sorted(unchecked)),
        len(checker.points),
        len(schedule.sections),
        checker.solver.calls,
        checker.solver.name,
        time.monotonic() - began,
        tuple(sorted(checker.image.bounds)),
        tuple(rests_on),
    )


def checked(
    program: Program, schedule: Schedule, settings: Settings, deadline: Deadline
) -> Checker:
    """A schedule's tree, proved; what the sections make of it is another question."""
    if schedule.certificate is None:
        raise Rejected("there is no certificate to be checked")
    checker = Checker(program, settings, schedule.threads, schedule.certificate, deadline)
    checker.check()
    return checker


def _surroundings(schedule: Schedule, settings: Settings) -> Settings:
    """The settings with the arguments of the schedule, which says what it was made for.

    An acceptance tells them, and who runs the program with others is told that they do not hold.
    """
    given = [(a.code, a.subject) for a in schedule.assumptions]
    try:
        arguments = recorded_arguments(given)
    except ValueError as problem:
        raise Rejected(str(problem)) from None
    if arguments is not None and not settings.arguments:
        settings = replace(settings, arguments=arguments)
    elif arguments is not None and arguments != settings.arguments:
        words = f"with the argument{'s' * (len(arguments) > 1)} {shown(shlex.join(arguments))}"
        raise UserError(
            f"the schedule was made for a run {words if arguments else 'without arguments'}",
            hint="give the same with --arg, or none" if arguments else "leave out --arg",
        )
    for code, subject in given:
        if code == "stdin" and subject != described_input(settings.stdin):
            raise UserError(
                f"the schedule was made for another standard input: {shown(subject)}",
                hint="give the same with --stdin",
            )
        if code == "no-stdin" and settings.stdin:
            raise UserError(
                "the schedule was made for an empty standard input", hint="leave out --stdin"
            )
    return settings


def _rests_on(
    schedule: Schedule, assumptions: Iterable[Assumption], settings: Settings
) -> list[Assumption]:
    """What a proof rests on: a schedule must say so, and say nothing that nobody understands."""
    for a in schedule.assumptions:
        if problem := flaw(a.code, a.subject):
            raise Rejected(problem)
    found = assumed(tuple(assumptions), settings)
    unsaid = missing(found, ((a.code, a.subject) for a in schedule.assumptions))
    if unsaid is not None:
        about = f" of '{unsaid.subject}'" if unsaid.subject else ""
        raise Rejected(f"it does not name the assumption {unsaid.code}{about}, but rests on it")
    return found
