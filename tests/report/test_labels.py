"""Formulas as people write them."""

from __future__ import annotations

from pysmt.fnode import FNode

from imc.report.labels import formula_text, label_text
from imc.terms.terms import Terms

T = Terms()
X, Y, Z = (T.symbol(n) for n in "xyz")


def text(formula: FNode) -> str:
    return formula_text(formula, FNode.symbol_name)


def test_comparisons() -> None:
    assert text(T.at_most(X, T.integer(9))) == "x ≤ 9"
    assert text(T.at_most(T.zero, X)) == "x ≥ 0"
    assert text(T.negate(T.equal(X, T.integer(1000)))) == "x ≠ 1000"
    assert text(T.equal(X, Y)) == "x - y = 0"
    assert text(T.less(X, Y)) == "x ≤ y - 1"
    assert text(T.at_most(T.add(X, Y), T.add(Z, T.integer(3)))) == "x + y ≤ z + 3"


def test_terms() -> None:
    assert text(T.at_most(T.scale(X, 2), Y)) == "2·x ≤ y"
    assert text(T.equal(T.floor_divide(X, 10), T.one)) == "⌊x / 10⌋ = 1"
    array = T.array_symbol("a")
    assert text(T.at_most(T.zero, T.select(array, X))) == "a[x] ≥ 0"


def test_connectives() -> None:
    low, high = T.at_most(X, T.zero), T.at_most(T.integer(5), X)
    assert text(T.disjunction([low, high])) in ("x ≤ 0 ∨ x ≥ 5", "x ≥ 5 ∨ x ≤ 0")  # noqa: RUF001
    assert text(T.true) == "true"


def test_labels_join_bounds_and_are_abbreviated() -> None:
    label = [T.at_most(T.zero, X), T.at_most(X, T.integer(9)), T.equal(Y, T.one)]
    assert label_text(label, FNode.symbol_name) == "0 ≤ x ≤ 9 ∧ y = 1"
    many = [T.equal(T.symbol(f"v{k}"), T.integer(k)) for k in range(5)]
    assert label_text(many, FNode.symbol_name) == "v0 = 0 ∧ v1 = 1 ∧ v2 = 2 ∧ …"
    assert label_text(many, FNode.symbol_name, full=True).endswith("v4 = 4")
