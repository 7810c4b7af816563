"""A closed tree as rules: what leads from one node with an invariant to the next one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pysmt.fnode import FNode

from imc.terms.paths import Transition, unfold
from imc.terms.steps import Conditions
from imc.verifier.tree.art import Node, Tree
from imc.verifier.tree.refine import Refiner


class Claims(Refiner):
    """Believes every claim, and keeps it to be proved later."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.terms = tree.terms
        self.made: dict[Node, list[Conditions]] = {}

    def refute(self, node: Node, conditions: Conditions, start: Node | None = None) -> bool:
        self.made.setdefault(node, []).append(self._with_ranges(conditions).guard)
        return True

    def refute_near(self, node: Node, conditions: Conditions, start: Node | None = None) -> bool:
        return self.refute(node, conditions)

    def force(self, node: Node, by: Node) -> bool:
        return node.names == by.names


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """If a node's invariant and the conditions hold, so does the target's for the new values.

    Without a target, the conditions cannot hold.
    """

    source: Node | None  # None: the program's start
    conditions: tuple[FNode, ...]
    target: Node | None
    values: dict[FNode, FNode]


def rules_of(tree: Tree, claims: Claims) -> Iterator[Rule]:
    """One rule for each way between two nodes that others are covered by, or to a claim."""
    root, *others = (n for n in tree.nodes if n.parent is None)
    assert not others
    yield from _rules_from(tree, claims, None, root, [root.transition])
    for node in tree.nodes:
        if node.covers:
            yield from _rules_from(tree, claims, node, node, [])


def _rules_from(
    tree: Tree, claims: Claims, source: Node | None, start: Node, before: list[Transition]
) -> Iterator[Rule]:
    terms = tree.terms
    work = [(start, before)]
    while work:
        node, steps = work.pop()
        unfolding = unfold(terms, steps)
        if terms.false in unfolding.conditions:
            continue
        target = node.cover or (node if node.covers and node is not source else None)
        if target is not node:  # a node with an invariant proves its claims by that
            for conditions in claims.made.get(node, ()):
                wrong = unfold(terms, [*steps, Transition(conditions)]).conditions
                if terms.false not in wrong:
                    yield Rule(source, tuple(wrong), None, {})
        if target is not None:
            yield Rule(source, tuple(unfolding.conditions), target, unfolding.values)
            continue
        for children in node.children.values():
            work += [(child, [*steps, child.transition]) for child in children]


def places_of(tree: Tree, rules: list[Rule]) -> dict[Node, list[FNode]]:
    """What the invariant of each node can speak of: what is read from the node on."""
    terms, inputs = tree.terms, tree.places.domain.inputs
    live: dict[Node, set[FNode]] = {}
    for rule in rules:
        for node in (rule.source, rule.target):
            if node is not None:
                live.setdefault(node, set())
    changed = True
    while changed:
        changed = False
        for rule in rules:
            if rule.source is None:
                continue
            read = {s for c in rule.conditions for s in terms.symbols(c)}
            for place in live[rule.target] if rule.target is not None else ():
                read |= terms.symbols(rule.values.get(place, place))
            if not read - inputs <= live[rule.source]:
                live[rule.source] |= read - inputs
                changed = True
    return {node: sorted(symbols, key=FNode.node_id) for node, symbols in live.items()}
