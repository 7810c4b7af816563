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
    Verdict.PARTIALLY_SAFE: 4,
}
