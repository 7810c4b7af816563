"""Schedules as immutable data: sections of partially ordered events, and what comes after each.

Threads, sites and sections are referred to by their index. docs/schedule-format.md has the meaning.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

# Another thread, and how many of its gated events must have happened since the section began;
# where sections overlap, 0 and less reach back into the sections before.
Wait: TypeAlias = tuple[int, int]
Guard: TypeAlias = "str | int | float | bool | tuple[Guard, ...]"

Hashes: TypeAlias = tuple[tuple[str, str], ...]  # names, and a hash of each

ACTIONS = ("gate", "pass", "free", "skip")
GATED = ("gate", "pass")
PERFORMED = ("gate", "free")


@dataclass(frozen=True, slots=True)
class ProgramIdentity:
    """The program that a schedule belongs to.

    The digest decides; the hashes of its functions and variables only say what differs.
    """

    name: str
    digest: str
    functions: Hashes | None = None
    variables: Hashes | None = None


@dataclass(frozen=True, slots=True)
class Made:
    """Who made a schedule, as which result, and what was proved about it."""

    by: str
    result: int
    optimisation: str
    strategy: str
    properties: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ListedAssumption:
    """Something the proof rests on: `code` says what, of `subject` if it is about one thing.

    The text is for people. Which codes there are is the affair of who makes and proves schedules:
    none of them changes how a schedule is enforced.
    """

    code: str
    text: str
    subject: str | None = None
    file: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Site:
    """An operation of the program: where its events happen, and what is to be done there.

    Its events wait for their turn at a gate ("gate", "pass") or do not ("free", "skip"); they are
    performed ("gate", "free") or left out because the order makes them needless ("pass", "skip").
    """

    function: str
    pc: int
    operation: str
    file: str | None
    line: int | None
    column: int | None
    what: str
    action: str = "gate"

    @property
    def gated(self) -> bool:
        return self.action in GATED

    @property
    def performed(self) -> bool:
        return self.action in PERFORMED


class ScheduledEvent(NamedTuple):  # a file holds thousands: a third of a dataclass's time to make
    """It may happen after its thread's earlier events and after its waits."""

    thread: int
    site: int
    waits: tuple[Wait, ...] = ()


@dataclass(frozen=True, slots=True)
class End:
    """The program ends here."""

    @property
    def targets(self) -> tuple[int, ...]:
        return ()


@dataclass(frozen=True, slots=True)
class Free:
    """From here on nothing is ordered any more."""

    @property
    def targets(self) -> tuple[int, ...]:
        return ()


@dataclass(frozen=True, slots=True)
class Follow:
    """It always goes on in the same section."""

    section: int

    @property
    def targets(self) -> tuple[int, ...]:
        return (self.section,)


@dataclass(frozen=True, slots=True)
class Case:
    """An outcome: the site that the thread stands at (None: it has ended), and what else holds."""

    at: int | None
    guard: Guard | None
    section: int


@dataclass(frozen=True, slots=True)
class Branch:
    """The outcome of a thread's last event chooses."""

    thread: int
    cases: tuple[Case, ...]

    @property
    def targets(self) -> tuple[int, ...]:
        return tuple(case.section for case in self.cases)


@dataclass(frozen=True, slots=True)
class Choice:
    """The scheduler is free to choose."""

    sections: tuple[int, ...]

    @property
    def targets(self) -> tuple[int, ...]:
        return self.sections


Next: TypeAlias = End | Free | Follow | Branch | Choice


@dataclass(frozen=True, slots=True)
class Section:
    """Events in an order that is permitted, and what comes after them."""

    events: tuple[ScheduledEvent, ...]
    next: Next


@dataclass(frozen=True, slots=True)
class Schedule:
    """All that a schedule file says."""

    program: ProgramIdentity
    made: Made
    assumptions: tuple[ListedAssumption, ...]
    bounds: tuple[str, ...]
    threads: tuple[str, ...]
    sites: tuple[Site, ...]
    overlap: bool  # whether events may happen before those of earlier sections
    start: int
    sections: tuple[Section, ...]
    certificate: Mapping[str, Any] | None = field(default=None, hash=False)
