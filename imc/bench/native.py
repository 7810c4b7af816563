"""Variants that run as executables of their own."""

from __future__ import annotations

import json
import subprocess
import time
from dataclasses import dataclass, replace
from pathlib import Path

from imc.bench.samples import Sample
from imc.errors import UserError
from imc.native.build import BuildOptions, build
from imc.native.run import RunOptions
from imc.program.instructions import Library
from imc.program.program import Program
from imc.report.show import site_text
from irs.schedule import Schedule

BASELINE = Path(__file__).parent / "baselines" / "baseline.c"
OWN = frozenset({"mutex_lock", "barrier_wait"})  # what the baseline replaces
FOREIGN = frozenset({
    "cond_wait", "cond_timedwait", "mutex_trylock", "mutex_timedlock", "mutex_init", "mtx_init",
})  # fmt: skip


@dataclass(slots=True)
class NativeVariant:
    """An executable; one sample is one run of so many seconds, or `runs` runs to their ends."""

    name: str
    executable: Path
    seconds: float | None
    runs: int
    seed: int

    def sample(self) -> Sample:
        stats = self.executable.with_suffix(".stats")
        options = RunOptions(seconds=self.seconds, seed=self.seed, stats=stats)
        environment = options.environment()
        began = time.perf_counter()
        for _ in range(self.runs):
            self._run(environment)
        elapsed = time.perf_counter() - began
        threads = [json.loads(line) for line in stats.read_text().splitlines()]
        rounds = {t["thread"]: max(t["executed"].values(), default=0) for t in threads}
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
        )

    def _run(self, environment: dict[str, str]) -> None:
        limit = 60 + (self.seconds or 0)
        try:
            done = subprocess.run(
                [str(self.executable)],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                timeout=limit,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise UserError(f"{self.name}: the program did not end in {limit:.0f} s") from None
        if done.returncode:
            told = done.stderr.decode(errors="replace").strip().splitlines()
            last = told[-1] if told else f"exit status {done.returncode}"
            raise UserError(f"{self.name}: the program failed: {last}")


@dataclass(frozen=True, slots=True)
class Workshop:
    """Where executables are made, and how they are to be run."""

    program: Program
    folder: Path
    options: BuildOptions
    seconds: float | None
    runs: int
    seed: int

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
        return NativeVariant(name, path, self.seconds, self.runs, self.seed)

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
