"""All schedules at once, in lanes: ways to choose what is abstract, tried in turns.

A lane goes on where it was cut when its turn comes again, so that little is done twice.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field

from imc.errors import Unsupported
from imc.program.faults import Property
from imc.terms.places import Variable
from imc.verifier.engine import Budget, BudgetSpent, Engine
from imc.verifier.proof.complete import CompleteSearch, Unproved
from imc.verifier.proof.invariants import Invariants
from imc.verifier.proof.ranking import MayNotEnd
from imc.verifier.proof.rules import Claims
from imc.verifier.proof.standstills import standstills
from imc.verifier.solver import SolverUnknown
from imc.verifier.tree.knowledge import PathKnowledge
from imc.verifier.tree.precision import Diverges, NotExact, volatile

FIRST_TURN_S = 3.0  # of processor time
GROWTH = 4
MOST_ROUNDS = 8
MOST_RESTARTS = 40
PATIENCE = 8  # rounds of known values before what grows becomes a symbol
HARDLY_EVER = 1 << 20
HELP_SHARE = 3
TOO_MANY_NODES = 1000  # of a tree that is growing well: no invariants are asked for


@dataclass(slots=True)
class Lane:
    """One way of choosing, with how far it has come."""

    patience: int
    share: float  # of the time of a round
    abstract: set[Variable] = field(default_factory=set)
    search: CompleteSearch | None = None
    problem: Exception | None = None  # why it cannot go on


class Lanes:
    """Looks for a proof, or for a counterexample, until one lane has an answer."""

    def __init__(self, engine: Engine, budget: Budget) -> None:
        self.engine = engine
        self.budget = budget
        self.nodes = 0  # of all trees
        self._known = Lane(PATIENCE, 1)  # abstract only as far as values grow without end
        self._coarse = Lane(PATIENCE, 3)  # abstract wherever there are many values
        self._plain = Lane(HARDLY_EVER, 1)

    def turns(self) -> Generator[None, None, CompleteSearch | None]:
        """A search that has come to an end; None, or what is in the way, if none does.

        After each turn that was in vain, others may do something else.
        """
        seconds = FIRST_TURN_S
        lanes = [self._known, self._coarse, self._plain]
        for _ in range(MOST_ROUNDS):
            for lane in lanes:
                if lane.problem is not None or self._is_known(lane):
                    continue
                try:
                    if self._advance(lane, seconds * lane.share):
                        return lane.search
                except (Unsupported, Unproved, SolverUnknown, MayNotEnd) as problem:
                    lane.problem = problem
                self._coarsen(lane)
                helped = self._helped(seconds) if lane is self._known else None
                if helped is not None:
                    return helped
                yield
            problems = [lane.problem for lane in lanes if not self._is_known(lane)]
            if problems[0] is not None and all(problems):
                raise problems[0]
            seconds *= GROWTH
        return None

    def _is_known(self, lane: Lane) -> bool:
        """Whether the coarse lane has nothing to add."""
        return lane is self._coarse and lane.abstract == self._known.abstract

    def _advance(self, lane: Lane, seconds: float) -> bool:
        """Whether the lane's search ends; what has to be abstract is added on the way."""
        for _ in range(MOST_RESTARTS):
            self.engine.places.abstract = set(lane.abstract)
            if lane.search is None:
                lane.search = self.engine.complete_search(lane.patience, self.budget)
            before = len(lane.search.tree.nodes)
            self.budget.allow(seconds, "all schedules")
            try:
                lane.search.run()
                return True
            except BudgetSpent:
                return False
            except Diverges as diverges:
                if diverges.variables <= lane.abstract:
                    lane.patience *= GROWTH
                lane.abstract |= diverges.variables
            except NotExact as inexact:
                self.engine.domain.exact |= inexact.objects
                for other in (self._known, self._coarse, self._plain):
                    if other is not lane:
                        other.search = None  # its trees have not told the elements apart
            finally:
                self.nodes += len(lane.search.tree.nodes) - before
            lane.search = None  # only one that was cut in time can go on
        return False

    def _helped(self, seconds: float) -> CompleteSearch | None:
        """A proof by invariants of all skeletons, which is tried where values grow without end."""
        lane = self._known
        if not lane.abstract or (lane.search and len(lane.search.tree.nodes) > TOO_MANY_NODES):
            return None
        self.engine.places.abstract = set(lane.abstract)
        search, claims = self.engine.claiming_search(lane.patience, self.budget)
        self.budget.allow(seconds, "invariants")
        try:
            search.run()
            if search.found is not None:
                return search
            self.budget.allow(HELP_SHARE * seconds, "invariants")
            milliseconds = max(1, int(1000 * self.budget.remaining(seconds)))
            invariants = Invariants(search.tree, claims, milliseconds, self.budget.tick)
            if not invariants.prove():
                return None
            search.never_still = self._never_still(search, claims, milliseconds)
            return search
        except (BudgetSpent, Diverges, NotExact, Unsupported, Unproved, SolverUnknown, MayNotEnd):
            return None
        finally:
            self.nodes += len(search.tree.nodes)

    def _never_still(self, search: CompleteSearch, claims: Claims, milliseconds: int) -> bool:
        """Whether invariants prove as well that somebody always does something that counts."""
        if Property.LIVELOCK not in self.engine.settings.properties:
            return True
        for node, conditions in standstills(search):
            if PathKnowledge(search.tree, node).possible(conditions):
                return False
            claims.refute(node, conditions)
        try:
            return Invariants(search.tree, claims, milliseconds, self.budget.tick).prove()
        except (BudgetSpent, SolverUnknown, Unsupported):
            return False

    def _coarsen(self, lane: Lane) -> None:
        """Lets the coarse lane know what a lane that was cut has had too many values of."""
        more = set(self._known.abstract)
        if lane.search is not None:
            more |= volatile(self.engine.places, lane.search.tree)
        if not more <= self._coarse.abstract:
            self._coarse.abstract |= more
            self._coarse.search = self._coarse.problem = None
