"""An executable that is built for the occasion, and run as a program of its own."""

from __future__ import annotations

import json
import signal
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from imc.errors import UserError
from imc.execution.mode import Chosen
from imc.execution.native.build import BuildOptions, build
from imc.execution.native.process import NativeOptions, read_report, run_native
from imc.execution.run_result import RunResult
from imc.frontend.clang import CompilerOptions
from imc.program.program import Program
from imc.program.words.sites import site_text
from irs.schedule import Schedule


def run_natively(
    program: Program,
    schedule: Schedule | None,
    cc: str | None,
    options: NativeOptions,
    runs: int,
    mode: Chosen | None = None,
) -> list[RunResult]:
    """Runs until one fails. What goes wrong is told by the run-time itself, on standard error."""
    results: list[RunResult] = []
    check_trace(options.trace)
    with tempfile.TemporaryDirectory(prefix="imc-run-") as folder:
        executable = Path(folder) / Path(program.name).stem
        chosen = BuildOptions(CompilerOptions(cc=cc), embed=True)
        if mode is not None:
            chosen = replace(chosen, fibers=mode.fibers, demanded=mode.demanded)
        build(program, schedule, executable, site_text, chosen)
        while len(results) < runs and not (results and results[-1].exit_status):
            results.append(run_once(executable, program, options))
    return results


def check_trace(trace: Path | None) -> None:
    """Better before the run than after it."""
    if trace is not None:
        try:
            trace.open("wb").close()
        except OSError as problem:
            raise UserError(f"cannot write {trace}: {problem.strerror}") from None


def run_once(executable: Path, program: Program, options: NativeOptions) -> RunResult:
    """One run; its statistics and report are written beside the executable, and read."""
    stats, report = executable.with_suffix(".stats"), executable.with_suffix(".report")
    began = time.perf_counter()
    report.unlink(missing_ok=True)
    status = run_native(executable, replace(options, stats=stats, report=report))
    result = RunResult(status, time_s=time.perf_counter() - began)
    if status < 0:
        result.exit_status = 128 - status
        result.error = f"{program.name}: ended by {signal.Signals(-status).name}"
    result.out_of_time = options.seconds is not None and result.time_s >= options.seconds
    told = read_report(report)
    result.problem = told.problem
    result.stuck = [f"{name}: failed assumption" for name in told.stopped]
    if stats.exists():
        rows = [json.loads(line) for line in stats.read_text().splitlines()]
        result.events = {row["thread"]: row["events"] for row in rows}
        result.gated = sum(result.events.values())
        result.fibers = any(row["fibers"] for row in rows)
        stats.unlink()
    return result
