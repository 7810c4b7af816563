"""How much a program does over time: its stores to shared memory.

A loop that waits reads, locks and unlocks; whoever gets on stores something.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise
from threading import Event, Thread

from imc.program.analysis.sharing import Sharing
from imc.program.code import Site
from imc.program.instructions import Store
from imc.program.program import Program

INTERVAL_S = 0.1


def stores(program: Program) -> frozenset[Site]:
    """Where the program stores what other threads can see."""
    sharing = Sharing(program)
    return frozenset(
        (function.name, pc)
        for function in program.functions.values()
        for pc in sharing.visible_in(function.name)
        if isinstance(function.code[pc], Store)
    )


class Samples:
    """Counts with their times on the system's monotonic clock."""

    def __init__(self) -> None:
        self.counts: list[tuple[float, int]] = []
        self._over = Event()
        self._thread: Thread | None = None

    def add(self, count: int, clock: float) -> None:
        self.counts.append((clock, count))

    def rates(self, began: float) -> list[tuple[float, float]]:
        """Per second, each at the end of its interval, counted from `began`."""
        return [
            (later - began, (more - count) / (later - at))
            for (at, count), (later, more) in pairwise(self.counts)
            if later > at
        ]

    def begin(self, count: Callable[[], int]) -> None:
        """Looks at a count again and again until the end."""

        def look() -> None:
            while True:
                self.add(count(), time.monotonic())
                if self._over.wait(INTERVAL_S):
                    return

        self._thread = Thread(target=look, daemon=True)
        self._thread.start()

    def end(self) -> None:
        self._over.set()
        if self._thread is not None:
            self._thread.join()
