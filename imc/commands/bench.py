"""imc bench: what enforcing a schedule costs, or gains."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from imc.commands.numbers import Finite
from imc.commands.options import ProgramCommand, load, mode_option, schedule_option, source_options
from imc.commands.terminal import print_text
from imc.commands.time_limit import TimeLimit
from imc.errors import UserError
from imc.report.progress import ProgressLine
from imc.schedule.files import (
    arguments_of,
    demand_assumptions,
    demand_same_program,
    read_schedule,
)

if TYPE_CHECKING:
    from imc.measurement.bench.bench import Bench
    from imc.measurement.bench.samples import SampleSummary
    from imc.program.program import Program

VERIFYING_S = 60.0  # where no limit is given
INTERRUPTED = "interrupted"


@click.command(cls=ProgramCommand)
@source_options
@schedule_option("Measure this schedule, instead of the first one that is verified at all levels.")
@click.option(
    "--backend",
    type=click.Choice(["native", "python", "both"]),
    default="native",
    show_default=True,
    help="Executables, Python threads, or one after the other.",
)
@click.option(
    "--turns", type=click.IntRange(min=1), default=5, show_default=True, metavar="N",
    help="How often each variant is run; all take turns.",
)  # fmt: skip
@click.option(
    "--seconds", type=Finite(min=0.01), default=1.0, show_default=True, metavar="S",
    help="How long a program that does not end runs.",
)  # fmt: skip
@click.option(
    "--runs", type=click.IntRange(min=1), default=100, show_default=True, metavar="N",
    help="How often a program that ends is run in a turn.",
)  # fmt: skip
@click.option("--seed", type=int, default=1, show_default=True, help="Of the inputs.")
@click.option(
    "--time-limit", type=Finite(min=0, min_open=True), metavar="S",
    help="Verify for at most half of S seconds, and measure what the rest is enough for (default: "
    "60 s to verify, and all turns).",
)  # fmt: skip
@click.option("--svg", "svg_file", metavar="FILE", help="Write the chart as a picture.")
@mode_option
def bench(
    sources: tuple[Path, ...],
    schedule_file: Path | None,
    backend: str,
    turns: int,
    seconds: float,
    runs: int,
    seed: int,
    time_limit: float | None,
    svg_file: str | None,
    mode: str,
    json_file: str | None,
    **options: Any,
) -> None:
    """Measure a program under its schedule against the same program without one.

    All variants take turns, so that good and bad times of the machine hit all of them. Programs
    that do not end are counted by their useful rounds: how often the last store that other
    threads wait for in a thread's loop was done. Ratios are to the program without a schedule.
    Schedules are measured on threads, and the last one as fibers too if that is possible;
    --mode threads leaves that out, and --mode fibers measures all of them as fibers. Where the
    program fails or hangs without a schedule, that is told instead.

    \b
    imc bench examples/prodcons.c
    imc bench examples/prodcons.c -DSLOTS=5 --turns 9 --svg prodcons.svg
    imc bench prog.c --schedule prog.sched.json --backend python
    """
    from imc.execution.mode import ThreadMode
    from imc.measurement.bench.bench import Bench, first_schedule
    from imc.report.measurement import measurement_text

    began = time.monotonic()
    progress = ProgressLine()
    with TimeLimit(time_limit).reading(json_file):
        program = load(sources, options)
    found: dict[str, list[SampleSummary]] = {}
    with progress.shown("verifying"):
        if schedule_file is not None:
            given = read_schedule(schedule_file)
            demand_same_program(program, given, schedule_file)
            demand_assumptions(program, given, schedule_file)
            if arguments_of(given):
                raise UserError(
                    f"{schedule_file} is for runs with arguments, and what is measured has none",
                    hint="imc build makes an executable of it that takes them",
                )
            schedules = {given.made.optimisation: given}
        else:
            verifying_s = VERIFYING_S if time_limit is None else time_limit / 2
            schedules = first_schedule(program, verifying_s, progress.update)
        one = Bench(
            program,
            schedules,
            turns,
            seconds,
            runs,
            seed,
            progress.update,
            options["cc"],
            ThreadMode(mode),
            None if time_limit is None else began + time_limit,
        )
        if backend in ("native", "both"):
            found["native"] = one.native()
        if backend in ("python", "both") and one.ended != INTERRUPTED:
            found["python"] = one.python()
    if not any(found.values()):
        raise UserError(f"nothing was measured: {one.ended}", hint="a longer --time-limit")
    title = f"{turns} turns of {seconds:g} s" if one.endless else f"{turns} turns of {runs} runs"
    if json_file != "-":
        texts = [measurement_text(f"{n}, {title}", s, one.endless) for n, s in found.items()]
        print_text("\n\n".join([*texts, *_cut_short(one)]))
    _write(found, program, json_file, svg_file, one.ended)
    if one.ended == INTERRUPTED:
        sys.exit(130)


def _cut_short(one: Bench) -> list[str]:
    """What was not measured."""
    if not one.ended and not one.left_out:
        return []
    names = ", ".join(dict.fromkeys(one.left_out))
    return [f"{one.ended or 'the time is over'}" + (f"; not measured: {names}" if names else "")]


def _write(
    found: dict[str, list[SampleSummary]],
    program: Program,
    json_file: str | None,
    svg_file: str | None,
    ended: str,
) -> None:
    from imc.report.bars import Bar, bar_chart
    from imc.report.document import write_document, write_file
    from imc.report.measurement import measurement_document

    if json_file is not None:
        backends = {name: measurement_document(summaries) for name, summaries in found.items()}
        document = {"program": program.name, "backends": backends, "ended": ended or None}
        write_document(document, json_file)
    if svg_file is not None:
        groups = []
        for name, summaries in found.items():
            bars = [
                Bar(s.name, s.rate, s.lowest, s.highest, _beside(s, summaries)) for s in summaries
            ]
            groups.append((f"{program.name}, {name}", bars))
        write_file(Path(svg_file), bar_chart(groups))


def _beside(one: SampleSummary, summaries: list[SampleSummary]) -> str:
    """What is written beside a bar."""
    from imc.report.measurement import ratio, ratio_text

    if one.measured:
        return ratio_text(ratio(one, summaries))
    return f"failed in {one.failures.failed} of {one.failures.runs} runs"
