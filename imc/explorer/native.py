"""The searches in the native core, with the results of the Python engines.

The core counts and finds; what it finds is run again by the model, which tells it. Where the core
does not do, the answer is None, and Python explores.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar
from weakref import WeakKeyDictionary

from imc.compact.flatten import flatten
from imc.compact.form import CompactProgram, NotCompact
from imc.core.engine import Algorithm, CoreSearch, Figures, SearchEnd, SearchLimits, Step
from imc.core.library import Unavailable
from imc.explorer.reproduce import invented
from imc.explorer.result import Clock, Exploration, LimitReached, note_interrupt
from imc.explorer.shortest import tell_shortly
from imc.explorer.turns import Turns
from imc.program.analysis.loops import has_visible_loop
from imc.program.code import Image
from imc.program.ends import classify
from imc.program.faults import Fault, Property
from imc.program.interpreter import Interpreter
from imc.program.machine import Outcome
from imc.program.verdict import Verdict

NATIVE, PYTHON = "native", "python"
CORES = (NATIVE, PYTHON)
GRAPH = 4


_forms: WeakKeyDictionary[Image, CompactProgram] = WeakKeyDictionary()


def _flattened(image: Image) -> CompactProgram:
    """The form of a program, made once for all of its searches."""
    if image not in _forms:
        _forms[image] = flatten(image)
    return _forms[image]


class NativeSearch:
    """One search of the core; the result grows while it runs."""

    def __init__(self, interpreter: Interpreter, clock: Clock, result: Exploration) -> None:
        """Raises NotCompact and Unavailable."""
        if Property.RACE in interpreter.settings.properties:
            raise NotCompact("races are looked for among all steps of a state")
        self.interpreter = interpreter
        self.clock = clock
        self.result = result
        result.form, result.core = "compact", NATIVE
        self.form = _flattened(interpreter.image)
        self.engine = CoreSearch(self.form, interpreter.image)
        self._limit = ""
        self._steps = self._work = 0

    def run(self, algorithm: Algorithm, flags: int = 0) -> Turns[Figures]:
        """Searches, and tells what was found; raises NotCompact where Python has to do it."""
        end = SearchEnd.RESTS
        while True:
            figures = self.engine.run(algorithm, flags, self._bounds(), self.tick, self.livelock)
            self.clock.count(figures.steps - self._steps)
            self._steps, self._work = figures.steps, figures.work
            self.copy(figures)
            end = SearchEnd(figures.end)
            if end is not SearchEnd.RESTS:
                break
            yield
        if end in (SearchEnd.REFUSED, SearchEnd.UNSEEN):
            raise NotCompact(self.engine.refusal())
        self._rerun_bounds()
        if end is SearchEnd.DONE:
            self.result.verdict = Verdict.SAFE
        elif end in (SearchEnd.FAULT, SearchEnd.DEADLOCK):
            self._tell()
        else:
            self.clock.struck = True
            self.result.bounds.extend(filter(None, [self.stopped(end)]))
        return figures

    def finish(self) -> Exploration:
        result = self.result
        result.bounds.extend(sorted(self.interpreter.image.bounds))
        if result.bounds and result.verdict is Verdict.SAFE:
            result.verdict = Verdict.UNKNOWN
        result.time_s = self.clock.elapsed()
        return result

    # ----------------------------------------------------------------- while it runs

    def _bounds(self) -> SearchLimits:
        limits = self.clock.limits
        left, turn = self.clock.steps_left(), self.clock.turn
        return SearchLimits(
            None if left is None else self._steps + left,
            limits.executions,
            limits.states,
            None if limits.memory_mb is None else int(limits.memory_mb * 1e6),
            None if turn is None else self._work + turn,
        )

    def tick(self, figures: Figures) -> bool:
        self.copy(figures)
        try:
            self.clock.look(self.result)
        except LimitReached as limit:
            self._limit = str(limit)
            return True
        return False

    def copy(self, figures: Figures) -> None:
        result = self.result
        for name in ("complete", "blocked", "endless", "states", "traces"):
            if getattr(result, name) is not None:
                setattr(result, name, getattr(figures, name))
        for name in (
            "duplicates", "redundant", "race_checks", "dependency_checks", "final_states", "events",
        ):  # fmt: skip
            setattr(result, name, getattr(figures, name))
        result.core_bytes = figures.bytes

    def livelock(self, steps: list[Step], loop: int) -> bool:
        """Asked at executions whose threads may go round: steps, and how many come again."""
        return False

    # ------------------------------------------------------------------- what is found

    def stopped(self, end: SearchEnd) -> str:
        limits, figures = self.clock.limits, self.engine.figures()
        if end is SearchEnd.STEPS:
            return f"stopped after {figures.steps} steps"
        if end is SearchEnd.EXECUTIONS:
            return f"stopped after {limits.executions} executions"
        if end is SearchEnd.STATES_LIMIT:
            return f"stopped after {limits.states} states"
        if end is SearchEnd.MEMORY:
            return f"stopped at {figures.bytes / 1e6:.0f} MB of memory"
        return self._limit

    def _tell(self) -> None:
        result = self.result
        told = self.told(self.engine.trace())
        fault = told[-1].fault or self._fault_at_end(told[-1])
        assert fault is not None, "the core has found an error that the model does not have"
        result.verdict, result.fault = Verdict.UNSAFE, fault
        result.trace = [outcome.event for outcome in told]
        if invented(self.interpreter, told, fault) is not None:
            raise NotCompact("an error that rests on an invention, behind which others may be")
        tell_shortly(self.interpreter, result)

    def _fault_at_end(self, last: Outcome) -> Fault | None:
        return classify(self.interpreter, last.state, self.interpreter.moves(last.state))[1]

    def _rerun_bounds(self) -> None:
        """SearchLimits are the model's to tell: it is led to where the core has hit one."""
        for trace in self.engine.bound_traces():
            self.told(trace)

    def told(self, steps: Sequence[Step]) -> list[Outcome]:
        """Steps of the core as the model takes them."""
        interpreter = self.interpreter
        (_, choices), *rest = steps
        told = [next(o for o in interpreter.initial() if o.event.choices == choices)]
        for thread, choices in rest:
            told.append(interpreter.step(told[-1].state, self._thread(thread), choices))
        return told

    def _thread(self, number: int) -> int:
        """A thread of the core in the model: both name them by who has started them, and when."""
        if number == 0:
            return 0
        parent, nth = self.engine.parent(number)
        return self.interpreter.image.threads.child(self._thread(parent), nth)


