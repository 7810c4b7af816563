"""A search of the core: what is asked, what is told while it runs, and what it comes to.

While the core runs, nobody sees Python's signals; so their handlers wait until it is done. The
callback notices that one has come, and stops the search.
"""

from __future__ import annotations

import ctypes
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from imc.compact.form import CompactProgram, NotCompact
from imc.core.hosting import NativeHost, performs
from imc.core.interface import (
    FIGURES,
    NOTHING,
    Algorithm,
    AskLivelock,
    CoreRequest,
    CoreResult,
    SearchEnd,
    Tick,
)
from imc.core.library import library
from imc.core.machine import REFUSALS
from imc.core.packed import Packed
from imc.program.code import Image
from imc.records import record

Step = tuple[int, tuple[int, ...]]  # a thread, by the core's number, and what is chosen
SIGNALS = ("SIGINT", "SIGTERM", "SIGALRM", "SIGHUP")


@record
class SearchLimits:
    """When a search is to stop; None: never."""

    steps: int | None = None
    executions: int | None = None
    states: int | None = None
    bytes: int | None = None
    rest_at: int | None = None  # steps of the machine, after which it goes on when it is run again


@record
class Figures:
    """What a search has come to so far; see core.h."""

    end: int
    complete: int
    blocked: int
    endless: int
    traces: int
    duplicates: int
    states: int
    redundant: int
    race_checks: int
    dependency_checks: int
    final_states: int
    events: int
    may_hang: int
    bytes: int
    steps: int
    work: int
    expected_millis: int


class CoreSearch:
    """One program in the core, for one search. Raises NotCompact where the core does not take it,
    Unavailable where there is none."""

    def __init__(self, form: CompactProgram, image: Image) -> None:
        self._context = None
        self._library = library()
        packed = Packed(form, image)
        self._context = self._library.core_new(ctypes.byref(packed.form))
        if not self._context:
            raise NotCompact("the core does not take the form")
        self._host: NativeHost | None = None
        if performs(form):
            objects = packed.form.kinds.length
            self._host = NativeHost(form, image, self._library, self._context, objects)

    def close(self) -> None:
        if self._context:
            self._library.core_free(self._context)
            self._context = None

    def __del__(self) -> None:
        self.close()

    def run(
        self,
        algorithm: Algorithm,
        flags: int,
        bounds: SearchLimits,
        tick: Callable[[Figures], bool],
        livelock: Callable[[list[Step], int], bool] | None = None,
    ) -> Figures:
        """Searches, or goes on where it has rested.

        `tick` is told the figures a few times a second, and stops it by True.
        `livelock` is asked about executions that threads may go round at the end of: the steps,
        and how many of them come again and again. What a callback raises is raised here.
        """
        raised: list[BaseException] = []
        with _deferred_signals() as come:

            def called(_: object) -> int:
                try:
                    return int(bool(come) or tick(self.figures()))
                except BaseException as why:
                    raised.append(why)
                    return 1

            def asked(_: object, words: object, length: int, rounds: int) -> int:
                try:
                    assert livelock is not None
                    return int(livelock(_steps(words[:length]), rounds))  # type: ignore[index]
                except BaseException as why:
                    raised.append(why)
                    return 2

            request = CoreRequest(
                algorithm,
                flags,
                bounds.steps or 0,
                bounds.executions or 0,
                bounds.states or 0,
                bounds.bytes or 0,
                bounds.rest_at or 0,
                Tick(called),
                AskLivelock(asked),
                None,
            )
            result = CoreResult()
            self._library.core_run(self._context, ctypes.byref(request), ctypes.byref(result))
        if self._host is not None and self._host.raised is not None:
            raised.append(self._host.raised)
        if raised:
            raise raised[0]
        return _figures(result)

    def figures(self) -> Figures:
        result = CoreResult()
        self._library.core_progress(self._context, ctypes.byref(result))
        return _figures(result)

    def trace(self) -> list[Step]:
        """The execution that the search has stopped in, the program's start first."""
        return self._told(lambda to, room: self._library.core_trace(self._context, to, room))

    def bound_traces(self) -> list[list[Step]]:
        """Executions that have hit bounds, one for each kind and place."""
        count = self._library.core_bounds(self._context)
        return [self._bound(number) for number in range(count)]

    def _bound(self, number: int) -> list[Step]:
        bound = self._library.core_bound
        return self._told(lambda to, room: bound(self._context, number, to, room))

    def _told(self, ask: Callable[[object, int], int]) -> list[Step]:
        count = ask(NOTHING, 0)
        words = (ctypes.c_int64 * max(count, 1))()
        ask(words, count)
        return _steps(list(words[:count]))

    def parent(self, thread: int) -> tuple[int, int]:
        """Who has started a thread, and how many it had started by then."""
        nth = (ctypes.c_int64 * 1)()
        return int(self._library.core_parent(self._context, thread, nth)), nth[0]

    def refusal(self) -> str:
        """Why the core leaves the program to Python."""
        pc = (ctypes.c_int64 * 1)()
        told = self._host.reason if self._host is not None else ""
        return told or REFUSALS[self._library.core_refusal(self._context, pc)]


def _figures(result: CoreResult) -> Figures:
    return Figures(*(getattr(result, name) for name in FIGURES))


def _steps(words: list[int]) -> list[Step]:
    steps, at = [], 0
    while at < len(words):
        thread, count = words[at : at + 2]
        steps.append((thread, tuple(words[at + 2 : at + 2 + count])))
        at += 2 + count
    return steps


@contextmanager
def _deferred_signals() -> Iterator[list[int]]:
    """The signals that have come; their handlers are called at the end."""
    come: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield come
        return

    def note(number: int, frame: FrameType | None) -> None:
        come.append(number)

    before = {}
    for name in SIGNALS:
        number = getattr(signal, name, None)
        if number is not None and callable(signal.getsignal(number)):
            before[number] = signal.signal(number, note)
    try:
        yield come
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in dict.fromkeys(come):
            handler = before[signal.Signals(number)]
            assert callable(handler)
            handler(number, None)


__all__ = ["Algorithm", "CoreSearch", "Figures", "SearchEnd", "SearchLimits", "Step"]
