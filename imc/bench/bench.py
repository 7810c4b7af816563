"""A measurement as a whole: a program without and with its schedules, at all levels."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from imc.bench.native import Workshop
from imc.bench.python import python_variant
from imc.bench.rounds import repeats, useful_sites
from imc.bench.samples import Summary, Variant, measure, summary
from imc.errors import UserError
from imc.frontend.clang import CompilerOptions
from imc.native.build import BuildOptions
from imc.program.program import Program
from imc.program.settings import Settings
from imc.run.mode import Mode, can_be_fibers, choose_mode
from imc.schedule import compile
from imc.schedule.optimise import LEVELS
from imc.symbolic.strategy import RoundRobin
from imc.symbolic.verify import Until, Verification, VerifyOptions
from irs.schedule import Schedule

Schedules = dict[str, Schedule]  # by the names of their variants
UNCONSTRAINED, AS_FIBERS = "unconstrained", "fibers"


def first_schedule(
    program: Program,
    time_limit: float,
    progress: Callable[[str], None],
    strategy: str = RoundRobin.name,
) -> Schedules:
    """The first schedule of a program that is verified, at all levels."""
    chosen = VerifyOptions(Until.FIRST, time_s=time_limit, strategy=strategy, progress=progress)
    verification = Verification(program, Settings(), chosen)
    result = next((r for r in verification if r.schedule is not None), None)
    if result is None:
        raise UserError(
            f"no schedule was found: {verification.outcome.reason or verification.outcome.verdict}",
            hint="a longer --time-limit, or --schedule FILE",
        )
    return {level: compile(verification, result, level).schedule for level in LEVELS}


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
    mode: Mode = Mode.AUTO  # of schedules; auto: as threads, and the last one as fibers too

    @property
    def endless(self) -> bool:
        return repeats(self._last)

    @property
    def _last(self) -> Schedule:
        return list(self.schedules.values())[-1]

    def native(self) -> list[Summary]:
        """The program as an executable: unconstrained, with other locks, under each schedule."""
        useful = frozenset(useful_sites(self._last))
        options = BuildOptions(CompilerOptions(cc=self.cc), embed=True, useful=useful)
        seconds, runs = self._extent()
        with tempfile.TemporaryDirectory(prefix="imc-bench-") as folder:
            shop = Workshop(self.program, Path(folder), options, seconds, runs, self.seed)
            self.progress(f"building: {UNCONSTRAINED}")
            variants = [shop.variant(UNCONSTRAINED, None), *shop.baselines()]
            for name, schedule, fibers in self._enforced(native=True):
                self.progress(f"building: {name}")
                variants.append(shop.variant(name, schedule, fibers=fibers))
            return self._measured(variants)

    def python(self) -> list[Summary]:
        """The program on Python threads: unconstrained and under each schedule."""
        useful = frozenset(useful_sites(self._last))
        seconds, runs = self._extent()
        variants = ((UNCONSTRAINED, None, False), *self._enforced(native=False))
        return self._measured(
            [
                python_variant(
                    name, self.program, schedule, useful, seconds, runs, self.seed, fibers
                )
                for name, schedule, fibers in variants
            ]
        )

    def _enforced(self, native: bool) -> list[tuple[str, Schedule, bool]]:
        """Variants with a schedule: their names, and whether threads are fibers."""
        if self.mode is Mode.FIBERS:
            for schedule in self.schedules.values():
                choose_mode(self.program, schedule, Mode.FIBERS, native)
        found = [(n, s, self.mode is Mode.FIBERS) for n, s in self.schedules.items()]
        if self.mode is Mode.AUTO and can_be_fibers(self.program, self._last, native):
            found.append((AS_FIBERS, self._last, True))
        return found

    def _extent(self) -> tuple[float | None, int]:
        return (self.seconds, 1) if self.endless else (None, self.runs)

    def _measured(self, variants: Sequence[Variant]) -> list[Summary]:
        samples = measure(variants, self.turns, self.progress)
        return [
            summary(variant.name, own, None if self.endless else self.runs)
            for variant, own in zip(variants, samples, strict=True)
        ]
