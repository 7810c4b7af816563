"""Strengthening labels: what a path rules out is written onto its nodes as a proof."""

from __future__ import annotations

from collections.abc import Callable

from pysmt.fnode import FNode

from imc.program.faults import OutOfTime
from imc.terms.paths import Path, Transition, unfold
from imc.terms.steps import Conditions
from imc.verifier.interpolation.interpolate import Known, Portfolio
from imc.verifier.solver import SolverUnknown
from imc.verifier.tree.art import Node, Tree
from imc.verifier.tree.knowledge import PathKnowledge

Orphaned = Callable[[Node], None]
MOST_ROUNDS = 3  # of strengthening a node until another one covers it
LONG = 100  # steps of a path that are worth a look before the others
FARTHER = 8  # times farther away, where nearby nodes do not know enough


class Refiner:
    """Refutes conditions at nodes by interpolants along the tree."""

    def __init__(self, tree: Tree, portfolio: Portfolio, orphaned: Orphaned) -> None:
        self.tree = tree
        self.terms = tree.terms
        self.portfolio = portfolio
        self.orphaned = orphaned  # told of nodes that lose their cover
        self._sequences: dict[Path, list[FNode]] = {}

    def refute(self, node: Node, conditions: Conditions, start: Node | None = None) -> bool:
        """Makes the label say that the conditions cannot hold, whatever the inputs in them are.

        What the path from `start` (or from the program's beginning) implies is all that is used.
        """
        if self.tree.places.image.out_of_time():
            raise OutOfTime
        last = self._with_ranges(conditions)
        if self._excluded(node, last.guard):
            return True
        if start is None and node.base is not None and self.refute(node, conditions, node.base):
            return True
        path, nodes = self._path(start, node, last)
        if not self._follows(path):
            return False

        def known(position: int, formula: FNode) -> bool:
            at = nodes[position] if position < len(nodes) else None
            return at is not None and self.tree.implies(at, formula)

        sequence = self._sequence(path, known)
        if sequence is None:
            return False
        for at, formula in zip(nodes, sequence, strict=False):
            if at is not None:
                self._strengthen(at, formula)
        return True

    def _sequence(self, path: Path, known: Known) -> list[FNode] | None:
        """Interpolants for a path; what has served for the same steps elsewhere is tried first."""
        earlier = self._sequences.get(path)
        if earlier is not None and self.portfolio.accepts(path, earlier, known):
            return earlier
        found = self.portfolio.sequence(path, known)
        if found is not None:
            self._sequences[path] = found
        return found

    def refute_along(self, node: Node, conditions: Conditions) -> bool:
        """Refutes by the whole path; the end of a long one is tried first, as it mostly will do."""
        if node.depth > 2 * LONG:
            recent = node
            for _ in range(LONG):
                assert recent.parent is not None
                recent = recent.parent
            if self.refute(node, conditions, recent):
                return True
        return self.refute(node, conditions)

    def refute_near(self, node: Node, conditions: Conditions, start: Node | None = None) -> bool:
        """Refutes by what is known a few steps back, if that is enough, or else from `start`."""
        if start is None:
            root = self.tree.nodes[0]
            return self.refute_near(node, conditions, root) or self.refute(node, conditions)
        if self._excluded(node, self._with_ranges(conditions).guard):
            return True
        length, near = 1, node
        while near is not start:
            for _ in range(length):
                if near is not start:
                    assert near.parent is not None
                    near = near.parent
            if self.refute(node, conditions, near):
                return True
            length *= FARTHER
        return False

    def _with_ranges(self, conditions: Conditions) -> Transition:
        """The conditions as a step that must not be possible; inputs fit their types."""
        domain = self.tree.places.domain
        symbols = {s for c in conditions for s in self.terms.symbols(c)}
        inputs = frozenset(symbols & domain.inputs)
        ranges = [domain.in_range(s) for s in sorted(inputs, key=FNode.node_id)]
        return Transition((*conditions, *ranges), {}, inputs)

    def _path(
        self, start: Node | None, node: Node, last: Transition
    ) -> tuple[Path, list[Node | None]]:
        """Without inputs, what has to hold at the end is a goal; with them, a step has to fail."""
        if last.inputs:
            path, nodes = self.tree.segment(start, node, self.terms.false)
            return Path(path.start, (*path.transitions, last), path.goal), nodes
        goal = self.terms.negate(self.terms.conjunction(last.guard))
        return self.tree.segment(start, node, goal)

    def _excluded(self, node: Node, conditions: Conditions) -> bool:
        try:
            return not self.tree.solver.satisfiable([*node.label, *conditions])
        except SolverUnknown:
            return False

    def _follows(self, path: Path) -> bool:
        """Whether the path implies its goal, so that it is worth asking why."""
        unfolding = unfold(self.terms, path.transitions)
        goal = self.terms.substitute(path.goal, unfolding.values)
        formulas = [*path.start, *unfolding.conditions, self.terms.negate(goal)]
        try:
            return not self.tree.solver.satisfiable(formulas)
        except SolverUnknown:
            return False

    def _strengthen(self, node: Node, formula: FNode) -> None:
        new = [c for c in self.terms.conjuncts(formula) if not self.tree.implies(node, c)]
        if not new:
            return
        node.label.update(dict.fromkeys(new))
        for covered in list(node.covers):
            if covered.cover is node and not self._still_covered(covered, node, new):
                self.tree.uncover(covered)
                self.orphaned(covered)

    def _still_covered(self, covered: Node, by: Node, new: list[FNode]) -> bool:
        claims = self.tree.translated(new, by, covered)
        return all(self.tree.implies(covered, claim) for claim in claims)

    def may_force(self, node: Node, by: Node) -> bool:
        """Whether the path to a node implies all that covering it takes: nothing else can."""
        path = PathKnowledge(self.tree, node)
        return not any(
            path.possible((self.terms.negate(claim),))
            for claim in self.tree.translated(by.label, by, node)
        )

    def force(self, node: Node, by: Node) -> bool:
        """Strengthens a node until another one with the same key can cover it, if that works."""
        start = common_ancestor(node, by)
        for _ in range(MOST_ROUNDS):
            claims = [
                claim
                for claim in self.tree.translated(by.label, by, node)
                if not self.tree.implies(node, claim)
            ]
            if not claims:
                return True
            for claim in claims:
                if not self.refute_near(node, (self.terms.negate(claim),), start):
                    return False
        return all(self.tree.implies(node, c) for c in self.tree.translated(by.label, by, node))


def common_ancestor(a: Node, b: Node) -> Node:
    while a is not b:
        if a.depth >= b.depth:
            assert a.parent is not None
            a = a.parent
        else:
            assert b.parent is not None
            b = b.parent
    return a
