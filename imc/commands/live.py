"""imc run --live: a program runs while it is verified."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from imc.commands.native import check_trace, run_once
from imc.commands.options import assumptions_of
from imc.errors import UserError
from imc.frontend.clang import CompilerOptions
from imc.live.building import Building
from imc.live.live import Live
from imc.live.native import NativeTarget
from imc.live.samples import INTERVAL_S, Samples, stores
from imc.live.verifier import Verifier
from imc.native.build import BuildOptions
from imc.native.run import RunOptions as NativeOptions
from imc.program.program import Program
from imc.program.settings import Settings
from imc.report.timeline import Mark, Timeline, timeline_chart
from imc.run.ends import RunResult
from imc.run.inputs import Inputs
from imc.run.run import Run, Runner, RunOptions
from imc.run.surroundings import recording
from irs.errors import BadRecord
from irs.plan import Plan
from irs.record import check_record, read_record


class LiveRun:
    """One run of a program, and what it was permitted; `say` is given lines for the user."""

    def __init__(
        self,
        program: Program,
        arguments: tuple[str, ...],
        stdin: bytes,
        say: Callable[[str], None],
        chart: Path | None = None,
    ) -> None:
        self.program = program
        self.say = say
        self.chart = chart
        self.samples = Samples()
        self._counted = frozenset() if chart is None else stores(program)
        self.problem = ""  # what the record has that was not permitted
        settings = Settings(arguments=arguments, stdin=stdin)
        verifier = Verifier(program, settings, assumptions_of(program, settings))
        self.live = Live(verifier, say)

    def on_threads(
        self,
        options: RunOptions,
        inputs: Inputs,
        put_out: Callable[[bytes, str], None],
        trace: Path | None,
    ) -> RunResult:
        """The program on Python threads, from the first schedule on."""
        with self.live as live:
            schedule = live.first()

            def follow(run: Run) -> None:
                assert run.gate is not None
                live.follow(run.gate)
                if self.chart is not None:
                    self.samples.begin(lambda: sum(worker.rounds for worker in run.workers))

            asked = replace(options, on_start=follow, told=live.note, useful=self._counted)
            runner = Runner(self.program, Plan(schedule), asked)
            with recording(None if trace is None else str(trace), schedule) as recorder:
                return runner.run(inputs, put_out, recorder)

    def natively(self, cc: str | None, options: NativeOptions) -> RunResult:
        """The program as an executable, which is built while the first schedule is looked for."""
        check_trace(options.trace)
        how = BuildOptions(CompilerOptions(cc=cc), embed=True, useful=self._counted)
        with tempfile.TemporaryDirectory(prefix="imc-live-") as folder, self.live as live:
            executable = Path(folder) / Path(self.program.name).stem
            building = Building(self.program, executable, how)
            try:
                schedule = live.first()
            finally:
                building.join()
            operations = building.operations(schedule)
            with NativeTarget(operations, live.note, self.samples.add) as target:
                tables = Path(folder) / "tables"
                tables.write_bytes(target.tables())
                live.start(target)
                every = None if self.chart is None else round(1000 * INTERVAL_S)
                given = target.hand_over()
                asked = replace(options, tables=tables, relax=given, sample_ms=every)
                return run_once(executable, self.program, asked)

    def check(self, trace: Path | None) -> None:
        """Says whether each part of the record is what was permitted then."""
        if trace is None or not self.live.allowed:
            return
        first = self.live.found[0].relaxation.schedule
        assert first is not None
        try:
            events = check_record(first, read_record(trace), self.live.relaxed)
        except BadRecord as problem:
            self.problem = str(problem)
            self.say(f"{trace}: not permitted: {problem}")
            return
        count = sum(allowed.schedule is not None for allowed in self.live.allowed)
        schedules = f"{count} schedule{'s' * (count != 1)}"
        self.say(f"{trace}: permitted: {events} events under {schedules}")

    def draw(self) -> None:
        """Writes the chart, if one is wanted."""
        self.samples.end()
        if self.chart is None:
            return
        marks = [
            Mark(
                allowed.time_s,
                "gates dropped" if allowed.schedule is None else str(allowed.schedule),
                allowed.schedule is None,
            )
            for allowed in self.live.allowed
        ]
        line = Timeline(self.program.name, self._rates(), marks)
        try:
            self.chart.write_text(timeline_chart([line], "stores"), encoding="utf-8")
        except OSError as problem:
            raise UserError(f"cannot write {self.chart}: {problem.strerror}") from None

    def _rates(self) -> list[tuple[float, float]]:
        return self.samples.rates(self.live.began)

    def document(self) -> dict[str, Any]:
        """What was permitted from when on, for JSON."""
        broken = self.live.counterexample
        told = None if broken is None else {"text": broken.text, "reproduced": broken.reproduced}
        return {
            "verdict": str(self.live.verdict),
            "counterexample": told,
            "stores_per_s": [[round(t, 3), round(rate)] for t, rate in self._rates()],
            "permitted": [
                {
                    "schedule": allowed.schedule,
                    "result": allowed.result,
                    "nodes": allowed.nodes,
                    "from_section": allowed.section,
                    "time_s": round(allowed.time_s, 4),
                }
                for allowed in self.live.allowed
            ],
        }
