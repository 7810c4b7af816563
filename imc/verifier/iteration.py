"""Iterative verification: a first safe schedule, then more, and all of them if that can be had."""

from __future__ import annotations

import time
from collections.abc import Iterator

from imc.errors import Unsupported
from imc.program.faults import OutOfTime, Property, TooManyThreads
from imc.program.program import Program
from imc.program.settings import Settings
from imc.program.verdict import Verdict
from imc.program.watch import OutOfSight
from imc.terms.places import Variable
from imc.verifier.engine import BudgetSpent, UserLimit
from imc.verifier.options import Until, VerifyOptions
from imc.verifier.proof.complete import CompleteSearch, Unproved
from imc.verifier.proof.lanes import Lanes
from imc.verifier.proof.ranking import MayNotEnd
from imc.verifier.proof.standstills import Fate, hanging
from imc.verifier.result import Conclusion, Result
from imc.verifier.search.search import Search
from imc.verifier.search.strategies import TRIED, strategy
from imc.verifier.solver import SolverUnknown
from imc.verifier.telling import Telling
from imc.verifier.tree.art import Kind
from imc.verifier.tree.describe import departure
from imc.verifier.tree.expand import Knowledge
from imc.verifier.tree.knowledge import LabelKnowledge, PathKnowledge
from imc.verifier.tree.precision import Diverges, NotExact, mixed
from imc.verifier.tree.widening import TooWide

FIRST_PATIENCE = 8  # rounds of known values before what grows becomes a symbol
LONG_PATIENCE = 16  # times longer, for values that may come back
STRAIGHT = 4  # times as many nodes, before known values that seem to grow become symbols
NO_END = 1 << 60  # of patience: known values stay known, for programs that end after many rounds
FIRST_S = 4.0  # of processor time for the first attempt at a schedule
LOOP_S = 400.0  # the same, where loops of a thread are closed by what holds in all their rounds
DOUBT_S = 1.0  # for another one, after the first was lost as far as could be told
GROWTH = 4
MOST_RESTARTS = 40
HANGING_S = 20.0  # of processor time for visiting states, where threads may go round without effect
HUNT_STEPS = 3_000  # looked at before the first schedule is looked for
HUNT_GROWTH = 8
HUNT_SHARE = 0.1  # of the time that is left, or of this:
HUNT_MOST_S = 60.0
HUNT_AFTER_S = 1.0  # of processor time for a proof of all schedules


