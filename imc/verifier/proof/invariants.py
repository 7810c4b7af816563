"""Invariants of the whole graph of skeletons, where refining the tree diverges.

The tree is grown with labels that say nothing, so that it closes whenever there are finitely many
skeletons; whatever a proof would need is noted as a claim. Differences between values, or else
Spacer, give invariants under which every claim should hold. What they say is checked by the
ordinary solver, rule by rule, before it counts.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

import z3
from pysmt.fnode import FNode

from imc.verifier.interpolation.spacer import Spacer, Untranslatable, from_z3
from imc.verifier.proof.differences import Differences
from imc.verifier.proof.rules import Claims, Rule, places_of, rules_of
from imc.verifier.solver import SolverUnknown, entails
from imc.verifier.tree.art import Node, Tree

MOST_RULES = 3000


class Invariants:
    """The rules of a closed tree, and what solves them."""

    def __init__(
        self, tree: Tree, claims: Claims, timeout_ms: int, tick: Callable[[], None]
    ) -> None:
        self.tree = tree
        self.terms = tree.terms
        self.tick = tick
        self.rules = list(islice(rules_of(tree, claims), MOST_RULES + 1))
        self.places = places_of(tree, self.rules)
        self.spacer = Spacer(self.terms, tree.solver, timeout_ms)

    def prove(self) -> bool:
        """Whether every claim holds in every reachable state, for certain."""
        if len(self.rules) > MOST_RULES:
            return False
        for find in (self._by_differences, self._by_spacer):
            try:
                found = find()
                if all(self._holds(rule, found) for rule in self.rules):
                    break
            except (SolverUnknown, z3.Z3Exception, Untranslatable):
                continue
        else:
            return False
        for node, invariant in found.items():
            node.label.update(dict.fromkeys(self.terms.conjuncts(invariant)))
        return True

    def _holds(self, rule: Rule, found: dict[Node, FNode]) -> bool:
        """Whether the invariants obey a rule; nothing but this makes them count."""
        self.tick()
        source = () if rule.source is None else self.terms.conjuncts(found[rule.source])
        goal = self.terms.false
        if rule.target is not None:
            goal = self.terms.substitute(found[rule.target], rule.values)
        return entails(self.tree.solver, self.terms, (*source, *rule.conditions), goal)

    def _by_differences(self) -> dict[Node, FNode]:
        differences = Differences(self.tree.places.domain, self.tree.solver, self.tick)
        return differences.invariants(self.rules, self.places)

    def _by_spacer(self) -> dict[Node, FNode]:
        convert, places = self.spacer.convert, self.places
        engine = self.spacer.engine()
        relations = {n: self.spacer.relation(engine, f"at!{n.id}", p) for n, p in places.items()}
        error = self.spacer.relation(engine, "error", [])
        mentioned = {s for symbols in places.values() for s in symbols}
        for rule in self.rules:
            for term in (*rule.conditions, *self._values(rule)):
                mentioned |= self.terms.symbols(term)
        engine.declare_var(*convert(sorted(mentioned, key=FNode.node_id)))
        for rule in self.rules:
            body = convert(rule.conditions)
            if rule.source is not None:
                body.insert(0, relations[rule.source](*convert(places[rule.source])))
            values = convert(self._values(rule))
            engine.rule(error() if rule.target is None else relations[rule.target](*values), body)
        if engine.query(error()) != z3.unsat:
            raise Untranslatable("no proof")
        return {
            node: from_z3(self.terms, engine.get_cover_delta(-1, relation), places[node])
            for node, relation in relations.items()
        }

    def _values(self, rule: Rule) -> list[FNode]:
        if rule.target is None:
            return []
        return [rule.values.get(place, place) for place in self.places[rule.target]]
