"""How threads wait: parked on a lock or, if they share a thread of Python's, by leaving it."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Protocol


class Parking(Protocol):
    """What one thread waits at."""

    def acquire(self) -> object:
        """Waits until somebody releases it."""
        ...

    def release(self) -> None:
        """Lets the thread go on."""
        ...


def lock_parking(thread: int) -> Parking:
    """For a thread that really waits."""
    lock = Lock()
    lock.acquire()
    return lock


class HandOver(BaseException):
    """A thread has to wait: whoever runs it goes on with another, and later calls it again."""


class HandOverParking:
    """The parking of a thread that leaves when it has to wait; `ready` is told when it may come."""

    __slots__ = ("_ready",)

    def __init__(self, ready: Callable[[], None]) -> None:
        self._ready = ready

    def acquire(self) -> None:
        raise HandOver

    def release(self) -> None:
        self._ready()
