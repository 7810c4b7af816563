"""Floats, with C's rules for infinities, zeros and what is not a number."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from imc.program.domain import BinaryOp
from imc.program.types import FloatType
from imc.program.values import UNDEF, Value, round_float

Numeric = Callable[[Any, Any], Any]


def float_binary(op: str, type: FloatType) -> BinaryOp:
    def divide(a: float, b: float) -> float:
        if b != 0:
            return a / b
        if a == 0 or math.isnan(a):
            return math.nan
        return math.copysign(math.inf, math.copysign(1.0, a) * math.copysign(1.0, b))

    def remainder(a: float, b: float) -> float:
        return math.nan if b == 0 or math.isinf(a) else math.fmod(a, b)

    exact: Numeric = {
        "fadd": operator.add,
        "fsub": operator.sub,
        "fmul": operator.mul,
        "fdiv": divide,
        "frem": remainder,
    }[op]
    narrow = type.kind in ("half", "float")

    def arithmetic(a: Value, b: Value) -> Value:
        if a is UNDEF or b is UNDEF:
            return UNDEF
        result = exact(a, b)
        if result != result:
            return math.nan  # always the same object: states with it are compared
        return round_float(result, type) if narrow else result

    return arithmetic


def float_compare(predicate: str) -> BinaryOp:
    if predicate in ("true", "false"):
        return lambda a, b: int(predicate == "true")
    if predicate in ("ord", "uno"):
        return lambda a, b: int((math.isnan(a) or math.isnan(b)) == (predicate == "uno"))
    test: Numeric = {
        "eq": operator.eq,
        "ne": operator.ne,
        "gt": operator.gt,
        "ge": operator.ge,
        "lt": operator.lt,
        "le": operator.le,
    }[predicate[1:]]
    unordered = int(predicate[0] == "u")

    def compare(a: Value, b: Value) -> Value:
        if a is UNDEF or b is UNDEF:
            return UNDEF
        if a != a or b != b:
            return unordered
        return int(test(a, b))

    return compare
