"""Floating-point functions that the interpreter computes itself."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from imc.program.instructions import Library
from imc.program.library.registry import LIBRARY, LibraryFunction, Visibility, library
from imc.program.machine import Machine
from imc.program.types import FloatType, IntType, VectorType
from imc.program.values import UNDEF, Aggregate, Value, round_float


def _round_half_away(x: float) -> float:
    return math.copysign(math.floor(abs(x) + 0.5), x) if math.isfinite(x) and abs(x) < 2**52 else x


def _whole(f: Callable[[float], int]) -> Callable[[float], float]:
    return lambda x: math.copysign(float(f(x)), x) if math.isfinite(x) else x


FUNCTIONS: dict[str, Callable[..., float]] = {
    "sqrt": lambda x: math.sqrt(x) if x >= 0 else math.nan,
    "sin": math.sin, "cos": math.cos, "tan": math.tan, "asin": math.asin, "acos": math.acos,
    "atan": math.atan, "atan2": math.atan2, "sinh": math.sinh, "cosh": math.cosh, "tanh": math.tanh,
    "exp": math.exp, "exp2": math.exp2, "log": math.log, "log2": math.log2, "log10": math.log10,
    "pow": math.pow, "cbrt": math.cbrt, "hypot": math.hypot, "fabs": abs,
    "floor": _whole(math.floor), "ceil": _whole(math.ceil), "trunc": _whole(math.trunc),
    "round": _round_half_away, "rint": _whole(round), "nearbyint": _whole(round),
    "copysign": math.copysign, "fmod": math.fmod,
    "minnum": lambda a, b: b if a != a else a if b != b else min(a, b),
    "maxnum": lambda a, b: b if a != a else a if b != b else max(a, b),
    "fma": lambda a, b, c: a * b + c, "fmuladd": lambda a, b, c: a * b + c,
    "ldexp": math.ldexp,
}  # fmt: skip


def _runner(
    f: Callable[..., float],
) -> Callable[[Machine, Library, list[Value]], Value]:
    def run(m: Machine, i: Library, args: list[Value]) -> Value:
        if any(a is UNDEF for a in args):
            return UNDEF
        if any(isinstance(a, Aggregate) for a in args):
            element = replace(i, type=i.type.element) if isinstance(i.type, VectorType) else i
            return Aggregate(run(m, element, list(row)) for row in zip(*args, strict=True))
        try:
            result = float(f(*args))
        except OverflowError:
            result = math.inf
        except ValueError:
            result = math.nan
        return round_float(result, i.type) if isinstance(i.type, FloatType) else result

    return run


for _name, _function in FUNCTIONS.items():
    LIBRARY[f"math.{_name}"] = LibraryFunction(f"math.{_name}", _runner(_function))


@library("math_modf", visible=Visibility.MEMORY, writes=(1,))
def modf(m: Machine, i: Library, args: list[Value]) -> Value:
    """The fraction and the whole part: the intrinsic returns both, the C function stores one."""
    if args[0] is UNDEF:
        return Aggregate((UNDEF, UNDEF))
    fraction, whole = math.modf(args[0]) if math.isfinite(args[0]) else (0.0, args[0])
    if len(args) == 1:
        return Aggregate((fraction, whole))
    m.store(args[1], i.arg_types[0], whole)
    return fraction


@library("math_frexp", visible=Visibility.MEMORY, writes=(1,))
def frexp(m: Machine, i: Library, args: list[Value]) -> Value:
    """The fraction and the exponent, delivered like modf's."""
    if args[0] is UNDEF:
        return Aggregate((UNDEF, UNDEF))
    fraction, exponent = math.frexp(args[0])
    if len(args) == 1:
        return Aggregate((fraction, exponent & 0xFFFF_FFFF))
    m.store_int(args[1], 0, 4, exponent & 0xFFFF_FFFF)
    return fraction


@library("math_lround")
def lround(m: Machine, i: Library, args: list[Value]) -> Value:
    if args[0] is UNDEF or not math.isfinite(args[0]) or not isinstance(i.type, IntType):
        return UNDEF
    exact = round(args[0]) if "rint" in i.name else int(_round_half_away(args[0]))
    return exact & ((1 << i.type.width) - 1)
