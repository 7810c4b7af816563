"""What an exploration is told, and what it says."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from imc.program.code import Image
from imc.program.events import Event
from imc.program.faults import Fault
from imc.program.inventions import Invention
from imc.program.ram import MemoryLimit
from imc.program.verdict import Verdict
from imc.records import record

GRAPHS = "graph"  # the engine on execution graphs
OFTEN = 10  # times that an operation is executed, from which on a loop is worth a word


@record
class Limits:
    """When to stop before everything has been explored."""

    time_s: float | None = None
    executions: int | None = None
    states: int | None = None
    steps: int | None = None  # so many, however fast they are
    memory_mb: float | None = None  # None: a share of the machine's
    spent_s: float = 0.0  # of the time, before anything was asked here


@record
class Reduction:
    """What engines leave out besides equivalent executions, and the order of threads."""

    pure: bool = True  # iterations of loops without effect
    awaits: bool = True  # spinning for a value
    seed: int | None = None  # for another order of threads; it changes no count
    traces: bool = False  # keeps all traces, to see that none comes twice
    lapor: bool = True  # orders of sections of locks that nothing tells apart, with graphs


@dataclass(slots=True)
class Exploration:
    """The result of exploring a program; figures that an algorithm does not have are None."""

    algorithm: str
    stateful: bool
    why: str = ""  # the algorithm was chosen
    form: str = "model"  # of the program that was run: the model, or its compact form
    core: str = "python"  # what has run it
    core_bytes: int = 0  # of memory that the native core has taken
    no_core: str = ""  # why there is no native core at all, where one was asked for
    verdict: Verdict = Verdict.UNKNOWN
    complete: int | None = None
    blocked: int | None = None
    endless: int | None = None  # executions cut because they repeat a state
    traces: int | None = None  # Mazurkiewicz traces among the complete and blocked executions
    states: int | None = None
    duplicates: int = 0  # executions of a trace that had come before, where traces are kept
    redundant: int = 0  # executions cut because all that could move has been explored
    race_checks: int = 0
    dependency_checks: int = 0
    unsatisfiable: int = 0  # constraint systems of sections that have a circle
    final_states: int = 0
    events: int = 0
    fault: Fault | None = None
    trace: list[Event] = field(default_factory=list)
    image: Image | None = None  # what the events' numbers mean
    reproduced: bool = False  # the trace was run again, with the same fault
    expected: int | None = None  # about how many executions it will be, while it is being done
    rest_s: float | None = None  # and how long it will still take
    bounds: list[str] = field(default_factory=list)
    interrupted: bool = False  # by the user
    reason: str = ""  # why nothing is known, if bounds are not the reason
    time_s: float = 0.0


def note_interrupt(result: Exploration) -> None:
    """The user has stopped the exploration: what is there is told."""
    result.interrupted = True
    result.bounds.append("interrupted")


def note_invention(result: Exploration, fault: Fault, invention: Invention) -> None:
    """An error that may not be real is none; but then nothing is known to be safe."""
    found = f"the error that was found ({fault.kind}) {invention}"
    result.reason = result.reason or found
    if found not in result.bounds:
        result.bounds.append(found)


class FaultFound(Exception):
    """`trace`: the events that lead there, if not those of the execution at hand."""

    def __init__(self, fault: Fault, trace: list[Event] | None = None) -> None:
        super().__init__(fault.message)
        self.fault = fault
        self.trace = trace


class LimitReached(Exception):
    """A limit has struck; the text names it."""


class Unsuitable(Exception):
    """Exploring by traces leads nowhere: executions do not end, or there are far too many."""

    def __init__(self, message: str, result: Exploration) -> None:
        super().__init__(message)
        self.result = result


def loop_at_work(events: Iterable[Event]) -> str:
    """Names the line that is executed most often in an execution."""
    counted = Counter(e.loc.line for e in events if e.loc is not None)
    line, times = max(counted.items(), key=lambda item: item[1], default=(0, 0))
    if times < OFTEN:
        return ""
    return f": line {line} is executed {times} times in one (--bound-loops N bounds loops)"


class Clock:
    """Watches the limits and reports progress now and then."""

    CHECK_EVERY = 16

    def __init__(self, limits: Limits, progress: Callable[[Exploration], None] | None) -> None:
        self.limits = limits
        self._progress = progress
        self._memory = MemoryLimit(limits.memory_mb)
        self._start = time.monotonic()
        self._ticks = 0
        self._last_tick: float = math.inf if limits.steps is None else limits.steps
        self._rest_at: float = math.inf
        self.turn: int | None = None  # steps after which a search rests
        self.struck = False  # a limit
        began = self._start - limits.spent_s
        self.deadline = None if limits.time_s is None else began + limits.time_s

    def allow_steps(self, steps: int) -> None:
        """Stops after so many more steps, however slow they are, or at the limits."""
        self._last_tick = self._ticks + steps

    def begin_turn(self, steps: int | None) -> None:
        """A search may take so many steps before it rests; None: it does not."""
        self.turn = steps
        self._rest_at = math.inf if steps is None else self._ticks + steps

    def is_turn_over(self) -> bool:
        return self._ticks >= self._rest_at

    def is_over(self) -> bool:
        return self._ticks >= self._last_tick or (
            self.deadline is not None and time.monotonic() >= self.deadline
        )

    def _what_struck(self) -> str:
        if self._ticks >= self._last_tick:
            return f"stopped after {self._ticks} steps"
        return self.time_limit()

    def time_limit(self) -> str:
        return f"stopped after {self.limits.time_s:g} s"

    def _strikes(self, limit: str) -> LimitReached:
        self.struck = True
        return LimitReached(limit)

    def elapsed(self) -> float:
        return time.monotonic() - self._start

    def steps_left(self) -> int | None:
        """So many may still be taken; at least one."""
        left = self._last_tick - self._ticks
        return None if math.isinf(left) else max(int(left), 1)

    def count(self, steps: int) -> None:
        """Steps that somebody else has watched the limits of."""
        self._ticks += steps

    def look(self, so_far: Exploration) -> None:
        """Called now and then by whoever takes steps by the thousand; raises LimitReached."""
        if self.deadline is not None and time.monotonic() >= self.deadline:
            raise self._strikes(self.time_limit())
        if self._memory.is_over():
            raise self._strikes(str(self._memory))
        if self._progress is not None:
            so_far.time_s = self.elapsed()
            self._progress(so_far)

    def tick(self, so_far: Exploration) -> None:
        """Called once per step."""
        self._ticks += 1
        limits = self.limits
        if (
            limits.executions is not None
            and (so_far.complete or 0) + (so_far.blocked or 0) >= limits.executions
        ):
            raise self._strikes(f"stopped after {limits.executions} executions")
        if limits.states is not None and (so_far.states or 0) >= limits.states:
            raise self._strikes(f"stopped after {limits.states} states")
        if self._ticks % self.CHECK_EVERY:
            return
        if self.is_over():
            raise self._strikes(self._what_struck())
        if self._memory.is_over():
            raise self._strikes(str(self._memory))
        if self._progress is not None:
            so_far.time_s = self.elapsed()
            self._progress(so_far)
