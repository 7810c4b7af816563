"""imc bench: what enforcing a schedule costs, or gains."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from imc.commands.options import (
    demand_same_program,
    load,
    print_text,
    read_schedule,
    source_options,
)
from imc.errors import UserError
from imc.report.progress import ProgressLine

if TYPE_CHECKING:
    from imc.bench.samples import Summary, Variant
    from imc.program.program import Program
    from irs.schedule import Schedule

Schedules = dict[str, "Schedule | None"]  # by the names of their variants


@click.command()
@source_options
@click.option(
    "--schedule",
    "schedule_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Measure this schedule, instead of the first one that is verified at all levels.",
)
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
    json_file: str | None,
    **options: Any,
) -> None:
    """Measure a program under its schedule against the same program without one.

    All variants take turns, so that good and bad times of the machine hit all of them. Programs
    that do not end are counted by their useful rounds: how often the last store that other
    threads wait for in a thread's loop was done. Ratios are to the program without a schedule.

    \b
    imc bench examples/prodcons.c
    imc bench examples/prodcons.c -DSLOTS=5 --turns 9 --svg prodcons.svg
    imc bench prog.c --schedule prog.sched.json --backend python
    """
    from imc.bench.rounds import repeats, useful_sites
    from imc.report.measurement import measurement_text

    progress = ProgressLine()
    program = load(sources, options)
    if schedule_file is not None:
        given = read_schedule(schedule_file)
        demand_same_program(program, given, schedule_file)
        schedules: Schedules = {"unconstrained": None, given.made.optimisation: given}
    else:
        schedules = _verified(program, time_limit, progress)
    last = list(schedules.values())[-1]
    assert last is not None
    endless = repeats(last)
    plan = _Plan(program, turns, seconds if endless else None, runs, seed)
    plan.useful = frozenset(useful_sites(last))
    found: dict[str, list[Summary]] = {}
    for one in ("native", "python") if backend == "both" else (backend,):
        prepare = plan.native if one == "native" else plan.python
        found[one] = prepare(schedules, options["cc"], progress.update)
    progress.clear()
    title = f"{turns} turns of {seconds:g} s" if endless else f"{turns} turns of {runs} runs"
    if json_file != "-":
        texts = [measurement_text(f"{n}, {title}", s, endless) for n, s in found.items()]
        print_text("\n\n".join(texts))
    _write(found, program, json_file, svg_file)


def _verified(program: Program, time_limit: float, progress: ProgressLine) -> Schedules:
    """The first schedule of a program, at all levels."""
    from imc.program.settings import Settings
    from imc.schedule import compile
    from imc.schedule.optimise import LEVELS
    from imc.symbolic.verify import Until, Verification, VerifyOptions

    chosen = VerifyOptions(until=Until.FIRST, time_s=time_limit, progress=progress.update)
    verification = Verification(program, Settings(), chosen)
    result = next((r for r in verification if r.schedule is not None), None)
    if result is None:
        raise UserError(
            f"no schedule was found: {verification.outcome.reason or verification.outcome.verdict}",
            hint="a longer --time-limit, or --schedule FILE",
        )
    levels = {level: compile(verification, result, level).schedule for level in LEVELS}
    return {"unconstrained": None, **levels}


@dataclass(slots=True)
class _Plan:
    """What is measured, and how long."""

    program: Program
    turns: int
    seconds: float | None  # None: to the program's end
    runs: int
    seed: int
    useful: frozenset[tuple[str, int]] = frozenset()

    def native(
        self, schedules: Schedules, cc: str | None, progress: Callable[[str], None]
    ) -> list[Summary]:
        from imc.bench.native import Workshop
        from imc.frontend.clang import CompilerOptions
        from imc.native.build import BuildOptions

        options = BuildOptions(CompilerOptions(cc=cc), embed=True, useful=self.useful)
        runs = self.runs if self.seconds is None else 1
        with tempfile.TemporaryDirectory(prefix="imc-bench-") as folder:
            shop = Workshop(self.program, Path(folder), options, self.seconds, runs, self.seed)
            variants = []
            for name, schedule in schedules.items():
                progress(f"building: {name}")
                variants.append(shop.variant(name, schedule))
            progress("building: other locks")
            variants[1:1] = shop.baselines()
            return self._measured(variants, runs, progress)

    def python(
        self, schedules: Schedules, cc: str | None, progress: Callable[[str], None]
    ) -> list[Summary]:
        from imc.bench.python import python_variant

        runs = self.runs if self.seconds is None else 1
        variants = [
            python_variant(n, self.program, s, self.useful, self.seconds, runs, self.seed)
            for n, s in schedules.items()
        ]
        return self._measured(variants, runs, progress)

    def _measured(
        self, variants: Sequence[Variant], runs: int, progress: Callable[[str], None]
    ) -> list[Summary]:
        from imc.bench.samples import measure, summary

        samples = measure(variants, self.turns, progress)
        return [
            summary(variant.name, own, None if self.seconds is not None else runs)
            for variant, own in zip(variants, samples, strict=True)
        ]


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
