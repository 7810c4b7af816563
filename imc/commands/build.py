"""imc build: a program that can only run as its schedule permits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from imc.commands.options import ProgramCommand, load, mode_option, schedule_option, source_options
from imc.commands.terminal import print_text
from imc.errors import UserError
from imc.schedule.files import demand_assumptions, demand_same_program, read_schedule


@click.command(cls=ProgramCommand)
@source_options
@schedule_option("The schedule to be enforced.")
@click.option(
    "-o",
    "output",
    required=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The executable to write.",
)
@click.option(
    "--replay",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Run into the error of this counterexample (of imc explore --json, imc verify --json).",
)
@click.option("--debug", is_flag=True, help="Without optimisation, for debuggers.")
@click.option("--embed", is_flag=True, help="Make the schedule part of the executable.")
@click.option(
    "--unconstrained", is_flag=True, help="Without gates, to compare with: threads run freely."
)
@click.option(
    "--count",
    multiple=True,
    type=click.IntRange(min=1),
    metavar="LINE",
    help="Count how often the events of this line happen (see IRS_STATS).",
)
@click.option("--calls", is_flag=True, help="Call the gates instead of inlining them.")
@mode_option
def build(
    sources: tuple[Path, ...],
    schedule_file: Path | None,
    output: Path,
    replay: Path | None,
    debug: bool,
    embed: bool,
    unconstrained: bool,
    count: tuple[int, ...],
    calls: bool,
    mode: str,
    json_file: str | None,
    **options: Any,
) -> None:
    """Build an executable whose threads keep to a schedule, or run into an error.

    The IR that was verified is compiled with a gate at every event. Without --embed the schedule
    is read from FILE.irs, which is written beside the executable, or from the file that the
    environment variable IRS_SCHEDULE names. With --replay the threads go the way of a
    counterexample each time, also in a debugger; what the program reads is in FILE.input.

    \b
    imc verify prog.c --emit-schedule
    imc build prog.c --schedule prog.sched.json -o prog
    imc build prog.c --unconstrained -o prog.free
    imc build prog.c --unconstrained -o prog.free -- -std=c99 -lfoo
    imc explore prog.c --json trace.json
    imc build prog.c --replay trace.json -o prog.wrong && gdb prog.wrong

    \b
    Exit codes: 0 built, 2 wrong use or bad input. The executable ends with
    status 5 when the run deviates from its schedule, or stalls.
    """
    from imc.execution.builds import BuildRequest, build_executable
    from imc.execution.mode import ThreadMode
    from imc.report.document import write_document
    from imc.schedule.replaying import replay_of

    schedule = read_schedule(schedule_file) if schedule_file is not None else None
    program = load(sources, options)
    inputs: tuple[int, ...] = ()
    asked: tuple[str, ...] = ()
    if replay is not None and schedule is None:
        found = replay_of(program, replay)
        schedule, inputs, asked = found.schedule, found.inputs, found.asked
    elif replay is not None:
        raise UserError("--schedule and --replay exclude each other")
    request = BuildRequest(
        output, schedule, unconstrained, embed, count, calls, ThreadMode(mode), options["cc"],
        inputs, debug or replay is not None,
    )  # fmt: skip
    if schedule is not None and schedule_file is not None:
        demand_same_program(program, schedule, schedule_file)
        demand_assumptions(program, schedule, schedule_file)
    executable = build_executable(program, request)
    built, how = executable.built, executable.mode
    document = {
        "executable": str(built.executable),
        "tables": str(built.tables) if built.tables else None,
        "gates": built.gates,
        "left_out": built.left_out,
        "mode": how.name,
        "mode_reason": how.why,
        "asked": list(asked),
    }
    if json_file is not None:
        write_document(document, json_file)
    if json_file == "-":
        return
    if schedule is None:
        print_text(f"built: {output} (unconstrained)")
        return
    where = f", schedule in {built.tables}" if built.tables else ", schedule embedded"
    left_out = f", {built.left_out} left out" if built.left_out else ""
    gates = f"{built.gates} gate{'s' * (built.gates != 1)}"
    print_text(f"built: {output} ({gates}{left_out}{where})")
    print_text(f"mode: {how.name} ({how.why})")
    for call in asked:
        print_text(f"note: what {call} answers is the system's: the error may depend on it")
