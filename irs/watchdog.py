"""A watchdog: notices from outside that nothing moves, at no cost to what does."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread
from types import TracebackType

LOOKS = 4  # at the counters, in the time after which a stall is told


class Watchdog:
    """While it is entered, calls `stalled` whenever nothing has moved for so many seconds.

    As long as nothing does it is called again and again: who computed may be waiting by now.
    """

    def __init__(
        self, seconds: float, progress: Callable[[], object], stalled: Callable[[], None]
    ) -> None:
        self.seconds = seconds
        self._progress = progress
        self._stalled = stalled
        self._over = Event()
        self._thread = Thread(target=self._watch, name="irs watchdog", daemon=True)

    def __enter__(self) -> Watchdog:
        if self.seconds > 0:
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()

    def _watch(self) -> None:
        last, same = self._progress(), 0
        while not self._over.wait(self.seconds / LOOKS):
            now = self._progress()
            same = same + 1 if now == last else 0
            last = now
            if same == LOOKS:
                same = 0
                self._stalled()
