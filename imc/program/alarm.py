"""An alarm, for code that does not look at the clock itself.

It strikes a little after the time is up: who does look at the clock ends better by himself.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from imc.program.faults import OutOfTime

GRACE_S = 0.2
AGAIN_S = 0.3  # somebody may have taken it for something else
DEPTH = 4  # of frames that are looked at
DEAF = frozenset({"__del__", "z3_error_handler"})  # whatever is raised in them is lost


@contextmanager
def alarm(seconds: float | None, grace_s: float = GRACE_S) -> Iterator[None]:
    """Raises OutOfTime here when so many seconds and a grace are over; None: never.

    Only the main thread can be alarmed. An alarm that somebody has set before is set again.
    """
    if seconds is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    if not hasattr(signal, "setitimer"):
        yield
        return
    began = time.monotonic()
    handler = signal.signal(signal.SIGALRM, _strike)
    before, interval = signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.0) + grace_s, AGAIN_S)
    try:
        yield
    finally:
        quiet = False
        while not quiet:
            with suppress(OutOfTime):  # it may strike even now
                signal.setitimer(signal.ITIMER_REAL, 0)
                signal.signal(signal.SIGALRM, handler)
                quiet = True
        if before:
            left = before - (time.monotonic() - began)
            signal.setitimer(signal.ITIMER_REAL, max(left, 1e-3), interval)


def postpone(seconds: float) -> None:
    """Lets an alarm that is set, if there is one, strike so much later and not now."""
    if not hasattr(signal, "setitimer") or signal.getsignal(signal.SIGALRM) is not _strike:
        return
    if threading.current_thread() is threading.main_thread():
        left, _ = signal.getitimer(signal.ITIMER_REAL)
        signal.setitimer(signal.ITIMER_REAL, max(left, seconds), AGAIN_S)


def _strike(number: int, frame: FrameType | None) -> None:
    for _ in range(DEPTH):
        if frame is None:
            break
        if frame.f_code.co_name in DEAF:
            return  # it strikes again
        frame = frame.f_back
    raise OutOfTime
