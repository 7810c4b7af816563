"""Formulas for people: names from the source, and the signs of a textbook."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import pysmt.operators as op
from pysmt.fnode import FNode

AND, OR, NOT_EQUAL, AT_MOST, AT_LEAST = " ∧ ", " \N{LOGICAL OR} ", "≠", "≤", "≥"
MOST_CONJUNCTS = 3

Names = Callable[[FNode], str]


def formula_text(formula: FNode, name: Names) -> str:
    """A formula as text; comparisons with a constant have it on the right."""
    kind = formula.node_type()
    args = formula.args()
    if kind == op.BOOL_CONSTANT:
        return "true" if formula.constant_value() else "false"
    if kind == op.NOT and args[0].node_type() == op.EQUALS:
        left, right = args[0].args()
        return f"{_term(left, name)} {NOT_EQUAL} {_term(right, name)}"
    if kind == op.NOT:
        return f"¬({formula_text(args[0], name)})"
    if kind in (op.AND, op.OR):
        inner = [formula_text(a, name) for a in args]
        parts = [f"({i})" if AND in i or OR in i else i for i in inner]
        return (AND if kind == op.AND else OR).join(parts)
    if kind == op.EQUALS:
        return f"{_term(args[0], name)} = {_term(args[1], name)}"
    if kind == op.LE:
        return _order(args[0], args[1], name)
    return _term(formula, name)


def _order(left: FNode, right: FNode, name: Names) -> str:
    if left.is_int_constant():
        return f"{_term(right, name)} {AT_LEAST} {left.constant_value()}"
    if right.is_int_constant() and left.node_type() == op.PLUS:
        positive = [a for a in left.args() if not _is_negative(a)]
        negative = [a for a in left.args() if _is_negative(a)]
        if positive and negative:  # x - y <= 3 is read as x <= y + 3
            bound: int = right.constant_value()
            more = f" {'+' if bound > 0 else '-'} {abs(bound)}" if bound else ""
            minus = " + ".join(_term(a, name, -1) for a in negative)
            plus = " + ".join(_term(a, name) for a in positive)
            return f"{plus} {AT_MOST} {minus}{more}"
    return f"{_term(left, name)} {AT_MOST} {_term(right, name)}"


def _is_negative(term: FNode) -> bool:
    return bool(
        term.node_type() == op.TIMES
        and term.arg(0).is_int_constant()
        and term.arg(0).constant_value() < 0
    )


def _term(term: FNode, name: Names, sign: int = 1) -> str:
    kind, args = term.node_type(), term.args()
    if kind == op.SYMBOL:
        return name(term)
    if kind == op.INT_CONSTANT:
        return str(sign * term.constant_value())
    if kind == op.PLUS:
        text = " + ".join(_term(a, name, sign) for a in args)
        return re.sub(r"\+ -", "- ", text)
    if kind == op.TIMES:
        if args[0].is_int_constant():
            factor = sign * args[0].constant_value()
            rest = _grouped(args[1], name)
            return rest if factor == 1 else f"-{rest}" if factor == -1 else f"{factor}·{rest}"
        return f"{_grouped(args[0], name)}·{_grouped(args[1], name)}"
    if kind == op.DIV:
        return f"⌊{_term(args[0], name)} / {_term(args[1], name)}⌋"
    if kind == op.ITE:
        then, other = _term(args[1], name), _term(args[2], name)
        return f"({formula_text(args[0], name)} ? {then} : {other})"
    if kind == op.ARRAY_SELECT:
        return f"{_term(args[0], name)}[{_term(args[1], name)}]"
    if kind == op.ARRAY_STORE:
        where, what = _term(args[1], name), _term(args[2], name)
        return f"{_term(args[0], name)}{{[{where}] := {what}}}"
    return formula_text(term, name)


def _grouped(term: FNode, name: Names) -> str:
    text = _term(term, name)
    return f"({text})" if term.node_type() == op.PLUS else text


def label_text(label: Iterable[FNode], name: Names, full: bool = False) -> str:
    """A label: bounds of the same thing together; abbreviated unless wanted in full."""
    parts = [formula_text(f, name) for f in label]
    parts = _ranges(parts)
    if not full and len(parts) > MOST_CONJUNCTS:
        parts = [*parts[:MOST_CONJUNCTS], "…"]
    return AND.join(parts)


def _ranges(parts: list[str]) -> list[str]:
    """`x ≥ 0` and `x ≤ 9` as `0 ≤ x ≤ 9`."""
    lows = {m[1]: m[2] for p in parts if (m := re.fullmatch(r"(\S+) ≥ (-?\d+)", p))}
    highs = {m[1]: m[2] for p in parts if (m := re.fullmatch(r"(\S+) ≤ (-?\d+)", p))}
    both = lows.keys() & highs.keys()
    result: list[str] = []
    for part in parts:
        subject = part.split(" ")[0]
        if subject in both and re.fullmatch(r"\S+ [≤≥] -?\d+", part):
            text = f"{lows[subject]} {AT_MOST} {subject} {AT_MOST} {highs[subject]}"
            if text not in result:
                result.append(text)
        else:
            result.append(part)
    return result
