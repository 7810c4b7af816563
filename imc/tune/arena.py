"""Where candidates are measured: on the real program, taking turns with the unconstrained one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Protocol

from imc.bench.bench import UNCONSTRAINED
from imc.bench.native import Workshop
from imc.bench.python import python_variant
from imc.bench.samples import Sample, Variant
from imc.frontend.clang import CompilerOptions
from imc.native.build import BuildOptions
from imc.program.code import Site
from imc.program.program import Program
from imc.run.mode import Mode
from imc.tune.candidate import Trial

SAMPLE_S, PYTHON_S = 0.2, 0.5  # that one measurement takes
MOST_RUNS = 50  # of a program that ends, in one sample


class Stand(Protocol):
    """Makes variants of a program for one back end."""

    def unconstrained(self) -> list[Variant]:
        """The program without a schedule, and with the strongest locks that can be had."""
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
    ) -> None:
        options = BuildOptions(CompilerOptions(cc=cc), embed=True, useful=useful)
        self.shop = Workshop(program, folder, options, SAMPLE_S if endless else None, 1, seed)
        self._built = 0

    def unconstrained(self) -> list[Variant]:
        return [self.shop.variant(UNCONSTRAINED, None), *self.shop.baselines()]

    def under(self, trial: Trial) -> Variant:
        self._built += 1
        fibers = trial.candidate.mode == Mode.FIBERS
        return self.shop.variant(f"candidate-{self._built}", trial.schedule, fibers=fibers)


class PythonStand:
    """Python threads."""

    def __init__(self, program: Program, useful: frozenset[Site], endless: bool, seed: int) -> None:
        self.program, self.useful, self.seed = program, useful, seed
        self.seconds = PYTHON_S if endless else None

    def unconstrained(self) -> list[Variant]:
        return [self._variant(UNCONSTRAINED, None)]

    def under(self, trial: Trial) -> Variant:
        return self._variant(trial.candidate.name, trial)

    def _variant(self, name: str, trial: Trial | None) -> Variant:
        schedule = trial.schedule if trial is not None else None
        fibers = trial is not None and trial.candidate.mode == Mode.FIBERS
        return python_variant(
            name, self.program, schedule, self.useful, self.seconds, 1, self.seed, fibers
        )


class Arena:
    """Measures trials against the unconstrained program."""

    def __init__(self, stand: Stand, endless: bool, progress: Callable[[str], None]) -> None:
        self.stand = stand
        self.endless = endless
        self.progress = progress
        self.plain, *self.others = stand.unconstrained()
        self._variants: dict[int, Variant] = {}
        self._rates: list[float] = []
        self._runs = 1  # in a sample of a program that ends
        if not endless:
            took = self.plain.sample().seconds
            self._runs = max(1, min(MOST_RUNS, round(SAMPLE_S / max(took, 1e-3))))

    def measure(self, trials: Sequence[Trial], turns: int, longer: int = 1) -> None:
        """Adds rates to the trials, all of which take turns with the unconstrained program."""
        for trial in trials:
            if id(trial) not in self._variants:
                self._variants[id(trial)] = self.stand.under(trial)
        for turn in range(turns):
            doing = f"turn {turn + 1} of {turns}"
            self._rates.append(self._rate(self.plain, longer, f"{doing}, {UNCONSTRAINED}"))
            for trial in trials:
                samples = self._sampled(
                    self._variants[id(trial)], longer, f"{doing}, {trial.candidate.name}"
                )
                trial.rates.append(self._speed(samples))
                longest = max(sample.longest_wait_s for sample in samples)
                trial.longest_wait_s = max(trial.longest_wait_s, longest)
        for trial in trials:
            trial.ratios = [rate / self.plain_rate for rate in trial.rates]

    @property
    def plain_rate(self) -> float:
        """Of the unconstrained program; single samples differ by orders of magnitude."""
        return median(self._rates) or 1.0

    def forget(self, trials: Sequence[Trial]) -> None:
        """Starts anew, for a comparison side by side."""
        self._rates.clear()
        for trial in trials:
            trial.rates.clear()

    def strongest(self, turns: int, longer: int) -> tuple[str, float]:
        """The best baseline, and how much faster it is than the plain program."""
        rates: dict[str, list[float]] = {}
        for _ in range(turns):
            for other in (self.plain, *self.others):
                rates.setdefault(other.name, []).append(self._rate(other, longer, other.name))
        found = {name: median(own) for name, own in rates.items()}
        best = max(found, key=found.__getitem__)
        return best, found[best] / (found[UNCONSTRAINED] or 1.0)

    def _rate(self, variant: Variant, longer: int, doing: str) -> float:
        return self._speed(self._sampled(variant, longer, doing))

    def _sampled(self, variant: Variant, longer: int, doing: str) -> list[Sample]:
        self.progress(f"measuring: {doing}")
        return [variant.sample() for _ in range(longer * self._runs)]

    def _speed(self, samples: Sequence[Sample]) -> float:
        """Useful rounds in a second, or whole runs of a program that ends."""
        took = sum(sample.seconds for sample in samples)
        done = sum(sum(s.rounds.values()) for s in samples) if self.endless else len(samples)
        return done / took if took else 0.0
