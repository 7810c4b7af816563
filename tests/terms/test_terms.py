"""Terms in normal form mean what they meant before."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from pysmt.fnode import FNode

from imc.terms.terms import Terms
from imc.verifier.solver import Z3Solver, entails

NAMES = ("x", "y", "z")
Numbers = dict[str, int]


class Expression:
    """A random expression: a term, and what it is worth."""

    def __init__(self, terms: Terms, numbers: Numbers) -> None:
        self.terms, self.numbers = terms, numbers

    def integer(self, draw: st.DrawFn, depth: int) -> tuple[FNode, int]:
        t = self.terms
        kind = draw(st.integers(0, 6 if depth else 1))
        if kind == 0:
            value = draw(st.integers(-5, 5))
            return t.integer(value), value
        if kind == 1:
            name = draw(st.sampled_from(NAMES))
            return t.symbol(name), self.numbers[name]
        a, x = self.integer(draw, depth - 1)
        if kind == 2:
            factor = draw(st.integers(-3, 3))
            return t.scale(a, factor), x * factor
        if kind == 3:
            divisor = draw(st.integers(1, 5))
            return t.floor_divide(a, divisor), x // divisor
        if kind == 4:
            divisor = draw(st.integers(1, 5))
            return t.modulo(a, divisor), x % divisor
        b, y = self.integer(draw, depth - 1)
        if kind == 5:
            return t.subtract(a, b), x - y
        c, holds = self.formula(draw, depth - 1)
        return t.ite(c, a, b), x if holds else y

    def formula(self, draw: st.DrawFn, depth: int) -> tuple[FNode, bool]:
        t = self.terms
        kind = draw(st.integers(0, 5 if depth else 2))
        if kind <= 2:
            a, x = self.integer(draw, max(depth - 1, 0))
            b, y = self.integer(draw, max(depth - 1, 0))
            if kind == 0:
                return t.at_most(a, b), x <= y
            return (t.equal(a, b), x == y) if kind == 1 else (t.less(a, b), x < y)
        f, p = self.formula(draw, depth - 1)
        if kind == 3:
            return t.negate(f), not p
        g, q = self.formula(draw, depth - 1)
        if kind == 4:
            return t.conjunction([f, g]), p and q
        return t.disjunction([f, g]), p or q


@settings(max_examples=300, deadline=None)
@given(st.data(), st.fixed_dictionaries({n: st.integers(-20, 20) for n in NAMES}))
def test_values_are_kept(data: st.DataObject, numbers: Numbers) -> None:
    terms = Terms()
    build = Expression(terms, numbers)
    formula, holds = data.draw(st.composite(lambda draw: build.formula(draw, 4))())
    values = {terms.symbol(n): terms.integer(v) for n, v in numbers.items()}
    assert terms.substitute(formula, values) is terms.boolean(holds)
    term, value = data.draw(st.composite(lambda draw: build.integer(draw, 4))())
    assert terms.substitute(term, values) is terms.integer(value)


@settings(max_examples=60, deadline=None)
@given(st.data(), st.fixed_dictionaries({n: st.integers(-20, 20) for n in NAMES}))
def test_the_solver_agrees(data: st.DataObject, numbers: Numbers) -> None:
    terms = Terms()
    solver = Z3Solver(terms)
    build = Expression(terms, numbers)
    formula, holds = data.draw(st.composite(lambda draw: build.formula(draw, 3))())
    facts = [terms.equal(terms.symbol(n), terms.integer(v)) for n, v in numbers.items()]
    assert entails(solver, terms, facts, formula) is holds
    assert entails(solver, terms, facts, terms.negate(formula)) is not holds


def test_equal_sums_are_one_term() -> None:
    t = Terms()
    x, y = t.symbol("x"), t.symbol("y")
    assert t.subtract(t.add(x, t.one), t.one) is x
    assert t.add(x, y) is t.add(y, x)
    assert t.at_most(t.scale(x, 2), t.integer(7)) is t.at_most(x, t.integer(3))
    assert t.negate(t.negate(t.at_most(x, y))) is t.at_most(x, y)
    assert t.conjunction([t.at_most(x, y), t.less(y, x)]) is t.false


def test_arrays() -> None:
    t = Terms()
    array, i, j = t.array_symbol("a"), t.symbol("i"), t.symbol("j")
    stored = t.store(array, i, t.one)
    assert t.select(stored, i) is t.one
    assert t.substitute(t.select(stored, j), {j: i}) is t.one
    assert t.select(t.constant_array(0), j) is t.zero


def test_cores_are_minimal() -> None:
    t = Terms()
    x, y = t.symbol("x"), t.symbol("y")
    formulas = [t.at_most(x, t.zero), t.equal(y, t.one), t.at_most(t.one, x), t.at_most(y, x)]
    assert Z3Solver(t).core(formulas) in ([0, 2], [0, 1, 3])
    assert Z3Solver(t).core(formulas[:2]) is None


def test_models_are_models() -> None:
    t = Terms()
    x, y = t.symbol("x"), t.symbol("y")
    model = Z3Solver(t).model([t.less(x, y), t.equal(t.add(x, y), t.integer(7))], [x, y])
    assert model is not None and model[x] < model[y] and model[x] + model[y] == 7
    assert Z3Solver(t).model([t.less(x, x)], [x]) is None
