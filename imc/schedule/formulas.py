"""Formulas as JSON: nested arrays over numbers and places, which a table names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pysmt.operators as op
from pysmt.fnode import FNode

from imc.symbolic.terms import Terms

Json = Any
MOST_LEVELS = 80  # a schedule file may have a few more
NAMES = {
    op.AND: "and", op.OR: "or", op.NOT: "not", op.LE: "<=", op.EQUALS: "=", op.PLUS: "+",
    op.TIMES: "*", op.DIV: "div", op.ITE: "if", op.ARRAY_SELECT: "select", op.ARRAY_STORE: "store",
}  # fmt: skip


class Inexpressible(Exception):
    """A term that certificates have no word for, or JSON that is no formula."""


def to_json(term: FNode, place: Callable[[FNode], int], depth: int = 0) -> Json:
    """A term as arrays; symbols are ["place", n]."""
    if depth > MOST_LEVELS:
        raise Inexpressible("a formula that is nested too deeply")
    if term.is_symbol():
        return ["place", place(term)]
    if term.is_int_constant() or term.is_bool_constant():
        return term.constant_value()
    kind = term.node_type()
    if kind == op.ARRAY_VALUE and len(term.args()) == 1:
        return ["all", to_json(term.arg(0), place, depth + 1)]
    if kind not in NAMES:
        raise Inexpressible(str(term))
    return [NAMES[kind], *(to_json(a, place, depth + 1) for a in term.args())]


def from_json(terms: Terms, value: Json, place: Callable[[int], FNode]) -> FNode:
    """The term that arrays mean, in normal form."""
    if isinstance(value, bool):
        return terms.boolean(value)
    if isinstance(value, int):
        return terms.integer(value)
    if not isinstance(value, list) or not value or not isinstance(value[0], str):
        raise Inexpressible(f"{value!r} is no formula")
    name, *rest = value
    if name == "place" and len(rest) == 1 and isinstance(rest[0], int):
        return place(rest[0])
    args = [from_json(terms, v, place) for v in rest]
    match name, args:
        case "and", _:
            return terms.conjunction(args)
        case "or", _:
            return terms.disjunction(args)
        case "not", [a]:
            return terms.negate(a)
        case "<=", [a, b]:
            return terms.at_most(a, b)
        case "=", [a, b]:
            return terms.equal(a, b)
        case "+", [first, *others]:
            for other in others:
                first = terms.add(first, other)
            return first
        case "*", [a, b]:
            return terms.multiply(a, b)
        case "div", [a, b] if b.is_int_constant() and b.constant_value() > 0:
            return terms.floor_divide(a, b.constant_value())
        case "if", [a, b, c]:
            return terms.ite(a, b, c)
        case "select", [a, b]:
            return terms.select(a, b)
        case "store", [a, b, c]:
            return terms.store(a, b, c)
        case "all", [a] if a.is_int_constant():
            return terms.constant_array(a.constant_value())
    raise Inexpressible(f"'{name}' of {len(args)} terms is no formula")
