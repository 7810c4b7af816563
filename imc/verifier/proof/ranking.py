"""Whether computations between two events end: ranking functions for loops that nobody else sees.

A loop over unknown values without a visible operation is a cycle of silent steps in the tree. It
ends if some expression never grows in the cycle's steps, and falls in one of them while it is not
negative; what is left of the cycle without such a step needs another expression.
"""

from __future__ import annotations

from collections.abc import Iterator

from pysmt.fnode import FNode

from imc.verifier.interpolation.interpolate import is_array
from imc.verifier.solver import SolverUnknown, entails
from imc.verifier.tree.art import Node, Tree

TreeEdge = tuple[Node, Node]
MOST_CANDIDATES = 24  # expressions that are tried for a cycle


class MayNotEnd(Exception):
    """Nothing was found that makes a loop end; the text says which."""


class Ranking:
    """Proves that silent cycles of a tree end."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.terms = tree.terms

    def check(self, node: Node, by: Node) -> None:
        """Raises `MayNotEnd` if a cover closes a silent cycle that is not known to end."""
        unranked = self._unranked([*self._silent_edges(by), (node, by)])
        if unranked is not None:
            loc = unranked.event.loc
            where = f" at {loc}" if loc is not None else ""
            raise MayNotEnd(f"a loop{where} that no other thread sees may not end")

    def _silent_edges(self, start: Node) -> list[TreeEdge]:
        seen = {start}
        work = [start]
        edges = []
        while work:
            at = work.pop()
            for after in at.successors():
                if after is not at.cover and self._is_visible(after):
                    continue
                edges.append((at, after))
                if after not in seen:
                    seen.add(after)
                    work.append(after)
        return edges

    def _is_visible(self, node: Node) -> bool:
        event = node.event
        return event.pc in self.tree.places.image.code(event.function).visible

    def _unranked(self, edges: list[TreeEdge]) -> Node | None:
        """Where the first step of a cycle leads that is not known to end, if there is one."""
        import networkx as nx

        graph = nx.DiGraph(edges)
        for component in nx.strongly_connected_components(graph):
            inner = [(a, b) for a, b in edges if a in component and b in component]
            if not inner:
                continue
            left = self._without_falling(inner)
            if len(left) == len(inner):
                steps = [after for before, after in inner if after.parent is before]
                return min(steps, key=lambda n: n.id)
            found = self._unranked(left)
            if found is not None:
                return found
        return None

    def _without_falling(self, edges: list[TreeEdge]) -> list[TreeEdge]:
        """The edges without those in which an expression falls; all of them if there is none."""
        for expression in self._candidates(edges):
            if all(self._follows(edge, expression, 0) for edge in edges):
                left = [edge for edge in edges if not self._follows(edge, expression, 1)]
                if len(left) < len(edges):
                    return left
        return edges

    def _candidates(self, edges: list[TreeEdge]) -> list[FNode]:
        """What the steps compare: the distance between both sides."""
        found: dict[FNode, None] = {}
        for before, after in edges:
            for conjunct in (*self._guard(before, after), *before.label):
                found.update(dict.fromkeys(self._distances(conjunct)))
        return list(found)[:MOST_CANDIDATES]

    def _distances(self, conjunct: FNode) -> Iterator[FNode]:
        t = self.terms
        if conjunct.is_le():
            yield t.subtract(conjunct.arg(1), conjunct.arg(0))
        elif conjunct.is_not() and conjunct.arg(0).is_equals():
            left, right = conjunct.arg(0).args()
            if not is_array(t, left):
                yield t.subtract(left, right)
                yield t.subtract(right, left)

    def _follows(self, edge: TreeEdge, expression: FNode, fall: int) -> bool:
        """Whether the expression falls that much, from a number that is not negative if at all."""
        t = self.terms
        before, after = edge
        if before.cover is after or after.parent is not before:  # a cover changes nothing
            return fall == 0 and before.names == after.names
        changed = t.substitute(expression, after.transition.updates)
        claims = [t.at_most(t.add(changed, t.integer(fall)), expression)]
        if fall:
            claims.append(t.at_most(t.zero, expression))
        facts = [*before.label, *self._guard(before, after)]
        try:
            return all(entails(self.tree.solver, t, facts, claim) for claim in claims)
        except SolverUnknown:
            return False

    def _guard(self, before: Node, after: Node) -> tuple[FNode, ...]:
        return after.transition.guard if after.parent is before else ()
