"""imc tune: the schedule under which a program runs fastest."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import click

from imc.commands.numbers import Finite
from imc.commands.options import ProgramCommand, load, named_after, source_options
from imc.commands.terminal import print_text, text_width
from imc.commands.time_limit import TimeLimit
from imc.errors import UserError
from imc.program.code import Site
from imc.report.progress import ProgressLine
from imc.schedule.files import write_schedule
from imc.schedule.paths import schedule_path


def _overhead(context: click.Context, parameter: click.Parameter, text: str | None) -> float | None:
    if text is None:
        return None
    try:
        part = float(text.removesuffix("%")) / 100
    except ValueError:
        part = -1.0
    if not 0 <= part < 1:
        raise click.BadParameter(f"'{text}' is not a number of percent, such as 10%")
    return part


@click.command(cls=ProgramCommand)
@source_options
@click.option("-o", "--output", metavar="FILE", help="The schedule (default: PROGRAM.sched.json).")
@click.option(
    "--backend", type=click.Choice(["native", "python"]), default="native", show_default=True,
    help="What is measured: executables, or Python threads.",
)  # fmt: skip
@click.option(
    "--mode", type=click.Choice(["auto", "threads", "fibers"]), default="auto", show_default=True,
    help="Run threads as those of the system, as fibers on one core, or try both.",
)  # fmt: skip
@click.option(
    "--time-limit", type=Finite(min=0, min_open=True), default=60.0, show_default=True,
    metavar="S", help="Stop after S seconds, the last comparison included, and keep the best.",
)  # fmt: skip
@click.option(
    "--max-overhead", metavar="P%", callback=_overhead,
    help="Stop as soon as a schedule costs no more than P percent of the speed.",
)  # fmt: skip
@click.option(
    "--max-wait", type=Finite(min=0, min_open=True), metavar="MS",
    help="No thread may have waited longer than MS milliseconds for its turn.",
)  # fmt: skip
@click.option("--seed", type=int, default=1, show_default=True, help="Of the inputs.")
@click.option("--svg", "svg_file", metavar="FILE", help="Draw speed against verification time.")
def tune(
    sources: tuple[Path, ...],
    output: str | None,
    backend: str,
    mode: str,
    time_limit: float,
    max_overhead: float | None,
    max_wait: float | None,
    seed: int,
    svg_file: str | None,
    json_file: str | None,
    **options: Any,
) -> None:
    """Find the schedule under which a program runs fastest.

    Schedules with ever longer turns, fewer threads at a time and other optimisations are
    verified and measured on the real program, in turns with the unconstrained one. What is
    learned from them decides what is tried next. The best one is written. Where the program
    fails or hangs without a schedule, that is told, and schedules are compared by their rates.

    \b
    imc tune examples/prodcons.c
    imc tune examples/prodcons.c -DPRODUCERS=4 -DCONSUMERS=4 --svg speed.svg
    imc tune prog.c --max-overhead 10% --max-wait 5
    """
    from imc.execution.mode import ThreadMode
    from imc.measurement.tune.arena import Arena, NativeStand, PythonStand, Stand
    from imc.measurement.tune.candidate import Trial
    from imc.measurement.tune.tuner import INTERRUPTED, Tuner, Wishes
    from imc.report.document import write_document, write_file
    from imc.report.tuning import HEADER, trial_line, tuning_chart, tuning_document, tuning_text

    began = time.monotonic()
    progress = ProgressLine()
    with TimeLimit(time_limit).reading(json_file):
        program = load(sources, options)
    target = schedule_path(output or "", named_after(program, options))
    quiet = json_file == "-"
    header = [HEADER]

    def told(trial: Trial) -> None:
        progress.clear()
        if not quiet:
            print_text("\n".join([*header, trial_line(trial)]))
            header.clear()

    longest = max_wait / 1e3 if max_wait is not None else None
    deadline = began + time_limit
    left = max(deadline - time.monotonic(), 0.0)
    wishes = Wishes(left, max_overhead, longest, ThreadMode(mode), backend == "native")
    with tempfile.TemporaryDirectory(prefix="imc-tune-") as folder:

        def arena(useful: frozenset[Site], endless: bool) -> Arena:
            stand: Stand = (
                NativeStand(program, useful, endless, seed, Path(folder), options["cc"], deadline)
                if backend == "native"
                else PythonStand(program, useful, endless, seed, deadline)
            )
            return Arena(stand, endless, progress.update)

        with progress.shown("verifying"):
            tuning = Tuner(program, wishes, arena, progress.update, told).run()
    if tuning.best is None and tuning.ended == INTERRUPTED:
        raise KeyboardInterrupt
    if tuning.best is None:
        raise UserError(f"no schedule was measured: {tuning.ended}", hint="a longer --time-limit")
    write_schedule(tuning.best.schedule, target)
    if not quiet:
        print_text("")
        print_text(tuning_text(tuning, str(target), text_width()))
    if json_file is not None:
        document = {"program": program.name, "backend": backend, "schedule": str(target)}
        write_document(document | tuning_document(tuning), json_file)
    if svg_file is not None:
        write_file(Path(svg_file), tuning_chart(tuning, program.name))
    if tuning.ended == INTERRUPTED:
        sys.exit(130)
