"""Iterative verification: a first safe schedule, then more, and all of them if that can be had."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from imc.errors import Unsupported
from imc.program.faults import OutOfTime, Property, TooManyThreads
from imc.program.program import Assumption, Program
from imc.program.settings import Settings
from imc.program.verdict import Verdict
from imc.symbolic.art import Kind, Node, Tree
from imc.symbolic.complete import Unproved
from imc.symbolic.describe import departure
from imc.symbolic.engine import Budget, BudgetSpent, Engine, LimitReached
from imc.symbolic.expand import Knowledge
from imc.symbolic.interpolate import ORDER
from imc.symbolic.knowledge import LabelKnowledge, PathKnowledge
from imc.symbolic.lanes import Lanes
from imc.symbolic.precision import Diverges, NotExact
from imc.symbolic.ranking import MayNotEnd
from imc.symbolic.replay import Replayer
from imc.symbolic.result import Outcome, Result, Schedule, ScheduleNode, Violation
from imc.symbolic.search import Counterexample, Search
from imc.symbolic.solver import SolverUnknown
from imc.symbolic.strategies import strategy
from imc.symbolic.strategy import RoundRobin

FIRST_PATIENCE = 8  # rounds of known values before what grows becomes a symbol
LONG_PATIENCE = 16  # times longer, for values that may come back
FIRST_S = 4.0  # of processor time for the first attempt at a schedule
GROWTH = 4
MOST_RESTARTS = 40
NO_OVERFLOW = "signed arithmetic does not overflow (--check overflow proves it)"


class Until(StrEnum):
    """When to stop of one's own accord."""

    FIRST = "first"  # at the first schedule
    VERDICT = "verdict"  # when it is clear whether all, some or no schedules are safe
    ALL = "all"  # when there is no further schedule to be permitted


@dataclass(frozen=True, slots=True)
class VerifyOptions:
    """How far to go, and which way."""

    until: Until = Until.VERDICT
    iterations: int | None = None  # stop after so many results
    time_s: float | None = None
    memory_mb: float | None = None
    strategy: str = RoundRobin.name
    interpolation: tuple[str, ...] = ORDER
    progress: Callable[[str], None] | None = None
    alternate: bool = False  # further schedules take turns with the proof of all of them


