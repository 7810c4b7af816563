"""z3's quantified engines: Spacer's interpolants, and formulas for all inputs of a step.

Both give formulas back, which `from_z3` brings into the normal form of our terms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial, reduce

import z3
from pysmt.fnode import FNode
from pysmt.solvers.z3 import Z3Converter

from imc.interrupts import interruptible
from imc.terms.paths import Path, Transition
from imc.terms.terms import Terms
from imc.verifier.interpolation.interpolate import START, History, Known
from imc.verifier.solver import Solver, within

ELIMINATION_MS = 500
SPACER_MS = 5000


# -------------------------------------------------------------------------- Spacer


@dataclass(slots=True)
class HornRule:
    """A relevant step: what it demands, and how it leaves the places that are read after it."""

    guard: list[FNode]
    values: list[FNode]
    places: list[FNode] = field(default_factory=list)  # those that are read before it


class Spacer:
    """The strategy `spacer`: one relation for each stretch in which nothing relevant happens."""

    name = "spacer"

    def __init__(self, terms: Terms, solver: Solver, timeout_ms: int = SPACER_MS) -> None:
        self.terms, self.solver, self.timeout_ms = terms, solver, timeout_ms
        self.context = interruptible(z3.Context())
        self.converter = Z3Converter(terms.environment, z3_ctx=self.context)

    def sequence(self, path: Path, known: Known | None = None) -> list[FNode] | None:
        history = History(self.terms, self.solver, path, fold_start=False)
        found = history.explanation()
        if found is None:
            return None
        goal, support = found
        demands: dict[int, list[FNode]] = {START: []}
        for number in sorted(support):
            condition = history.conditions[number]
            demands.setdefault(condition.origin, []).append(condition.conjunct)
        if not all(map(self.solver.satisfiable, demands.values())):
            return None  # Spacer drops a rule that contradicts itself, and then says nothing
        rules, rule_at = self._rules(path, demands, goal)
        try:
            covers = self._solve(demands[START], rules, goal)
        except (z3.Z3Exception, Untranslatable):
            return None
        return [covers[n] for n in rule_at]

    def _rules(
        self, path: Path, demands: dict[int, list[FNode]], goal: FNode
    ) -> tuple[list[HornRule], list[int]]:
        """The relevant steps in order, and how many of them precede each position."""
        places = self._sorted(self.terms.symbols(goal))
        rules: list[HornRule] = []
        following = [0]  # how many rules follow each position, last position first
        for number in range(len(path.transitions) - 1, -1, -1):
            transition = path.transitions[number]
            guard = demands.get(number, [])
            if guard or any(p in transition.updates for p in places):
                updates = dict(transition.updates)
                rule = HornRule(guard, [updates.get(p, p) for p in places])
                read = frozenset().union(*map(self.terms.symbols, [*guard, *rule.values]))
                rule.places = places = self._sorted(read - transition.inputs)
                rules.append(rule)
            following.append(len(rules))
        rules.reverse()
        return rules, [len(rules) - n for n in reversed(following)]

    def _sorted(self, symbols: Iterable[FNode]) -> list[FNode]:
        return sorted(symbols, key=FNode.node_id)

    def _solve(self, start: list[FNode], rules: list[HornRule], goal: FNode) -> list[FNode]:
        """Spacer's label before each rule, and after the last."""
        engine = self.engine()
        ends = self._sorted(self.terms.symbols(goal))
        places = [*(rule.places for rule in rules), ends]
        relations = [self.relation(engine, f"at!{n}", p) for n, p in enumerate(places)]
        error = self.relation(engine, "error", [])
        mentioned = frozenset().union(
            *(self.terms.symbols(t) for r in rules for t in (*r.guard, *r.values)),
            *map(self.terms.symbols, [goal, *start]),
        )
        engine.declare_var(*self.convert(mentioned))
        engine.rule(relations[0](*self.convert(places[0])), self.convert(start))
        for number, rule in enumerate(rules):
            body = [relations[number](*self.convert(rule.places)), *self.convert(rule.guard)]
            engine.rule(relations[number + 1](*self.convert(rule.values)), body)
        wrong = self.terms.negate(goal)
        engine.rule(error(), [relations[-1](*self.convert(ends)), *self.convert([wrong])])
        if engine.query(error()) != z3.unsat:
            raise Untranslatable("no proof")
        return [
            from_z3(self.terms, engine.get_cover_delta(-1, relation), bound)
            for relation, bound in zip(relations, places, strict=True)
        ]

    def engine(self) -> z3.Fixedpoint:
        """A new system of rules."""
        engine = z3.Fixedpoint(ctx=self.context)
        engine.set("engine", "spacer")
        engine.set("timeout", self.timeout_ms)
        engine.set("ctrl_c", False)  # an interrupt is for us
        for option in ("xform.inline_eager", "xform.inline_linear", "xform.slice"):
            engine.set(option, False)  # they do away with the relations that we want to read
        return engine

    def relation(self, engine: z3.Fixedpoint, name: str, places: list[FNode]) -> z3.FuncDeclRef:
        sorts = [self.converter.convert(p).sort() for p in places]
        relation = z3.Function(name, *sorts, z3.BoolSort(self.context))
        engine.register_relation(relation)
        return relation

    def convert(self, terms: Iterable[FNode]) -> list[z3.ExprRef]:
        return [self.converter.convert(t) for t in terms]


# -------------------------------------------------------------------- for all inputs


