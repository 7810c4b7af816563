"""Invariants by differences: how far two values can be apart, as long as that is a few numbers.

Tickets, turns and generations only mean something relative to one another, and wrap around. From
the start, every rule is asked for differences that it leads to and that have not been seen yet; a
pair with too many of them is given up, so this ends.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

from pysmt.fnode import FNode

from imc.terms.integers import IntegerDomain
from imc.verifier.proof.rules import Rule
from imc.verifier.solver import Solver
from imc.verifier.tree.art import Node

MOST_DIFFERENCES = 8
MOST_PAIRS = 64  # of one node

Pair = tuple[FNode, FNode]


class Differences:
    """The differences seen at each node; None: too many."""

    def __init__(self, domain: IntegerDomain, solver: Solver, tick: Callable[[], None]) -> None:
        self.domain = domain
        self.terms = domain.terms
        self.solver = solver
        self.tick = tick
        self.seen: dict[Node, dict[Pair, set[int] | None]] = {}

    def invariants(
        self, rules: Sequence[Rule], places: dict[Node, list[FNode]]
    ) -> dict[Node, FNode]:
        """What holds at each node, closed under all rules that have a target."""
        after: dict[Node, list[Rule]] = {}
        for rule in rules:
            if rule.source is not None and rule.target is not None:
                after.setdefault(rule.source, []).append(rule)
        work = [r for r in rules if r.source is None and r.target is not None]
        for node, symbols in places.items():
            pairs = self._pairs(symbols)
            self.seen[node] = {pair: set() for pair in pairs}
        reached: set[Node] = set()
        while work:
            self.tick()
            rule = work.pop(0)
            assert rule.target is not None
            grown = self._apply(rule)
            if grown or rule.target not in reached:
                reached.add(rule.target)
                work += [r for r in after.get(rule.target, ()) if r not in work]
        return {n: self.formula(n) if n in reached else self.terms.false for n in places}

    def _pairs(self, symbols: list[FNode]) -> list[Pair]:
        integers = [s for s in symbols if s.symbol_type() is self.terms.int_type]
        return list(combinations([self.terms.zero, *integers], 2))[:MOST_PAIRS]

    def _apply(self, rule: Rule) -> bool:
        """Notes the differences that a rule leads to; whether there are new ones."""
        terms = self.terms
        assert rule.target is not None
        facts = list(rule.conditions)
        if rule.source is not None:
            facts += terms.conjuncts(self.formula(rule.source))
        values = {
            pair: terms.substitute(terms.subtract(*pair), rule.values)
            for pair in self.seen[rule.target]
        }
        for pair, value in values.items():
            if terms.has_arrays(value):
                self.seen[rule.target][pair] = None
        values = {p: v for p, v in values.items() if self.seen[rule.target][p] is not None}
        grown = False
        while True:
            target = self.seen[rule.target]
            new = terms.disjunction(
                [
                    terms.conjunction(
                        terms.negate(terms.equal(values[pair], terms.integer(n))) for n in numbers
                    )
                    for pair, numbers in target.items()
                    if numbers is not None
                ]
            )
            if new is terms.false:
                return grown
            wanted = {s for v in values.values() for s in terms.symbols(v)}
            model = self.solver.model([*facts, new], wanted)
            if model is None:
                return grown
            grown = True
            numbers_of = {s: terms.integer(n) for s, n in model.items()}
            for pair, numbers in target.items():
                if numbers is not None:
                    numbers.add(terms.substitute(values[pair], numbers_of).constant_value())
                    if len(numbers) > MOST_DIFFERENCES:
                        target[pair] = None

    def formula(self, node: Node) -> FNode:
        """The differences of a node as a formula, with its places' ranges."""
        terms = self.terms
        symbols = {s: None for pair in self.seen[node] for s in pair if s.is_symbol()}
        parts = [self.domain.in_range(symbol) for symbol in symbols]
        for pair, numbers in self.seen[node].items():
            if numbers is not None:
                difference = terms.subtract(*pair)
                cases = [terms.equal(difference, terms.integer(n)) for n in sorted(numbers)]
                parts.append(terms.disjunction(cases))
        return terms.conjunction(parts)
