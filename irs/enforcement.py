"""Schedules for Python's own threads: points that a program names, passed in a verified order.

While a schedule is enforced, threads are named by their place in the spawn tree: whoever enters the
block is `main`, the first `threading.Thread` that it starts there `main.1`, and so on.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from irs.errors import Deviation, Finished, Stalled, Stopped, ThreadDied
from irs.format import load
from irs.gate import Choose, Gate
from irs.passage import UNKNOWN, Passage
from irs.plan import Plan
from irs.record import Recorder
from irs.relaxation import Relaxation
from irs.schedule import Schedule
from irs.watchdog import Watchdog

STALL_S = 10.0


class _Place(threading.local):
    """Where the running thread is in the spawn tree of the block that is enforced."""

    name: str | None = None
    passage: Passage | None = None
    children = 0


_place = _Place()
_current: Enforcement | None = None


class Enforcement:
    """One block under a schedule; `enforce` makes it."""

    def __init__(
        self,
        schedule: Schedule,
        trace: str | os.PathLike[str] | None = None,
        stall_s: float = STALL_S,
        choose: Choose | None = None,
    ) -> None:
        self.plan = Plan(schedule)
        self._trace = trace
        self._stall_s = stall_s
        self._choose = choose
        self._stream: BinaryIO | None = None
        self._actions = {site.function: site.action for site in schedule.sites}
        self.gate: Gate

    # ------------------------------------------------------------------- the block

    def __enter__(self) -> Enforcement:
        global _current
        if _current is not None:
            raise RuntimeError("a schedule is enforced already: blocks cannot be nested")
        recorder = None
        if self._trace is not None:
            self._stream = Path(self._trace).open("wb")
            recorder = Recorder(self._stream, self.plan.schedule)
        self.gate = Gate(self.plan, None, recorder, self._choose)
        self._watchdog = Watchdog(self._stall_s, lambda: sum(self.gate.done), self._stalled)
        self._watchdog.__enter__()
        self._start = threading.Thread.start
        threading.Thread.start = self._starting()  # type: ignore[assignment, method-assign]
        _current = self
        self._move_in("main")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        global _current
        try:
            if error is None and _place.passage is not None:
                _place.passage.end()
        finally:
            if error is not None:
                self._died("main", error)
            threading.Thread.start = self._start  # type: ignore[method-assign]
            _current = None
            _place.name = _place.passage = None
            self._watchdog.__exit__(kind, error, trace)
            if self._stream is not None:
                self._stream.close()
        if self.gate.halted is not None and (error is None or isinstance(error, Stopped)):
            raise self.gate.halted

    def relax(self, relaxation: Relaxation) -> None:
        """Lets another schedule take the place of the present one, while the block goes on."""
        self.gate.relax(relaxation)

    def _stalled(self) -> None:
        lines = self.gate.report()
        if lines:
            self.gate.halt(Stalled(self._stall_s, lines))

    # --------------------------------------------------------------------- threads

    def _move_in(self, name: str) -> None:
        number = self.plan.thread(name)
        _place.name, _place.children = name, 0
        _place.passage = None if number is None else self.gate.passages[number]

    def _starting(self) -> Callable[[threading.Thread], None]:
        """What takes the place of Thread.start: it names the new thread after its parent."""
        start = self._start

        def named(thread: threading.Thread) -> None:
            if _place.name is None or _current is not self:
                start(thread)
                return
            _place.children += 1
            name, run = f"{_place.name}.{_place.children}", thread.run

            def enforced() -> None:
                self._run(name, run)

            thread.run = enforced  # type: ignore[method-assign]
            start(thread)

        return named

    def _run(self, name: str, run: Callable[[], None]) -> None:
        self._move_in(name)
        try:
            run()
            if _place.passage is not None:
                _place.passage.end()
        except (Deviation, Stopped, Finished):
            pass  # the block raises why
        except BaseException as error:
            self._died(name, error)
            raise

    def _died(self, name: str, error: BaseException) -> None:
        self.gate.halt(ThreadDied(name, f"{type(error).__name__}: {error}"))

    # ---------------------------------------------------------------------- events

    @contextmanager
    def event(self, name: str) -> Iterator[bool]:
        """Waits until the event may happen; it has happened when the block is left.

        The block is told whether to do what it is about: not where the schedule skips it.
        """
        if not self.gate.opened:
            action = self._actions.get(name, "gate")
            passage = _place.passage
            if passage is None:
                self._stranger(name)
            elif action == "skip":
                yield False
                return
            elif action == "gate":
                site = self.plan.site(name, 0)
                if passage.enter(UNKNOWN if site is None else site):
                    yield True
                    passage.leave()
                    return
        yield True

    def _stranger(self, event: str) -> None:
        """A thread that the schedule does not know has come."""
        problem = Deviation(_place.name or threading.current_thread().name, event, None, ())
        self.gate.halt(problem)
        raise problem


def enforce(
    schedule: Schedule | str | os.PathLike[str],
    trace: str | os.PathLike[str] | None = None,
    stall_s: float = STALL_S,
    choose: Choose | None = None,
) -> Enforcement:
    """A block in which threads pass their points in an order that the schedule permits.

    `trace` records what happens. When nothing has moved for `stall_s` seconds and somebody waits,
    the run is stopped (0: never). Leaving the block raises Deviation, Stalled or ThreadDied if one
    of them has stopped the run.
    """
    if not isinstance(schedule, Schedule):
        schedule = load(schedule)
    return Enforcement(schedule, trace, stall_s, choose)


def event(name: str) -> Any:
    """`with event("write"): …` does the block as one event; outside of `enforce` it just does it.

    The block is given False where the schedule says that it should not do anything.
    """
    return _current.event(name) if _current is not None else nullcontext(True)


def point(name: str) -> None:
    """An event that is over at once: the thread waits here for its turn."""
    with event(name):
        pass
