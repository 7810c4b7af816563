"""Errors as a shell would see them: the status they end the program with, and what is told."""

from __future__ import annotations

import re
from signal import SIGABRT, SIGFPE, SIGSEGV

from imc.errors import SourceLoc
from imc.program.faults import FaultRaised, Property

SIGNALS = {Property.MEMORY: SIGSEGV, Property.DIVISION: SIGFPE}  # all others abort
ASSERTION = re.compile(r"assertion '(.*)' failed", re.DOTALL)


def status_of(fault: FaultRaised) -> int:
    return 128 + SIGNALS.get(fault.kind, SIGABRT)


def error_text(program: str, function: str, loc: SourceLoc | None, fault: FaultRaised) -> str:
    """One line, as the C library would write it."""
    place = f"{loc.file}:{loc.line}" if loc is not None else program
    failed = ASSERTION.fullmatch(fault.message)
    message = f"Assertion `{failed[1]}' failed." if failed else fault.message
    return f"{place}: {function}: {message}"
