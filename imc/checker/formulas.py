"""Formulas as JSON: nested arrays over numbers and places, which a table names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pysmt.operators as op
from pysmt.fnode import FNode

from imc.checker.refusal import shown
from imc.terms.terms import Terms

Json = Any
MOST_LEVELS = 80  # a schedule file may have a few more
MOST_FACTORS = 8  # of a product: each may become a choice of two when values are put in
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
    if kind not in NAMES or (kind == op.TIMES and _factors(term) > MOST_FACTORS):
        raise Inexpressible(shown(str(term)))
    return [NAMES[kind], *(to_json(a, place, depth + 1) for a in term.args())]


def _factors(term: FNode) -> int:
    return sum(map(_factors, term.args())) if term.node_type() == op.TIMES else 1


class FormulaReader:
    """Reads formulas; `place` gives the symbol of a place, `look` is called for every part."""

    def __init__(
        self, terms: Terms, place: Callable[[int], FNode], look: Callable[[], None]
    ) -> None:
        self.terms = terms
        self.place = place
        self.look = look

    def formula(self, value: Json) -> FNode:
        """The truth that arrays mean, in normal form; raises `Inexpressible` if they do not."""
        term = self._term(value, MOST_LEVELS)
        if not self.terms.is_formula(term):
            raise Inexpressible(f"{shown(value)} is a number, and no formula")
        return term

    def _term(self, value: Json, levels: int) -> FNode:
        self.look()
        if isinstance(value, bool):
            return self.terms.boolean(value)
        if isinstance(value, int):
            return self.terms.integer(value)
        if not isinstance(value, list) or not value or not isinstance(value[0], str) or not levels:
            raise Inexpressible(f"{shown(value)} is no formula")
        name, *rest = value
        if name == "place" and len(rest) == 1 and rest[0].__class__ is int:
            return self.place(rest[0])
        args = [self._term(part, levels - 1) for part in rest]
        made = self._made(name, args, "".join(map(self._sort, args)))
        if made is None:
            raise Inexpressible(f"{shown(value)} is no formula")
        return made

    def _sort(self, term: FNode) -> str:
        """b: a truth, i: a number, a: an array."""
        if self.terms.is_formula(term):
            return "b"
        while term.node_type() == op.ITE:
            term = term.arg(1)
        arrays = term.node_type() in (op.ARRAY_STORE, op.ARRAY_VALUE)
        if arrays or (term.is_symbol() and term.symbol_type() is self.terms.array_type):
            return "a"
        return "i"

    def _made(self, name: str, args: Sequence[FNode], sorts: str) -> FNode | None:
        """A term of parts of these sorts; None: there is none."""
        terms = self.terms
        match name, sorts, args:
            case "and", _, _ if not sorts.strip("b"):
                return terms.conjunction(args)
            case "or", _, _ if not sorts.strip("b"):
                return terms.disjunction(args)
            case "not", "b", [a]:
                return terms.negate(a)
            case "<=", "ii", [a, b]:
                return terms.at_most(a, b)
            case "=", "ii" | "aa", [a, b]:
                return terms.equal(a, b)
            case "+", _, [first, *others] if not sorts.strip("i"):
                for other in others:
                    first = terms.add(first, other)
                return first
            case "*", "ii", [a, b] if self._can_multiply(a, b):
                return terms.multiply(a, b)
            case "div", "ii", [a, b] if b.is_int_constant() and b.constant_value() > 0:
                return terms.floor_divide(a, b.constant_value())
            case "if", "bii" | "baa" | "bbb", [a, b, c]:
                return terms.ite(a, b, c)
            case "select", "ai", [a, b]:
                return terms.select(a, b)
            case "store", "aii", [a, b, c]:
                return terms.store(a, b, c)
            case "all", "i", [a] if a.is_int_constant():
                return terms.constant_array(a.constant_value())
        return None

    def _can_multiply(self, a: FNode, b: FNode) -> bool:
        """In normal form no factor is a choice, and few are unknown: else products explode."""
        if a.is_int_constant() or b.is_int_constant():
            return True
        choices = op.ITE in (a.node_type(), b.node_type())
        return not choices and _factors(a) + _factors(b) <= MOST_FACTORS
