"""Samples of runs, and what they say together."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Sample:
    """One run, or several: how long they took, and how far each thread came.

    Only runs that completed count; why others did not is in `failures`.
    """

    seconds: float
    rounds: dict[str, int] = field(default_factory=dict)  # useful ones, by thread
    gates: int = 0  # passed by all threads
    busy_s: float = 0.0  # of all threads, without waiting at gates
    waited_s: float = 0.0
    longest_wait_s: float = 0.0  # of a thread at a gate
    runs: int = 1
    failures: tuple[str, ...] = ()

    @property
    def rate(self) -> float:
        """Useful rounds in a second."""
        return sum(self.rounds.values()) / self.seconds if self.seconds else 0.0

    @property
    def runs_per_s(self) -> float:
        return self.runs / self.seconds if self.seconds else 0.0


@dataclass(frozen=True, slots=True)
class Failures:
    """How many of the runs have failed, and why most of them have."""

    failed: int = 0
    runs: int = 0
    why: str = ""

    def __str__(self) -> str:
        return f"failed in {self.failed} of {self.runs} runs: {self.why}" if self.failed else ""


def failures_of(samples: Sequence[Sample]) -> Failures:
    """What went wrong in the samples, taken together."""
    reasons = Counter(why for sample in samples for why in sample.failures)
    failed = reasons.total()
    runs = failed + sum(sample.runs for sample in samples)
    return Failures(failed, runs, reasons.most_common(1)[0][0] if failed else "")


class Variant(Protocol):
    """One way to run the program."""

    name: str

    def sample(self) -> Sample:
        """Runs it once."""
        ...


@dataclass(frozen=True, slots=True)
class SampleSummary:
    """What the samples of a variant say: medians, and how far they lie apart.

    Where no run has completed, there are no rates: `measured` is false.
    """

    name: str
    rate: float
    lowest: float
    highest: float
    seconds: float
    balance: float  # the slowest thread's rounds, of the fastest one's
    gate_ns: float | None  # from one gate to the next, without waiting
    waiting: float  # the share of the threads' time
    failures: Failures = Failures()
    turns: int = 0  # in which runs have completed

    @property
    def measured(self) -> bool:
        return self.turns > 0


def summary(name: str, samples: Sequence[Sample], whole: bool = False) -> SampleSummary:
    """The samples together; where each is of whole runs, runs are counted, not rounds."""
    failures = failures_of(samples)
    good = [sample for sample in samples if sample.runs]
    if not good:
        return SampleSummary(name, 0.0, 0.0, 0.0, 0.0, 0.0, None, 0.0, failures)
    rates = [sample.runs_per_s if whole else sample.rate for sample in good]
    busy = [1e9 * sample.busy_s / sample.gates for sample in good if sample.gates]
    return SampleSummary(
        name,
        median(rates),
        min(rates),
        max(rates),
        median(sample.seconds for sample in good),
        median(map(_balance, good)),
        median(busy) if busy else None,
        median(map(_waiting, good)),
        failures,
        len(good),
    )


def _balance(sample: Sample) -> float:
    rounds = sample.rounds.values()
    return min(rounds) / max(rounds) if rounds and max(rounds) else 0.0


def _waiting(sample: Sample) -> float:
    total = sample.busy_s + sample.waited_s
    return sample.waited_s / total if total else 0.0


def measure(
    variants: Sequence[Variant],
    turns: int,
    progress: Callable[[str], None],
    deadline: float | None = None,
    least_s: float = 0.0,
) -> tuple[list[list[Sample]], str]:
    """The samples of each variant; all take turns, so that they share good and bad times.

    What would not be over by the deadline, as far as one can tell, is not begun: each takes
    `least_s`, or what it took before. An interrupt ends it too. Then the second answer says what
    has ended it.
    """
    samples: list[list[Sample]] = [[] for _ in variants]
    longest = [least_s for _ in variants]
    try:
        for turn in range(turns):
            for n, (variant, own) in enumerate(zip(variants, samples, strict=True)):
                began = time.monotonic()
                if deadline is not None and began + longest[n] > deadline:
                    return samples, "the time is over"
                progress(f"measuring: turn {turn + 1} of {turns}, {variant.name}")
                own.append(variant.sample())
                longest[n] = max(longest[n], time.monotonic() - began)
    except KeyboardInterrupt:
        return samples, "interrupted"
    return samples, ""
