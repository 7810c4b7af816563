"""How a run can end, seen from outside: the same words for the machine and the model."""

from __future__ import annotations

from typing import NamedTuple


class Outcome(NamedTuple):
    """`kind` is `exit`, `assertion`, `abort`, `deadlock`, `signal`, or a fault of the model."""

    kind: str
    status: int = 0
    output: str = ""

    def __str__(self) -> str:
        told = f" {self.status}" if self.status else ""
        return f"{self.kind}{told} {self.output.rstrip()}".rstrip()


ASSERTION, ABORT, DEADLOCK = Outcome("assertion"), Outcome("abort"), Outcome("deadlock")
EXIT, SIGNAL = "exit", "signal"
