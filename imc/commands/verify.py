"""imc verify: prove a few schedules for every input, then more of them."""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import click

from imc.commands.emission import Emission, schedule_path
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
from imc.program.verdict import EXIT_CODES
from imc.report.progress import ProgressLine

if TYPE_CHECKING:
    from imc.symbolic.verify import Verification


@click.command()
@source_options
@run_options
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
    "--memory-limit",
    type=click.FloatRange(min=0, min_open=True),
    metavar="MB",
    help="Stop when imc uses more than MB megabytes.",
)
@click.option(
    "--strategy",
    default="round-robin",
    show_default=True,
    metavar="NAME",
    help="Which schedules come first: round-robin, fewest-switches, least-freedom, or long-runs:K "
    "(turns of up to K rounds; long-runs:K,repeats=M: M turns before others' turn).",
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
@click.option("--full", is_flag=True, help="Labels of the tree in full.")
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
    """
    from imc.symbolic.verify import Until, Verification, VerifyOptions

    if (json_file, dot_file, svg_file).count("-") > 1:
        raise UserError("only one of --json, --dot and --svg can go to standard output")
    target = schedule_path(emit, sources[0]) if emit is not None else None
    if target is not None:
        from imc.schedule.optimise import passes

        passes(optimise)  # which is refused before anything takes time
    program = load(sources, options)
    settings = settings_of(options)
    progress = ProgressLine()
    verification = Verification(
        program,
        settings,
        VerifyOptions(
            until=Until(until),
            iterations=iterations,
            time_s=time_limit,
            memory_mb=memory_limit,
            strategy=strategy,
            interpolation=tuple(interpolation.split(",")),
            progress=progress.update,
        ),
    )
    quiet = "-" in (json_file, dot_file, svg_file)
    emission = Emission(verification, target, optimise) if target is not None else None
    _follow(verification, progress, quiet, emission)
    _write(verification, json_file, dot_file, svg_file, full)
    if not quiet:
        _conclude(verification, tree, full, emission)
    sys.exit(EXIT_CODES[verification.outcome.verdict])


def _follow(
    verification: Verification, progress: ProgressLine, quiet: bool, emission: Emission | None
) -> None:
    """Tells results as they come; an interrupt ends the search, and what is there is told."""
    from imc.report.verification import HEADER, result_line

    results = iter(verification)
    try:
        for result in results:
            progress.clear()
            if emission is not None:
                emission.emit(result)
            if not quiet:
                if result.index == 1:
                    print_text(HEADER)
                print_text(result_line(result, text_width()))
    except KeyboardInterrupt:
        verification.outcome.bounds.append("interrupted")
    progress.clear()


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
            text = draw(tree_graph(schedule, engine.places, program.name, full))
            print_text(text) if target == "-" else write_file(Path(target), text)
    if json_file is not None:
        assumptions = _assumptions(verification)
        document = verification_document(program, verification.settings, outcome, assumptions)
        write_document(document, json_file)


def _conclude(
    verification: Verification, tree: bool, full: bool, emission: Emission | None
) -> None:
    from imc.report.columns import HANGING
    from imc.report.tree import tree_text
    from imc.report.verification import outcome_text

    outcome = verification.outcome
    if tree and outcome.schedule is not None:
        print_text("\n" + tree_text(outcome.schedule, verification.engine.places, full))
    text = outcome_text(outcome, _assumptions(verification), text_width())
    if emission is not None:
        text += "\n" + "\n".join(wrap(emission.text(), text_width(), **HANGING))
    print_text(("\n" if outcome.results else "") + text)


def _assumptions(verification: Verification) -> list[Any]:
    given = assumptions_of(verification.engine.program, verification.settings)
    return [*given, *verification.assumptions()]
