"""One program that runs while it is verified, on Python threads or natively."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from imc.execution.live.building import Building
from imc.execution.live.live import Live
from imc.execution.live.native_target import NativeTarget
from imc.execution.live.rates import INTERVAL_S, Samples, stores
from imc.execution.live.verifier_process import Verifier
from imc.execution.native.build import BuildOptions
from imc.execution.native.occasion import check_trace, run_once
from imc.execution.native.process import NativeOptions
from imc.execution.python.inputs import Inputs
from imc.execution.python.run import PythonOptions, PythonRun, Runner
from imc.execution.run_result import RunResult
from imc.execution.surroundings import recording
from imc.frontend.clang import CompilerOptions
from imc.program.program import Program
from imc.program.settings import Settings
from irs.errors import BadRecord
from irs.plan import Plan
from irs.record import check_record, read_record

CHECKING_SHARE, CHECKING_S = 0.1, 0.3  # of a time limit: how long the record may be checked then
LOOK_EVERY = 1000  # lines


class LiveSession:
    """One run of a program, and what it was permitted; `say` is given lines for the user."""

    def __init__(
        self,
        program: Program,
        arguments: tuple[str, ...],
        stdin: bytes,
        say: Callable[[str], None],
        sample: bool = False,
        time_limit: float | None = None,
    ) -> None:
        self.program = program
        self.say = say
        self.sample = sample
        self.samples = Samples()
        self._counted = stores(program) if sample else frozenset()
        self.problem = ""  # what the record has that was not permitted
        settings = Settings(arguments=arguments, stdin=stdin)
        verifier = Verifier(program, settings)
        self.live = Live(verifier, say, time_limit)

    def on_threads(
        self,
        options: PythonOptions,
        inputs: Inputs,
        put_out: Callable[[bytes, str], None],
        trace: Path | None,
    ) -> RunResult:
        """The program on Python threads, from the first schedule on."""
        with self.live as live:
            schedule = live.first()

            def follow(run: PythonRun) -> None:
                assert run.gate is not None
                live.follow(run.gate)
                if self.sample:
                    self.samples.begin(lambda: sum(worker.rounds for worker in run.workers))

            asked = replace(
                options,
                on_start=follow,
                told=live.note,
                useful=self._counted,
                time_limit=live.rest(),
            )
            runner = Runner(self.program, Plan(schedule), asked)
            with recording(trace, schedule) as recorder:
                try:
                    return runner.run(inputs, put_out, recorder)
                finally:
                    self.samples.end()

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
                every = round(1000 * INTERVAL_S) if self.sample else None
                given = target.hand_over()
                asked = replace(
                    options, tables=tables, relax=given, sample_ms=every, seconds=live.rest()
                )
                return run_once(executable, self.program, asked)

    def check(self, trace: Path | None) -> None:
        """Says whether what was recorded was permitted then, as far as there is time for it."""
        if trace is None or not self.live.allowed:
            return
        first = self.live.found[0].relaxation.schedule
        assert first is not None
        lines = TimedLines(read_record(trace), self._checking_s())
        try:
            events = check_record(first, lines, self.live.relaxed)
        except BadRecord as problem:
            self.problem = str(problem)
            self.say(f"{trace}: not permitted: {problem}")
            return
        count = sum(allowed.schedule is not None for allowed in self.live.allowed)
        schedules = f"{count} schedule{'s' * (count != 1)}"
        if lines.cut:
            self.say(f"{trace}: permitted: the first {events} events; no time to check the others")
        else:
            self.say(f"{trace}: permitted: {events} events under {schedules}")

    def _checking_s(self) -> float | None:
        limit = self.live.time_limit
        return None if limit is None else CHECKING_SHARE * limit + CHECKING_S

    def rates(self) -> list[tuple[float, float]]:
        """Stores per second over time, from when the verifier began."""
        return self.samples.rates(self.live.began)


class TimedLines:
    """The lines of a record, up to when the time is over."""

    def __init__(self, lines: Iterator[Any], seconds: float | None) -> None:
        self.cut = False
        self._lines = lines
        self._end = None if seconds is None else time.monotonic() + seconds

    def __iter__(self) -> Iterator[Any]:
        for number, line in enumerate(self._lines):
            if self._end is not None and number % LOOK_EVERY == 0 and time.monotonic() > self._end:
                self.cut = True
                return
            yield line
