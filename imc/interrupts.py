"""Signals that end what is being done by an exception, wherever the program is.

Python looks at signals between its own steps. What computes outside of Python for long is told by a
thread, if it can be told (`interruptible`), or lets the system end the process (`at_once`).
"""

from __future__ import annotations

import _thread
import gc
import os
import signal
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from types import FrameType
from typing import Protocol, TypeAlias, TypeVar

Handler: TypeAlias = Callable[[int, FrameType | None], None]

SOON_S = 0.001
# What only makes the main thread look up: one signal may have come just before a wait began, so
# that nothing ended the wait. By then all nudges are over, nobody can still be about to begin it.
NUDGE = getattr(signal, "SIGURG", None)
NUDGES_S = (0.001, 0.01, 0.1, 1.0)
TOLD = (signal.SIGINT, getattr(signal, "SIGALRM", signal.SIGINT))  # that there are signals
WAITING = ("wait", "join", "_wait_for_tstate_lock")  # of `threading`: made to be interrupted
# Where Python is told of objects that end.
_FORGETTING = (weakref.__file__, weakref.WeakSet.__init__.__code__.co_filename)


class Interruptible(Protocol):
    """What computes outside of Python, and stops when another thread says so."""

    def interrupt(self) -> None: ...


Something = TypeVar("Something", bound=Interruptible)
_computing: weakref.WeakSet[Interruptible] = weakref.WeakSet()
_collections: list[str] = []  # of garbage: not empty while there is one


def interruptible(something: Something) -> Something:
    """The same; it is interrupted whenever a signal comes that an exception is made of."""
    _computing.add(something)
    return something


def heed_interrupts() -> None:
    """Makes SIGINT an exception that is not lost."""
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if usual and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, raising(KeyboardInterrupt))
        _tell_of_signals()
        _watch_collections()


@cache
def _watch_collections() -> None:
    """Notes when garbage is collected, and by that whatever Python calls meanwhile."""

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            _collections.append(phase)
        else:
            _collections.clear()

    gc.callbacks.append(note)


@cache
def _tell_of_signals() -> None:
    """Starts a thread that hears of signals while the main thread is outside of Python."""
    heard, told = os.pipe()
    os.set_blocking(told, False)
    if NUDGE is not None:
        signal.signal(NUDGE, lambda number, frame: None)
    signal.set_wakeup_fd(told, warn_on_full_buffer=False)
    os.register_at_fork(after_in_child=lambda: signal.set_wakeup_fd(-1))  # it has no such thread

    def listen() -> None:
        while numbers := os.read(heard, 1):
            if numbers[0] in TOLD:
                for something in list(_computing):
                    something.interrupt()
            if NUDGE is not None and numbers[0] != NUDGE:
                threading.Thread(target=_nudge, args=(NUDGE,), daemon=True).start()

    threading.Thread(target=listen, name="signals", daemon=True).start()


def _nudge(number: int) -> None:
    """Ends a wait of the main thread, which then handles what has come, if it has not yet."""
    main = threading.main_thread().ident
    for pause in NUDGES_S:
        time.sleep(pause)
        if main is not None:
            signal.pthread_kill(main, number)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Signals that end us wait until this is over."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def at_once() -> Iterator[None]:
    """For a call that nobody can interrupt: Ctrl-C ends the process, if that is how it ends us."""
    handler = signal.getsignal(signal.SIGINT)
    main = threading.current_thread() is threading.main_thread()
    if not main or getattr(handler, "__module__", None) != __name__:
        yield
        return
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


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
    if _collections:
        return True
    collecting = {getattr(callback, "__code__", None) for callback in gc.callbacks}
    while frame is not None:
        code = frame.f_code
        if code.co_name == "__del__" or code in collecting or code.co_filename in _FORGETTING:
            return True
        frame = frame.f_back
    return False


def _leaves_a_lock(frame: FrameType | None) -> bool:
    """In `threading` a lock can be taken that nobody would give back: Python's own code is not
    made for exceptions between taking a lock and entering the block that gives it back."""
    if frame is None or frame.f_code.co_filename != threading.__file__:
        return False
    return frame.f_code.co_name not in WAITING
