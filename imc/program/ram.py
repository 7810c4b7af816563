"""How much of the machine's memory this process uses, and how much of it it may."""

from __future__ import annotations

import gc
import os
import sys
import time
from functools import cache
from pathlib import Path

SHARE = 0.5  # of the machine's memory, unless somebody says how much
LOOK_EVERY_S = 0.05
ROOM = 0.9  # of the limit: if no more is left after a collection, the next one would come at once
GROWN_MB = 256.0  # before it is worth while to look for what nobody uses
STATM = Path("/proc/self/statm")
CONTAINER = (  # where Linux tells what a container may use
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)


class MemoryLimit:
    """So many megabytes; without a number, a share of what the machine has."""

    def __init__(self, megabytes: float | None = None) -> None:
        self.megabytes = share_mb() if megabytes is None else megabytes
        self._chosen = megabytes is not None
        self._look_at = 0.0

    def is_over(self) -> bool:
        """Whether more is used now; the system is asked now and then only."""
        now = time.monotonic()
        if self.megabytes is None or now < self._look_at:
            return False
        self._look_at = now + LOOK_EVERY_S
        if used_mb() <= self.megabytes:
            return False
        gc.collect()
        return used_mb() > ROOM * self.megabytes

    def __str__(self) -> str:
        if self._chosen:
            return f"stopped at {self.megabytes:g} MB of memory"
        return f"stopped at {self.megabytes or 0:.0f} MB, half of the memory (--memory-limit)"


class Leftovers:
    """What was finished and nobody uses: Python looks for it rarely where much is in use."""

    def __init__(self) -> None:
        self._kept_mb = used_mb()

    def clear(self) -> None:
        """Gives back the memory, if there is enough of it to be worth while."""
        if used_mb() > self._kept_mb + GROWN_MB:
            gc.collect()
            self._kept_mb = used_mb()


def used_mb() -> float:
    """What is in use now; where a system does not tell that, the most that was in use so far."""
    try:
        pages = int(STATM.read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return _most_used_mb()
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def _most_used_mb() -> float:
    try:
        import resource
    except ImportError:
        return 0.0  # then nothing is limited
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used / (1 << 20 if sys.platform == "darwin" else 1 << 10)


@cache
def share_mb() -> float | None:
    """What is used at most unless somebody says more; None if the system does not tell."""
    try:
        machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None
    for path in CONTAINER:
        try:
            machine = min(machine, int(path.read_text()))
        except (OSError, ValueError):  # there is none, or it says "max"
            continue
    return SHARE * machine / (1 << 20)
