"""Terms in normal form: what is equal by arithmetic alone is the same term.

Every constructor folds constants and keeps linear sums sorted, so that substituting a path's values
into a condition decides most conditions without a solver. Terms are pySMT's, hash-consed: equal
terms are identical. Performance-critical: see scripts/bench_verify.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import gcd

import pysmt.operators as op
from pysmt.environment import Environment
from pysmt.fnode import FNode

# A linear sum: coefficients of its atoms (anything that is not a sum itself), and a constant.
Linear = tuple[dict[FNode, int], int]


class Terms:
    """Makes terms; all that are compared with one another come from one instance."""

    def __init__(self, environment: Environment | None = None) -> None:
        self.environment = environment or Environment()
        self.manager = self.environment.formula_manager
        types = self.environment.type_manager
        self.int_type, self.bool_type = types.INT(), types.BOOL()
        self.array_type = types.ArrayType(self.int_type, self.int_type)
        self.true, self.false = self.manager.TRUE(), self.manager.FALSE()
        self.zero, self.one = self.manager.Int(0), self.manager.Int(1)
        self._linear: dict[FNode, Linear] = {}
        self._symbols: dict[FNode, frozenset[FNode]] = {}
        self._negations: dict[FNode, FNode] = {}
        self._arrays: dict[FNode, bool] = {}

    # ------------------------------------------------------------------ leaves

    def integer(self, value: int) -> FNode:
        return self.manager.Int(value)

    def boolean(self, value: bool) -> FNode:
        return self.true if value else self.false

    def symbol(self, name: str) -> FNode:
        return self.manager.Symbol(name, self.int_type)

    def array_symbol(self, name: str) -> FNode:
        return self.manager.Symbol(name, self.array_type)

    def constant_array(self, value: int) -> FNode:
        return self.manager.Array(self.int_type, self.integer(value))

    def related(self, formulas: Iterable[FNode], about: Iterable[FNode]) -> list[FNode]:
        """The formulas that speak of what some others do, or of what that has to do with."""
        known = {symbol for formula in about for symbol in self.symbols(formula)}
        rest = list(formulas)
        found: list[FNode] = []
        while True:
            others = []
            for formula in reversed(rest):
                theirs = self.symbols(formula)
                if theirs and known.isdisjoint(theirs):
                    others.append(formula)
                else:
                    found.append(formula)
                    known |= theirs
            if len(others) == len(rest):
                return found
            rest = others

    def symbols(self, term: FNode) -> frozenset[FNode]:
        """The symbols that occur in a term."""
        found = self._symbols.get(term)
        if found is None:
            found = self._symbols[term] = frozenset(self.environment.fvo.get_free_variables(term))
        return found

    def has_arrays(self, term: FNode) -> bool:
        """Whether a solver needs the theory of arrays for a term."""
        found = self._arrays.get(term)
        if found is None:
            found = self._arrays[term] = (
                self.is_array(term)
                or term.node_type() in _ARRAYS
                or any(map(self.has_arrays, term.args()))
            )
        return found

    # -------------------------------------------------------------------- sums

    def linear(self, term: FNode) -> Linear:
        """A term as a linear sum; the caller must not change it."""
        found = self._linear.get(term)
        if found is None:
            found = self._linear[term] = self._to_linear(term)
        return found

    def _to_linear(self, term: FNode) -> Linear:
        kind = term.node_type()
        if kind == op.INT_CONSTANT:
            return {}, term.constant_value()
        if kind == op.PLUS:
            coefficients: dict[FNode, int] = {}
            constant = 0
            for part in term.args():
                inner, number = self.linear(part)
                constant += number
                for atom, factor in inner.items():
                    coefficients[atom] = coefficients.get(atom, 0) + factor
            return coefficients, constant
        if kind == op.TIMES and len(term.args()) == 2 and term.arg(0).is_int_constant():
            return {term.arg(1): term.arg(0).constant_value()}, 0
        return {term: 1}, 0

    def sum(self, coefficients: Mapping[FNode, int], constant: int) -> FNode:
        """The term of a linear sum."""
        atoms = sorted((a for a, c in coefficients.items() if c), key=FNode.node_id)
        parts = [
            a if coefficients[a] == 1 else self.manager.Times(self.integer(coefficients[a]), a)
            for a in atoms
        ]
        if constant or not parts:
            parts.append(self.integer(constant))
        return parts[0] if len(parts) == 1 else self.manager.Plus(parts)

    def combine(self, a: FNode, b: FNode, factor: int = 1) -> FNode:
        """a + factor * b"""
        left, constant = self.linear(a)
        right, more = self.linear(b)
        coefficients = dict(left)
        for atom, c in right.items():
            coefficients[atom] = coefficients.get(atom, 0) + factor * c
        return self.sum(coefficients, constant + factor * more)

    def add(self, a: FNode, b: FNode) -> FNode:
        return self.combine(a, b)

    def subtract(self, a: FNode, b: FNode) -> FNode:
        return self.combine(a, b, -1)

    def scale(self, a: FNode, factor: int) -> FNode:
        return self.combine(self.zero, a, factor)

    def divided(self, term: FNode, divisor: int) -> FNode:
        """A part of a sum that is known to be a multiple."""
        factors, constant = self.linear(term)
        return self.sum({t: n // divisor for t, n in factors.items()}, constant // divisor)

    def multiply(self, a: FNode, b: FNode) -> FNode:
        """A product; of two unknowns it is an atom that solvers find hard."""
        if a.is_int_constant():
            return self.scale(b, a.constant_value())
        if b.is_int_constant():
            return self.scale(a, b.constant_value())
        if a.node_type() == op.ITE:
            return self.ite(a.arg(0), self.multiply(a.arg(1), b), self.multiply(a.arg(2), b))
        if b.node_type() == op.ITE:
            return self.ite(b.arg(0), self.multiply(a, b.arg(1)), self.multiply(a, b.arg(2)))
        return self.manager.Times(*sorted((a, b), key=FNode.node_id))

    def floor_divide(self, a: FNode, divisor: int) -> FNode:
        """The quotient by a positive constant, rounded down."""
        coefficients, constant = self.linear(a)
        if all(c % divisor == 0 for c in coefficients.values()):
            return self.sum({x: c // divisor for x, c in coefficients.items()}, constant // divisor)
        return self.manager.Div(a, self.integer(divisor))

    def modulo(self, a: FNode, divisor: int) -> FNode:
        """The remainder by a positive constant, never negative."""
        return self.combine(a, self.floor_divide(a, divisor), -divisor)

    # ---------------------------------------------------------------- formulas

    def at_most(self, a: FNode, b: FNode) -> FNode:
        """a <= b"""
        for first, second, swapped in ((a, b, False), (b, a, True)):
            if second.is_int_constant() and _has_constant_arm(first):
                arms = [
                    self.at_most(second, x) if swapped else self.at_most(x, second)
                    for x in first.args()[1:]
                ]
                return self.ite(first.arg(0), *arms)
        coefficients, constant = self.linear(self.subtract(a, b))
        if not coefficients:
            return self.boolean(constant <= 0)
        divisor = gcd(*coefficients.values())
        bound = (-constant) // divisor  # sum <= bound, tightened to integers
        scaled = {x: c // divisor for x, c in coefficients.items()}
        if len(scaled) == 1:
            ((atom, factor),) = scaled.items()
            if factor == 1:
                return self.manager.LE(atom, self.integer(bound))
            return self.manager.LE(self.integer(-bound), atom)
        return self.manager.LE(self.sum(scaled, 0), self.integer(bound))

    def less(self, a: FNode, b: FNode) -> FNode:
        return self.at_most(self.combine(a, self.one), b)

    def equal(self, a: FNode, b: FNode) -> FNode:
        if a is b:
            return self.true
        kind = a.node_type(), b.node_type()
        if op.ARRAY_STORE in kind or op.ARRAY_VALUE in kind or self.is_array(a):
            return self.manager.Equals(a, b)
        for first, second in ((a, b), (b, a)):
            if second.is_int_constant() and _has_constant_arm(first):
                return self.ite(
                    first.arg(0),
                    self.equal(first.arg(1), second),
                    self.equal(first.arg(2), second),
                )
        coefficients, constant = self.linear(self.subtract(a, b))
        if not coefficients:
            return self.boolean(constant == 0)
        divisor = gcd(*coefficients.values())
        if constant % divisor:
            return self.false
        first_atom = min(coefficients, key=FNode.node_id)
        if coefficients[first_atom] < 0:
            divisor = -divisor
        scaled = {x: c // divisor for x, c in coefficients.items()}
        return self.manager.Equals(self.sum(scaled, 0), self.integer(-constant // divisor))

    def is_array(self, term: FNode) -> bool:
        return term.is_symbol() and term.symbol_type() is self.array_type

    def negate(self, formula: FNode) -> FNode:
        found = self._negations.get(formula)
        if found is None:
            found = self._negations[formula] = self._negate(formula)
        return found

    def _negate(self, formula: FNode) -> FNode:
        kind = formula.node_type()
        if kind == op.NOT:
            return formula.arg(0)
        if kind == op.BOOL_CONSTANT:
            return self.boolean(not formula.constant_value())
        if kind == op.LE:
            return self.less(formula.arg(1), formula.arg(0))
        if kind == op.AND:
            return self.disjunction([self.negate(x) for x in formula.args()])
        if kind == op.OR:
            return self.conjunction([self.negate(x) for x in formula.args()])
        if kind == op.ITE:
            return self.ite(
                formula.arg(0), self.negate(formula.arg(1)), self.negate(formula.arg(2))
            )
        return self.manager.Not(formula)

    def conjunction(self, formulas: Iterable[FNode]) -> FNode:
        return self._junction(formulas, op.AND, self.true, self.false, self.manager.And)

    def disjunction(self, formulas: Iterable[FNode]) -> FNode:
        return self._junction(formulas, op.OR, self.false, self.true, self.manager.Or)

    def _junction(
        self,
        formulas: Iterable[FNode],
        kind: int,
        neutral: FNode,
        absorbing: FNode,
        make: Callable[[list[FNode]], FNode],
    ) -> FNode:
        parts: dict[FNode, None] = {}
        for formula in formulas:
            for part in formula.args() if formula.node_type() == kind else (formula,):
                if part is absorbing:
                    return absorbing
                if part is not neutral:
                    parts[part] = None
        if any(self.negate(p) in parts for p in parts if p.node_type() in (op.NOT, op.LE)):
            return absorbing
        if len(parts) <= 1:
            return next(iter(parts), neutral)
        return make(sorted(parts, key=FNode.node_id))

    def implies(self, a: FNode, b: FNode) -> FNode:
        return self.disjunction([self.negate(a), b])

    def conjuncts(self, formula: FNode) -> tuple[FNode, ...]:
        if formula.node_type() == op.AND:
            return tuple(formula.args())
        return () if formula is self.true else (formula,)

    def ite(self, condition: FNode, then: FNode, otherwise: FNode) -> FNode:
        if condition is self.true or then is otherwise:
            return then
        if condition is self.false:
            return otherwise
        if then is self.true or otherwise is self.false or then is self.false:
            boolean = True
        else:
            boolean = otherwise is self.true or self.is_formula(then)
        if boolean:
            return self.disjunction(
                [
                    self.conjunction([condition, then]),
                    self.conjunction([self.negate(condition), otherwise]),
                ]
            )
        if condition.node_type() == op.NOT:
            return self.manager.Ite(condition.arg(0), otherwise, then)
        return self.manager.Ite(condition, then, otherwise)

    def is_formula(self, term: FNode) -> bool:
        return term.node_type() in _FORMULAS or (
            term.is_symbol() and term.symbol_type() is self.bool_type
        )

    # ------------------------------------------------------------------ arrays

    def select(self, array: FNode, index: FNode) -> FNode:
        kind = array.node_type()
        if kind == op.ARRAY_STORE:
            same = self.equal(array.arg(1), index)
            if same is self.true:
                return array.arg(2)
            if same is self.false:
                return self.select(array.arg(0), index)
            return self.ite(same, array.arg(2), self.select(array.arg(0), index))
        if kind == op.ARRAY_VALUE and len(array.args()) == 1:
            return array.arg(0)
        if kind == op.ITE:
            return self.ite(
                array.arg(0), self.select(array.arg(1), index), self.select(array.arg(2), index)
            )
        return self.manager.Select(array, index)

    def store(self, array: FNode, index: FNode, value: FNode) -> FNode:
        if array.node_type() == op.ARRAY_STORE and array.arg(1) is index:
            array = array.arg(0)
        return self.manager.Store(array, index, value)

    # ------------------------------------------------------------ substitution

    def substitute(self, term: FNode, values: Mapping[FNode, FNode]) -> FNode:
        """The term with symbols replaced, in normal form again."""
        if not values or self.symbols(term).isdisjoint(values):
            return term
        return self._substitute(term, values, {})

    def _substitute(
        self, term: FNode, values: Mapping[FNode, FNode], memo: dict[FNode, FNode]
    ) -> FNode:
        found = memo.get(term)
        if found is not None:
            return found
        if self.symbols(term).isdisjoint(values):
            return term
        if term.is_symbol():
            return values.get(term, term)
        args = [self._substitute(a, values, memo) for a in term.args()]
        memo[term] = result = self.rebuild(term, args)
        return result

    def rebuild(self, term: FNode, args: list[FNode]) -> FNode:
        """A term of the same kind over other arguments, in normal form."""
        match term.node_type():
            case op.PLUS:
                result = args[0]
                for part in args[1:]:
                    result = self.combine(result, part)
                return result
            case op.TIMES:
                return self.multiply(args[0], args[1])
            case op.DIV:
                return self.floor_divide(args[0], args[1].constant_value())
            case op.LE:
                return self.at_most(args[0], args[1])
            case op.EQUALS:
                return self.equal(args[0], args[1])
            case op.NOT:
                return self.negate(args[0])
            case op.AND:
                return self.conjunction(args)
            case op.OR:
                return self.disjunction(args)
            case op.ITE:
                return self.ite(args[0], args[1], args[2])
            case op.ARRAY_SELECT:
                return self.select(args[0], args[1])
            case op.ARRAY_STORE:
                return self.store(args[0], args[1], args[2])
        raise TypeError(f"not a term of ours: {term}")


def _has_constant_arm(term: FNode) -> bool:
    """Whether a comparison should look into a choice; else it would grow with every one."""
    return bool(term.node_type() == op.ITE) and any(
        arm.is_int_constant() for arm in term.args()[1:]
    )


_ARRAYS = frozenset((op.ARRAY_SELECT, op.ARRAY_STORE, op.ARRAY_VALUE))
_FORMULAS = frozenset((op.LE, op.EQUALS, op.NOT, op.AND, op.OR, op.BOOL_CONSTANT))
