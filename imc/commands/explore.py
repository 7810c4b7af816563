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
from imc.explore import ALGORITHMS, Limits, Reduction, explore_exhaustively
from imc.explore import explore as run_engine
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
    "--algorithm",
    type=click.Choice(ALGORITHMS),
    default="auto",
    show_default=True,
    help="exhaustive visits every state; the others run at least one execution (optimal: exactly "
    "one) of those that differ only in the order of independent events.",
)
@click.option("--count", is_flag=True, help="exhaustive: run and count every execution.")
@click.option(
    "--traces",
    is_flag=True,
    help="Keep all traces, to count them and to see that none comes twice (not exhaustive).",
)
@click.option("--no-plp", is_flag=True, help="optimal-await: keep iterations without effect.")
@click.option("--no-await", is_flag=True, help="optimal-await: do not wait in spin loops.")
@click.option("--no-ifaa", is_flag=True, help="optimal-await: atomic additions do not commute.")
@click.option(
    "--threads-order",
    type=click.Choice(["fixed", "shuffle"]),
    default="fixed",
    show_default=True,
    help="In which order threads are tried; no count depends on it.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of --threads-order shuffle.")
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
    count: bool,
    traces: bool,
    no_plp: bool,
    no_await: bool,
    no_ifaa: bool,
    threads_order: str,
    seed: int,
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
    imc explore examples/treiber_stack.c --algorithm optimal-await
    imc explore examples/bank_race.c --check race
    imc explore examples/lost_update.c --emit-schedule
    imc explore prog.c lib.c -I include -DN=3 --time-limit 60 --json -
    """  # fmt: skip
    if emit is not None and (count or algorithm not in ("auto", "exhaustive")):
        raise UserError("a schedule is made from states", hint="leave out --count and --algorithm")
    if traces and algorithm in ("auto", "exhaustive"):
        raise UserError("which engine's traces?", hint="name one by --algorithm, or use --count")
    if count and algorithm not in ("auto", "exhaustive"):
        raise UserError(f"{algorithm} always counts executions", hint="leave out --count")
    target = schedule_path(emit, sources[0]) if emit is not None else None
    if target is not None:
        from imc.schedule.optimise import passes

        passes(optimise)  # which is refused before anything takes time
    program = load(sources, options)
    adds = algorithm in ("auto", "optimal-await") and not (no_ifaa or count or emit is not None)
    settings = settings_of(options, loop_bound=bound_loops, inputs=inputs, independent_adds=adds)
    assumptions = assumptions_of(program, settings)
    limits = Limits(time_limit, max_executions)
    progress = ProgressLine()
    emission = None
    if target is None:
        interpreter = Interpreter(program, settings)
        if count:
            result = explore_exhaustively(interpreter, False, limits, progress.explored)
        else:
            shuffled = seed if threads_order == "shuffle" else None
            reduction = Reduction(not no_plp, not no_await, shuffled, traces)
            result = run_engine(interpreter, algorithm, reduction, limits, progress.explored)
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
