"""imc explore: the explicit engines."""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import wrap
from typing import Any

import click

from imc import api
from imc.commands.emission import PrefixEmission, schedule_path
from imc.commands.options import (
    assumptions_of,
    load,
    print_text,
    run_options,
    settings_of,
    source_options,
    text_width,
)
from imc.errors import UserError
from imc.explore import Limits, explore_exhaustively
from imc.program.interpreter import Interpreter
from imc.program.verdict import EXIT_CODES
from imc.report.columns import HANGING
from imc.report.document import exploration_document, write_document
from imc.report.progress import ProgressLine
from imc.report.summary import exploration_text

MOST_INPUTS = 1000
WRITE_EVERY_S = 0.5


def _inputs(context: click.Context, parameter: click.Parameter, value: str) -> tuple[int, ...]:
    """ "0,1,5..8" as numbers."""
    numbers: list[int] = []
    try:
        for part in value.split(","):
            low, dots, high = part.partition("..")
            values = range(int(low, 0), int(high if dots else low, 0) + 1)
            if len(values) > MOST_INPUTS:
                raise click.BadParameter(f"'{part}' are more than {MOST_INPUTS} values")
            numbers.extend(values)
    except ValueError:
        raise click.BadParameter(f"'{value}' is not a list such as 0,1,5..8") from None
    if not numbers:
        raise click.BadParameter("it names no value")
    return tuple(dict.fromkeys(numbers))


@click.command()
@source_options
@run_options
@click.option(
    "--algorithm", type=click.Choice(["exhaustive"]), default="exhaustive", show_default=True
)
@click.option(
    "--stateful/--count",
    default=True,
    help="Visit every state once (default), or run and count every execution.",
)
@click.option(
    "--bound-loops",
    type=click.IntRange(min=0),
    metavar="N",
    help="Repeat loops at most N times.",
)
@click.option(
    "--max-executions",
    type=click.IntRange(min=1),
    metavar="N",
    help="Stop after N executions (with --count).",
)
@click.option(
    "--inputs",
    default="0,1,2",
    show_default=True,
    callback=_inputs,
    metavar="LIST",
    help="Values of nondeterministic integers, e.g. 0,1,5..8.",
)
@click.option(
    "--emit-schedule",
    "emit",
    is_flag=False,
    flag_value="",
    metavar="[=FILE]",
    help="Write an order of events after which all is known to be safe, less and less as more is "
    "explored (default: PROGRAM.sched.json). Goes on after an error.",
)
@click.option(
    "--optimise",
    default="opt3",
    show_default=True,
    metavar="LEVEL",
    help="Of an emitted schedule: opt0 keeps the strict order, opt1 to opt3 that of dependent "
    "events; all operations and gates are kept.",
)
def explore(
    sources: tuple[Path, ...],
    algorithm: str,
    stateful: bool,
    bound_loops: int | None,
    time_limit: float | None,
    max_executions: int | None,
    inputs: tuple[int, ...],
    emit: str | None,
    optimise: str,
    json_file: str | None,
    **options: Any,
) -> None:
    """Explore every interleaving of a program and say whether one goes wrong.

    \b
    imc explore examples/lost_update.c
    imc explore examples/peterson.c --count
    imc explore examples/bank_race.c --check race
    imc explore examples/lost_update.c --emit-schedule
    imc explore prog.c lib.c -I include -DN=3 --time-limit 60 --json -
    """  # fmt: skip
    if emit is not None and not stateful:
        raise UserError("a schedule is made from states", hint="leave out --count")
    target = schedule_path(emit, sources[0]) if emit is not None else None
    if target is not None:
        from imc.schedule.optimise import passes

        passes(optimise)  # which is refused before anything takes time
    program = load(sources, options)
    settings = settings_of(options, loop_bound=bound_loops, inputs=inputs)
    assumptions = assumptions_of(program, settings)
    limits = Limits(time_limit, max_executions)
    progress = ProgressLine()
    emission = None
    if target is None:
        interpreter = Interpreter(program, settings)
        result = explore_exhaustively(interpreter, stateful, limits, progress.explored)
    else:
        prefixes = api.trace_prefixes(
            program, settings, optimise, limits, progress.explored, assumptions, WRITE_EVERY_S
        )
        emission = PrefixEmission(prefixes, target)
        emission.follow()
        interpreter, result = prefixes.search.interpreter, prefixes.result
    progress.clear()
    if json_file is not None:
        write_document(exploration_document(interpreter, result, assumptions), json_file)
    if json_file != "-":
        text = exploration_text(interpreter, result, assumptions, text_width())
        if emission is not None:
            text += "\n" + "\n".join(wrap(emission.text(), text_width(), **HANGING))
        print_text(text)
    sys.exit(EXIT_CODES[result.verdict])