Search = TypeVar("Search", bound=NativeSearch)


def attempted(
    interpreter: Interpreter, make: Callable[[], Search], run: Callable[[Search], Turns[None]]
) -> Turns[Exploration | None]:
    """What a search finds, however far it comes; None, with nothing changed, where it cannot."""
    bounds = interpreter.image.bounds
    before = set(bounds)
    try:
        search = make()
        try:
            yield from run(search)
        except KeyboardInterrupt:
            note_interrupt(search.result)
    except (NotCompact, Unavailable):
        bounds &= before
        return None
    return search.finish()


def visit_states(interpreter: Interpreter, clock: Clock) -> Turns[Exploration | None]:
    """All states, as the exhaustive search visits them; None where Python has to do it."""
    result = Exploration("exhaustive", stateful=True)
    result.states = 0
    asks = Property.LIVELOCK in interpreter.settings.properties and has_visible_loop(
        interpreter.image.sharing
    )

    def run(search: NativeSearch) -> Turns[None]:
        figures = yield from search.run(Algorithm.STATES, GRAPH if asks else 0)
        if figures.may_hang and result.verdict is Verdict.SAFE:
            raise NotCompact("threads may go round for ever")

    return attempted(interpreter, lambda: NativeSearch(interpreter, clock, result), run)


def count_all(interpreter: Interpreter, clock: Clock) -> Turns[Exploration | None]:
    """All executions, as the exhaustive search counts them; None where Python has to do it."""
    result = Exploration("exhaustive", stateful=False)
    result.complete = result.blocked = result.endless = result.traces = 0

    def run(search: NativeSearch) -> Turns[None]:
        yield from search.run(Algorithm.COUNT)

    return attempted(interpreter, lambda: NativeSearch(interpreter, clock, result), run)
