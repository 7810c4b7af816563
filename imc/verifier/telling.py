"""What a verification says: results as they are found, and the verdict that they allow."""

from __future__ import annotations

import time
from collections import Counter
from contextlib import suppress

from imc.errors import Unsupported
from imc.program.alarm import postpone
from imc.program.assumptions import Assumption, assumed, may_wake
from imc.program.faults import OutOfTime, Property, TooManyThreads
from imc.program.instructions import Library
from imc.program.library import LIBRARY
from imc.program.program import Program
from imc.program.settings import Settings
from imc.program.verdict import Verdict
from imc.program.violation import Violation
from imc.program.watch import OutOfSight
from imc.verifier.confirmation import Replayer
from imc.verifier.engine import Budget, Engine
from imc.verifier.options import VerifyOptions
from imc.verifier.result import Conclusion, Result, VerifiedNode, VerifiedTree
from imc.verifier.search.search import Counterexample, Search
from imc.verifier.tree.art import Kind, Node, Tree

GRACE_S = 0.4  # for running an error again when the time is up
NOT_RUN_AGAIN = (OutOfTime, OutOfSight, TooManyThreads, Unsupported)  # what keeps us from it
REPRODUCED = "an error was reproduced, whether a schedule avoids it is not known"


class Telling:
    """The engines of a verification, what they have found, and what it amounts to."""

    def __init__(
        self,
        program: Program,
        settings: Settings | None = None,
        options: VerifyOptions | None = None,
    ) -> None:
        self.settings = settings or Settings()
        self.options = options or VerifyOptions()
        # Where a schedule is enforced, our run-time does the waiting: nobody wakes unsignalled, and
        # signals wake in turn. That is not so where all schedules are proved, and nothing has to
        # be enforced.
        enforced = self.settings.enforced()
        self.engine = self._all = Engine(program, enforced, self.options.interpolation)
        if may_wake(program.assumptions, self.settings) or _wakes_one(program):
            self._all = Engine(program, self.settings, self.options.interpolation)
        self._engines = tuple(dict.fromkeys((self.engine, self._all)))
        self.budget = Budget(
            self.options.time_s,
            self.options.memory_mb,
            self.options.progress,
            self.options.spent_s,
        )
        for engine in self._engines:
            engine.image.deadline = engine.solver.deadline = self.budget.deadline
        self.outcome = Conclusion()
        self._search: Search | None = None
        self._tried: Search | None = None  # the last attempt at a first schedule
        self._doubts: dict[str, None] = {}
        self._late = False  # the time was up before all that was found had been run again
        self._unseen = ""  # what was touched out of sight: then nothing is proved
        self._replayers = {
            engine.places: Replayer(program, engine.sharing, engine.settings)
            for engine in self._engines
        }
        for replayer in self._replayers.values():
            replayer.interpreter.image.deadline = self.budget.deadline

    @property
    def exit_code(self) -> int:
        return self.outcome.exit_code

    def assumptions(self) -> list[Assumption]:
        """What the verdict rests on."""
        return self._assumed(self.settings, self._engines)

    def enforced_assumptions(self) -> list[Assumption]:
        """What a schedule rests on that is found here."""
        return self._assumed(self.engine.settings, (self.engine,))

    def _assumed(self, settings: Settings, engines: tuple[Engine, ...]) -> list[Assumption]:
        given = self.engine.program.assumptions
        promised = any(engine.domain.arithmetic.promised for engine in engines)
        if promised and Property.OVERFLOW not in settings.properties:
            given = (*given, Assumption("no-overflow"))
        if any(engine.domain.numeric for engine in engines):
            given = (*given, Assumption("address-layout"))
        return assumed(given, settings)

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
        return self._replayers[tree.places].violation(tree, found)

    def _tell(
        self,
        words: str,
        nodes: int,
        covers: int,
        schedule: VerifiedTree | None,
        broken: Violation | None,
    ) -> Result:
        outcome = self.outcome
        result = Result(
            len(outcome.results) + 1,
            words,
            self.budget.elapsed(),
            nodes,
            covers,
            self._solver_calls(),
            schedule,
            broken,
        )
        outcome.results.append(result)
        if schedule is not None and outcome.time_first_s is None:
            outcome.time_first_s = result.time_s
        return result

    def _conclude(self) -> None:
        """The verdict that the results allow."""
        postpone(GRACE_S)
        outcome, search = self.outcome, self._search
        outcome.bounds.extend(sorted(set().union(*(e.image.bounds for e in self._engines))))
        if self._unseen:
            outcome.verdict, outcome.reason = Verdict.UNKNOWN, self._unseen
        elif outcome.verdict is Verdict.SAFE:
            if outcome.bounds:
                outcome.verdict = Verdict.UNKNOWN
                outcome.reason = "no error found within the bounds"
        elif outcome.schedule is not None:
            outcome.verdict = Verdict.PARTIALLY_SAFE
            outcome.reason = (
                "safe under the schedules found; others lead to an error"
                if outcome.error_reproduced
                else "safe under the schedules found; others have not been proved"
            )
        elif search is not None and search.lost and not search.doubts and not self._doubts:
            if self._all_reproduced(search):
                outcome.verdict = Verdict.UNSAFE
            else:
                invention = outcome.violation.invention if outcome.violation else None
                outcome.reason = (
                    f"the error that was found {invention}"
                    if invention is not None
                    else "not every error that was found could be reproduced"
                )
                if self._late or self.engine.image.out_of_time():
                    self.note_time_limit()
        else:
            doubts = [*self._doubts, *(search.doubts if search is not None else ())]
            outcome.reason = doubts[0] if doubts else "no safe schedule was found in time"
            if outcome.violation is None and self._tried is not None:
                self._look_at_last(self._tried)
        if outcome.verdict is not Verdict.SAFE:
            outcome.bounds.extend(d for d in self._doubts if d != outcome.reason)
        if outcome.verdict is Verdict.UNKNOWN and outcome.error_reproduced:
            outcome.reason = f"{REPRODUCED}: {outcome.reason}"
        defects = sum(engine.defects() for engine in self._engines)
        if defects:
            outcome.bounds.append(f"{defects} interpolants failed their check")
        outcome.time_s = self.budget.elapsed()
        outcome.solver_calls = self._solver_calls()
        outcome.solver_time_s = sum(engine.statistics.time_s for engine in self._engines)
        found: Counter[str] = Counter()
        for engine in self._engines:
            found.update(engine.interpolation())
        outcome.interpolation = dict(found)

    def _look_at_last(self, search: Search) -> None:
        """An error that was met while no schedule was found yet is told if it is a real one."""
        for engine in self._engines:
            engine.image.deadline = engine.solver.deadline = time.monotonic() + GRACE_S
        for replayer in self._replayers.values():
            replayer.interpreter.image.deadline = time.monotonic() + GRACE_S
        for found in search.counterexamples[:1]:
            with suppress(*NOT_RUN_AGAIN):
                broken = self._replayed(search.tree, found)
                if broken.reproduced:
                    self.outcome.violation = broken

    def _solver_calls(self) -> int:
        return sum(engine.statistics.calls for engine in self._engines)

    def _all_reproduced(self, search: Search) -> bool:
        """Whether every error that a way was given up for is a real one, as far as time allows."""
        try:
            return all(
                not self.engine.image.out_of_time()
                and self._replayed(search.tree, found).reproduced
                for found in search.counterexamples
            )
        except NOT_RUN_AGAIN as problem:
            self._late = isinstance(problem, OutOfTime)
            return False

    def note_time_limit(self) -> None:
        """The time was up before all was done."""
        limit = self.budget.time_limit()
        if limit not in self.outcome.bounds:
            self.outcome.bounds.append(limit)


def frozen(search: Search) -> VerifiedTree:
    """The safe part of a tree as it is now."""
    safe = search.safe_part()
    assert all(n.kind is not Kind.OPEN for n in safe)
    nodes = {n.id: _frozen(n) for n in safe}
    assert search.root is not None
    return VerifiedTree(search.root.id, nodes)


def _frozen(node: Node) -> VerifiedNode:
    permits = {t: tuple(c.id for c in children) for t, children in node.children.items()}
    cover = node.cover.id if node.cover is not None else None
    return VerifiedNode(node, permits, cover, tuple(node.label))


def _wakes_one(program: Program) -> bool:
    """Whether it is open, where nothing is enforced, who of several threads is woken."""
    calls = (i for _, _, i in program.instructions() if isinstance(i, Library))
    return any(LIBRARY[i.function].wakes_one for i in calls)
