"""A run under schedules that are verified while it goes on."""

from __future__ import annotations

import time
from bisect import insort
from collections.abc import Callable
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import Protocol

from imc.execution.live.verifier_process import Broken, Concluded, Found, Verifier
from imc.program.verdict import Verdict
from irs.relaxation import Permitted, Relaxation
from irs.schedule import Schedule

SOON_S, LATER_S = 2.0, 10.0  # when it is said that there is no schedule yet, and again


class NotVerified(Exception):
    """No schedule was found, so the program was not started; says why."""


class Target(Protocol):
    """A running program that further schedules are given to."""

    def relax(self, relaxation: Relaxation) -> None:
        """Lets a schedule take the place of the one before as soon as it can."""
        ...


@dataclass(frozen=True, slots=True)
class Allowed:
    """A schedule with the result of the verifier that it is, and when it came into force."""

    schedule: int | None  # from 1; None: every schedule
    result: int | None
    nodes: int | None
    section: int
    time_s: float


class Live:
    """A verifier and the program that it verifies, which runs meanwhile.

    Times count from when the verifier began. `say` is given lines for the user.
    """

    def __init__(
        self, verifier: Verifier, say: Callable[[str], None], time_limit: float | None = None
    ) -> None:
        self.verifier = verifier
        self.time_limit = time_limit  # of all together, in seconds
        self.found: list[Found] = []
        self.relaxed: list[Relaxation] = []  # what was given to the program after the first one
        self.allowed: list[Allowed] = []
        self.counterexample: Broken | None = None
        self.verdict = Verdict.UNKNOWN
        self._say = say
        self.began = time.monotonic()
        self._messages = iter(verifier)
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        self._threads: list[Thread] = []
        self._lock = Lock()
        self._stopped = False

    def __enter__(self) -> Live:
        self._start(self._speak)
        return self

    def __exit__(self, *exception: object) -> None:
        """Whichever of the two is not over yet is ended, and all that is to be said is said."""
        self._stopped = True
        self.verifier.stop()
        for thread in self._threads[1:]:
            thread.join()
        self._lines.put(None)
        self._threads[0].join()

    def first(self) -> Schedule:
        """Waits for the first schedule, and says so if that takes long."""
        over = Event()
        self._start(lambda: self._say_waiting(over))
        try:
            return self._first()
        finally:
            over.set()

    def _say_waiting(self, over: Event) -> None:
        pause = SOON_S
        while not over.wait(pause):
            self._tell("no schedule yet, still verifying")
            pause = LATER_S

    def _first(self) -> Schedule:
        while True:
            rest = self.rest()
            if rest is not None and not self.verifier.tells(rest):
                raise NotVerified(f"there was none after {self.time_limit:g} s")
            message = next(self._messages, None)
            match message:
                case None:
                    raise NotVerified("the verifier has nothing to say")
                case Found(_, _, relaxation):
                    self.found.append(message)
                    assert relaxation.schedule is not None
                    return relaxation.schedule
                case Broken(text):
                    self.counterexample = message
                    self._tell(f"counterexample: {text}")
                case Concluded(verdict, reason):
                    self.verdict = verdict
                    raise NotVerified(reason or f"the verdict is {verdict}")

    def start(self, target: Target) -> None:
        """The program starts, elsewhere, under the first schedule."""
        self.note(Permitted(0, 0, 0.0))
        self.follow(target)

    def follow(self, target: Target) -> None:
        """Gives the running program whatever is found from now on."""
        self._start(lambda: self._follow(target))

    def note(self, permitted: Permitted, clock: float | None = None) -> None:
        """The program is permitted something else, from now or then on; any thread may call."""
        elapsed = (time.monotonic() if clock is None else clock) - self.began
        with self._lock:
            number = permitted.schedule
            if number is None:
                allowed = Allowed(None, None, None, permitted.section, elapsed)
                text = "proved safe: gates dropped"
            else:
                found = self.found[number]
                allowed = Allowed(number + 1, found.result, found.nodes, permitted.section, elapsed)
                text = f"schedule {number + 1} swapped in" if number else "runs under schedule 1"
                text += f" ({found.nodes} nodes)"
            insort(self.allowed, allowed, key=lambda a: a.section)  # news may overtake each other
            self._tell(text, elapsed)

    # --------------------------------------------------------------------- threads

    def _start(self, work: Callable[[], None]) -> None:
        thread = Thread(target=work, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _speak(self) -> None:
        """Nobody who passes a gate waits for what is written."""
        while (line := self._lines.get()) is not None:
            self._say(line)

    def rest(self) -> float | None:
        """Seconds that are left."""
        return None if self.time_limit is None else max(self.time_limit - self.elapsed(), 0.01)

    def elapsed(self) -> float:
        return time.monotonic() - self.began

    def _tell(self, text: str, at: float | None = None) -> None:
        self._lines.put(f"{self.elapsed() if at is None else at:.2f} s: {text}")

    def _follow(self, target: Target) -> None:
        for message in self._messages:
            match message:
                case Found(_, _, relaxation):
                    self.found.append(message)
                    self._give(target, relaxation)
                case Broken(text, reproduced):
                    self.counterexample = message
                    sure = "" if reproduced else " (not reproduced)"
                    self._tell(
                        f"counterexample outside the schedules{sure}: {text}\n"
                        "the program goes on safely"
                    )
                case Concluded(verdict, reason, failure):
                    self._conclude(target, verdict, reason, failure)

    def _give(self, target: Target, relaxation: Relaxation) -> None:
        self.relaxed.append(relaxation)
        target.relax(relaxation)

    def _conclude(self, target: Target, verdict: Verdict, reason: str, failure: bool) -> None:
        self.verdict = verdict
        if self._stopped:
            return
        if failure:
            self._tell(f"{reason}; the program goes on under what was verified")
        elif verdict is Verdict.SAFE:
            self._tell("every schedule is proved")
            self._give(target, Relaxation(None))
        else:
            self._tell(f"no more schedules to come: {reason or verdict}")