class InputElimination:
    """Rids formulas of a step's inputs: what remains must hold whatever the environment does."""

    def __init__(self, terms: Terms, timeout_ms: int = ELIMINATION_MS) -> None:
        self.terms, self.timeout_ms = terms, timeout_ms
        self.context = interruptible(z3.Context())
        self.converter = Z3Converter(terms.environment, z3_ctx=self.context)

    def for_all(self, transition: Transition, formula: FNode) -> FNode | None:
        """What makes the formula true for all inputs that the guard's equalities allow, if known.

        Any other conjunct of the guard that matters must be a premise in the formula.
        """
        guard = [g for g in transition.guard if g.is_equals()]
        while guard:
            solved = _one_point(self.terms, guard.pop(0), transition.inputs)
            formula = self.terms.substitute(formula, solved)
            guard = [self.terms.substitute(g, solved) for g in guard]
        inputs = transition.inputs & self.terms.symbols(formula)
        return self._eliminated(inputs, formula) if inputs else formula

    def _eliminated(self, inputs: frozenset[FNode], formula: FNode) -> FNode | None:
        bound = [self.converter.convert(s) for s in inputs]
        quantified = z3.ForAll(bound, self.converter.convert(formula))
        for name in ("qe2", "qe"):
            tactic = z3.Then(name, "simplify", ctx=self.context)
            goals = within(self.timeout_ms, partial(self._applied, tactic, quantified))
            try:
                found = None if goals is None else from_z3(self.terms, goals.as_expr())
            except (z3.Z3Exception, Untranslatable):
                continue
            if found is not None and inputs.isdisjoint(self.terms.symbols(found)):
                return found
        return None

    def _applied(
        self, tactic: z3.Tactic, formula: z3.BoolRef, limit_ms: int
    ) -> z3.ApplyResult | None:
        try:
            return z3.TryFor(tactic, limit_ms, self.context)(formula)
        except z3.Z3Exception:
            return None


def _one_point(terms: Terms, conjunct: FNode, inputs: frozenset[FNode]) -> dict[FNode, FNode]:
    """The value that an equality gives to an input, if it does."""
    if not conjunct.is_equals() or terms.is_array(conjunct.arg(0)):
        return {}
    coefficients, constant = terms.linear(terms.subtract(*conjunct.args()))
    for symbol in sorted(inputs & coefficients.keys(), key=FNode.node_id):
        factor = coefficients[symbol]
        rest = terms.sum({a: c for a, c in coefficients.items() if a is not symbol}, constant)
        if abs(factor) == 1 and symbol not in terms.symbols(rest):
            return {symbol: terms.scale(rest, -factor)}
    return {}


# -------------------------------------------------------------------------- from z3


class Untranslatable(Exception):
    """What z3 says cannot be said in our terms."""


def from_z3(terms: Terms, expression: z3.ExprRef, bound: Sequence[FNode] = ()) -> FNode:
    """A z3 expression as a term; its variables, by number, are the bound terms."""
    if z3.is_var(expression):
        return bound[z3.get_var_index(expression)]
    if z3.is_int_value(expression):
        return terms.integer(expression.as_long())
    if z3.is_const(expression) and expression.decl().kind() == z3.Z3_OP_UNINTERPRETED:
        return terms.manager.get_symbol(expression.decl().name())
    if not z3.is_app(expression) or expression.decl().kind() not in _APPLY:
        raise Untranslatable(str(expression))
    args = [from_z3(terms, a, bound) for a in expression.children()]
    return _APPLY[expression.decl().kind()](terms, args)


def _equal(terms: Terms, args: list[FNode]) -> FNode:
    a, b = args
    if terms.environment.stc.get_type(a) is terms.bool_type:
        return terms.ite(a, b, terms.negate(b))
    return terms.equal(a, b)


def _divisor(term: FNode) -> int:
    if not term.is_int_constant() or term.constant_value() <= 0:
        raise Untranslatable("a division by what is not a positive constant")
    return int(term.constant_value())


_APPLY: dict[int, Callable[[Terms, list[FNode]], FNode]] = {
    z3.Z3_OP_TRUE: lambda t, a: t.true,
    z3.Z3_OP_FALSE: lambda t, a: t.false,
    z3.Z3_OP_AND: lambda t, a: t.conjunction(a),
    z3.Z3_OP_OR: lambda t, a: t.disjunction(a),
    z3.Z3_OP_NOT: lambda t, a: t.negate(a[0]),
    z3.Z3_OP_IMPLIES: lambda t, a: t.implies(a[0], a[1]),
    z3.Z3_OP_ITE: lambda t, a: t.ite(a[0], a[1], a[2]),
    z3.Z3_OP_EQ: _equal,
    z3.Z3_OP_LE: lambda t, a: t.at_most(a[0], a[1]),
    z3.Z3_OP_GE: lambda t, a: t.at_most(a[1], a[0]),
    z3.Z3_OP_LT: lambda t, a: t.less(a[0], a[1]),
    z3.Z3_OP_GT: lambda t, a: t.less(a[1], a[0]),
    z3.Z3_OP_ADD: lambda t, a: reduce(t.add, a),
    z3.Z3_OP_SUB: lambda t, a: reduce(t.subtract, a),
    z3.Z3_OP_UMINUS: lambda t, a: t.scale(a[0], -1),
    z3.Z3_OP_MUL: lambda t, a: reduce(t.multiply, a),
    z3.Z3_OP_IDIV: lambda t, a: t.floor_divide(a[0], _divisor(a[1])),
    z3.Z3_OP_MOD: lambda t, a: t.modulo(a[0], _divisor(a[1])),
    z3.Z3_OP_SELECT: lambda t, a: t.select(a[0], a[1]),
    z3.Z3_OP_STORE: lambda t, a: t.store(a[0], a[1], a[2]),
}
