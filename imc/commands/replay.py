"""imc replay: whether a recorded run is one that the schedule permits."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from imc.commands.options import (
    demand_same_program,
    load,
    print_text,
    read_schedule,
    schedule_option,
    source_options,
)
from imc.errors import UserError
from irs.errors import BadRecord
from irs.record import check_record, read_record

PERMITTED, DEVIATES = 0, 5


@click.command()
@source_options
@schedule_option("The schedule that the run was made under.", required=True)
def replay(
    sources: tuple[Path, ...], schedule_file: Path, json_file: str | None, **options: Any
) -> None:
    """Check that a recorded run is in an order that its schedule permits.

    The last FILE is the record, as imc run --trace writes it. The check shares no code with the
    run-time.

    \b
    imc run prog.c --schedule prog.sched.json --trace run.jsonl
    imc replay prog.c run.jsonl --schedule prog.sched.json

    \b
    Exit codes: 0 permitted, 2 wrong use or bad input, 5 not permitted.
    """
    from imc.report.document import write_document

    *programs, record = sources
    if not programs:
        raise UserError(
            "a program and a record are needed",
            hint="imc replay prog.c run.jsonl --schedule prog.sched.json",
        )
    schedule = read_schedule(schedule_file)
    program = load(tuple(programs), options)
    demand_same_program(program, schedule, schedule_file)
    problem: BadRecord | None = None
    events = 0
    try:
        events = check_record(schedule, read_record(record))
    except OSError as error:
        raise UserError(f"cannot read {record}: {error.strerror}") from None
    except BadRecord as found:
        problem = found
    verdict = "permitted" if problem is None else "not permitted"
    if json_file is not None:
        write_document(
            {
                "program": program.name,
                "schedule": str(schedule_file),
                "verdict": verdict,
                "events": events,
                "line": None if problem is None else problem.line,
                "reason": None if problem is None else problem.message,
            },
            json_file,
        )
    if json_file != "-":
        reason = f"{events} events" if problem is None else str(problem)
        print_text(f"{record}: {verdict}: {reason}")
    sys.exit(PERMITTED if problem is None else DEVIATES)
