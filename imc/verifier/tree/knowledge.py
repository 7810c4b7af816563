"""What is known at a node: by the path that leads to it, or only by its label."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pysmt.fnode import FNode

from imc.terms.steps import Conditions
from imc.terms.terms import Terms
from imc.verifier.solver import SolverUnknown
from imc.verifier.tree.art import Node, Tree


class PathKnowledge:
    """Answers for the states that the path from the root leads to: exact, up to the solver."""

    def __init__(self, tree: Tree, node: Node | None) -> None:
        self.tree = tree
        self.node = node
        self._examples: dict[tuple[FNode, Conditions], int | None] = {}

    def possible(self, conditions: Conditions, needed: bool) -> bool:
        formulas = self._on_path(conditions)
        if formulas is None:
            return False
        try:
            return self.tree.solver.satisfiable([*self._before(formulas), *formulas])
        except SolverUnknown:
            return True

    def example(self, term: FNode, conditions: Conditions) -> int | None:
        """The same answer to the same question: a step that is run again relies on it."""
        question = (term, conditions)
        if question not in self._examples:
            self._examples[question] = self._find_example(term, conditions)
        return self._examples[question]

    def _find_example(self, term: FNode, conditions: Conditions) -> int | None:
        terms = self.tree.terms
        value = terms.substitute(term, self.node.values if self.node else {})
        if value.is_int_constant():
            number: int = value.constant_value()
            claim = terms.equal(term, terms.integer(number))
            return number if self.possible((*conditions, claim), True) else None
        formulas = self._on_path(conditions)
        if formulas is None:
            return None
        symbols = terms.symbols(value)
        about = [*formulas, value]
        model = self.tree.solver.model([*self._before(about), *formulas], symbols)
        if model is None:
            return None
        values = {s: terms.integer(n) for s, n in model.items()}
        result: int = terms.substitute(value, values).constant_value()
        return result

    def _before(self, about: Iterable[FNode]) -> Sequence[FNode]:
        """What the path demands; where it can be taken, only what bears on some formulas.

        Long paths demand much that has to do with nothing that is asked.
        """
        if self.node is None:
            return ()
        if not self._is_open(self.node):
            return self.node.conditions
        symbols = {s for f in about for s in self.tree.terms.symbols(f)}
        return related(self.tree.terms, self.node.conditions, symbols)

    def _is_open(self, node: Node) -> bool:
        """Whether a node's path can be taken, as far as the solver knows."""
        unknown: list[Node] = []
        at: Node | None = node
        while at is not None and at.open is None:
            unknown.append(at)
            at = at.parent
        is_open = at is None or bool(at.open)
        for one in reversed(unknown):
            one.open = is_open = is_open and self._leads_on(one)
        return is_open

    def _leads_on(self, node: Node) -> bool:
        """The same, for a node whose parent's path can be taken."""
        before = len(node.parent.conditions) if node.parent is not None else 0
        new = node.conditions[before:]
        if not new:
            return True
        symbols = {s for f in new for s in self.tree.terms.symbols(f)}
        try:
            return self.tree.solver.satisfiable(
                related(self.tree.terms, node.conditions, symbols)
            )
        except SolverUnknown:
            return False

    def _on_path(self, conditions: Conditions) -> list[FNode] | None:
        """The conditions over the program's inputs; None when they contradict each other."""
        terms, domain = self.tree.terms, self.tree.places.domain
        values = self.node.values if self.node else {}
        formulas = []
        for condition in conditions:
            formula = terms.substitute(condition, values)
            if formula is terms.false:
                return None
            if formula is not terms.true:
                formulas.append(formula)
        inputs = {s for f in formulas for s in terms.symbols(f) if s in domain.inputs}
        return formulas + [domain.in_range(s) for s in inputs]


def related(terms: Terms, formulas: Iterable[FNode], symbols: set[FNode]) -> list[FNode]:
    """The formulas that speak of some symbols, or of what these have to do with."""
    known = set(symbols)
    rest = list(formulas)
    found: list[FNode] = []
    while True:
        others = []
        for formula in reversed(rest):
            theirs = terms.symbols(formula)
            if theirs and known.isdisjoint(theirs):
                others.append(formula)
            else:
                found.append(formula)
                known |= theirs
        if len(others) == len(rest):
            return found
        rest = others


class LabelKnowledge(PathKnowledge):
    """Answers for the states that the label allows, so that nothing has to be proved for them.

    Where a step cannot go on without a number, the path is asked after all.
    """

    def possible(self, conditions: Conditions, needed: bool) -> bool:
        if needed:
            return super().possible(conditions, needed)
        if self.node is None or not self.node.label:
            return self.tree.terms.false not in conditions
        try:
            return self.tree.solver.satisfiable([*self.node.label, *conditions])
        except SolverUnknown:
            return True
