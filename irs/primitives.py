"""Locks, conditions and queues as one knows them, whose operations are events with names.

`Lock("mutex")` has the events `mutex.acquire` and `mutex.release`, `Condition("ready", lock)` has
`ready.wait`, `ready.wake` and `ready.notify`, `Queue("jobs")` has `jobs.put` and `jobs.get`.
Outside of `irs.enforce` they are ordinary ones.
"""

from __future__ import annotations

import queue
import threading
from collections import deque
from types import TracebackType
from typing import Generic, TypeVar

from irs.enforcement import event

Item = TypeVar("Item")


class Lock:
    """A lock; a schedule that makes it needless can skip both of its operations."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._lock = threading.Lock()

    def acquire(self) -> bool:
        with event(f"{self.name}.acquire") as wanted:
            return self._lock.acquire() if wanted else True

    def release(self) -> None:
        with event(f"{self.name}.release") as wanted:
            if wanted:
                self._lock.release()

    def locked(self) -> bool:
        return self._lock.locked()

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()


class Condition:
    """A condition of a lock. A wait is two events: giving the lock up, and having it again."""

    def __init__(self, name: str, lock: Lock) -> None:
        self.name = name
        self.lock = lock
        self._waiters: deque[threading.Lock] = deque()

    def wait(self) -> bool:
        bell = threading.Lock()
        bell.acquire()
        with event(f"{self.name}.wait"):
            self._waiters.append(bell)
            self.lock._lock.release()
        bell.acquire()
        with event(f"{self.name}.wake"):
            self.lock._lock.acquire()
        return True

    def notify(self, n: int = 1) -> None:
        with event(f"{self.name}.notify"):
            for _ in range(min(n, len(self._waiters))):
                self._waiters.popleft().release()

    def notify_all(self) -> None:
        self.notify(len(self._waiters))


class Queue(Generic[Item]):
    """A queue between threads."""

    def __init__(self, name: str, maxsize: int = 0) -> None:
        self.name = name
        self._queue: queue.Queue[Item] = queue.Queue(maxsize)

    def put(self, item: Item) -> None:
        with event(f"{self.name}.put"):
            self._queue.put(item)

    def get(self) -> Item:
        with event(f"{self.name}.get"):
            return self._queue.get()

    def qsize(self) -> int:
        return self._queue.qsize()

    def empty(self) -> bool:
        return self._queue.empty()
