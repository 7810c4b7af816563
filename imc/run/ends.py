"""How runs end: the program's own status, as a shell would see it, and what is told of errors."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from signal import SIGABRT, SIGFPE, SIGSEGV

from imc.errors import SourceLoc
from imc.program.faults import FaultRaised, Property

SIGNALS = {Property.MEMORY: SIGSEGV, Property.DIVISION: SIGFPE}  # all others abort
ASSERTION = re.compile(r"assertion '(.*)' failed", re.DOTALL)


@dataclass(slots=True)
class RunResult:
    """What became of one run."""

    exit_status: int = 0  # of the program; 128 and the signal's number if an error has ended it
    error: str = ""  # what the program itself did wrong
    problem: Exception | None = None  # why it was stopped before its end
    stuck: list[str] = field(default_factory=list)  # threads that an assumption has stopped
    events: dict[str, int] = field(default_factory=dict)  # by thread
    rounds: dict[str, int] = field(default_factory=dict)  # events at useful sites, by thread
    gated: int = 0  # events that have passed the gate
    sections: int = 0
    time_s: float = 0.0
    out_of_time: bool = False
    fibers: bool = False  # whether threads were fibers


class NotEnough(Exception):
    """The program has come to a limit of ours, or has read all the inputs it was given."""


def status_of(fault: FaultRaised) -> int:
    return 128 + SIGNALS.get(fault.kind, SIGABRT)


def error_text(program: str, function: str, loc: SourceLoc | None, fault: FaultRaised) -> str:
    """One line, as the C library would write it."""
    place = f"{loc.file}:{loc.line}" if loc is not None else program
    failed = ASSERTION.fullmatch(fault.message)
    message = f"Assertion `{failed[1]}' failed." if failed else fault.message
    return f"{place}: {function}: {message}"
