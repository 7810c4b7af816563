"""Formulas over concrete numbers and arrays: the value of a term, computed without a solver."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pysmt.operators as op
from pysmt.fnode import FNode


class Mismatch(Exception):
    """A concrete state does not belong to a node; the text says why."""


@dataclass(frozen=True)
class Array:
    """A concrete array: a number for every byte offset at which an element begins."""

    cells: tuple[tuple[int, int], ...]
    default: int

    def at(self, index: int) -> int:
        return dict(self.cells).get(index, self.default)


Binding = dict[FNode, Any]  # symbols to ints and arrays


def evaluate(term: FNode, binding: Binding) -> Any:
    """The number, truth value or array that a term is."""
    kind = term.node_type()
    if kind == op.SYMBOL:
        if term not in binding:
            raise Mismatch(f"nothing is known of {term}")
        return binding[term]
    if kind in (op.INT_CONSTANT, op.BOOL_CONSTANT):
        return term.constant_value()
    if kind == op.AND:
        return all(evaluate(a, binding) for a in term.args())
    if kind == op.OR:
        return any(evaluate(a, binding) for a in term.args())
    if kind == op.ITE:
        return evaluate(term.arg(1 if evaluate(term.arg(0), binding) else 2), binding)
    args = [evaluate(a, binding) for a in term.args()]
    match kind:
        case op.NOT:
            return not args[0]
        case op.IMPLIES:
            return not args[0] or args[1]
        case op.LE:
            return args[0] <= args[1]
        case op.LT:
            return args[0] < args[1]
        case op.EQUALS | op.IFF:
            return args[0] == args[1]
        case op.PLUS:
            return sum(args)
        case op.MINUS:
            return args[0] - args[1]
        case op.TIMES:
            product = 1
            for factor in args:
                product *= factor
            return product
        case op.DIV:  # rounds so that the remainder is not negative
            return args[0] // args[1] if args[1] > 0 else -(args[0] // -args[1])
        case op.ARRAY_SELECT:
            return args[0].at(args[1])
        case op.ARRAY_STORE:
            cells = {**dict(args[0].cells), args[1]: args[2]}
            return Array(tuple(sorted(cells.items())), args[0].default)
        case op.ARRAY_VALUE if len(args) == 1:
            return Array((), args[0])
    raise Mismatch(f"no way to evaluate {term}")


def symbols(term: FNode) -> set[FNode]:
    found = set()
    stack = [term]
    seen = set()
    while stack:
        at = stack.pop()
        if at in seen:
            continue
        seen.add(at)
        if at.is_symbol():
            found.add(at)
        stack.extend(at.args())
    return found
