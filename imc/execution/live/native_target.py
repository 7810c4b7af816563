"""The executable under schedules that come while it runs: as tables, through a socket."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from types import TracebackType
from typing import Any

from imc.errors import UserError
from imc.execution.native.operations import Operations
from irs.native.tables import encode
from irs.relaxation import Permitted, Relaxation
from irs.schedule import Branch, Schedule


class NativeTarget:
    """A built program that listens for further schedules.

    `relaxed` is told when one has taken the place of another, with the time of the system's
    monotonic clock; `sampled`, how often the counted operations had been executed by then.
    """

    def __init__(
        self,
        operations: Operations,
        relaxed: Callable[[Permitted, float], None],
        sampled: Callable[[int, float], None] | None = None,
    ) -> None:
        assert operations.schedule is not None
        self.operations = operations
        self._newest = operations.schedule
        self._skipped = False
        self._relaxed = relaxed
        self._sampled = sampled
        self._ours, self._theirs = socket.socketpair()
        self._reader = Thread(target=self._read, daemon=True)

    def __enter__(self) -> NativeTarget:
        self._reader.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._theirs.close()
        if kind is not None:  # the program may not have been started, to close its end
            with suppress(OSError):
                self._ours.shutdown(socket.SHUT_RDWR)
        self._reader.join()
        self._ours.close()

    def hand_over(self) -> int:
        """The program's end of the socket, which is no longer ours."""
        return self._theirs.detach()

    def tables(self) -> bytes:
        """Those of the first schedule."""
        return self._encoded(self._newest, [])

    def relax(self, relaxation: Relaxation) -> None:
        """A schedule that asks for more than the program was built for is not sent."""
        if relaxation.schedule is None:
            self._send(b"")
        elif not self._skipped and self._is_built_for(relaxation.schedule):
            entries = [relaxation.entries.get(n) for n in range(len(self._newest.sections))]
            self._newest = relaxation.schedule
            self._send(self._encoded(relaxation.schedule, entries))
        else:
            self._skipped = True  # what comes after it enters from it

    def _is_built_for(self, schedule: Schedule) -> bool:
        try:
            self.operations.check(schedule)
        except UserError:
            return False
        return _numbers(schedule) <= set(self.operations.cells)

    def _encoded(self, schedule: Schedule, entries: list[int | None]) -> bytes:
        operations = self.operations
        return encode(schedule, operations.sites, operations.digest, entries=entries)

    def _send(self, tables: bytes) -> None:
        with suppress(OSError):  # the program has ended
            self._ours.sendall(struct.pack("<I", len(tables)) + tables)

    def _read(self) -> None:
        with self._ours.makefile("r", encoding="ascii") as lines:
            for line in lines:
                self._hear(json.loads(line))

    def _hear(self, told: dict[str, Any]) -> None:
        clock = told["time_ns"] / 1e9
        if "executed" in told:
            if self._sampled is not None:
                self._sampled(told["executed"], clock)
        else:
            self._relaxed(Permitted(told["schedule"], told["section"], 0.0), clock)


def _numbers(schedule: Schedule) -> set[object]:
    """The places that a schedule's guards look at."""
    branches = [section.next for section in schedule.sections if isinstance(section.next, Branch)]
    return {
        case.guard[1]
        for branch in branches
        for case in branch.cases
        if isinstance(case.guard, tuple) and case.guard[0] == "="
    }
