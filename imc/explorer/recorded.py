"""The exhaustive search with a memory: it keeps the graph, and goes on behind an error."""

from __future__ import annotations

from collections.abc import Generator

from imc.explorer.exhaustive import ExhaustiveSearch, Progress
from imc.explorer.graph import Graph
from imc.explorer.reproduce import invented
from imc.explorer.result import Clock, Limits, note_invention
from imc.explorer.shortest import tell_shortly
from imc.program.ends import Ending
from imc.program.events import Event
from imc.program.faults import Fault, Property
from imc.program.interpreter import Interpreter
from imc.program.keys import Key
from imc.program.machine import Outcome
from imc.program.state import State, Status
from imc.program.verdict import Verdict


class RecordedSearch(ExhaustiveSearch):
    """Visits every state once; where something goes wrong it turns back."""

    def __init__(
        self,
        interpreter: Interpreter,
        limits: Limits | None = None,
        progress: Progress | None = None,
    ) -> None:
        super().__init__(interpreter, True, Clock(limits or Limits(), progress))
        assert self.hanging is not None
        self.graph = Graph(self.keys, self.hanging.hangs)
        self._fault: tuple[Fault, list[Event]] | None = None  # the first one, and the way there

    def steps(self) -> Generator[None, None, None]:
        yield from super().steps()
        if self._fault is not None:
            self.result.verdict = Verdict.UNSAFE
            self.result.fault, self.result.trace = self._fault
            tell_shortly(self.interpreter, self.result)

    def _starts(self) -> list[Outcome]:
        outcomes = super()._starts()
        self.graph.start(outcomes)
        return outcomes

    def _enter(self, outcome: Outcome) -> None:
        super()._enter(outcome)
        self.graph.follow(outcome)

    def _seen_before(self, key: Key | None) -> bool:
        assert key is not None
        self.graph.arrive(key, self.path[-1].state)
        return super()._seen_before(key)

    def _outcomes(self, state: State) -> list[Outcome]:
        if any(thread.bounded for thread in state.threads.values()):
            self.graph.reject()  # what comes behind a bound is not known
        outcomes = super()._outcomes(state)
        self.graph.expand(outcomes)
        return outcomes

    def _postponed(self, state: State, key: Key | None) -> list[Outcome]:
        here = self.graph.here
        if here is None or here.decided:  # no loop closes here
            return []
        outcomes = super()._postponed(state, key)
        self.graph.expand(outcomes)
        return outcomes

    def _leave(self, keys: list[Key | None]) -> None:
        super()._leave(keys)
        self.graph.leave()
        self.news = self.graph.news

    def _end(self, state: State, end: Ending) -> None:
        super()._end(state, end)
        checked = Property.DEADLOCK in self.interpreter.settings.properties
        stopped = any(t.status is Status.STUCK for t in state.threads.values())
        if end is Ending.BLOCKED and not checked and not stopped:
            self.graph.reject()  # a deadlock, though nobody asked for it
        self.graph.end()

    def _hangs(self, fault: Fault) -> None:
        super()._hangs(fault)
        self.graph.reject()

    def _found(self, fault: Fault) -> list[Outcome]:
        invention = invented(self.interpreter, self.path, fault)
        if invention is not None:
            note_invention(self.result, fault, invention)
        elif self._fault is None:
            self._fault = fault, [outcome.event for outcome in self.path]
        self.graph.reject()
        return []
