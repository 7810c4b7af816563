"""The progress line of commands that take long."""

from __future__ import annotations

import sys
import time

from imc.explore.result import Exploration

PROGRESS_AFTER_S, PROGRESS_EVERY_S = 2.0, 0.5


class ProgressLine:
    """One line on standard error, once something takes longer than two seconds."""

    def __init__(self) -> None:
        self._start = self._last = time.monotonic()
        self._shown = False
        self._terminal = sys.stderr.isatty()

    def explored(self, so_far: Exploration) -> None:
        what = f"{so_far.states} states" if so_far.stateful else f"{so_far.complete} executions"
        self.update(f"exploring: {what}, {so_far.events} events{_rest(so_far)}")

    def update(self, doing: str) -> None:
        now = time.monotonic()
        every = PROGRESS_EVERY_S if self._terminal else 10 * PROGRESS_EVERY_S
        if now - self._start < PROGRESS_AFTER_S or now - self._last < every:
            return
        self._last = now
        line = f"{doing}, {now - self._start:.0f} s"
        if self._terminal:
            sys.stderr.write(f"\r{line:<79}")
            self._shown = True
        else:
            sys.stderr.write(line + "\n")
        sys.stderr.flush()

    def clear(self) -> None:
        if self._shown:
            sys.stderr.write("\r" + " " * 79 + "\r")
            self._shown = False


def _rest(so_far: Exploration) -> str:
    return "" if so_far.rest_s is None else f", about {so_far.rest_s:.0f} s to go"
