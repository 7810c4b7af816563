"""Signals that end what is being done by an exception, wherever the program is."""

from __future__ import annotations

import _thread
import gc
import os
import signal
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import TypeAlias

Handler: TypeAlias = Callable[[int, FrameType | None], None]

SOON_S = 0.001
WAITING = ("wait", "join", "_wait_for_tstate_lock")  # of `threading`: made to be interrupted


def heed_interrupts() -> None:
    """Makes SIGINT an exception that is not lost."""
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if usual and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, raising(KeyboardInterrupt))


def raising(exception: Callable[[], BaseException]) -> Handler:
    """A signal handler that raises the exception as soon as it does what it is meant to do."""

    def handle(number: int, frame: FrameType | None) -> None:
        if _is_lost(frame) or _leaves_a_lock(frame):
            _thread.start_new_thread(_repeat, (number,))  # `threading` may be in the middle of it
        else:
            raise exception()

    return handle


def _repeat(number: int) -> None:
    time.sleep(SOON_S)
    os.kill(os.getpid(), number)


def _is_lost(frame: FrameType | None) -> bool:
    """Python throws away what is raised while an object is deleted, or garbage collected."""
    collecting = {getattr(callback, "__code__", None) for callback in gc.callbacks}
    while frame is not None:
        if frame.f_code.co_name == "__del__" or frame.f_code in collecting:
            return True
        frame = frame.f_back
    return False


def _leaves_a_lock(frame: FrameType | None) -> bool:
    """In `threading` a lock can be taken that nobody would give back: Python's own code is not
    made for exceptions between taking a lock and entering the block that gives it back."""
    if frame is None or frame.f_code.co_filename != threading.__file__:
        return False
    return frame.f_code.co_name not in WAITING
