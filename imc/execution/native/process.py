"""Runs built programs: their environment, how long they may run, what their end means."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

from imc.errors import UserError
from irs.errors import Deviation, Stalled

STANDARD_ERROR = 2  # its descriptor
WRITING_S = 60  # a trace of some minutes is long


@dataclass(frozen=True, slots=True)
class NativeOptions:
    """What a run is given; docs/native.md says what the variables of the environment mean."""

    arguments: Sequence[str] = ()
    tables: Path | None = None  # instead of those that were built with the program
    inputs: Path | None = None
    seed: int | None = None
    seconds: float | None = None  # after which the run is ended, as if it had succeeded
    trace: Path | None = None
    stats: Path | None = None
    report: Path | None = None  # why the run was ended, see read_report
    watchdog_s: float | None = None
    threads: bool = False  # even where the program was built for fibers
    relax: int | None = None  # a socket that further tables come through; the program's own
    sample_ms: int | None = None  # how often counts are told there
    stdin: Path | None = None  # instead of this process's
    output_to_errors: bool = False  # standard output is ours
    time_limit_s: float | None = None  # after which the process is killed

    def environment(self) -> dict[str, str]:
        given = {
            "IRS_SCHEDULE": self.tables,
            "IRS_INPUT": self.inputs,
            "IRS_SEED": self.seed,
            "IRS_SECONDS": self.seconds,
            "IRS_TRACE": self.trace,
            "IRS_STATS": self.stats,
            "IRS_REPORT": self.report,
            "IRS_WATCHDOG": self.watchdog_s,
            "IRS_MODE": "threads" if self.threads else None,
            "IRS_RELAX": self.relax,
            "IRS_SAMPLE_MS": self.sample_ms,
            "IRS_PARENT": os.getpid(),
        }
        rest = {k: v for k, v in os.environ.items() if not k.startswith("IRS_")}
        return rest | {k: str(v) for k, v in given.items() if v is not None}


@dataclass(frozen=True, slots=True)
class Report:
    """What the run-time has told of a run: why it was ended, and who was stopped."""

    problem: Deviation | Stalled | None = None
    stopped: tuple[str, ...] = ()


def read_report(path: Path) -> Report:
    """The file `report` of a run; a process that was killed has written none."""
    try:
        found = json.loads(path.read_text(encoding="utf-8", errors="replace"))
    except (OSError, ValueError):
        return Report()
    stopped = tuple(found["stopped"])
    match found:
        case {"deviation": {"thread": thread, "event": event, "section": section, "expected": all}}:
            return Report(Deviation(thread, event, section, tuple(all)), stopped)
        case {"stalled": {"seconds": seconds, "lines": lines}}:
            return Report(Stalled(seconds, tuple(lines)), stopped)
    return Report(None, stopped)


def run_native(executable: Path, options: NativeOptions | None = None) -> int:
    """Runs a built program on this process's streams; its exit status, -n after signal n."""
    options = options or NativeOptions()
    command = [str(executable.absolute()), *options.arguments]
    try:
        with ExitStack() as files:
            stdin = files.enter_context(options.stdin.open("rb")) if options.stdin else None
            stdout = STANDARD_ERROR if options.output_to_errors else None
            kept = () if options.relax is None else (options.relax,)
            child = subprocess.Popen(
                command, env=options.environment(), stdin=stdin, stdout=stdout, pass_fds=kept
            )
            for descriptor in kept:
                os.close(descriptor)
    except OSError as error:
        raise UserError(f"{executable} cannot be run: {error.strerror}") from None
    with child:
        try:
            status = child.wait(options.time_limit_s)
        except BaseException as error:
            child.send_signal(signal.SIGTERM)  # so that what was recorded is written
            with suppress(BaseException):  # who asks once more does not want to wait
                child.wait(WRITING_S)
            child.kill()
            child.wait()
            if isinstance(error, subprocess.TimeoutExpired):
                raise UserError(f"{executable} was not done in time") from None
            raise
    return status
