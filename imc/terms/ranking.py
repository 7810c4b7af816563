"""Whether loops of a tree end: ranking functions.

A loop ends if some expression never grows in the steps of its cycles, and falls in one of them
while it is not negative; what is left of the cycles without such a step needs another expression.
What is tried is what the loop's own conditions compare. Whoever has a tree, and a way to tell what
follows from its labels, can ask.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import zip_longest

import networkx as nx
from pysmt.fnode import FNode

from imc.terms.terms import Terms

MOST_CANDIDATES = 24  # expressions that are tried for a cycle

Claims = dict[tuple[FNode, int], list[FNode]]  # by an expression, and how much it falls
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
        # Of a step, which is kept so that no other one can be at its address: see `_claims`.
        self._of_step: dict[int, tuple[Mapping[FNode, FNode], Claims]] = {}

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
            moving = [edge for edge in edges if self._moves(edge, expression)]
            if all(self._falls(edge, expression, 0) for edge in moving):
                falling = {edge for edge in moving if self._falls(edge, expression, 1)}
                if falling:
                    return [edge for edge in edges if edge not in falling]
        return edges

    def _candidates(self, edges: Sequence[LoopEdge]) -> list[FNode]:
        """What the steps compare: the distance between both sides.

        What a step demands comes before what holds there anyway.
        """
        found: dict[FNode, None] = {}
        changing = {symbol for edge in edges for symbol in edge.updates or ()}
        last_first = (reversed(edge.facts) for edge in edges)
        for fact in dict.fromkeys(f for layer in zip_longest(*last_first) for f in layer):
            if fact is None:
                continue
            if fact not in self._of_fact:
                self._of_fact[fact] = tuple(self._distances(fact))
            for expression in self._of_fact[fact]:
                symbols = self.terms.symbols(expression)
                if not changing.isdisjoint(symbols) and self.inputs.isdisjoint(symbols):
                    found[expression] = None
            if len(found) >= MOST_CANDIDATES:
                break
        return list(found)[:MOST_CANDIDATES]

    def _distances(self, fact: FNode) -> Iterator[FNode]:
        t = self.terms
        if fact.is_le():
            yield t.subtract(fact.arg(1), fact.arg(0))
        elif fact.is_not() and fact.arg(0).is_equals():
            left, right = fact.arg(0).args()
            if not t.is_array(left):
                yield t.subtract(left, right)
                yield t.subtract(right, left)

    def _moves(self, edge: LoopEdge, expression: FNode) -> bool:
        if edge.updates is None:
            return edge.renames
        return not self.terms.symbols(expression).isdisjoint(edge.updates)

    def _falls(self, edge: LoopEdge, expression: FNode, fall: int) -> bool:
        """Whether the expression falls that much, from a number that is not negative if at all."""
        if edge.updates is None:
            return False
        return all(
            self.entails(edge.facts, claim)
            for claim in self._claims(edge.updates, expression, fall)
        )

    def _claims(self, updates: Mapping[FNode, FNode], expression: FNode, fall: int) -> list[FNode]:
        """What makes an expression fall; the same steps are asked about over and over."""
        kept, known = self._of_step.setdefault(id(updates), (updates, {}))
        key = expression, fall
        if key not in known:
            t = self.terms
            changed = t.substitute(expression, kept)
            known[key] = [t.at_most(t.add(changed, t.integer(fall)), expression)]
            if fall:
                known[key].append(t.at_most(t.zero, expression))
        return known[key]
