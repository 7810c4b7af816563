"""How programs are run: which properties count, and what bounds the run."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from imc.program.faults import DEFAULT_PROPERTIES, Property
from imc.records import record


class Wakeups(StrEnum):
    """Which waits on condition variables may end without a signal."""

    SIGNALLED = "signalled"  # none: so it is where a run-time of ours does the waiting
    UNGUARDED = "unguarded"  # those that are not in a loop that tests again
    EVERYWHERE = "everywhere"


def wakeups(spurious: bool | None) -> Wakeups:
    """As users ask for them: all waits, none, or those that do not test again."""
    if spurious is None:
        return Wakeups.UNGUARDED
    return Wakeups.EVERYWHERE if spurious else Wakeups.SIGNALLED


@record
class Settings:
    """Every bound that is hit is named with the verdict."""

    properties: frozenset[Property] = DEFAULT_PROPERTIES
    loop_bound: int | None = None
    max_threads: int | None = None  # threads beyond are not created; None stops at thread_limit
    inputs: tuple[int, ...] = (0, 1, 2)  # what a nondeterministic integer may be
    wakeups: Wakeups = Wakeups.UNGUARDED
    in_turn: bool = False  # signals wake those who wait in turn; else the environment chooses
    independent_adds: bool = False  # atomic additions commute if nobody looks at the old value
    arguments: tuple[str, ...] = ()  # argv[1:]
    stdin: bytes = b""
    thread_limit: int = 64
    stack_limit: int = 4000
    local_limit: int = 20_000_000

    def enforced(self) -> Settings:
        """As it is where a schedule is enforced, and `irs` does the waiting."""
        return replace(self, wakeups=Wakeups.SIGNALLED, in_turn=True)
