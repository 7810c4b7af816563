"""Arithmetic, comparisons, casts and vector operations."""

from __future__ import annotations

from imc.frontend.ir.constants import BINARY, CASTS, PREDICATES
from imc.frontend.ir.lexer import words
from imc.frontend.ir.statement import FAST_MATH, Read, Statement, StatementReader
from imc.program.instructions import (
    AggregateConst,
    Binary,
    Cast,
    Compare,
    Const,
    ExtractElement,
    Freeze,
    InsertElement,
    Negate,
    Select,
    ShuffleVector,
    Undef,
    Zero,
)
from imc.program.types import I1, Type, VectorType

_FLOAT_BINARY = ("fadd", "fdiv", "fmul", "frem", "fsub")
_KEPT_FLAGS = frozenset(("exact", "nsw", "nuw"))
_FLAGS = FAST_MATH | _KEPT_FLAGS | {"disjoint", "nneg", "samesign"}
_FLOAT_PREDICATES = words("false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true")


def _binary(s: Statement, op: str) -> Read:
    found = s.accept_any(_FLAGS)
    flags = _KEPT_FLAGS.intersection(found) if found else frozenset()
    t, left = s.typed()
    s.expect(",")
    right = s.value(t)
    return Binary(op=op, type=t, left=left, right=right, flags=flags, result=s.result, loc=s.loc), t


def _negate(s: Statement, _op: str) -> Read:
    s.accept_any(_FLAGS)
    t, value = s.typed()
    return Negate(type=t, value=value, result=s.result, loc=s.loc), t


def _compare(s: Statement, op: str) -> Read:
    s.accept_any(_FLAGS)
    predicate = s.next()
    if predicate not in (PREDICATES if op == "icmp" else _FLOAT_PREDICATES):
        raise s.error(f"unknown comparison {predicate!r}")
    t, left = s.typed()
    s.expect(",")
    right = s.value(t)
    truth = VectorType(t.count, I1) if isinstance(t, VectorType) else I1
    return Compare(
        predicate=predicate, type=t, left=left, right=right, result=s.result, loc=s.loc
    ), truth


def _cast(s: Statement, op: str) -> Read:
    s.accept_any(_FLAGS)
    source, value = s.typed()
    s.expect("to")
    target = s.type()
    op = "ptrtoint" if op == "ptrtoaddr" else op
    return Cast(
        op=op, value=value, source=source, target=target, result=s.result, loc=s.loc
    ), target


def _select(s: Statement, _op: str) -> Read:
    s.accept_any(_FLAGS)
    condition = s.operand()
    s.expect(",")
    t, left = s.typed()
    s.expect(",")
    right = s.operand()
    return Select(
        type=t, condition=condition, left=left, right=right, result=s.result, loc=s.loc
    ), t


def _freeze(s: Statement, _op: str) -> Read:
    t, value = s.typed()
    return Freeze(type=t, value=value, result=s.result, loc=s.loc), t


def _element(s: Statement, t: Type) -> Type:
    if not isinstance(t, VectorType):
        raise s.error(f"{t} is not a vector type")
    return t.element


def _extract_element(s: Statement, _op: str) -> Read:
    t, vector = s.typed()
    element = _element(s, t)
    s.expect(",")
    index = s.operand()
    return ExtractElement(type=t, vector=vector, index=index, result=s.result, loc=s.loc), element


def _insert_element(s: Statement, _op: str) -> Read:
    t, vector = s.typed()
    _element(s, t)
    s.expect(",")
    value = s.operand()
    s.expect(",")
    index = s.operand()
    return InsertElement(
        type=t, vector=vector, value=value, index=index, result=s.result, loc=s.loc
    ), t


def _shuffle_vector(s: Statement, _op: str) -> Read:
    t, left = s.typed()
    element = _element(s, t)
    s.expect(",")
    right = s.operand()
    s.expect(",")
    mask = _mask(s)
    return ShuffleVector(
        type=t, left=left, right=right, mask=mask, result=s.result, loc=s.loc
    ), VectorType(len(mask), element)


def _mask(s: Statement) -> tuple[int, ...]:
    t, mask = s.typed()
    match t, mask:
        case VectorType(count), Zero():
            return (0,) * count
        case VectorType(count), Undef():
            return (-1,) * count
        case VectorType(), AggregateConst(_, elements):
            return tuple(int(e.value) if isinstance(e, Const) else -1 for e in elements)
    raise s.error("the mask of shufflevector is not a constant vector")


READERS: dict[str, StatementReader] = {
    **dict.fromkeys((*BINARY, *_FLOAT_BINARY), _binary),
    **dict.fromkeys(CASTS, _cast),
    "fneg": _negate,
    "icmp": _compare,
    "fcmp": _compare,
    "select": _select,
    "freeze": _freeze,
    "extractelement": _extract_element,
    "insertelement": _insert_element,
    "shufflevector": _shuffle_vector,
}
