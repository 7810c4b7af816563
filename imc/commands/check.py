"""imc check: prove a schedule anew, with another solver than the one that found it."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from textwrap import wrap
from typing import Any

import click

from imc.commands.options import (
    assumptions_of,
    demand_same_program,
    load,
    print_text,
    read_schedule,
    run_options,
    settings_of,
    source_options,
    text_width,
)
from imc.errors import UserError
from imc.program.faults import Property
from irs.schedule import Schedule

ACCEPTED, REJECTED, NO_CERTIFICATE = 0, 1, 3


@click.command()
@source_options
@run_options
def check(
    sources: tuple[Path, ...],
    json_file: str | None,
    time_limit: float | None,
    **options: Any,
) -> None:
    """Check a schedule's certificate against the program, independently.

    The last FILE is the schedule. Every step, label, cover and end of its tree is derived from
    the program and proved by cvc5, and the sections must permit only what the tree does. Give the
    options that the schedule was made with.

    \b
    imc check examples/prodcons.c prodcons.sched.json
    imc check prog.c -DSLOTS=1000 prog.sched.json --json -

    \b
    Exit codes: 0 accepted, 1 rejected, 2 wrong use or bad input,
    3 no certificate.
    """
    from imc.report.schedule import proved_text
    from imc.schedule.check import check_schedule
    from imc.schedule.checker import Rejected

    *programs, file = sources
    if not programs or file.suffix != ".json":
        raise UserError(
            "a program and a schedule are needed", hint="imc check prog.c prog.sched.json"
        )
    schedule = read_schedule(file)
    program = load(tuple(programs), options)
    demand_same_program(program, schedule, file)
    if schedule.certificate is None:
        _tell(
            json_file,
            {"verdict": "unknown", "reason": "no certificate"},
            [f"{file}: there is no certificate to be checked"],
        )
        sys.exit(NO_CERTIFICATE)
    settings = replace(settings_of(options), properties=_properties(schedule))
    try:
        found = check_schedule(program, schedule, settings)
    except Rejected as problem:
        _tell(
            json_file,
            {"verdict": "rejected", "reason": str(problem)},
            wrap(f"{file}: rejected: {problem}", text_width(), subsequent_indent="  "),
        )
        sys.exit(REJECTED)
    assumptions = [str(a) for a in assumptions_of(program, settings)]
    assumptions += [a for a in schedule.assumptions if a not in assumptions]
    properties = ", ".join(found.properties)
    lines = [
        f"{file}: accepted",
        f"proved: {proved_text(bool(found.bounds))}",
        f"properties: {properties}",
        f"checked: {found.nodes} nodes and {found.sections} section{'s' * (found.sections != 1)}, "
        f"with {found.questions} "
        f"questions to {found.solver}, in {found.time_s:.2f} s",
        *(f"bound: {bound}" for bound in found.bounds),
        *(f"assumed: {assumption}" for assumption in assumptions),
    ]
    document = {
        "verdict": "accepted",
        "properties": [str(p) for p in found.properties],
        "bounds": list(found.bounds),
        "assumptions": assumptions,
        "nodes": found.nodes,
        "sections": found.sections,
        "solver": {"name": found.solver, "calls": found.questions},
        "time_s": round(found.time_s, 4),
    }
    width = text_width()
    _tell(json_file, document, [w for x in lines for w in wrap(x, width, subsequent_indent="  ")])


def _properties(schedule: Schedule) -> frozenset[Property]:
    known = {str(p) for p in Property}
    if unknown := set(schedule.made.properties) - known:
        raise UserError(f"the schedule speaks of unknown properties: {', '.join(sorted(unknown))}")
    return frozenset(map(Property, schedule.made.properties))


def _tell(json_file: str | None, document: dict[str, Any], lines: list[str]) -> None:
    from imc.report.document import write_document

    if json_file is not None:
        write_document(document, json_file)
    if json_file != "-":
        print_text("\n".join(lines))
