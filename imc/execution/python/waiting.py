"""Operations that have to wait until another thread has changed something, without polling."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable
from threading import RLock

from imc.program.faults import Blocked
from imc.program.values import Value
from irs.errors import Stopped
from irs.parking import Parking, lock_parking

ONE_AT_A_TIME = ("mutex", "spin lock")  # whoever is woken takes it, so the others can sleep on


class Waiting:
    """The lock under which operations are done, and those who wait for what others will do."""

    def __init__(self, new_bell: Callable[[int], Parking] = lock_parking) -> None:
        self.new_bell = new_bell  # of a thread
        self.lock = RLock()  # what does not consist of a single look-up is done under it
        self.parked: dict[Hashable, deque[tuple[int, Blocked, Parking]]] = {}
        self.stopped: Exception | None = None

    def park(self, thread: int, why: Blocked) -> Parking:
        """Registers a thread, under the lock; the bell is then waited for without it."""
        if self.stopped is not None:
            raise Stopped from self.stopped
        bell = self.new_bell(thread)
        self.parked.setdefault(_key(why), deque()).append((thread, why, bell))
        return bell

    def sleep(self, bell: Parking) -> None:
        bell.acquire()
        if self.stopped is not None:
            raise Stopped from self.stopped

    def changed(self, pointers: Iterable[Value]) -> None:
        """Wakes who waits for one of these objects, or for anything; called under the lock."""
        for key in {*pointers, None}:
            queue = self.parked.get(key)
            if queue:
                alone = queue[0][1].what in ONE_AT_A_TIME
                for _ in range(1 if alone else len(queue)):
                    queue.popleft()[2].release()
                if not queue:
                    del self.parked[key]

    def ended(self, thread: int) -> None:
        """Wakes who waits for a thread's end."""
        with self.lock:
            for _, _, bell in self.parked.pop(("end", thread), ()):
                bell.release()

    def stop(self, reason: Exception) -> None:
        """Everybody who waits, or comes to wait, raises Stopped."""
        with self.lock:
            self.stopped = reason
            for queue in self.parked.values():
                for _, _, bell in queue:
                    bell.release()
            self.parked.clear()

    def reasons(self) -> dict[int, Blocked]:
        """Who waits, and why."""
        with self.lock:
            return {thread: why for queue in self.parked.values() for thread, why, _ in queue}


def _key(why: Blocked) -> Hashable:
    if not why.stable:  # the object is not all that it waits for
        return None
    if isinstance(why.pointer, tuple):
        return why.pointer
    return ("end", why.holder) if why.holder is not None else None
