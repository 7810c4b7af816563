"""imc bench: what enforcing a schedule costs, or gains."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

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
from imc.report.progress import ProgressLine

if TYPE_CHECKING:
    from imc.bench.samples import Summary
    from imc.program.program import Program


@click.command()
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
    "--seconds", type=click.FloatRange(min=0.01), default=1.0, show_default=True, metavar="S",
    help="How long a program that does not end runs.",
)  # fmt: skip
@click.option(
    "--runs", type=click.IntRange(min=1), default=100, show_default=True, metavar="N",
    help="How often a program that ends is run in a turn.",
)  # fmt: skip
@click.option("--seed", type=int, default=1, show_default=True, help="Of the inputs.")
@click.option("--time-limit", type=float, default=60, metavar="S", help="Of the verification.")
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
    time_limit: float,
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
    --mode threads leaves that out, and --mode fibers measures all of them as fibers.

    \b
    imc bench examples/prodcons.c
    imc bench examples/prodcons.c -DSLOTS=5 --turns 9 --svg prodcons.svg
    imc bench prog.c --schedule prog.sched.json --backend python
    """
    from imc.bench.bench import Bench, first_schedule
    from imc.report.measurement import measurement_text
    from imc.run.mode import Mode

    progress = ProgressLine()
    program = load(sources, options)
    if schedule_file is not None:
        given = read_schedule(schedule_file)
        demand_same_program(program, given, schedule_file)
        schedules = {given.made.optimisation: given}
    else:
        schedules = first_schedule(program, time_limit, progress.update)
    one = Bench(
        program,
        schedules,
        turns,
        seconds,
        runs,
        seed,
        progress.update,
        options["cc"],
        Mode(mode),
    )
    found: dict[str, list[Summary]] = {}
    if backend in ("native", "both"):
        found["native"] = one.native()
    if backend in ("python", "both"):
        found["python"] = one.python()
    progress.clear()
    title = f"{turns} turns of {seconds:g} s" if one.endless else f"{turns} turns of {runs} runs"
    if json_file != "-":
        texts = [measurement_text(f"{n}, {title}", s, one.endless) for n, s in found.items()]
        print_text("\n\n".join(texts))
    _write(found, program, json_file, svg_file)


def _write(
    found: dict[str, list[Summary]], program: Program, json_file: str | None, svg_file: str | None
) -> None:
    from imc.report.bars import Bar, bar_chart
    from imc.report.document import write_document, write_file
    from imc.report.measurement import measurement_document, ratio

    if json_file is not None:
        backends = {name: measurement_document(summaries) for name, summaries in found.items()}
        write_document({"program": program.name, "backends": backends}, json_file)
    if svg_file is not None:
        groups = []
        for name, summaries in found.items():
            bars = [
                Bar(s.name, s.rate, s.lowest, s.highest, f"{ratio(s, summaries):.2f}")
                for s in summaries
            ]
            groups.append((f"{program.name}, {name}", bars))
        write_file(Path(svg_file), bar_chart(groups))
