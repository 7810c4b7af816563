"""imc verify: prove a few schedules for every input, then more of them."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

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
    was_given,
)
from imc.commands.terminal import print_text, text_width
from imc.commands.time_limit import TimeLimit
from imc.errors import UserError
from imc.program.faults import OutOfTime
from imc.report.progress import ProgressLine
from imc.schedule.paths import schedule_path

if TYPE_CHECKING:
    from imc.verifier.iteration import Verification


@click.command(cls=ProgramCommand)
@source_options
@run_options
@memory_option
@click.option(
    "--until",
    type=click.Choice(["first", "verdict", "all"]),
    default="verdict",
    show_default=True,
    help="Stop at the first schedule, when the verdict is clear, or when no schedule is left.",
)
@click.option(
    "--iterations",
    type=click.IntRange(min=1),
    metavar="N",
    help="Stop after N results, without trying all schedules at once.",
)
@click.option(
    "--strategy",
    default="round-robin",
    show_default=True,
    metavar="NAME",
    help="Which schedules come first: round-robin, whole-rounds (loops in a loop are part of its "
    "rounds), fewest-switches, least-freedom, side-by-side (whole rounds, but threads of the same "
    "code compute at the same time), or long-runs:K (turns of up to K rounds; "
    "long-runs:K,repeats=M: M turns before others' turn); each also as NAME,reversed: the last "
    "thread started comes first. Unless one is named, the first four are tried until one finds a "
    "schedule.",
)
@click.option(
    "--interpolation",
    default="wp,farkas,spacer",
    show_default=True,
    metavar="NAMES",
    help="Where labels come from, in the order to try them.",
)
@click.option(
    "--emit-schedule",
    "emit",
    is_flag=False,
    flag_value="",
    metavar="[=FILE]",
    help="Write each schedule as it is found (default: PROGRAM.sched.json).",
)
@click.option(
    "--optimise",
    default="opt3",
    show_default=True,
    metavar="LEVEL",
    help="Of an emitted schedule: opt0 keeps the strict order and all operations; opt1 orders only "
    "dependent events and leaves out needless locks; opt2 also has gates only where threads wait, "
    "and repeats sections; opt3 lets sections overlap instead. Or passes: partial,omit,...",
)
@click.option("--tree", is_flag=True, help="Print the tree of the last schedule.")
@click.option("--full", is_flag=True, help="Labels of the tree, and long counterexamples, in full.")
@click.option("--dot", "dot_file", metavar="FILE", help="Write the tree for Graphviz.")
@click.option("--svg", "svg_file", metavar="FILE", help="Write the tree as a picture.")
def verify(
    sources: tuple[Path, ...],
    until: str,
    iterations: int | None,
    time_limit: float | None,
    memory_limit: float | None,
    strategy: str,
    interpolation: str,
    emit: str | None,
    optimise: str,
    tree: bool,
    full: bool,
    dot_file: str | None,
    svg_file: str | None,
    json_file: str | None,
    every: bool,
    **options: Any,
) -> None:
    """Prove schedules of a program safe, deadlock-free and fair for every input.

    Each result is a schedule that the program can be run under. The verdict is safe when
    every schedule is proved, partially-safe when those found are and others are not, unsafe
    when there is an error that no fair schedule avoids.

    \b
    imc verify examples/prodcons.c -DSLOTS=1000
    imc verify examples/prodcons.c -DPRODUCERS=4 -DCONSUMERS=4 --iterations 8
    imc verify examples/double_lock_wrong.c --until first --tree
    imc verify examples/prodcons.c --emit-schedule
    imc verify prog.c --time-limit 60 --json -
    imc verify a.c b.c -- -std=c99 -include config.h -isystem /opt/x/include
    imc verify --compile-commands build/compile_commands.json --target prog

    \b
    Exit codes: 0 safe, 1 unsafe, 2 wrong use or bad input, 3 unknown,
    4 partially safe, and there is an error outside of the schedules,
    6 partially safe, and the rest is not proved, 130 interrupted.
    """
    from imc.explorer.hunt import Hunt
    from imc.schedule.emission import EmittingVerification
    from imc.verifier.iteration import Verification
    from imc.verifier.options import Until, VerifyOptions

    if emit is None:
        refuse_given("optimise", "--optimise is about a schedule to be written", "--emit-schedule")
    limit = TimeLimit(time_limit)
    settings = settings_of(options)
    progress = ProgressLine()
    chosen = VerifyOptions(
        until=Until(until),
        iterations=iterations,
        time_s=time_limit,
        memory_mb=memory_limit,
        strategy=strategy,
        others=not was_given("strategy"),
        interpolation=tuple(interpolation.split(",")),
        progress=progress.update,
        hunt=Hunt,
    )
    with limit.reading(json_file):
        program = load(sources, options)
        chosen = replace(chosen, spent_s=limit.spent_s)
        verification = (
            Verification(program, settings, chosen)
            if emit is None
            else EmittingVerification(
                program,
                settings,
                chosen,
                schedule_path(emit, named_after(program, options)),
                optimise,
            )
        )
    quiet = "-" in (json_file, dot_file, svg_file)
    _follow(verification, limit, progress, quiet)
    if not quiet:
        _conclude(verification, tree, full, every)
    _write(verification, json_file, dot_file, svg_file, full)
    sys.exit(verification.exit_code)


def _follow(
    verification: Verification, limit: TimeLimit, progress: ProgressLine, quiet: bool
) -> None:
    """Tells results as they come; an interrupt ends the search, and what is there is told."""
    from imc.report.verification import HEADER, result_line

    try:
        with limit.alarmed(), progress.shown("verifying"):
            for result in verification:
                progress.clear()
                if not quiet:
                    if result.index == 1:
                        print_text(HEADER)
                    print_text(result_line(result, text_width()))
    except KeyboardInterrupt:
        verification.outcome.interrupt()
    except OutOfTime:
        verification.note_time_limit()


def _write(
    verification: Verification,
    json_file: str | None,
    dot_file: str | None,
    svg_file: str | None,
    full: bool,
) -> None:
    from imc.report.document import write_document, write_file
    from imc.report.dot import to_dot
    from imc.report.svg import to_svg
    from imc.report.tree import tree_graph
    from imc.report.verification import verification_document

    outcome, engine = verification.outcome, verification.engine
    program = engine.program
    schedule = outcome.schedule
    for target, draw in ((dot_file, to_dot), (svg_file, to_svg)):
        if target is not None:
            if schedule is None:
                raise UserError("there is no schedule to draw", hint=outcome.reason)
            text = draw(tree_graph(schedule, engine, program.name, full))
            print_text(text) if target == "-" else write_file(Path(target), text)
    if json_file is not None:
        assumptions = verification.assumptions()
        document = verification_document(program, verification.settings, outcome, assumptions)
        write_document(document, json_file)


def _conclude(verification: Verification, tree: bool, full: bool, every: bool) -> None:
    from imc.report.columns import HANGING
    from imc.report.tree import tree_text
    from imc.report.verification import outcome_text
    from imc.report.written import emission_text
    from imc.schedule.emission import EmittingVerification

    outcome = verification.outcome
    if tree and outcome.schedule is not None:
        print_text("\n" + tree_text(outcome.schedule, verification.engine, full))
    text = outcome_text(
        verification.engine.program,
        verification.settings,
        outcome,
        verification.assumptions(),
        text_width(),
        every,
        full,
    )
    if isinstance(verification, EmittingVerification):
        text += "\n" + "\n".join(wrap(emission_text(verification), text_width(), **HANGING))
    print_text(("\n" if outcome.results else "") + text)
