"""A way to schedule a program, and what has been found out about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median

from imc.measurement.tune.features import Features
from irs.schedule import Schedule

ROUND_ROBIN = "round-robin"


@dataclass(frozen=True, slots=True)
class Candidate:
    """Which schedules are looked for first, how far they are optimised, and how they are run."""

    strategy: str = ROUND_ROBIN
    level: str = "opt3"
    mode: str = "threads"

    @property
    def name(self) -> str:
        more = [part for part in (self.level, self.mode) if part not in ("opt3", "threads")]
        return " ".join([self.strategy, *more])


@dataclass(slots=True)
class Trial:
    """A candidate whose schedule has been verified."""

    candidate: Candidate
    schedule: Schedule
    nodes: int
    verified_s: float  # to verify and to compile it
    features: Features
    ratios: list[float] = field(default_factory=list)  # to the unconstrained program, if it runs
    rates: list[float] = field(default_factory=list)
    longest_wait_s: float = 0.0  # of a thread at a gate
    predicted: float | None = None  # the ratio (or rate), where it was not worth measuring

    @property
    def ratio(self) -> float:
        """How fast it is, of the unconstrained program."""
        return median(self.ratios) if self.ratios else 0.0

    @property
    def rate(self) -> float:
        return median(self.rates) if self.rates else 0.0


@dataclass(frozen=True, slots=True)
class Refusal:
    """A candidate that came to nothing, and why."""

    candidate: Candidate
    why: str
    spent_s: float
