"""Verdicts, and the exit codes that scripts know them by."""

from __future__ import annotations

from enum import StrEnum


class Verdict(StrEnum):
    SAFE = "safe"
    PARTIALLY_SAFE = "partially-safe"  # under the schedules that were found
    UNSAFE = "unsafe"
    UNKNOWN = "unknown"


EXIT_CODES = {
    Verdict.SAFE: 0,
    Verdict.UNSAFE: 1,
    Verdict.UNKNOWN: 3,
    Verdict.PARTIALLY_SAFE: 6,
}
INTERRUPTED = 130
ERROR_OUTSIDE = 4  # partially safe, and outside of the schedules there is an error


def exit_code(verdict: Verdict, error_known: bool = False, interrupted: bool = False) -> int:
    """What a command ends with; an error is known if it was reproduced.

    Who was interrupted says so, unless there was an answer already.
    """
    if interrupted and verdict is Verdict.UNKNOWN:
        return INTERRUPTED
    if verdict is Verdict.PARTIALLY_SAFE and error_known:
        return ERROR_OUTSIDE
    return EXIT_CODES[verdict]
