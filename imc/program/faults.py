"""What can go wrong while a program runs, as the properties that users name."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from imc.errors import SourceLoc, UserError
from imc.program.events import Access
from imc.records import record


class Property(StrEnum):
    """A property that a run can violate; the value is the name used in options and reports."""

    ASSERTION = "assertion"
    DEADLOCK = "deadlock"
    LIVELOCK = "livelock"
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


def properties(check: Iterable[str] = (), no_check: Iterable[str] = ()) -> frozenset[Property]:
    """Those that are checked anyway, with more and without others, by their names."""
    try:
        more, less = ({Property(name) for name in names} for names in (check, no_check))
    except ValueError as unknown:
        raise UserError(str(unknown), hint=f"there are {', '.join(Property)}") from None
    if both := sorted(more & less):
        raise UserError(f"{both[0]} cannot be checked and not be checked", hint="choose one")
    return (DEFAULT_PROPERTIES | more) - less


@record
class Fault:
    """One violation: what, where, by whom; `details` are further lines for the report.

    Of an execution that goes on for ever, `loop` is how many of its last events come again.
    """

    kind: Property
    message: str
    loc: SourceLoc | None = None
    thread: int | None = None
    details: tuple[str, ...] = ()
    loop: int = 0


class FaultRaised(Exception):
    """Stops a step at the instruction that violates a property; `claim` is what C's assert says."""

    def __init__(self, kind: Property, message: str, claim: str = "") -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.claim = claim


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


# Why a thread goes no further where an error of a kind is not asked for, whatever it is about: so
# that executions which differ in nothing else come to the same state.
UNCHECKED = {kind: f"executions end at an unchecked error: {kind.value}" for kind in Property}


class StuckForever(Exception):
    """The thread has stopped for good without an error; `bounded` when by a limit of ours."""

    def __init__(self, reason: str, bounded: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.bounded = bounded
