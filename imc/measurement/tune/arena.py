"""Where candidates are measured: on the real program, taking turns with the unconstrained one."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Protocol, TypeVar

from imc.execution.mode import ThreadMode
from imc.execution.native.build import BuildOptions
from imc.frontend.clang import CompilerOptions
from imc.measurement.bench.bench import UNCONSTRAINED
from imc.measurement.bench.native import Workshop
from imc.measurement.bench.patience import Experience, Patience
from imc.measurement.bench.python import python_variant
from imc.measurement.bench.samples import Failures, Sample, Variant, failures_of
from imc.measurement.tune.candidate import Trial
from imc.program.code import Site
from imc.program.program import Program

SAMPLE_S, PYTHON_S = 0.2, 0.5  # that one measurement takes
MOST_RUNS = 50  # of a program that ends, in one sample
Made = TypeVar("Made")


class Stand(Protocol):
    """Makes variants of a program for one back end."""

    def plain(self) -> Variant:
        """The program without a schedule."""
        ...

    def others(self) -> Sequence[Variant]:
        """The same with the strongest locks that can be had."""
        ...

    def under(self, trial: Trial) -> Variant:
        """The program under a candidate's schedule."""
        ...


class NativeStand:
    """Executables."""

    def __init__(
        self,
        program: Program,
        useful: frozenset[Site],
        endless: bool,
        seed: int,
        folder: Path,
        cc: str | None,
        deadline: float | None = None,
    ) -> None:
        options = BuildOptions(CompilerOptions(cc=cc), embed=True, useful=useful)
        seconds = SAMPLE_S if endless else None
        self.shop = Workshop(program, folder, options, seconds, 1, seed, deadline)
        self._built = 0

    def plain(self) -> Variant:
        return self.shop.variant(UNCONSTRAINED, None)

    def others(self) -> Sequence[Variant]:
        return self.shop.baselines()

    def under(self, trial: Trial) -> Variant:
        self._built += 1
        fibers = trial.candidate.mode == ThreadMode.FIBERS
        return self.shop.variant(f"candidate-{self._built}", trial.schedule, fibers=fibers)


class PythonStand:
    """Python threads."""

    def __init__(
        self,
        program: Program,
        useful: frozenset[Site],
        endless: bool,
        seed: int,
        deadline: float | None = None,
    ) -> None:
        self.program, self.useful, self.seed = program, useful, seed
        self.seconds = PYTHON_S if endless else None
        self.deadline = deadline
        self.experience = Experience()

    def plain(self) -> Variant:
        return self._variant(UNCONSTRAINED, None)

    def others(self) -> Sequence[Variant]:
        return []

    def under(self, trial: Trial) -> Variant:
        return self._variant(trial.candidate.name, trial)

    def _variant(self, name: str, trial: Trial | None) -> Variant:
        schedule = trial.schedule if trial is not None else None
        fibers = trial is not None and trial.candidate.mode == ThreadMode.FIBERS
        return python_variant(
            name,
            self.program,
            schedule,
            self.useful,
            self.seconds,
            1,
            self.seed,
            fibers,
            Patience(self.deadline, self.experience),
        )


