"""Variants that run as executables of their own."""

from __future__ import annotations

import json
import subprocess
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from imc.errors import UserError
from imc.execution.native.build import BuildOptions, build
from imc.execution.native.process import NativeOptions, read_report
from imc.measurement.bench.patience import LONGEST_S, WATCHDOG_S, Experience, Patience
from imc.measurement.bench.samples import Sample
from imc.program.instructions import Library
from imc.program.program import Program
from imc.program.words.sites import site_text
from irs.errors import Stalled
from irs.schedule import Schedule

BASELINE = Path(__file__).parent / "baselines" / "baseline.c"
OWN = frozenset({"mutex_lock", "barrier_wait"})  # what the baseline replaces
FOREIGN = frozenset({
    "cond_wait", "cond_timedwait", "mutex_trylock", "mutex_timedlock", "mutex_init", "mtx_init",
})  # fmt: skip


class Failed(Exception):
    """A run has not completed; says why."""


class Hung(Failed):
    """It did not even come to an end."""


@dataclass(slots=True)
class NativeVariant:
    """An executable; one sample is one run of so many seconds, or `runs` runs to their ends."""

    name: str
    executable: Path
    seconds: float | None
    runs: int
    seed: int
    may_fail: bool  # without a schedule, as it may well do
    patience: Patience = field(default_factory=Patience)

    def sample(self) -> Sample:
        threads: list[dict[str, Any]] = []
        elapsed, completed, failures = 0.0, 0, []
        for _ in range(self.runs):
            if not self.patience.tries_again:
                break
            began = time.perf_counter()
            try:
                threads = self._run()
            except Failed as problem:
                if not self.may_fail:
                    raise UserError(f"{self.name}: the program failed: {problem}") from None
                failures.append(str(problem))
                self.patience.note(hung=isinstance(problem, Hung))
            else:
                took = time.perf_counter() - began
                elapsed, completed = elapsed + took, completed + 1
                self.patience.note(took)
        if not completed:
            return Sample(0.0, runs=0, failures=tuple(failures))
        rounds = {t["thread"]: _rounds(t) for t in threads}
        run_s = max((t["run_ns"] for t in threads), default=0) / 1e9
        working = [t for t in threads if rounds[t["thread"]]]
        waited = sum(t["waited_ns"] for t in working) / 1e9
        return Sample(
            elapsed if self.seconds is None else run_s,
            {name: count for name, count in rounds.items() if count},
            sum(t["events"] for t in working),
            run_s if any(t["fibers"] for t in threads) else len(working) * run_s - waited,
            waited,
            max((t["longest_wait_ns"] for t in working), default=0) / 1e9,
            completed,
            tuple(failures),
        )

    def _run(self) -> list[dict[str, Any]]:
        """What the threads have done in one run; raises `Failed`."""
        stats, report = (self.executable.with_suffix(s) for s in (".stats", ".report"))
        report.unlink(missing_ok=True)
        watchdog = WATCHDOG_S if self.may_fail else None
        options = NativeOptions(
            seconds=self.seconds, seed=self.seed, stats=stats, report=report, watchdog_s=watchdog
        )
        limit = (
            self.patience.limit(self.seconds) if self.may_fail else LONGEST_S + (self.seconds or 0)
        )
        try:
            done = subprocess.run(
                [str(self.executable)],
                env=options.environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                timeout=limit,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise Hung(f"hung (it did not end in {limit:.3g} s)") from None
        if done.returncode:
            problem = read_report(report).problem
            if isinstance(problem, Stalled):
                raise Hung(f"hung ({'; '.join(problem.lines)})")
            told = done.stderr.decode(errors="replace").strip().splitlines()
            raise Failed(told[-1] if told else f"exit status {done.returncode}")
        threads = [json.loads(line) for line in stats.read_text().splitlines()]
        if self.may_fail and self.seconds is not None:
            if any(t["deadlocked"] for t in threads):
                raise Hung("hung (all threads wait for each other)")
            if not any(map(_rounds, threads)):
                raise Hung(f"hung (no round for {self.seconds:g} s)")
        return threads


def _rounds(thread: dict[str, Any]) -> int:
    return max(thread["executed"].values(), default=0)


@dataclass(frozen=True, slots=True)
class Workshop:
    """Where executables are made, and how they are to be run."""

    program: Program
    folder: Path
    options: BuildOptions
    seconds: float | None
    runs: int
    seed: int
    deadline: float | None = None  # of time.monotonic(), when runs are to be over
    experience: Experience = field(default_factory=Experience)

    def variant(
        self,
        name: str,
        schedule: Schedule | None,
        link: tuple[str, ...] = (),
        fibers: bool = False,
    ) -> NativeVariant:
        path = self.folder / name.replace(" ", "-")
        options = replace(self.options, link=link, fibers=fibers, demanded=fibers)
        build(self.program, schedule, path, site_text, options)
        patience = Patience(self.deadline, self.experience)
        return NativeVariant(
            name, path, self.seconds, self.runs, self.seed, schedule is None, patience
        )

    def baselines(self) -> list[NativeVariant]:
        """The program without a schedule, with other locks than the C library's."""
        if not self._can_change_locks():
            return []
        source = str(BASELINE)
        return [
            self.variant("adaptive locks", None, (source,)),
            self.variant("spin locks", None, ("-DSPIN", source)),
        ]

    def _can_change_locks(self) -> bool:
        used = {
            i.function
            for function in self.program.functions.values()
            for i in function.code
            if isinstance(i, Library)
        }
        return bool(used & OWN) and not used & FOREIGN
