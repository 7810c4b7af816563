"""Floating-point functions that the interpreter computes itself."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from imc.program.events import Mode
from imc.program.instructions import Library
from imc.program.library.registry import Visibility, library
from imc.program.library.strings import set_errno
from imc.program.machine import Machine
from imc.program.types import FloatType, IntType, VectorType
from imc.program.values import UNDEF, Aggregate, Value, round_float, to_signed

EDOM, ERANGE = 33, 34
Exact = float | Fraction


def _round_half_away(x: float) -> float:
    if not math.isfinite(x):
        return x
    whole = math.trunc(x)  # what is left is exact; to add a half to it is not
    return math.copysign(abs(whole) + (abs(x - whole) >= 0.5), x)


def _whole(f: Callable[[float], int]) -> Callable[[float], float]:
    return lambda x: math.copysign(float(f(x)), x) if math.isfinite(x) else x


def _is_odd(y: float) -> bool:
    return y.is_integer() and int(y) % 2 == 1


def _power(x: float, y: float) -> float:
    """Python has errors where C has infinities."""
    if x == 0 and y < 0:
        return math.copysign(math.inf, x) if math.isfinite(y) and _is_odd(y) else math.inf
    try:
        return math.pow(x, y)
    except OverflowError:
        return -math.inf if x < 0 and _is_odd(y) else math.inf


def _logarithm(f: Callable[[float], float]) -> Callable[[float], float]:
    return lambda x: -math.inf if x == 0 else f(x)


def _signed(f: Callable[..., float]) -> Callable[..., float]:
    """A function that overflows towards the side that its argument is on."""

    def run(x: float, *more: int) -> float:
        try:
            return f(x, *more)
        except OverflowError:
            return math.copysign(math.inf, x)

    return run


def _scaled(x: float, exponent: int) -> float:
    return math.ldexp(x, to_signed(exponent, 32))


def _least(a: float, b: float) -> float:
    if a != a or b != b:
        return b if a != a else a
    return min(a, b, key=lambda x: (x, math.copysign(1, x)))


def _greatest(a: float, b: float) -> float:
    if a != a or b != b:
        return b if a != a else a
    return max(a, b, key=lambda x: (x, math.copysign(1, x)))


def _fused(a: float, b: float, c: float) -> Exact:
    """Rounded once, at the end: a product that is too large does not meet an infinity."""
    if not (math.isfinite(a) and math.isfinite(b)):
        return a * b + c
    if not math.isfinite(c):
        return c
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact:
        return exact
    return math.copysign(0.0, a) * math.copysign(1.0, b) + c if c == 0 and a * b == 0 else 0.0


def _rounded(value: Exact, narrow: bool) -> float:
    """The nearest float; what is to be narrower still must not be rounded twice.

    Of the two floats around it, the one with an odd last digit leads to the nearest narrower one.
    """
    try:
        nearest = float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
    if narrow and isinstance(value, Fraction) and value != nearest:
        last = struct.pack("<d", nearest)[0]
        if last % 2 == 0:
            nearest = math.nextafter(nearest, math.inf if value > nearest else -math.inf)
    return nearest


FUNCTIONS: dict[str, Callable[..., Exact]] = {
    "sqrt": math.sqrt,
    "sin": math.sin, "cos": math.cos, "tan": math.tan, "asin": math.asin, "acos": math.acos,
    "atan": math.atan, "atan2": math.atan2, "sinh": _signed(math.sinh), "cosh": math.cosh,
    "tanh": math.tanh, "exp": math.exp, "exp2": math.exp2,
    "log": _logarithm(math.log), "log2": _logarithm(math.log2), "log10": _logarithm(math.log10),
    "pow": _power, "cbrt": math.cbrt, "hypot": math.hypot, "fabs": abs,
    "floor": _whole(math.floor), "ceil": _whole(math.ceil), "trunc": _whole(math.trunc),
    "round": _round_half_away, "rint": _whole(round), "nearbyint": _whole(round),
    "copysign": math.copysign, "fmod": math.fmod, "minnum": _least, "maxnum": _greatest,
    "fma": _fused,
    "fmuladd": lambda a, b, c: a * b + c,  # where a machine has no fused one, and we say so
    "ldexp": _signed(_scaled),
}  # fmt: skip
# Those whose result is a number by itself, which is never an error.
ALWAYS_RIGHT = {
    "fabs", "floor", "ceil", "trunc", "round", "rint", "nearbyint", "copysign", "minnum", "maxnum",
    "fmuladd",
}  # fmt: skip
VANISHING = {"pow", "ldexp", "atan2"}  # what they make zero of is zero, or too small


def _error(name: str, args: list[Value], result: float) -> int:
    """What a function leaves in errno: a result that its arguments do not explain is an error."""
    if name in ALWAYS_RIGHT or not all(a == a for a in args):
        return 0
    if result != result:
        return EDOM
    if not all(map(math.isfinite, args)):
        return 0
    if math.isinf(result):
        return ERANGE
    vanishes = name in ("exp", "exp2") or (name in VANISHING and args[0] != 0)
    return ERANGE if result == 0 and vanishes else 0


def _runner(name: str, f: Callable[..., Exact]) -> Callable[[Machine, Library, list[Value]], Value]:
    def run(m: Machine, i: Library, args: list[Value]) -> Value:
        if any(a is UNDEF for a in args):
            return UNDEF
        if any(isinstance(a, Aggregate) for a in args):
            element = replace(i, type=i.type.element) if isinstance(i.type, VectorType) else i
            return Aggregate(run(m, element, list(row)) for row in zip(*args, strict=True))
        narrow = isinstance(i.type, FloatType) and i.type.kind in ("half", "float")
        try:
            result = _rounded(f(*args), narrow)
        except OverflowError:
            result = math.inf
        except ValueError:
            result = math.nan
        if isinstance(i.type, FloatType):
            result = round_float(result, i.type)
        error = 0 if i.name.startswith("llvm.") else _error(name, args, result)
        if error:
            set_errno(m, error)
        return result

    return run


ALSO = {"minnum": "fmin fminf", "maxnum": "fmax fmaxf"}  # further names in C
INTRINSICS = {"rint": "roundeven", "minnum": "minimumnum", "maxnum": "maximumnum"}
for _name, _function in FUNCTIONS.items():
    library(
        f"math.{_name}",
        c=f"{_name} {_name}f {_name}l {ALSO.get(_name, '')}",
        intrinsics=f"{_name} {INTRINSICS.get(_name, '')}",
    )(_runner(_name, _function))


@library(
    "math_modf", c="modf modff modfl", intrinsics="modf", visible=Visibility.MEMORY, writes=(1,)
)
def modf(m: Machine, i: Library, args: list[Value]) -> Value:
    """The fraction and the whole part: the intrinsic returns both, the C function stores one."""
    if args[0] is UNDEF:
        return Aggregate((UNDEF, UNDEF))
    fraction, whole = math.modf(args[0])
    if len(args) == 1:
        return Aggregate((fraction, whole))
    m.store(args[1], i.arg_types[0], whole)
    m.touch(Mode.WRITE, args[1], m.image.layout.store_size(i.arg_types[0]), False, whole)
    return fraction


@library(
    "math_frexp",
    c="frexp frexpf frexpl",
    intrinsics="frexp",
    visible=Visibility.MEMORY,
    writes=(1,),
)
def frexp(m: Machine, i: Library, args: list[Value]) -> Value:
    """The fraction and the exponent, delivered like modf's."""
    if args[0] is UNDEF:
        return Aggregate((UNDEF, UNDEF))
    fraction, exponent = math.frexp(args[0])
    if len(args) == 1:
        return Aggregate((fraction, exponent & 0xFFFF_FFFF))
    m.store_int(args[1], 0, 4, exponent & 0xFFFF_FFFF)
    m.touch(Mode.WRITE, args[1], 4, False, exponent & 0xFFFF_FFFF)
    return fraction


@library(
    "math_lround",
    c="lround lroundf llround llroundf lrint lrintf llrint llrintf",
    intrinsics="lround llround lrint llrint",
)
def lround(m: Machine, i: Library, args: list[Value]) -> Value:
    if args[0] is UNDEF or not isinstance(i.type, IntType):
        return UNDEF
    least = 1 << (i.type.width - 1)
    if not math.isfinite(args[0]):
        return least  # as on x86, for whatever is no such number
    exact = round(args[0]) if "rint" in i.name else int(_round_half_away(args[0]))
    return exact & (2 * least - 1) if -least <= exact < least else least