class Arena:
    """Measures trials against the unconstrained program, which may fail and then has no rate.

    It notes how long a sample of each variant takes, so that one can plan with that.
    """

    def __init__(self, stand: Stand, endless: bool, progress: Callable[[str], None]) -> None:
        self.stand = stand
        self.endless = endless
        self.progress = progress
        self.building_s = 0.0  # that the last variant took
        self.failures: list[Sample] = []  # samples of the unconstrained program, for what failed
        self._variants: dict[int, Variant] = {}
        self._seen: list[Trial] = []
        self._rates: list[float] = []
        self._takes: dict[str, float] = {}  # seconds that the last sample of a variant took
        self._runs = 1  # in a sample of a program that ends
        self.plain = self._built(stand.plain)
        if not endless:
            self.failures += self._sampled(self.plain, 1, UNCONSTRAINED)
            took = self._takes[UNCONSTRAINED]
            self._runs = max(1, min(MOST_RUNS, round(SAMPLE_S / max(took, 1e-3))))
            self._takes[UNCONSTRAINED] = self._runs * took

    def turn_s(self, trials: Sequence[Trial], longer: int = 1) -> float:
        """How long a turn of these takes, and of the unconstrained program."""
        names = [self._variants[id(t)].name for t in trials if id(t) in self._variants]
        known = [self._takes.get(name, SAMPLE_S) for name in (self.plain.name, *names)]
        unknown = (len(trials) - len(names)) * max(known)
        return longer * (sum(known) + unknown)

    def measure(
        self,
        trials: Sequence[Trial],
        turns: int,
        longer: int = 1,
        deadline: float | None = None,
    ) -> int:
        """Adds rates to the trials, all of which take turns with the unconstrained program.

        After the first turn, only those that will be over by the deadline; answers how many.
        """
        for trial in trials:
            if id(trial) not in self._variants:
                self._variants[id(trial)] = self._built(partial(self.stand.under, trial))
                self._seen.append(trial)
        done = 0
        while done < turns and not (done and self._is_late(deadline, self.turn_s(trials, longer))):
            doing = f"turn {done + 1} of {turns}"
            self._add_plain(longer, f"{doing}, {UNCONSTRAINED}")
            for trial in trials:
                variant = self._variants[id(trial)]
                samples = self._sampled(variant, longer, f"{doing}, {trial.candidate.name}")
                trial.rates.append(self._speed(samples))
                longest = max(sample.longest_wait_s for sample in samples)
                trial.longest_wait_s = max(trial.longest_wait_s, longest)
            done += 1
        self._compare()
        return done

    def _compare(self) -> None:
        plain = self.plain_rate
        for trial in self._seen:
            trial.ratios = [rate / plain for rate in trial.rates] if plain is not None else []

    @property
    def plain_rate(self) -> float | None:
        """Of the unconstrained program, if it has completed a run; single samples differ by orders
        of magnitude."""
        return (median(self._rates) or None) if self._rates else None

    @property
    def plain_failures(self) -> Failures:
        return failures_of(self.failures)

    def forget(self, trials: Sequence[Trial]) -> None:
        """Starts anew, for a comparison side by side."""
        self._rates.clear()
        for trial in trials:
            trial.rates.clear()

    def strongest(
        self, turns: int, longer: int, deadline: float | None = None
    ) -> tuple[str, float] | None:
        """The best baseline and its rate; None if no run has completed, or there is no time."""
        if self._is_late(deadline, 2 * self.building_s + 3 * self.turn_s([], longer)):
            return None
        others = self._built(self.stand.others)
        rates: dict[str, list[float]] = {}
        took = 0.0
        for _ in range(turns):
            began = time.monotonic()
            if took and self._is_late(deadline, took):
                break
            for other in (self.plain, *others):
                samples = self._sampled(other, longer, other.name)
                if any(sample.runs for sample in samples):
                    rates.setdefault(other.name, []).append(self._speed(samples))
            took = time.monotonic() - began
        found = {name: median(own) for name, own in rates.items()}
        best = max(found, key=found.__getitem__, default=None)
        return None if best is None else (best, found[best])

    def _is_late(self, deadline: float | None, takes: float) -> bool:
        return deadline is not None and time.monotonic() + takes > deadline

    def _built(self, make: Callable[[], Made]) -> Made:
        began = time.monotonic()
        made = make()
        self.building_s = time.monotonic() - began
        return made

    def _add_plain(self, longer: int, doing: str) -> None:
        samples = self._sampled(self.plain, longer, doing)
        self.failures += samples
        if any(sample.runs for sample in samples):
            self._rates.append(self._speed(samples))

    def _sampled(self, variant: Variant, longer: int, doing: str) -> list[Sample]:
        self.progress(f"measuring: {doing}")
        began = time.monotonic()
        samples = [variant.sample() for _ in range(longer * self._runs)]
        self._takes[variant.name] = (time.monotonic() - began) / longer
        return samples

    def _speed(self, samples: Sequence[Sample]) -> float:
        """Useful rounds in a second, or whole runs of a program that ends."""
        took = sum(sample.seconds for sample in samples)
        rounds = sum(sum(sample.rounds.values()) for sample in samples if sample.runs)
        done = rounds if self.endless else sum(sample.runs for sample in samples)
        return done / took if took else 0.0
