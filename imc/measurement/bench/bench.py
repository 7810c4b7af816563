"""A measurement as a whole: a program without and with its schedules, at all levels.

Without a schedule a program may fail: that is told instead of a rate. Under one it must not.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from imc.errors import UserError
from imc.execution.mode import ThreadMode, can_be_fibers, choose_mode
from imc.execution.native.build import BuildOptions
from imc.frontend.clang import CompilerOptions
from imc.measurement.bench.native import Workshop
from imc.measurement.bench.patience import Experience, Patience
from imc.measurement.bench.python import python_variant
from imc.measurement.bench.rounds import repeats, useful_sites
from imc.measurement.bench.samples import SampleSummary, Variant, measure, summary
from imc.program.alarm import alarm
from imc.program.faults import OutOfTime
from imc.program.program import Program
from imc.program.settings import Settings
from imc.schedule import compile
from imc.schedule.optimise import LEVELS
from imc.verifier.iteration import Verification
from imc.verifier.options import Until, VerifyOptions
from imc.verifier.search.strategy import RoundRobin
from irs.schedule import Schedule

Schedules = dict[str, Schedule]  # by the names of their variants
OVER = "the time is over"
UNCONSTRAINED, AS_FIBERS = "unconstrained", "fibers"


def first_schedule(
    program: Program,
    time_limit: float,
    progress: Callable[[str], None],
    strategy: str = RoundRobin.name,
) -> Schedules:
    """The first schedule of a program that is verified, at all levels."""
    chosen = VerifyOptions(Until.FIRST, time_s=time_limit, strategy=strategy, progress=progress)
    try:
        with alarm(time_limit):
            verification = Verification(program, Settings(), chosen)
            result = next((r for r in verification if r.schedule is not None), None)
            if result is None:
                outcome = verification.outcome
                raise UserError(
                    f"no schedule was found: {outcome.reason or outcome.verdict}",
                    hint="a longer --time-limit, or --schedule FILE",
                )
            return {level: compile(verification, result, level).schedule for level in LEVELS}
    except OutOfTime:
        raise UserError(
            f"there was no time to compile the schedule: stopped after {time_limit:g} s",
            hint="a longer --time-limit",
        ) from None


@dataclass(slots=True)
class Bench:
    """What is measured, and how long."""

    program: Program
    schedules: Schedules
    turns: int
    seconds: float  # if the program does not end by itself
    runs: int  # in each turn, if it does
    seed: int
    progress: Callable[[str], None]
    cc: str | None = None
    mode: ThreadMode = (
        ThreadMode.AUTO
    )  # of schedules; auto: as threads, and the last one as fibers too
    deadline: float | None = None  # of time.monotonic()
    ended: str = ""  # why not all was measured, if so
    left_out: list[str] = field(default_factory=list)  # variants that there was no time for

    @property
    def endless(self) -> bool:
        return repeats(self._last)

    @property
    def _last(self) -> Schedule:
        return list(self.schedules.values())[-1]

    def native(self) -> list[SampleSummary]:
        """The program as an executable: unconstrained, with other locks, under each schedule."""
        useful = frozenset(useful_sites(self._last))
        options = BuildOptions(CompilerOptions(cc=self.cc), embed=True, useful=useful)
        seconds, runs = self._extent()
        with tempfile.TemporaryDirectory(prefix="imc-bench-") as folder:
            shop = Workshop(
                self.program, Path(folder), options, seconds, runs, self.seed, self.deadline
            )
            try:
                with alarm(None if self.deadline is None else self.deadline - time.monotonic()):
                    variants = self._built(shop)
            except OutOfTime:
                self.ended = OVER
                return []
            return self._measured(variants)

    def _built(self, shop: Workshop) -> list[Variant]:
        self.progress(f"building: {UNCONSTRAINED}")
        began = time.monotonic()
        variants: list[Variant] = [shop.variant(UNCONSTRAINED, None), *shop.baselines()]
        building_s = (time.monotonic() - began) / len(variants)
        for name, schedule, fibers in self._enforced(native=True):
            if self._is_too_late(len(variants), building_s):
                self.left_out.append(name)
                continue
            self.progress(f"building: {name}")
            variants.append(shop.variant(name, schedule, fibers=fibers))
        return variants

    def python(self) -> list[SampleSummary]:
        """The program on Python threads: unconstrained and under each schedule."""
        useful = frozenset(useful_sites(self._last))
        seconds, runs = self._extent()
        variants = ((UNCONSTRAINED, None, False), *self._enforced(native=False))
        experience = Experience()
        return self._measured(
            [
                python_variant(
                    name,
                    self.program,
                    schedule,
                    useful,
                    seconds,
                    runs,
                    self.seed,
                    fibers,
                    Patience(self.deadline, experience),
                )
                for name, schedule, fibers in variants
            ]
        )

    def _is_too_late(self, variants: int, building_s: float) -> bool:
        """Whether one more executable would leave no time to run all of them once."""
        if self.deadline is None:
            return False
        running_s = (variants + 1) * self.seconds if self.endless else 0.0
        return time.monotonic() + building_s + running_s > self.deadline

    def _enforced(self, native: bool) -> list[tuple[str, Schedule, bool]]:
        """Variants with a schedule: their names, and whether threads are fibers."""
        if self.mode is ThreadMode.FIBERS:
            for schedule in self.schedules.values():
                choose_mode(self.program, schedule, ThreadMode.FIBERS, native)
        found = [(n, s, self.mode is ThreadMode.FIBERS) for n, s in self.schedules.items()]
        if self.mode is ThreadMode.AUTO and can_be_fibers(self.program, self._last, native):
            found.append((AS_FIBERS, self._last, True))
        return found

    def _extent(self) -> tuple[float | None, int]:
        return (self.seconds, 1) if self.endless else (None, self.runs)

    def _measured(self, variants: Sequence[Variant]) -> list[SampleSummary]:
        samples, ended = measure(
            variants,
            self.turns,
            self.progress,
            self.deadline,
            self.seconds if self.endless else 0.0,
        )
        self.ended = self.ended or ended
        self.left_out += [v.name for v, own in zip(variants, samples, strict=True) if not own]
        return [
            summary(variant.name, own, whole=not self.endless)
            for variant, own in zip(variants, samples, strict=True)
            if own
        ]
