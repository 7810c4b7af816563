"""The reducing engines in the native core: source, optimal, and optimal without idle iterations.

The same results as those of dpor.py; what threads that hang do is judged by the model.
"""

from __future__ import annotations

from imc.compact.form import NotCompact
from imc.compact.opcodes import DETACH, WIDTH
from imc.core.engine import Algorithm, Figures, SearchEnd, Step
from imc.core.interface import AWAITS, LAPOR, PURE, TRACES
from imc.explorer.awaiting import AWAIT
from imc.explorer.native import NativeSearch, attempted
from imc.explorer.result import Clock, Exploration, Reduction, Unsuitable, loop_at_work
from imc.explorer.shortest import tell_shortly
from imc.explorer.turns import Turns
from imc.program.ends import classify
from imc.program.events import Event
from imc.program.faults import Fault, Property
from imc.program.interpreter import Interpreter
from imc.program.keys import StateKeys
from imc.program.lasso import any_livelock, livelock_of
from imc.program.verdict import Verdict

ENGINES = {"source": Algorithm.SOURCE, "optimal": Algorithm.OPTIMAL, AWAIT: Algorithm.AWAIT}


def explore_traces(
    interpreter: Interpreter,
    algorithm: str,
    reduction: Reduction,
    clock: Clock,
) -> Turns[Exploration | None]:
    """Explores as the engine of that name does; None where Python has to do it.

    Raises Unsuitable where executions do not end.
    """
    if algorithm not in ENGINES or reduction.seed is not None:
        return None
    result = Exploration(algorithm, stateful=False)
    result.complete = result.blocked = 0
    found = yield from attempted(
        interpreter,
        lambda: NativeTraces(interpreter, clock, result),
        lambda search: search.explore(ENGINES[algorithm], reduction),
    )
    return found


class NativeTraces(NativeSearch):
    """One search of a reducing engine."""

    def __init__(self, interpreter: Interpreter, clock: Clock, result: Exploration) -> None:
        super().__init__(interpreter, clock, result)
        if DETACH in self.form.code[::WIDTH]:
            raise NotCompact("threads that are detached may have been waited for")
        self.late: tuple[Fault, list[Event]] | None = None

    def explore(self, engine: Algorithm, reduction: Reduction) -> Turns[None]:
        flags = PURE * reduction.pure + AWAITS * reduction.awaits + TRACES * reduction.traces
        flags += LAPOR * reduction.lapor
        if reduction.traces:
            self.result.traces = 0
        end = SearchEnd.STOPPED
        try:
            figures = yield from self.run(engine, flags)
            end = SearchEnd(figures.end)
            if end is SearchEnd.ENDLESS:
                self._look_at_round()
        except GeneratorExit:  # nobody asks any more
            self.late = None
            raise
        finally:
            self._tell_late()
        if end is SearchEnd.ENDLESS and self.late is None:
            raise Unsuitable(f"executions that do not end{self._where()}", self.result)

    def stopped(self, end: SearchEnd) -> str:
        where = self._where() if end is not SearchEnd.ENDLESS else ""
        return super().stopped(end) + where if end is not SearchEnd.ENDLESS else ""

    def _where(self) -> str:
        return loop_at_work(outcome.event for outcome in self.told(self.engine.trace())[1:])

    # ----------------------------------------------------------------- while it runs

    def copy(self, figures: Figures) -> None:
        super().copy(figures)
        if not figures.expected_millis:
            return
        result, ratio = self.result, figures.expected_millis / 1000
        result.expected = round((figures.complete + figures.blocked) * ratio)
        result.rest_s = self.clock.elapsed() * (ratio - 1)

    # ------------------------------------------------------------------------ livelocks

    def livelock(self, steps: list[Step], loop: int) -> bool:
        """Whether threads hang at the end of an execution, by the definition of that."""
        outcomes = self.told(steps)
        if loop:
            fault = livelock_of(self.interpreter, StateKeys(self.interpreter.image), outcomes, loop)
        else:
            state = outcomes[-1].state
            fault = classify(self.interpreter, state, self.interpreter.moves(state))[1]
        if fault is None:
            return False
        self.late = fault, [outcome.event for outcome in outcomes]
        return True

    def _look_at_round(self) -> None:
        """An execution that comes round may be a livelock as it is: if nobody else can move."""
        if Property.LIVELOCK not in self.interpreter.settings.properties:
            return
        outcomes = self.told(self.engine.trace())
        fault = any_livelock(self.interpreter, outcomes)
        if fault is not None and self.late is None:
            self.late = fault, [outcome.event for outcome in outcomes]

    def _tell_late(self) -> None:
        result = self.result
        if result.fault is None and self.late is not None:
            result.verdict = Verdict.UNSAFE
            result.fault, result.trace = self.late
            tell_shortly(self.interpreter, result)
