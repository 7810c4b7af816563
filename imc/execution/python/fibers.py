"""All threads of a running program in one thread of Python's: each runs until it has to wait."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from threading import Thread as PythonThread
from typing import TYPE_CHECKING

from irs.parking import HandOverParking

if TYPE_CHECKING:
    from imc.execution.python.worker import Worker


class Fibers:
    """Workers that take turns. `nobody` is called when all of them wait."""

    def __init__(self, nobody: Callable[[], None]) -> None:
        self._nobody = nobody
        self._workers: dict[str, Worker] = {}
        self._ready: deque[Worker] = deque()
        self.python = PythonThread(target=self._run, name="fibers", daemon=True)

    def add(self, worker: Worker) -> None:
        """Lets a new thread take part; the first one begins at once."""
        self._workers[worker.name] = worker
        self._ready.append(worker)
        if not self.python.ident:
            self.python.start()

    def turn(self, name: str) -> HandOverParking:
        """What a thread waits at."""
        return HandOverParking(lambda: self._ready.append(self._workers[name]))

    def _run(self) -> None:
        ready = self._ready
        while ready:
            worker = ready.popleft()
            if worker.live():
                del self._workers[worker.name]
        if self._workers:
            self._nobody()
