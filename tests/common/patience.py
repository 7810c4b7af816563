"""Waiting in tests: for what has to happen, never for a time that a busy machine may exceed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

HANG_S = 600  # after which something hangs, however busy the machine is
LONGER_S = (0.2, 2.0, 20.0, 200.0)  # limits for a run that has to get somewhere within one
TICKS_PER_S = os.sysconf("SC_CLK_TCK")


def wait_until(happened: Callable[[], bool]) -> None:
    """Returns when it has; what never does is an error of the test."""
    deadline = time.monotonic() + HANG_S
    while not happened():
        assert time.monotonic() < deadline, "this hangs"
        time.sleep(0.01)


def computed_s(process: int) -> float:
    """How long all threads of a process have computed, whatever else the machine did."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_PER_S


def threads_of(process: int) -> list[int]:
    """The threads that a process has just now; of one that has ended, its first."""
    return [int(thread.name) for thread in Path(f"/proc/{process}/task").iterdir()]


def has_ended(process: int) -> bool:
    """Whether it is gone, or nobody has asked yet how it ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return True
