"""A verification attempt's parts, put together: one tree with everything that works on it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from imc.program.analysis.accumulators import accumulators
from imc.program.analysis.sharing import Sharing
from imc.program.code import Image
from imc.program.program import Program
from imc.program.ram import Leftovers, MemoryLimit
from imc.program.settings import Settings
from imc.terms.integers import IntegerDomain
from imc.terms.places import Places, Variable
from imc.terms.steps import Stepper
from imc.terms.terms import Terms
from imc.verifier.interpolation.interpolate import (
    ORDER,
    Interpolator,
    Portfolio,
    StrategyStatistics,
)
from imc.verifier.proof.complete import CompleteSearch
from imc.verifier.proof.rules import Claims
from imc.verifier.search.search import Search
from imc.verifier.search.strategy import Strategy
from imc.verifier.solver import Z3Solver
from imc.verifier.tree.art import Node, Tree
from imc.verifier.tree.expand import Expander, Knowledge
from imc.verifier.tree.knowledge import LabelKnowledge
from imc.verifier.tree.precision import Precision
from imc.verifier.tree.refine import Refiner

FEWEST_ROUNDS = 3  # of known values that a search may see before what grows becomes a symbol


class UserLimit(Exception):
    """A limit of the user's has struck; the text names it."""


class BudgetSpent(Exception):
    """An attempt has used up its share, and another one should be made."""


class Budget:
    """Watches the user's limits over the whole run, and the effort of each attempt.

    Effort is processor time: what a node costs differs by orders of magnitude.
    """

    def __init__(
        self,
        time_s: float | None = None,
        memory_mb: float | None = None,
        progress: Callable[[str], None] | None = None,
        spent_s: float = 0.0,
    ) -> None:
        """`spent_s`: of the time, before this."""
        self.start = time.monotonic()
        self.time_s = time_s
        self.deadline = None if time_s is None else self.start + time_s - spent_s
        self.memory = MemoryLimit(memory_mb)
        self.progress = progress
        self.doing = ""
        self.nodes = 0
        self.allowed = 0.0
        self.most_nodes: int | None = None

    def elapsed(self) -> float:
        return time.monotonic() - self.start

    def remaining(self, seconds: float) -> float:
        """So many seconds, or what the user's limit leaves of them."""
        return seconds if self.deadline is None else min(seconds, self.deadline - time.monotonic())

    def half(self, seconds: float) -> float:
        """Half of the time that the user's limit leaves, or so many seconds if there is none."""
        return seconds if self.deadline is None else (self.deadline - time.monotonic()) / 2

    def time_limit(self) -> str:
        return f"stopped after {self.time_s:g} s"

    def allow(self, seconds: float, doing: str, nodes: int | None = None) -> None:
        """Starts to count anew, for the next thing to be done."""
        self.nodes, self.allowed, self.doing = 0, time.process_time() + seconds, doing
        self.most_nodes = nodes

    def tick(self) -> None:
        """Called for each node that is closed."""
        self.nodes += 1
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise UserLimit(self.time_limit())
        if self.memory.is_over():
            raise UserLimit(str(self.memory))
        if self.progress is not None:
            self.progress(f"{self.doing}: {self.nodes} nodes")
        if self.most_nodes is not None and self.nodes > self.most_nodes:
            raise BudgetSpent
        if time.process_time() > self.allowed:
            raise BudgetSpent


class Engine:
    """What all attempts at one program share: its image, terms and places."""

    def __init__(self, program: Program, settings: Settings, order: Sequence[str] = ORDER) -> None:
        self.program = program
        self.settings = settings
        self.order = tuple(order)
        self.terms = Terms()
        self.domain = IntegerDomain(self.terms)
        self.sharing = Sharing(program)
        self.image = Image(program, self.domain, settings, self.sharing)
        self.places = Places(self.image, self.domain)
        self.solver = Z3Solver(self.terms)
        self.statistics = self.solver.statistics
        # A solver's context takes 17 MB: one for all attempts.
        self._strategies: dict[str, Interpolator] = {}
        self._leftovers = Leftovers()  # of attempts that were in vain
        self._interpolation: list[dict[str, StrategyStatistics]] = []  # of each attempt
        # What only counts is a symbol from the start: no proof needs it, and no loop waits for it.
        names = accumulators(program)
        self.exempt: set[object] = set()  # loops that have to be followed round by round
        self.counters: set[Variable] = {("object", self.image.symbols[name], 0) for name in names}

    def _tree(self, order: Sequence[str]) -> tuple[Tree, Portfolio]:
        self._leftovers.clear()
        portfolio = Portfolio(self.terms, self.solver, order, self._strategies)
        self._interpolation.append(portfolio.statistics)
        return Tree(self.terms, self.solver, self.places), portfolio

    def search(
        self, strategy: Strategy, knowledge: Knowledge, patience: int, budget: Budget
    ) -> Search:
        """A search for schedules on a new tree.

        Loops over a thread's own variables need what holds in all their rounds, which sums of
        inequalities tell best.
        """
        local = any(variable[0] == "register" for variable in self.places.abstract)
        order = sorted(self.order, key=lambda name: name != "farkas") if local else self.order
        tree, portfolio = self._tree(order)
        reopened: list[Callable[[Node], None]] = []
        refiner = Refiner(tree, portfolio, lambda node: reopened[0](node))
        expander = Expander(tree, Stepper(self.places), refiner, knowledge)
        patience = max(FEWEST_ROUNDS, patience // strategy.length)
        precision = Precision(self.places, self.settings, patience, widens=True)
        search = Search(tree, expander, refiner, strategy, precision, budget.tick, self.exempt)
        reopened.append(search.reopen)
        return search

    def complete_search(self, patience: int, budget: Budget) -> CompleteSearch:
        """A search through all schedules on a new tree; labels should say as little as they can."""
        tree, portfolio = self._tree([{"wp": "wp-uncapped"}.get(n, n) for n in self.order])
        reopened: list[Callable[[Node], None]] = []
        refiner = Refiner(tree, portfolio, lambda node: reopened[0](node))
        expander = Expander(tree, Stepper(self.places), refiner, LabelKnowledge)
        precision = Precision(self.places, self.settings, patience)
        search = CompleteSearch(tree, expander, refiner, precision, self.settings, budget.tick)
        reopened.append(search.reopen)
        return search

    def claiming_search(self, patience: int, budget: Budget) -> tuple[CompleteSearch, Claims]:
        """A search through all schedules that proves nothing, but notes what there is to prove."""
        tree, _ = self._tree(())
        claims = Claims(tree)
        expander = Expander(tree, Stepper(self.places), claims, LabelKnowledge)
        precision = Precision(self.places, self.settings, patience)
        search = CompleteSearch(tree, expander, claims, precision, self.settings, budget.tick)
        return search, claims

    def defects(self) -> int:
        """How many sequences failed their check, and so were not used."""
        return sum(s.invalid for attempt in self._interpolation for s in attempt.values())

    def interpolation(self) -> dict[str, int]:
        """How many sequences each strategy has found."""
        found: dict[str, int] = {}
        for attempt in self._interpolation:
            for name, statistics in attempt.items():
                found[name] = found.get(name, 0) + statistics.answered
        return found
