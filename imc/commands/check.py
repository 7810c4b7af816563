"""imc check: prove a schedule anew, with another solver than the one that found it."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from textwrap import wrap
from typing import Any, NoReturn

import click

from imc.commands.options import ProgramCommand, load, run_options, settings_of, source_options
from imc.commands.terminal import print_text, text_width
from imc.commands.time_limit import TimeLimit
from imc.errors import UserError
from imc.program.assumptions import by_weight
from imc.program.faults import OutOfTime, Property
from imc.schedule.files import demand_same_program, read_schedule
from irs.schedule import Schedule

REJECTED, UNKNOWN = 1, 3


@click.command(cls=ProgramCommand)
@source_options
@run_options
def check(
    sources: tuple[Path, ...],
    json_file: str | None,
    time_limit: float | None,
    every: bool,
    **options: Any,
) -> None:
    """Check a schedule's certificate against the program, independently.

    The last FILE is the schedule. Every step, label, cover and end of its tree is derived from
    the program and proved by cvc5, and the sections must permit only what the tree does. Give the
    options that the schedule was made with; arguments of the program (--arg) are in the schedule.

    \b
    imc check examples/prodcons.c prodcons.sched.json
    imc check prog.c -DSLOTS=1000 prog.sched.json --json -

    \b
    Exit codes: 0 accepted, 1 rejected, 2 wrong use or bad input,
    3 unknown: no certificate, or not decided in time.
    """
    from imc.checker.check import check_schedule
    from imc.checker.deadline import Deadline
    from imc.checker.refusal import Rejected, Undecided
    from imc.report.assumptions import assumption_documents, assumption_lines, of_schedule
    from imc.report.schedule_text import proved_text

    *programs, file = sources or (Path(),)
    if not (programs or options["compile_commands"]) or file.suffix != ".json":
        raise UserError(
            "a program and a schedule are needed", hint="imc check prog.c prog.sched.json"
        )
    try:
        with TimeLimit(time_limit).alarmed():
            deadline = Deadline(time_limit)
            schedule = read_schedule(file)
            program = load(tuple(programs), options)
            demand_same_program(program, schedule, file)
            settings = replace(settings_of(options), properties=_claims(schedule, options))
            if schedule.certificate is None:
                raise Undecided("there is no certificate to be checked")
            deadline.look()
            found = check_schedule(program, schedule, settings, deadline)
    except Rejected as problem:
        _refuse(json_file, file, "rejected", str(problem), REJECTED)
    except Undecided as problem:
        _refuse(json_file, file, "unknown", str(problem), UNKNOWN)
    except OutOfTime:
        _refuse(json_file, file, "unknown", f"it takes longer than {time_limit:g} s", UNKNOWN)
    keys = {a.key for a in found.assumptions}
    more = [
        replace(a, subject=_plain(a.subject)) for a in of_schedule(schedule) if a.key not in keys
    ]
    assumptions = by_weight((*found.assumptions, *more))
    not_checked = (
        [f"not checked: {', '.join(found.unchecked)} (not in certificates)"]
        if found.unchecked
        else []
    )
    lines = [
        f"{file}: accepted",
        f"proved: {proved_text(found.properties, bool(found.bounds))}",
        f"properties: {', '.join(found.properties)}",
        *not_checked,
        f"checked: {found.nodes} nodes and {found.sections} section{'s' * (found.sections != 1)}, "
        f"with {found.questions} "
        f"questions to {found.solver}, in {found.time_s:.2f} s",
        *(f"bound: {bound}" for bound in found.bounds),
    ]
    document = {
        "verdict": "accepted",
        "properties": [str(p) for p in found.properties],
        "not_checked": [str(p) for p in found.unchecked],
        "bounds": list(found.bounds),
        "assumptions": assumption_documents(assumptions),
        "nodes": found.nodes,
        "sections": found.sections,
        "solver": {"name": found.solver, "calls": found.questions},
        "time_s": round(found.time_s, 4),
    }
    _tell(json_file, document, lines, assumption_lines(assumptions, text_width(), every))


def _claims(schedule: Schedule, options: dict[str, Any]) -> frozenset[Property]:
    """The properties to be proved: those of the schedule, without those of --no-check."""
    from imc.checker.check import proved_properties

    return proved_properties(schedule, options["check"], options["no_check"])


def _refuse(json_file: str | None, file: Path, verdict: str, reason: str, code: int) -> NoReturn:
    line = f"{file}: {verdict}: {reason}"
    _tell(json_file, {"verdict": verdict, "reason": reason}, [line])
    sys.exit(code)


def _tell(
    json_file: str | None,
    document: dict[str, Any],
    lines: Iterable[str],
    wrapped: Iterable[str] = (),
) -> None:
    from imc.report.document import write_document

    if json_file != "-":
        width = text_width()
        told = [x for line in lines for x in wrap(_plain(line), width, subsequent_indent="  ")]
        print_text("\n".join((*told, *wrapped)))
    if json_file is not None:
        write_document(document, json_file)


def _plain(text: str) -> str:
    """A file's words without what a terminal would obey."""
    return text if text.isprintable() else ascii(text)[1:-1]
