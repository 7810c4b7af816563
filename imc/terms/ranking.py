"""Whether loops of a tree end: ranking functions.

A loop ends if some expression never grows in the steps of its cycles, and falls in one of them
while it is not negative; what is left of the cycles without such a step needs another expression.
What is tried is what the loop's own conditions compare. Whoever has a tree, and a way to tell what
follows from its labels, can ask.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

import networkx as nx
from pysmt.fnode import FNode

from imc.terms.terms import Terms

MOST_CANDIDATES = 24  # expressions that are tried for a cycle

Entails = Callable[[Iterable[FNode], FNode], bool]  # not, where nobody knows


@dataclass(frozen=True, slots=True, eq=False)
class LoopEdge:
    """A step from one node to another, or a cover, which changes nothing."""

    source: Hashable
    target: Hashable
    facts: tuple[FNode, ...] = ()  # what holds before, and what the step demands
    updates: Mapping[FNode, FNode] | None = None  # None: a cover
    renames: bool = False  # it gives objects the names of others


class Ranking:
    """Proves that cycles end."""

    def __init__(self, terms: Terms, entails: Entails, inputs: Set[FNode] = frozenset()) -> None:
        self.terms = terms
        self.entails = entails
        self.inputs = inputs  # symbols that mean something else in each round
        self._of_fact: dict[FNode, tuple[FNode, ...]] = {}

    def unranked(self, edges: Sequence[LoopEdge]) -> list[LoopEdge]:
        """The edges of a cycle that is not known to end; none if all are."""
        graph = nx.DiGraph((edge.source, edge.target) for edge in edges)
        for component in nx.strongly_connected_components(graph):
            inner = [e for e in edges if e.source in component and e.target in component]
            if not inner:
                continue
            left = self._without_falling(inner)
            found = inner if len(left) == len(inner) else self.unranked(left)
            if found:
                return found
        return []

    def _without_falling(self, edges: list[LoopEdge]) -> list[LoopEdge]:
        """The edges without those in which an expression falls; all of them if there is none."""
        for expression in self._candidates(edges):
            if all(self._falls(edge, expression, 0) for edge in edges):
                left = [edge for edge in edges if not self._falls(edge, expression, 1)]
                if len(left) < len(edges):
                    return left
        return edges

    def _candidates(self, edges: Iterable[LoopEdge]) -> list[FNode]:
        """What the steps compare: the distance between both sides.

        What a step demands comes before what holds there anyway.
        """
        found: dict[FNode, None] = {}
        changing = {symbol for edge in edges for symbol in edge.updates or ()}
        for edge in edges:
            for fact in reversed(edge.facts):
                if fact not in self._of_fact:
                    self._of_fact[fact] = tuple(self._distances(fact))
                for expression in self._of_fact[fact]:
                    symbols = self.terms.symbols(expression)
                    if not changing.isdisjoint(symbols) and self.inputs.isdisjoint(symbols):
                        found[expression] = None
                if len(found) >= MOST_CANDIDATES:
                    return list(found)[:MOST_CANDIDATES]
        return list(found)

    def _distances(self, fact: FNode) -> Iterator[FNode]:
        t = self.terms
        if fact.is_le():
            yield t.subtract(fact.arg(1), fact.arg(0))
        elif fact.is_not() and fact.arg(0).is_equals():
            left, right = fact.arg(0).args()
            if not t.is_array(left):
                yield t.subtract(left, right)
                yield t.subtract(right, left)

    def _falls(self, edge: LoopEdge, expression: FNode, fall: int) -> bool:
        """Whether the expression falls that much, from a number that is not negative if at all."""
        t = self.terms
        if edge.updates is None:
            return fall == 0 and not edge.renames
        if t.symbols(expression).isdisjoint(edge.updates):
            return fall == 0
        changed = t.substitute(expression, edge.updates)
        claims = [t.at_most(t.add(changed, t.integer(fall)), expression)]
        if fall:
            claims.append(t.at_most(t.zero, expression))
        return all(self.entails(edge.facts, claim) for claim in claims)
