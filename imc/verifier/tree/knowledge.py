"""What is known at a node: by the path that leads to it, or only by its label."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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

    def possible(self, conditions: Conditions) -> bool:
        """Whether some state meets the conditions."""
        try:
            if self._is_excluded(conditions, conditions):
                return False
            formulas = self._on_path(conditions)
            if formulas is None:
                return False
            return self.tree.solver.satisfiable([*self._before(formulas), *formulas])
        except SolverUnknown:
            return True

    def goes_on(self, taken: Conditions, condition: FNode, needed: bool) -> bool:
        try:
            if self._is_excluded((*taken, condition), (condition,)):
                return False
            formulas, before = self._on_path((condition,)), self._on_path(taken)
            if formulas is None or before is None:
                return False
            known = [*before, *self._before([*before, *formulas])]
            known = self.tree.terms.related(known, formulas)
            return self.tree.solver.satisfiable([*known, *formulas])
        except SolverUnknown:
            return True

    def _is_excluded(self, conditions: Conditions, new: Conditions) -> bool:
        """Whether a label does that: in a loop that was widened it mostly does, and is short."""
        node, terms = self.node, self.tree.terms
        if node is None or not node.label or not node.is_in_loop():
            return False
        known = terms.related([*node.label, *conditions], new)
        return not self.tree.solver.satisfiable([*known, *new])

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
            return number if self.possible((*conditions, claim)) else None
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
        return self.tree.terms.related(self.node.conditions, about)

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
        try:
            return self.tree.solver.satisfiable(self.tree.terms.related(node.conditions, new))
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


class LabelKnowledge(PathKnowledge):
    """Answers for the states that the label allows, so that nothing has to be proved for them.

    Where a step cannot go on without a number, the path is asked after all.
    """

    def goes_on(self, taken: Conditions, condition: FNode, needed: bool) -> bool:
        if needed:
            return super().goes_on(taken, condition, needed)
        label = self.node.label if self.node is not None else ()
        try:
            return self.tree.solver.satisfiable([*label, *taken, condition])
        except SolverUnknown:
            return True
