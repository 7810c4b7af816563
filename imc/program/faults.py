"""What can go wrong while a program runs, as the properties that users name."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from imc.errors import SourceLoc
from imc.program.events import Access


class Property(StrEnum):
    """A property that a run can violate; the value is the name used in options and reports."""

    ASSERTION = "assertion"
    DEADLOCK = "deadlock"
    MEMORY = "memory"
    LOCK = "lock"
    DIVISION = "division"
    ABORT = "abort"
    UNINITIALISED = "uninitialised"
    OVERFLOW = "overflow"
    RACE = "race"
    TERMINATION = "termination"  # of what a thread computes between two events


DEFAULT_PROPERTIES = frozenset(Property) - {
    Property.RACE,
    Property.OVERFLOW,
    Property.TERMINATION,
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One violation: what, where, by whom; `details` are further lines for the report."""

    kind: Property
    message: str
    loc: SourceLoc | None = None
    thread: int | None = None
    details: tuple[str, ...] = ()


class FaultRaised(Exception):
    """Stops a step at the instruction that violates a property."""

    def __init__(self, kind: Property, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


class NeedChoice(Exception):
    """The environment must choose one of `count` alternatives before the step can go on."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.count = count


class Blocked(Exception):
    """The step cannot be taken now; `holder` is the thread that stands in the way, if it is one."""

    def __init__(self, what: str, pointer: object = None, holder: int | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.pointer = pointer
        self.holder = holder
        self.stable = True  # holds on until the object, or the holder's end, changes
        self.accesses: tuple[Access, ...] = ()  # what the step has looked at


class OutOfTime(Exception):
    """The time limit has struck in the middle of a step."""


class TooManyThreads(Exception):
    """The program starts more threads than can be followed."""


class StuckForever(Exception):
    """The thread has stopped for good without an error; `bounded` when by a limit of ours."""

    def __init__(self, reason: str, bounded: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.bounded = bounded
