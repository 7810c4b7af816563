"""What is known at a node: by the path that leads to it, or only by its label."""

from __future__ import annotations

from pysmt.fnode import FNode

from imc.terms.steps import Conditions
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
            return self.tree.solver.satisfiable([*self._before(), *formulas])
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
        model = self.tree.solver.model([*self._before(), *formulas], symbols)
        if model is None:
            return None
        values = {s: terms.integer(n) for s, n in model.items()}
        result: int = terms.substitute(value, values).constant_value()
        return result

    def _before(self) -> tuple[FNode, ...]:
        return self.node.conditions if self.node else ()

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
