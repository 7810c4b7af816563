"""imc build: a program that can only run as its schedule permits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from imc.commands.options import (
    demand_same_program,
    load,
    mode_option,
    print_text,
    read_schedule,
    schedule_option,
    source_options,
)
from imc.errors import UserError


@click.command()
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
    embed: bool,
    unconstrained: bool,
    count: tuple[int, ...],
    calls: bool,
    mode: str,
    json_file: str | None,
    **options: Any,
) -> None:
    """Build an executable whose threads keep to a schedule.

    The IR that was verified is compiled with a gate at every event. Without --embed the schedule
    is read from FILE.irs, which is written beside the executable, or from the file that the
    environment variable IRS_SCHEDULE names.

    \b
    imc verify prog.c --emit-schedule
    imc build prog.c --schedule prog.sched.json -o prog
    imc build prog.c --unconstrained -o prog.free

    \b
    Exit codes: 0 built, 2 wrong use or bad input. The executable ends with
    status 5 when the run deviates from its schedule, or stalls.
    """
    from imc.frontend.clang import CompilerOptions
    from imc.native.build import BuildOptions, build
    from imc.report.document import write_document
    from imc.report.show import site_text
    from imc.run.mode import Mode, choose_mode

    if (schedule_file is None) != unconstrained:
        raise UserError("either --schedule FILE or --unconstrained is needed")
    if output.suffix in (".c", ".h", ".i", ".ll", ".json"):
        raise UserError(f"'{output}' looks like a source, not like an executable to be written")
    schedule = read_schedule(schedule_file) if schedule_file is not None else None
    program = load(sources, options)
    if schedule is not None and schedule_file is not None:
        demand_same_program(program, schedule, schedule_file)
    how = choose_mode(program, schedule, Mode(mode))
    chosen = BuildOptions(
        CompilerOptions(cc=options["cc"]),
        embed,
        not calls,
        count,
        fibers=how.fibers,
        demanded=how.demanded,
    )
    built = build(program, schedule, output, site_text, chosen)
    document = {
        "executable": str(built.executable),
        "tables": str(built.tables) if built.tables else None,
        "gates": built.gates,
        "left_out": built.left_out,
        "mode": how.name,
        "mode_reason": how.why,
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
