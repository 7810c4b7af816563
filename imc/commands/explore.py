"""imc explore: the explicit engines."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from textwrap import wrap
from typing import Any

import click

from imc.commands.options import (
    ProgramCommand,
    load,
    memory_option,
    named_after,
    refuse_given,
    run_options,
    settings_of,
    source_options,
)
from imc.commands.terminal import print_text, text_width
from imc.commands.time_limit import TimeLimit
from imc.explorer import ALGORITHMS, Limits, Reduction
from imc.explorer.native import CORES, NATIVE
from imc.explorer.request import ExploreRequest
from imc.program.faults import OutOfTime
from imc.program.interpreter import Interpreter
from imc.program.verdict import exit_code
from imc.report.columns import HANGING
from imc.report.document import exploration_document, write_document
from imc.report.progress import ProgressLine
from imc.report.summary import exploration_text
from imc.schedule.paths import schedule_path

MOST_INPUTS = 1000


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


@click.command(cls=ProgramCommand)
@source_options
@run_options
@memory_option
@click.option(
    "--algorithm",
    type=click.Choice(ALGORITHMS),
    default="auto",
    show_default=True,
    metavar="NAME",
    help=f"One of {', '.join(ALGORITHMS)}. exhaustive visits every state; the others run at least "
    "one execution (optimal, graph: exactly one) of those that differ only in the order of "
    "independent events.",
)
@click.option("--count", is_flag=True, help="exhaustive: run and count every execution.")
@click.option(
    "--core",
    type=click.Choice(CORES),
    default=NATIVE,
    show_default=True,
    help="What explores: native code where it takes the program and has the algorithm, or Python; "
    "no result depends on it.",
)
@click.option("--full", is_flag=True, help="Long counterexamples in full.")
@click.option(
    "--traces",
    is_flag=True,
    help="Keep all traces, to count them and to see that none comes twice (not exhaustive).",
)
@click.option("--no-plp", is_flag=True, help="optimal-await: keep iterations without effect.")
@click.option("--no-await", is_flag=True, help="optimal-await: do not wait in spin loops.")
@click.option("--no-ifaa", is_flag=True, help="optimal-await: atomic additions do not commute.")
@click.option("--no-lapor", is_flag=True, help="graph: order all sections of a lock.")
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
    core: str,
    traces: bool,
    no_plp: bool,
    no_await: bool,
    no_ifaa: bool,
    no_lapor: bool,
    threads_order: str,
    seed: int,
    bound_loops: int | None,
    time_limit: float | None,
    memory_limit: float | None,
    max_executions: int | None,
    inputs: tuple[int, ...],
    emit: str | None,
    optimise: str,
    json_file: str | None,
    every: bool,
    full: bool,
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

    \b
    Exit codes: 0 safe, 1 unsafe, 2 wrong use or bad input, 3 unknown,
    130 interrupted.
    """  # fmt: skip
    if emit is None:
        refuse_given("optimise", "--optimise is about a schedule to be written", "--emit-schedule")
    if threads_order != "shuffle":
        refuse_given("seed", "--seed is of threads in another order", "--threads-order shuffle")
    limit = TimeLimit(time_limit)
    shuffled = seed if threads_order == "shuffle" else None
    request = ExploreRequest(
        algorithm,
        count,
        Reduction(not no_plp, not no_await, shuffled, traces, not no_lapor),
        not no_ifaa,
        Limits(time_limit, max_executions, memory_mb=memory_limit),
        recorded=emit is not None,
        core=core,
    )
    settings = request.settings(settings_of(options, loop_bound=bound_loops, inputs=inputs))
    with limit.reading(json_file):
        program = load(sources, options)
        interpreter = Interpreter(program, settings)
    target = schedule_path(emit, named_after(program, options)) if emit is not None else None
    request = replace(request, limits=replace(request.limits, spent_s=limit.spent_s))
    progress = ProgressLine()
    written = ""
    try:
        with limit.alarmed():
            if target is None:
                result = request.explore(interpreter, progress.explored)
            else:
                from imc.report.written import prefix_text
                from imc.schedule.emission import PrefixEmission

                emission = PrefixEmission(
                    interpreter, target, optimise, request.limits, progress.explored
                )
                result = emission.explore()
                written = "\n" + "\n".join(wrap(prefix_text(emission), text_width(), **HANGING))
    except OutOfTime:
        limit.tell_nothing("before a result could be told", json_file)
    progress.clear()
    if result.no_core:
        written += f"\nPython has explored, since {result.no_core}"
    assumptions = interpreter.assumptions()
    if json_file != "-":
        text = exploration_text(interpreter, result, assumptions, text_width(), every, full)
        print_text(text + written)
    if json_file is not None:
        write_document(exploration_document(interpreter, result, assumptions), json_file)
    sys.exit(exit_code(result.verdict, interrupted=result.interrupted))
