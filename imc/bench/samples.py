"""Samples of runs, and what they say together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Sample:
    """One run: how long it took, and how far each thread came."""

    seconds: float
    rounds: dict[str, int] = field(default_factory=dict)  # useful ones, by thread
    gates: int = 0  # passed by all threads
    busy_s: float = 0.0  # of all threads, without waiting at gates
    waited_s: float = 0.0
    longest_wait_s: float = 0.0  # of a thread at a gate

    @property
    def rate(self) -> float:
        """Useful rounds in a second."""
        return sum(self.rounds.values()) / self.seconds if self.seconds else 0.0


class Variant(Protocol):
    """One way to run the program."""

    name: str

    def sample(self) -> Sample:
        """Runs it once."""
        ...


@dataclass(frozen=True, slots=True)
class Summary:
    """What the samples of a variant say: medians, and how far they lie apart."""

    name: str
    rate: float
    lowest: float
    highest: float
    seconds: float
    balance: float  # the slowest thread's rounds, of the fastest one's
    gate_ns: float | None  # from one gate to the next, without waiting
    waiting: float  # the share of the threads' time


def summary(name: str, samples: Sequence[Sample], runs: int | None = None) -> Summary:
    """The samples together; where each is a number of whole runs, runs are counted, not rounds."""
    rates = [sample.rate if runs is None else runs / sample.seconds for sample in samples]
    busy = [1e9 * sample.busy_s / sample.gates for sample in samples if sample.gates]
    return Summary(
        name,
        median(rates),
        min(rates),
        max(rates),
        median(sample.seconds for sample in samples),
        median(map(_balance, samples)),
        median(busy) if busy else None,
        median(map(_waiting, samples)),
    )


def _balance(sample: Sample) -> float:
    rounds = sample.rounds.values()
    return min(rounds) / max(rounds) if rounds and max(rounds) else 0.0


def _waiting(sample: Sample) -> float:
    total = sample.busy_s + sample.waited_s
    return sample.waited_s / total if total else 0.0


def measure(
    variants: Sequence[Variant], turns: int, progress: Callable[[str], None]
) -> list[list[Sample]]:
    """The samples of each variant; all take turns, so that they share good and bad times."""
    samples: list[list[Sample]] = [[] for _ in variants]
    for turn in range(turns):
        for variant, own in zip(variants, samples, strict=True):
            progress(f"measuring: turn {turn + 1} of {turns}, {variant.name}")
            own.append(variant.sample())
    return samples
