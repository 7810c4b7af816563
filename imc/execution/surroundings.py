"""What a running program has around it: streams, signals, a core, a record."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from imc.errors import UserError
from imc.interrupts import raising
from irs.record import Recorder
from irs.schedule import Schedule


class Terminated(BaseException):
    """SIGTERM has come."""


class Output:
    """The program's streams: standard output is buffered, as in the compiled program."""

    def __init__(self, aside: bool) -> None:
        self._stdout = (sys.stderr if aside else sys.stdout).buffer
        self._prompt = (sys.stderr if aside else sys.stdout).isatty()

    def write(self, data: bytes, stream: str) -> None:
        if stream == "stderr":
            sys.stderr.buffer.write(data)
            sys.stderr.buffer.flush()
            return
        self._stdout.write(data)
        if self._prompt and b"\n" in data:
            self._stdout.flush()

    def flush(self) -> None:
        try:
            self._stdout.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def recording(trace: Path | None, schedule: Schedule | None) -> Iterator[Recorder | None]:
    """What records a run under a schedule into a file, if one is wanted."""
    if trace is None or schedule is None:
        yield None
        return
    with ExitStack() as closing:
        try:
            stream = closing.enter_context(trace.open("wb"))
        except OSError as problem:
            raise UserError(f"cannot write {trace}: {problem.strerror}") from None
        yield Recorder(stream, schedule)


@contextmanager
def terminable() -> Iterator[None]:
    """SIGTERM is an exception in the main thread, like SIGINT."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, raising(Terminated))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def pinned(wanted: bool) -> Iterator[None]:
    """Keeps this process to one of its cores, where the system can do that."""
    if not wanted or not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {sorted(cores)[os.getpid() % len(cores)]})  # not all runs the same one
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)
