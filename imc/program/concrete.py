"""The concrete domain: Python ints and floats, pointers as (object, offset).

Each operation has a fast path for plain numbers; pointers cast to integers and undefined values
raise TypeError there and take the slow path.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from imc.program.domain import BinaryOp, Unary
from imc.program.faults import FaultRaised, Property
from imc.program.types import FloatType, IntType, PtrType, Type
from imc.program.values import (
    UNDEF,
    Fragment,
    Value,
    float_from_bytes,
    float_to_bytes,
    round_float,
    to_signed,
)

Numeric = Callable[[Any, Any], Any]


def _shift_left(a: int, b: int) -> int:
    return a << b


OBJECT_SHIFT = 32  # where an address must be a number, object n lies at n << 32


def address_number(value: Value) -> Value:
    """A pointer as the number that C code can do arithmetic with."""
    return (value[0] << OBJECT_SHIFT) + value[1] if value.__class__ is tuple else value


def address_pointer(number: int) -> Value:
    """The pointer behind a number, if it is one."""
    return (number >> OBJECT_SHIFT, number & ((1 << OBJECT_SHIFT) - 1)) if number >> OBJECT_SHIFT else number


class ConcreteDomain:
    """Values are known: every branch decides itself."""

    def __init__(self) -> None:
        self.numeric = False

    def number(self, value: Value) -> Value:
        """A pointer as a number, noting that addresses have become data."""
        if value.__class__ is tuple:
            self.numeric = True
        return address_number(value)

    # ------------------------------------------------------------ arithmetic

    def binary(self, op: str, type: Type) -> BinaryOp:
        if isinstance(type, FloatType):
            return _float_binary(op, type)
        assert isinstance(type, IntType)
        return _int_binary(op, type.width, self.number)

    def overflows(self, op: str, type: Type, flags: frozenset[str]) -> BinaryOp:
        assert isinstance(type, IntType)
        width = type.width
        exact: Numeric = {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "shl": _shift_left}[op]
        low, high = -(1 << (width - 1)), (1 << (width - 1)) - 1

        def overflow(a: Value, b: Value) -> Value:
            if a.__class__ is not int or b.__class__ is not int or (op == "shl" and b >= width):
                return 0
            if "nsw" in flags:
                right = b if op == "shl" else to_signed(b, width)
                if not low <= exact(to_signed(a, width), right) <= high:
                    return 1
            return int("nuw" in flags and not 0 <= exact(a, b) < 1 << width)

        return overflow

    def compare(self, predicate: str, type: Type) -> BinaryOp:
        if isinstance(type, FloatType):
            return _float_compare(predicate)
        width = type.width if isinstance(type, IntType) else 64
        return _int_compare(predicate, width)

    def negate(self, type: Type) -> Unary:
        return lambda a: UNDEF if a is UNDEF else -a

    def signed(self, width: int) -> Unary:
        half, full = 1 << (width - 1), 1 << width

        def signed(a: Value) -> Value:
            if a.__class__ is int:
                return a - full if a >= half else a
            if a is UNDEF:
                raise FaultRaised(Property.UNINITIALISED, "an uninitialised value is used as an index")
            return a

        return signed

    def truth(self, value: Value) -> bool | None:
        if value is UNDEF:
            raise FaultRaised(Property.UNINITIALISED, "an uninitialised value decides a branch")
        return bool(value)

    # ----------------------------------------------------------------- casts

    def cast(self, op: str, source: Type, target: Type) -> Unary:
        fast = _cast(op, source, target, self.number)

        def cast(a: Value) -> Value:
            return UNDEF if a is UNDEF else fast(a)

        return cast

    # ---------------------------------------------------------------- memory

    def split(self, value: Value, type: Type, size: int) -> list[Value]:
        if value is UNDEF:
            return [UNDEF] * size
        if isinstance(value, int):
            return list((value & ((1 << (8 * size)) - 1)).to_bytes(size, "little"))
        if isinstance(value, float):
            kind = type.kind if isinstance(type, FloatType) else {4: "float", 2: "half", 10: "x86_fp80"}.get(size, "double")
            return list(float_to_bytes(value, kind))
        if size == 1:
            return [value]
        return [Fragment(value, i, size) for i in range(size)]

    def join(self, data: list[Value], type: Type) -> Value:
        first = data[0]
        if isinstance(first, Fragment):
            whole = first.size == len(data) and all(
                isinstance(b, Fragment) and b.index == i and b.value == first.value for i, b in enumerate(data)
            )
            if whole:
                return first.value
        if any(b.__class__ is not int for b in data):
            return data[0] if len(data) == 1 else UNDEF
        if isinstance(type, FloatType):
            return float_from_bytes(bytes(data), type.kind)
        number = int.from_bytes(bytes(data), "little")
        return number & ((1 << type.width) - 1) if isinstance(type, IntType) else number

    def add_offset(self, pointer: Value, offset: Value) -> Value:
        if pointer.__class__ is tuple:
            return (pointer[0], pointer[1] + offset)
        if pointer is UNDEF:
            return UNDEF
        if offset.__class__ is tuple:  # an integer pointer moved by a pointer's distance
            return (offset[0], offset[1] + pointer)
        return (pointer + offset) & 0xFFFF_FFFF_FFFF_FFFF

    def scale(self, index: Value, factor: int) -> Value:
        if index.__class__ is tuple:
            if factor == 1:
                return index
            raise FaultRaised(Property.MEMORY, "a pointer is used as an index")
        return index * factor


# ------------------------------------------------------------------ integers


def _int_binary(op: str, width: int, number: Unary) -> BinaryOp:
    mask = (1 << width) - 1
    half = 1 << (width - 1)
    full = 1 << width

    def sdiv(a: int, b: int) -> int:
        x, y = (a - full if a >= half else a), (b - full if b >= half else b)
        q = abs(x) // abs(y)
        return q if (x < 0) == (y < 0) else -q

    def srem(a: int, b: int) -> int:
        x, y = (a - full if a >= half else a), (b - full if b >= half else b)
        r = abs(x) % abs(y)
        return -r if x < 0 else r

    def ashr(a: int, b: int) -> int:
        return (a - full if a >= half else a) >> b

    exact: dict[str, Numeric] = {
        "add": operator.add,
        "sub": operator.sub,
        "mul": operator.mul,
        "and": operator.and_,
        "or": operator.or_,
        "xor": operator.xor,
        "udiv": operator.floordiv,
        "urem": operator.mod,
        "sdiv": sdiv,
        "srem": srem,
        "shl": operator.lshift,
        "lshr": operator.rshift,
        "ashr": ashr,
    }
    f = exact[op]
    if op in ("shl", "lshr", "ashr"):

        def shift(a: Value, b: Value) -> Value:
            if a.__class__ is int and b.__class__ is int:
                return f(a, b) & mask if b < width else UNDEF
            if a.__class__ is tuple and b.__class__ is int:
                return shift(number(a) & mask, b)
            return UNDEF

        return shift

    def arithmetic(a: Value, b: Value) -> Value:
        try:
            return f(a, b) & mask
        except TypeError:
            return _pointer_arithmetic(op, a, b, mask, number)

    return arithmetic


def _pointer_arithmetic(op: str, a: Value, b: Value, mask: int, number: Unary) -> Value:
    """Arithmetic on pointers cast to integers; objects are aligned to any power of two below 4 KB."""
    if a is UNDEF or b is UNDEF:
        return 0 if op in ("and", "mul") and (a == 0 or b == 0) else UNDEF
    if a.__class__ is tuple and b.__class__ is int and mask.bit_length() >= 32:
        signed = to_signed(b, mask.bit_length())
        match op:
            case "add":
                return (a[0], a[1] + signed)
            case "sub":
                return (a[0], a[1] - signed)
            case "and":
                if b < 4096:
                    return a[1] & b
                if (~b & mask) < 4096:  # clears tag bits
                    return (a[0], a[1] & ~(~b & mask))
            case "or" | "xor":
                if b < 4096 and a[1] >= 0:
                    return (a[0], a[1] | b if op == "or" else a[1] ^ b)
            case "urem" | "srem":
                if b <= 4096 and b & (b - 1) == 0:
                    return a[1] % b
    if a.__class__ is int and b.__class__ is tuple and op in ("add", "and", "or", "xor"):
        return _pointer_arithmetic(op, b, a, mask, number)
    if a.__class__ is tuple and b.__class__ is tuple and a[0] == b[0] and op in ("sub", "xor"):
        return ((a[1] - b[1]) if op == "sub" else (a[1] ^ b[1])) & mask
    if not (isinstance(a, (int, tuple)) and isinstance(b, (int, tuple))):
        return UNDEF  # a byte of a pointer, or a label: no number of its own
    return _int_binary(op, mask.bit_length(), number)(number(a) & mask, number(b) & mask)


def _int_compare(predicate: str, width: int) -> BinaryOp:
    if predicate in ("eq", "ne"):
        negative = predicate == "ne"

        def equal(a: Value, b: Value) -> Value:
            if a is UNDEF or b is UNDEF:
                return UNDEF
            if a.__class__ is not b.__class__:
                a, b = address_number(a), address_number(b)
            return int((a == b) != negative)

        return equal
    test: Numeric = {"gt": operator.gt, "ge": operator.ge, "lt": operator.lt, "le": operator.le}[predicate[1:]]
    flip = (1 << (width - 1)) if predicate[0] == "s" else 0

    def ordered(a: Value, b: Value) -> Value:
        try:
            return int(test(a ^ flip, b ^ flip))
        except TypeError:
            if a is UNDEF or b is UNDEF:
                return UNDEF
            if a.__class__ is tuple and b.__class__ is tuple:
                return int(test(a, b))
            return int(test(address_number(a), address_number(b)))

    return ordered


# -------------------------------------------------------------------- floats


def _float_binary(op: str, type: FloatType) -> BinaryOp:
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
        return round_float(result, type) if narrow else result

    return arithmetic


def _float_compare(predicate: str) -> BinaryOp:
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


# --------------------------------------------------------------------- casts


def _cast(op: str, source: Type, target: Type, number: Unary) -> Unary:
    match op:
        case "zext" | "inttoptr" | "ptrtoint" | "addrspacecast":
            if op == "ptrtoint" and isinstance(target, IntType) and target.width < 32:
                return _truncate(target.width, number)
            return lambda a: a
        case "trunc":
            assert isinstance(target, IntType)
            return _truncate(target.width, number)
        case "sext":
            assert isinstance(source, IntType) and isinstance(target, IntType)
            half, high = 1 << (source.width - 1), (1 << target.width) - (1 << source.width)
            return lambda a: a | high if a.__class__ is int and a >= half else a
        case "fptrunc" | "fpext":
            assert isinstance(target, FloatType)
            final = target
            return lambda a: round_float(a, final)
        case "sitofp" | "uitofp":
            assert isinstance(source, IntType) and isinstance(target, FloatType)
            width, kind, is_signed = source.width, target, op == "sitofp"
            return lambda a: round_float(float(to_signed(number(a), width) if is_signed else number(a)), kind)
        case "fptosi" | "fptoui":
            assert isinstance(target, IntType)
            return _float_to_int(target.width, op == "fptosi")
        case "bitcast":
            return _bitcast(source, target)
    raise FaultRaised(Property.MEMORY, f"cast '{op}' is not supported")


def _truncate(width: int, number: Unary) -> Unary:
    mask = (1 << width) - 1

    def truncate(a: Value) -> Value:
        if a.__class__ is int:
            return a & mask
        if width >= 32:  # a pointer in 32 bits keeps its object
            return a
        return number(a) & mask if a.__class__ is tuple else UNDEF

    return truncate


def _float_to_int(width: int, is_signed: bool) -> Unary:
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if is_signed else (0, (1 << width) - 1)

    def convert(a: float) -> Value:
        if math.isnan(a) or math.isinf(a):
            return UNDEF
        n = int(a)
        return n & ((1 << width) - 1) if low <= n <= high else UNDEF

    return convert


def _bitcast(source: Type, target: Type) -> Unary:
    if isinstance(source, FloatType) and isinstance(target, IntType):
        kind = source.kind
        return lambda a: int.from_bytes(float_to_bytes(a, kind), "little")
    if isinstance(source, IntType) and isinstance(target, FloatType):
        size, to = source.width // 8, target.kind
        return lambda a: float_from_bytes(a.to_bytes(size, "little"), to)
    return lambda a: a


def is_scalar(t: Type) -> bool:
    return isinstance(t, (IntType, FloatType, PtrType))
