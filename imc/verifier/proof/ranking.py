"""Whether loops of a tree in the making end: those that nobody sees, or that others wait for."""

from __future__ import annotations

from collections.abc import Iterable

from pysmt.fnode import FNode

from imc.terms.ranking import LoopEdge, Ranking
from imc.verifier.solver import SolverUnknown, entails
from imc.verifier.tree.art import Node, Tree

TreeEdge = tuple[Node, Node]
MOST_EDGES = 2048  # of a loop that it is asked of whether it ends


class MayNotEnd(Exception):
    """Nothing was found that makes a loop end; the text says which."""


class Loops:
    """Proves that cycles of a tree end."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.ranking = Ranking(tree.terms, self._entails, tree.places.domain.inputs)

    def _entails(self, facts: Iterable[FNode], claim: FNode) -> bool:
        try:
            return entails(self.tree.solver, self.tree.terms, facts, claim)
        except SolverUnknown:
            return False

    def check(self, node: Node, by: Node) -> None:
        """Raises `MayNotEnd` if a cover closes a silent cycle that is not known to end.

        Such a cycle is a loop over unknown values without a visible operation.
        """
        edges = [*self._silent_edges(by), (node, by)]
        unranked = self.ranking.unranked([_loop_edge(*edge) for edge in edges])
        if unranked:
            steps = [e.target for e in unranked if e.updates is not None]
            first = min((n for n in steps if isinstance(n, Node)), key=lambda n: n.id)
            loc = first.event.loc
            where = f" at {loc}" if loc is not None else ""
            raise MayNotEnd(f"a loop{where} that no other thread sees may not end")

    def end(self, edges: list[TreeEdge]) -> bool:
        """Whether it is known that one cannot go round for ever in a part of the tree."""
        if len(edges) > MOST_EDGES:
            return False
        return not self.ranking.unranked([_loop_edge(*edge) for edge in edges])

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


def _loop_edge(before: Node, after: Node) -> LoopEdge:
    if before.cover is after or after.parent is not before:
        return LoopEdge(before, after, tuple(before.label), None, before.names != after.names)
    facts = (*before.label, *after.transition.guard)
    return LoopEdge(before, after, facts, after.transition.updates)
