"""A verifier in a process of its own: what it finds comes through a pipe, compiled to be run.

So a running program does not share an interpreter with it, and goes on if it fails.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, TypeAlias

from imc.errors import UserError
from imc.interrupts import uninterrupted
from imc.program.program import Program
from imc.program.settings import Settings
from imc.program.verdict import Verdict
from irs.relaxation import Relaxation

if TYPE_CHECKING:
    from imc.schedule.relaxing import Relaxing
    from imc.verifier.iteration import Verification
    from imc.verifier.result import Result

PR_SET_PDEATHSIG = 1  # of Linux
INTERVAL_S = 0.1  # between schedules, at least
PATIENCE = 4  # times as long as the last one took to be compiled


@dataclass(frozen=True, slots=True)
class Found:
    """A schedule that can be gone over to."""

    result: int
    nodes: int
    relaxation: Relaxation


@dataclass(frozen=True, slots=True)
class Broken:
    """A counterexample that no schedule which was found permits."""

    text: str
    reproduced: bool


@dataclass(frozen=True, slots=True)
class Concluded:
    """There is nothing more to come; `failure`: the verifier has broken down."""

    verdict: Verdict
    reason: str = ""
    failure: bool = False


Message: TypeAlias = Found | Broken | Concluded


class Verifier:
    """Begins to verify a program at once; iterate over what it finds, and stop it in the end."""

    def __init__(self, program: Program, settings: Settings) -> None:
        methods = multiprocessing.get_all_start_methods()
        context = multiprocessing.get_context("fork" if "fork" in methods else None)
        self._messages, theirs = context.Pipe(duplex=False)
        self._process = context.Process(
            target=_verify, args=(theirs, program, settings, os.getpid()), daemon=True
        )
        with uninterrupted():  # Python loses interrupts while it forks, and the child is not ready
            self._process.start()
        theirs.close()

    def __iter__(self) -> Iterator[Message]:
        """Waits for each message; the last one says that it is."""
        while True:
            try:
                message: Message = self._messages.recv()
            except (EOFError, OSError):
                self._process.join()
                reason = f"the verifier has ended early ({_end(self._process.exitcode)})"
                yield Concluded(Verdict.UNKNOWN, reason, failure=True)
                return
            yield message
            if isinstance(message, Concluded):
                return

    def tells(self, seconds: float) -> bool:
        """Whether there is a message, or the end, within so many seconds."""
        return self._messages.poll(max(seconds, 0.0))

    def stop(self) -> None:
        """Ends the verifier, whatever it is doing."""
        self._process.kill()
        self._process.join()


def _end(code: int | None) -> str:
    return f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"


# ------------------------------------------------------------------- the other process


def _verify(messages: Connection, program: Program, settings: Settings, parent: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who has started us will end us
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})
    _end_with_parent()

    def end_with_parent(doing: str) -> None:
        if os.getppid() != parent:
            os._exit(1)

    end_with_parent("beginning")  # it may have ended before the system was told
    from imc.verifier.iteration import Verification
    from imc.verifier.options import Until, VerifyOptions

    options = VerifyOptions(until=Until.ALL, progress=end_with_parent, alternate=True)
    try:
        verification = Verification(program, settings, options)
        _Sender(messages, verification).run()
        outcome = verification.outcome
        messages.send(Concluded(outcome.verdict, outcome.reason))
    except BrokenPipeError:
        pass
    except UserError as problem:
        messages.send(Concluded(Verdict.UNKNOWN, str(problem)))
    except MemoryError:
        messages.send(Concluded(Verdict.UNKNOWN, "the verifier is out of memory", failure=True))


def _end_with_parent() -> None:
    """Has the system end us with who has started us, where it can; we look for ourselves too."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL))


class _Sender:
    """Compiles results, not more often than is worth while, and sends them."""

    def __init__(self, messages: Connection, verification: Verification) -> None:
        from imc.schedule.relaxing import Relaxing

        self.messages = messages
        self.verification = verification
        self.relaxing: Relaxing = Relaxing(verification)
        self._due = 0.0
        self._left: Result | None = None  # the last result that was not compiled
        self._told = False

    def run(self) -> None:
        for result in self.verification:
            self._tell_violation()
            if result.schedule is not None:
                self._left = result
                if time.monotonic() >= self._due:
                    self._send()
        self._tell_violation()
        if self.verification.outcome.verdict is not Verdict.SAFE:
            self._send()

    def _tell_violation(self) -> None:
        from imc.program.words.description import fault_text

        found = self.verification.outcome.violation
        if found is not None and not self._told:
            self._told = True
            self.messages.send(Broken(fault_text(found.image, found.fault), found.reproduced))

    def _send(self) -> None:
        """What can take the place of no other, or cannot be told to threads, is passed over."""
        from imc.schedule.beliefs import Ambiguous
        from imc.schedule.relaxing import Unfit

        result, self._left = self._left, None
        if result is None:
            return
        began = time.monotonic()
        try:
            relaxation = self.relaxing.compile(result)
            self.messages.send(Found(result.index, result.nodes, relaxation))
        except Unfit:
            pass
        except Ambiguous as problem:
            if self.relaxing.is_first:
                raise problem
        spent = time.monotonic() - began
        self._due = time.monotonic() + max(INTERVAL_S, PATIENCE * spent)
