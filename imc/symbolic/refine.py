"""Strengthening labels: what a path implies is written onto its nodes as a proof."""

from __future__ import annotations

from collections.abc import Callable

from pysmt.fnode import FNode

from imc.symbolic.art import Node, Tree
from imc.symbolic.interpolate import Portfolio
from imc.symbolic.paths import Path, unfold
from imc.symbolic.solver import SolverUnknown

Orphaned = Callable[[Node], None]


class Refiner:
    """Proves claims about nodes by interpolants along the tree."""

    def __init__(self, tree: Tree, portfolio: Portfolio, orphaned: Orphaned) -> None:
        self.tree = tree
        self.terms = tree.terms
        self.portfolio = portfolio
        self.orphaned = orphaned  # told of nodes that lose their cover
        self.refinements = 0

    def prove(self, node: Node, claim: FNode, start: Node | None = None) -> bool:
        """Makes the node's label imply the claim, if the path from `start` (or the root) does."""
        if self.tree.implies(node, claim):
            return True
        path = self.tree.segment(start, node, claim)
        if not self._follows(path):
            return False
        nodes = node.path(start)
        first = 0 if start is not None else 1  # which position of the path the first node is

        def known(position: int, formula: FNode) -> bool:
            return position >= first and self.tree.implies(nodes[position - first], formula)

        sequence = self.portfolio.sequence(path, known)
        if sequence is None:
            return False
        self.refinements += 1
        for position, formula in enumerate(sequence[first:]):
            self._strengthen(nodes[position], formula)
        return True

    def _follows(self, path: Path) -> bool:
        """Whether the path implies its goal, so that it is worth asking why."""
        unfolding = unfold(self.terms, path.transitions)
        goal = self.terms.substitute(path.goal, unfolding.values)
        if goal is self.terms.true:
            return True
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

    def force(self, node: Node, by: Node) -> bool:
        """Strengthens a node until another one with the same key can cover it, if that works."""
        start = common_ancestor(node, by)
        tried = 0
        while True:
            claims = [
                c
                for c in self.tree.translated(by.label, by, node)
                if not self.tree.implies(node, c)
            ]
            if not claims:
                return True
            tried += 1
            if tried > MOST_ROUNDS:
                return False
            for claim in claims:
                if not self.prove_near(node, claim, start):
                    return False

    def prove_near(self, node: Node, claim: FNode, start: Node | None = None) -> bool:
        """Proves a claim by what is known a few steps back, if it can, or else from `start`."""
        if self.tree.implies(node, claim):
            return True
        length, near = 1, node
        if start is None:
            return self.prove_near(node, claim, self.tree.nodes[0]) or self.prove(node, claim)
        while near is not start:
            for _ in range(length):
                if near is not start:
                    assert near.parent is not None
                    near = near.parent
            if self.prove(node, claim, near):
                return True
            length *= 8
        return False


MOST_ROUNDS = 3


def common_ancestor(a: Node, b: Node) -> Node:
    while a is not b:
        if a.depth >= b.depth:
            assert a.parent is not None
            a = a.parent
        else:
            assert b.parent is not None
            b = b.parent
    return a
