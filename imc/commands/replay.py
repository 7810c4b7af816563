"""imc replay: runs a counterexample again, or checks a recorded run against its schedule."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, NoReturn

import click

from imc.commands.options import ProgramCommand, load, schedule_option, source_options
from imc.commands.terminal import print_text, text_width
from imc.errors import UserError
from imc.explorer.recording import demand_same_recording, read_recording
from imc.explorer.reproduce import fault_of, run_recording
from imc.program.concrete.given import GivenInputs
from imc.program.interpreter import Interpreter
from imc.program.words.description import fault_text
from imc.report.document import counterexample, write_document
from imc.report.trace import trace_text
from imc.schedule.files import demand_same_program, read_schedule
from irs.errors import BadRecord
from irs.record import check_record, read_record

PERMITTED, REPRODUCED, DEVIATES = 0, 1, 5


@click.command(cls=ProgramCommand)
@source_options
@schedule_option("The schedule that a recorded run was made under.")
@click.option("--step", is_flag=True, help="Show a counterexample event by event.")
def replay(
    sources: tuple[Path, ...],
    schedule_file: Path | None,
    step: bool,
    json_file: str | None,
    **options: Any,
) -> None:
    """Run a counterexample again, or check that a recorded run is one its schedule permits.

    The last FILE is what imc explore --json or imc verify --json has written, or the record of
    imc run --trace. The check of a record shares no code with the run-time.

    \b
    imc explore prog.c --json trace.json
    imc replay prog.c trace.json --step
    imc run prog.c --schedule prog.sched.json --trace run.jsonl
    imc replay prog.c run.jsonl --schedule prog.sched.json

    \b
    Exit codes: 0 permitted, 1 the error has come again, 2 wrong use or bad input,
    5 not permitted, or the error has not come again.
    """
    *programs, record = sources or (Path(),)
    if not sources or not (programs or options["compile_commands"]):
        raise UserError(
            "a program and a record are needed",
            hint="imc replay prog.c run.jsonl --schedule prog.sched.json",
        )
    if schedule_file is not None:
        _check(tuple(programs), record, schedule_file, json_file, options)
    _run_again(tuple(programs), record, step, json_file, options)


def _run_again(
    programs: tuple[Path, ...],
    file: Path,
    step: bool,
    json_file: str | None,
    options: dict[str, Any],
) -> NoReturn:
    recording = read_recording(file)
    program = load(programs, options)
    demand_same_recording(program, recording, file)
    domain = None if recording.inputs is None else GivenInputs(recording.inputs)
    interpreter = Interpreter(program, recording.settings, domain)
    outcomes = run_recording(interpreter, recording)
    fault = fault_of(interpreter, outcomes, recording.kind) if outcomes else None
    again = fault is not None and fault.kind is recording.kind
    if json_file != "-":
        events = [o.event for o in outcomes or ()]
        loop = fault.loop if fault is not None else 0
        table = trace_text(interpreter.image, events, text_width(), loop).splitlines()
        for number, line in enumerate(table):
            click.echo(line)
            if step and number:
                click.pause("")
        text = fault_text(interpreter.image, fault) if fault is not None else ""
        print_text(f"\n{text}\n\nverdict: " + ("reproduced" if again else "not reproduced"))
    if json_file is not None:
        verdict = "reproduced" if again else "not reproduced"
        trace = [o.event for o in outcomes or ()]
        found = counterexample(interpreter.image, fault, trace) if fault is not None else None
        write_document(
            {"program": program.name, "verdict": verdict, "counterexample": found}, json_file
        )
    sys.exit(REPRODUCED if again else DEVIATES)


def _check(
    programs: tuple[Path, ...],
    record: Path,
    schedule_file: Path,
    json_file: str | None,
    options: dict[str, Any],
) -> NoReturn:
    schedule = read_schedule(schedule_file)
    program = load(programs, options)
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
    if json_file != "-":
        reason = f"{events} events" if problem is None else str(problem)
        print_text(f"{record}: {verdict}: {reason}")
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
    sys.exit(PERMITTED if problem is None else DEVIATES)
