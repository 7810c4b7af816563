"""What is asked of a verification."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from imc.program.analysis.sharing import Sharing
from imc.program.program import Program
from imc.program.settings import Settings
from imc.program.violation import Violation
from imc.verifier.interpolation.interpolate import ORDER
from imc.verifier.search.strategy import RoundRobin


class Hunting(Protocol):
    """A search for errors that knows nothing of proofs; `over`: there is nothing left to find."""

    over: bool

    def __call__(
        self, steps: int, time_s: float | None, memory_mb: float | None
    ) -> Violation | None:
        """An error that has been reproduced, if so many steps show one."""
        ...


class Until(StrEnum):
    """When to stop of one's own accord."""

    FIRST = "first"  # at the first schedule
    VERDICT = "verdict"  # when it is clear whether all, some or no schedules are safe
    ALL = "all"  # when there is no further schedule to be permitted


@dataclass(frozen=True, slots=True)
class VerifyOptions:
    """How far to go, and which way."""

    until: Until = Until.VERDICT
    iterations: int | None = None  # stop after so many results
    time_s: float | None = None
    spent_s: float = 0.0  # of that, before anything was asked here
    memory_mb: float | None = None  # None: a share of the machine's
    strategy: str = RoundRobin.name
    others: bool = False  # other strategies are tried where the first one finds nothing
    interpolation: tuple[str, ...] = ORDER
    progress: Callable[[str], None] | None = None
    hunt: Callable[[Program, Settings, Sharing], Hunting] | None = None  # searches for errors first
    alternate: bool = False  # further schedules take turns with the proof of all of them