class Verification:
    """An iterator over results as they are found; `outcome` is what they amount to so far."""

    def __init__(
        self,
        program: Program,
        settings: Settings | None = None,
        options: VerifyOptions | None = None,
    ) -> None:
        self.settings = settings or Settings()
        self.options = options or VerifyOptions()
        self.engine = Engine(program, self.settings, self.options.interpolation)
        self.strategy = strategy(self.options.strategy)
        self.budget = Budget(
            self.options.time_s,
            self.options.memory_mb,
            self.options.progress,
        )
        if self.options.time_s is not None:
            deadline = self.budget.start + self.options.time_s
            self.engine.image.deadline = self.engine.solver.deadline = deadline
        self.outcome = Outcome()
        self._search: Search | None = None
        self._known = 0  # counterexamples of the search that have been told
        self._doubts: dict[str, None] = {}
        self._replayer = Replayer(program, self.engine.sharing, self.settings)

    def __iter__(self) -> Iterator[Result]:
        outcome = self.outcome
        try:
            yield from self._results()
        except LimitReached as limit:
            outcome.bounds.append(str(limit))
        except KeyboardInterrupt:
            outcome.bounds.append("interrupted")
        except OutOfTime:
            outcome.bounds.append(self.budget.time_limit())
        except (Diverges, BudgetSpent, NotExact) as problem:
            self._doubts[str(problem) or "going back took too long"] = None
        except (Unsupported, TooManyThreads, Unproved, SolverUnknown, MayNotEnd) as problem:
            self._doubts[str(problem) or type(problem).__name__] = None
        finally:
            self._conclude()

    def assumptions(self) -> list[Assumption]:
        """What the results rest on besides what the program itself makes one assume."""
        if (
            not self.engine.domain.arithmetic.promised
            or Property.OVERFLOW in self.settings.properties
        ):
            return []
        return [Assumption(NO_OVERFLOW)]

    def run(self) -> Outcome:
        """All results at once."""
        for _ in self:
            pass
        return self.outcome

    # ----------------------------------------------------------------- results

    def _results(self) -> Iterator[Result]:
        yield from self._first()
        if self._search is None or self._search.lost or not self._more():
            return
        if self.options.iterations is None:
            try:
                yield from self._prove_all()
                if self.outcome.verdict is Verdict.SAFE:
                    return
            except (Unsupported, Unproved, SolverUnknown, MayNotEnd) as problem:
                self._doubts[f"all schedules: {problem}"] = None
        while self._more():
            result = self._next()
            if result is None:
                break
            yield result

    def _more(self) -> bool:
        limit = self.options.iterations
        if limit is not None:
            return len(self.outcome.results) < limit
        if self.options.until is Until.VERDICT:
            violation = self.outcome.violation
            return violation is None or not violation.reproduced
        return self.options.until is Until.ALL

    def _first(self) -> Iterator[Result]:
        """Attempts with known values first, then with more and more of them abstract."""
        patience, seconds = FIRST_PATIENCE, FIRST_S * max(1, self.strategy.length // 4)
        while True:
            for knowledge, rounds in (
                (PathKnowledge, patience),
                (PathKnowledge, LONG_PATIENCE * patience),
                (LabelKnowledge, patience),
            ):
                self.engine.places.abstract.clear()
                search = self._attempt(knowledge, rounds, seconds)
                if search is None:
                    continue
                self._search = search
                for found in search.counterexamples[:1] if search.lost else ():
                    yield self._counterexample(search.tree, found, "no schedule was found")
                if not search.lost:
                    yield self._schedule("a first schedule")
                self._known = len(search.counterexamples)
                return
            patience, seconds = patience * GROWTH, seconds * GROWTH

    def _attempt(self, knowledge: Knowledge, patience: int, seconds: float) -> Search | None:
        """Looks for a first schedule, with more abstract values each time that it diverges."""
        for _ in range(MOST_RESTARTS):
            search = self.engine.search(self.strategy, knowledge, patience, self.budget)
            self.budget.allow(seconds, "first schedule")
            try:
                search.first()
                return search
            except Diverges as diverges:
                if not diverges.variables - self.engine.places.abstract:
                    return None
                self.engine.places.abstract |= diverges.variables
            except NotExact as inexact:
                self.engine.domain.exact |= inexact.objects
            except BudgetSpent:
                return None
            finally:
                self.outcome.nodes += len(search.tree.nodes)
        return None

    def _next(self) -> Result | None:
        """One more schedule, or one more counterexample; None when there is nothing left."""
        search = self._search
        assert search is not None
        while True:
            self.budget.allow(FIRST_S, f"schedule {len(self.outcome.results) + 1}")
            before = len(search.tree.nodes)
            try:
                departed = search.next()
            except (Diverges, BudgetSpent, NotExact, MayNotEnd) as problem:
                self.budget.allow(GROWTH * FIRST_S, "going back")
                search.give_up(str(problem) or "it takes too long")
                continue
            finally:
                self.outcome.nodes += len(search.tree.nodes) - before
            if departed is None:
                return None
            words = departure(self.engine.image, *departed)
            if len(search.counterexamples) > self._known:
                found = search.counterexamples[self._known]
                self._known = len(search.counterexamples)
                if departed[1] not in departed[0].children:
                    return self._counterexample(search.tree, found, words)
            return self._schedule(words)

    # ------------------------------------------------------------ all schedules

    def _prove_all(self) -> Iterator[Result]:
        """Tries to prove all schedules safe at once; between turns, further ones may be found."""
        lanes = Lanes(self.engine, self.budget)
        before, abstract = self.outcome.nodes, self.engine.places.abstract
        turns, search = lanes.turns(), None
        began = time.process_time()
        while True:
            try:
                next(turns)
            except StopIteration as end:
                search = end.value
                break
            finally:
                self.outcome.nodes = before + lanes.nodes
                self.engine.places.abstract = abstract  # further schedules go on as they began
            if self.options.alternate:
                found = self.outcome.nodes
                yield from self._for_as_long(time.process_time() - began)
                before += self.outcome.nodes - found
                began = time.process_time()
        if search is not None and search.found is not None:
            self.outcome.violation = self._replayed(search.tree, search.found)
        elif search is not None:
            self.outcome.verdict = Verdict.SAFE

    def _for_as_long(self, seconds: float) -> Iterator[Result]:
        """Further results, until so much processor time has been used."""
        until = time.process_time() + seconds
        while time.process_time() < until:
            result = self._next()
            if result is None:
                return
            yield result

    # ------------------------------------------------------------------ telling

    def _schedule(self, words: str) -> Result:
        assert self._search is not None
        schedule = frozen(self._search)
        return self._tell(words, len(schedule.nodes), schedule.covers, schedule, None)

    def _counterexample(self, tree: Tree, found: Counterexample, words: str) -> Result:
        broken = self._replayed(tree, found)
        if self.outcome.violation is None:
            self.outcome.violation = broken
        covers = sum(n.cover is not None for n in tree.nodes)
        return self._tell(words, len(tree.nodes), covers, None, broken)

    def _replayed(self, tree: Tree, found: Counterexample) -> Violation:
        return self._replayer.violation(tree, found)

    def _tell(
        self,
        words: str,
        nodes: int,
        covers: int,
        schedule: Schedule | None,
        broken: Violation | None,
    ) -> Result:
        outcome = self.outcome
        result = Result(
            len(outcome.results) + 1,
            words,
            self.budget.elapsed(),
            nodes,
            covers,
            self.engine.statistics.calls,
            schedule,
            broken,
        )
        outcome.results.append(result)
        if schedule is not None and outcome.time_first_s is None:
            outcome.time_first_s = result.time_s
        return result

    def _conclude(self) -> None:
        """The verdict that the results allow."""
        outcome, search = self.outcome, self._search
        outcome.bounds.extend(sorted(self.engine.image.bounds))
        if outcome.verdict is Verdict.SAFE:
            if outcome.bounds:
                outcome.verdict = Verdict.UNKNOWN
                outcome.reason = "no error found within the bounds"
        elif outcome.schedule is not None:
            outcome.verdict = Verdict.PARTIALLY_SAFE
            outcome.reason = (
                "safe under the schedules found; others lead to an error"
                if outcome.violation is not None and outcome.violation.reproduced
                else "safe under the schedules found; others have not been proved"
            )
        elif search is not None and search.lost and not search.doubts and not self._doubts:
            if self._all_reproduced(search):
                outcome.verdict = Verdict.UNSAFE
            else:
                outcome.reason = "not every error that was found could be reproduced"
                if self.engine.image.out_of_time():
                    outcome.bounds.append(self.budget.time_limit())
        else:
            doubts = [*self._doubts, *(search.doubts if search is not None else ())]
            outcome.reason = doubts[0] if doubts else "no safe schedule was found in time"
        if outcome.verdict is not Verdict.SAFE:
            outcome.bounds.extend(d for d in self._doubts if d != outcome.reason)
        if self.engine.defects():
            outcome.bounds.append(f"{self.engine.defects()} interpolants failed their check")
        outcome.time_s = self.budget.elapsed()
        outcome.solver_calls = self.engine.statistics.calls
        outcome.solver_time_s = self.engine.statistics.time_s
        outcome.interpolation = self.engine.interpolation()

    def _all_reproduced(self, search: Search) -> bool:
        """Whether every error that a way was given up for is a real one, as far as time allows."""
        return all(
            not self.engine.image.out_of_time() and self._replayed(search.tree, found).reproduced
            for found in search.counterexamples
        )


def frozen(search: Search) -> Schedule:
    """The safe part of a tree as it is now."""
    safe = search.safe_part()
    assert all(n.kind is not Kind.OPEN for n in safe)
    nodes = {n.id: _frozen(n) for n in safe}
    assert search.root is not None
    return Schedule(search.root.id, nodes)


def _frozen(node: Node) -> ScheduleNode:
    permits = {t: tuple(c.id for c in children) for t, children in node.children.items()}
    cover = node.cover.id if node.cover is not None else None
    return ScheduleNode(node, permits, cover, tuple(node.label))