class Verification(Telling):
    """An iterator over results as they are found; `outcome` is what they amount to so far."""

    def __init__(
        self,
        program: Program,
        settings: Settings | None = None,
        options: VerifyOptions | None = None,
    ) -> None:
        super().__init__(program, settings, options)
        self.strategy = strategy(self.options.strategy)
        names = [kind.name for kind in TRIED] if self.options.others else []
        others = [strategy(name) for name in names if name != self.strategy.name]
        self._strategies = (self.strategy, *others)
        self._fate = Fate(self.engine)
        self._known = 0  # counterexamples of the search that have been told
        self._doubtful: Search | None = None  # the first that was lost, as far as could be told
        make = self.options.hunt
        self._hunt = make(program, self.settings, self._all.sharing) if make is not None else None
        self._hunt_steps = HUNT_STEPS

    def __iter__(self) -> Iterator[Result]:
        outcome = self.outcome
        try:
            yield from self._results()
        except UserLimit as limit:
            outcome.bounds.append(str(limit))
        except KeyboardInterrupt:
            outcome.interrupt()
        except OutOfTime:
            self.note_time_limit()
        except OutOfSight as unseen:
            self._unseen = str(unseen)
        except (Diverges, BudgetSpent, NotExact, TooWide) as problem:
            self._doubts[str(problem) or "going back took too long"] = None
        except (Unsupported, TooManyThreads, Unproved, SolverUnknown, MayNotEnd) as problem:
            self._doubts[str(problem) or type(problem).__name__] = None
        finally:
            self._conclude()

    def run(self) -> Conclusion:
        """All results at once."""
        for _ in self:
            pass
        return self.outcome

    # ----------------------------------------------------------------- results

    def _results(self) -> Iterator[Result]:
        yield from self._hunted()
        yield from self._first()
        if self._search is None or self._search.lost or not self._more():
            return
        if self.options.iterations is None and not self.outcome.error_reproduced:
            try:
                yield from self._prove_all()
                if self.outcome.verdict is Verdict.SAFE:
                    return
            except (Unsupported, Unproved, SolverUnknown, MayNotEnd) as problem:
                self._doubts[f"all schedules: {problem}"] = None
            yield from self._hunted()
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
            return not self.outcome.error_reproduced
        return self.options.until is Until.ALL

    def _first(self) -> Iterator[Result]:
        """Attempts with known values first, then with more and more of them abstract.

        What is lost only as far as can be told is looked for in one more way before it is believed.
        """
        patience, seconds = FIRST_PATIENCE, FIRST_S * max(1, self.strategy.length // 4)
        while True:
            for knowledge, rounds in (
                (PathKnowledge, patience),
                (PathKnowledge, NO_END),
                (PathKnowledge, LONG_PATIENCE * patience),
                (LabelKnowledge, patience),
            ):
                doubts = self._doubtful is not None and bool(self._doubtful.counterexamples)
                search = self._attempt_in_turn(knowledge, rounds, DOUBT_S if doubts else seconds)
                if search is None and doubts:
                    search = self._doubtful
                if search is not None:
                    yield from self._begin(search)
                    return
            if self._doubtful is not None:
                yield from self._begin(self._doubtful)
                return
            yield from self._hunted()
            patience, seconds = patience * GROWTH, seconds * GROWTH

    def _begin(self, search: Search) -> Iterator[Result]:
        """What a search for a first schedule has found."""
        self._search = search
        for found in search.counterexamples[:1] if search.lost else ():
            yield self._counterexample(search.tree, found, "no schedule was found")
        if not search.lost:
            yield self._schedule("a first schedule")
        self._known = len(search.counterexamples)

    def _attempt_in_turn(
        self, knowledge: Knowledge, patience: int, seconds: float
    ) -> Search | None:
        """What one strategy does not find, another one may; whoever has found it goes on."""
        for one in self._strategies:
            self.strategy = one
            self.engine.places.abstract = set(self.engine.counters)
            search = self._attempt(knowledge, patience, seconds)
            if search is None:
                continue
            if not (search.lost and search.doubts):
                return search
            self._doubtful = self._doubtful or search
        return None

    def _hunted(self) -> Iterator[Result]:
        """An error that a short search has found; each search is longer than the one before."""
        hunt = self._hunt
        if hunt is None or hunt.over or self.outcome.error_reproduced:
            return
        if self.options.until is Until.FIRST or self.options.iterations is not None:
            return
        self.budget.allow(HUNT_MOST_S, "looking for errors")
        seconds = HUNT_SHARE * self.budget.remaining(HUNT_MOST_S)
        found = hunt(self._hunt_steps, seconds, self.options.memory_mb)
        self._hunt_steps *= HUNT_GROWTH
        if found is not None:
            self.outcome.violation = found
            yield self._tell("an execution that goes wrong", 0, 0, None, found)

    def _attempt(self, knowledge: Knowledge, patience: int, seconds: float) -> Search | None:
        """Looks for a first schedule, with more abstract values each time that it diverges.

        Before the first of them become abstract, all are kept for some rounds more: the program
        may be about to end.
        """
        abstract = self.engine.places.abstract
        known: frozenset[Variable] = frozenset()
        added: set[Variable] = set()
        suspects: set[Variable] = set()  # have diverged, and may not without what was mixed
        for _ in range(MOST_RESTARTS):
            search = self._new_search(knowledge, patience)
            search.precision.known = known
            self.budget.allow(seconds, "first schedule")
            try:
                self._searched(search)
                if not (added and search.lost and search.doubts and not search.counterexamples):
                    return search
                # What became abstract last cannot be: it has to come back by itself.
                self._doubtful = self._doubtful or search
                abstract -= added
                self.engine.counters -= added
                known, added, seconds = known | added, set(), GROWTH * seconds
            except Diverges as diverges:
                added = diverges.variables - abstract
                if not added:
                    return None
                if self._unmix(search):
                    suspects, added = suspects | added, set()
                    continue
                if diverges.local:  # it takes long to come as far as that again
                    abstract |= suspects
                first = abstract == self.engine.counters and knowledge is PathKnowledge
                if first and not diverges.local:
                    kept = self._kept(STRAIGHT * len(search.tree.nodes), seconds)
                    if kept is not None:
                        return kept
                abstract |= added
                if diverges.local:  # no other attempt follows such a loop to its end either
                    seconds = max(seconds, self._loop_seconds(seconds))
                    self.engine.counters |= added
            except NotExact as inexact:
                self.engine.domain.exact |= inexact.objects
            except TooWide as loop:
                self.engine.exempt.add(loop.place)
            except BudgetSpent:
                if not self._unmix(search):
                    return None
        return None

    def _loop_seconds(self, seconds: float) -> float:
        """For a search that closes loops of a thread: long, if none is likelier to get there."""
        if self.strategy.whole or len(self._strategies) == 1:
            return self.budget.half(LOOP_S)
        return min(self.budget.half(LOOP_S), GROWTH * seconds)

    def _unmix(self, search: Search) -> bool:
        """Makes abstract what is so at times; whether there is anything of the kind."""
        places = self.engine.places
        found = mixed(places, search.tree)
        places.abstract |= found
        return bool(found)

    def _kept(self, nodes: int, seconds: float) -> Search | None:
        """A first schedule in which all known values stay known, if so many nodes lead to the end.

        One that goes round is shorter where what grows is abstract.
        """
        search = self._new_search(PathKnowledge, NO_END)
        self.budget.allow(seconds, "first schedule", nodes)
        try:
            self._searched(search)
        except (NotExact, BudgetSpent):
            return None
        goes_round = any(n.kind is Kind.COVERED for n in search.tree.nodes if not n.removed)
        return None if search.lost or goes_round else search

    def _new_search(self, knowledge: Knowledge, patience: int) -> Search:
        search = self.engine.search(self.strategy, knowledge, patience, self.budget)
        self._tried = search
        search.fate = self._fate.is_lost
        return search

    def _searched(self, search: Search) -> Search:
        try:
            search.first()
        finally:
            self.outcome.nodes += len(search.tree.nodes)
        return search

    def _next(self) -> Result | None:
        """One more schedule, or one more counterexample; None when there is nothing left."""
        search = self._search
        assert search is not None
        while True:
            self.budget.allow(FIRST_S, f"schedule {len(self.outcome.results) + 1}")
            before = len(search.tree.nodes)
            try:
                departed = search.next()
            except (Diverges, BudgetSpent, NotExact, MayNotEnd, TooWide) as problem:
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
        lanes = Lanes(self._all, self.budget)
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
            spent = time.process_time() - began
            if spent >= HUNT_AFTER_S:  # no quick proof: errors are looked for, too
                yield from self._hunted()
                if not self._more():
                    return
            if self.options.alternate:
                found = self.outcome.nodes
                yield from self._for_as_long(spent)
                before += self.outcome.nodes - found
                began = time.process_time()
        if search is not None and search.found is not None:
            self.outcome.violation = self._replayed(search.tree, search.found)
        elif search is not None:
            try:
                self._exclude_hanging(search)
            finally:
                self.engine.places.abstract = abstract

    def _exclude_hanging(self, search: CompleteSearch) -> None:
        """Nothing else is wrong, whatever the schedule: whether threads can go round for ever."""
        outcome, engine = self.outcome, self.engine
        found = None
        if Property.LIVELOCK in self.settings.properties:
            self.budget.allow(HANGING_S, "whether threads go round for ever")
            found = hanging(search, engine, HANGING_S)
        if found is None:
            outcome.verdict = Verdict.SAFE
        elif outcome.violation is None or not outcome.violation.reproduced:
            outcome.violation = found

    def _for_as_long(self, seconds: float) -> Iterator[Result]:
        """Further results, until so much processor time has been used."""
        until = time.process_time() + seconds
        while time.process_time() < until:
            result = self._next()
            if result is None:
                return
            yield result
