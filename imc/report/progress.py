"""The progress line of commands that take long."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread

from imc.explorer.result import Exploration

PROGRESS_AFTER_S, PROGRESS_EVERY_S = 2.0, 0.5
LINES_EVERY_S = 5.0  # where each is a line of its own


class ProgressLine:
    """One line on standard error, once something takes longer than two seconds.

    Within `shown` it tells the time by itself: what is being done may not come back for long.
    """

    def __init__(self) -> None:
        self._start = self._last = time.monotonic()
        self._doing: Callable[[], str] | None = None
        self._shown = False
        self._lock = Lock()
        self._terminal = sys.stderr.isatty()

    def explored(self, so_far: Exploration) -> None:
        self._show(lambda: f"exploring: {_so_far(so_far)}")

    def update(self, doing: str) -> None:
        self._show(lambda: doing)

    @contextmanager
    def shown(self, doing: str) -> Iterator[None]:
        """Goes on to show what was told last, from this on, whether or not anybody calls."""
        self._doing = lambda: doing
        over = Event()

        def show() -> None:
            while not over.wait(PROGRESS_EVERY_S):
                self._show(None)

        thread = Thread(target=show, daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()
            self.clear()

    def clear(self) -> None:
        with self._lock:
            self._last = time.monotonic()
            if self._shown:
                sys.stderr.write("\r" + " " * 79 + "\r")
                self._shown = False

    def _show(self, doing: Callable[[], str] | None) -> None:
        self._doing = doing = doing or self._doing
        now = time.monotonic()
        every = PROGRESS_EVERY_S if self._terminal else LINES_EVERY_S
        if doing is None or now - self._start < PROGRESS_AFTER_S or now - self._last < every:
            return
        with self._lock:
            self._last = now
            line = f"{doing()}, {now - self._start:.0f} s"
            if self._terminal:
                sys.stderr.write(f"\r{line[:79]:<79}")
                self._shown = True
            else:
                sys.stderr.write(line + "\n")
            sys.stderr.flush()


def _so_far(result: Exploration) -> str:
    if result.stateful:
        return f"{result.states} states, {result.events} events"
    executions = (result.complete or 0) + (result.blocked or 0)
    if result.expected is None or result.rest_s is None:
        return f"{executions} executions, {result.events} events"
    expected = max(executions, result.expected)
    return f"{executions} of about {expected} executions, {result.rest_s:.0f} s to go"
