"""The time limit of a command: it counts from when the command was called."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from imc.commands.terminal import print_text
from imc.program.alarm import alarm
from imc.program.faults import OutOfTime
from imc.program.verdict import Verdict, exit_code
from imc.report.document import write_document

GRACE_S = 0.5  # and a share of the limit, for those who look at the clock by themselves
GRACE_SHARE = 0.1


class TimeLimit:
    """So many seconds, which reading the program is part of; None: as long as it takes."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self._began = time.monotonic()

    @property
    def spent_s(self) -> float:
        return time.monotonic() - self._began

    @contextmanager
    def alarmed(self) -> Iterator[None]:
        """Raises OutOfTime a little after the limit, whatever is being done."""
        if self.seconds is None:
            yield
            return
        grace_s = GRACE_S + GRACE_SHARE * self.seconds
        with alarm(self.seconds - self.spent_s + grace_s, grace_s=0.0):
            yield

    @contextmanager
    def reading(self, json_file: str | None = None) -> Iterator[None]:
        """Ends the command with what is known then, nothing, if there is no time for more."""
        try:
            with self.alarmed():
                yield
        except OutOfTime:
            self.tell_nothing("while the program was read", json_file)

    def tell_nothing(self, when: str, json_file: str | None) -> NoReturn:
        """Ends the command: nothing is known."""
        assert self.seconds is not None
        bound = f"stopped after {self.seconds:g} s, {when}"
        if json_file != "-":
            print_text(f"verdict: {Verdict.UNKNOWN} ({bound})")
        if json_file is not None:
            document = {
                "verdict": str(Verdict.UNKNOWN),
                "reason": bound,
                "bounds": [bound],
                "assumptions": [],
                "counterexample": None,
                "time_s": round(self.spent_s, 4),
            }
            write_document(document, json_file)
        sys.exit(exit_code(Verdict.UNKNOWN))
