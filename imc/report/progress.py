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
        self.update(f"exploring: {_so_far(so_far)}")

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


def _so_far(result: Exploration) -> str:
    if result.stateful:
        return f"{result.states} states, {result.events} events"
    executions = (result.complete or 0) + (result.blocked or 0)
    if result.expected is None or result.rest_s is None:
        return f"{executions} executions, {result.events} events"
    expected = max(executions, result.expected)
    return f"{executions} of about {expected} executions, {result.rest_s:.0f} s to go"
