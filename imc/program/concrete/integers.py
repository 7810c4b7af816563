"""Integers of any width, and pointers that C code has cast to integers."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from imc.errors import Unsupported
from imc.program.domain import BinaryOp, Unary
from imc.program.values import UNDEF, Fragment, Value, to_signed

Numeric = Callable[[Any, Any], Any]

# Where an address must be a number: for pointers of so many bits, object n lies at
# (n << shift) + base. No part of an address is zero, and objects are aligned to 4 KB.
FAR, FAR_32 = 1 << 31, 1 << 15  # distances that lead to another object
ALIGNED = 8  # what programs count on that put tags into addresses
LOWEST = 1 << 12  # below it there is no object
_PLACES = {64: (32, 1 << 16), 32: (16, 1 << 12)}


def address_number(value: Value, bits: int) -> Value:
    """A pointer as the number that C code can do arithmetic with."""
    if value.__class__ is not tuple:
        return value
    shift, base = _PLACES[bits]
    low = base + value[1]
    if not 0 <= low < 1 << shift:
        raise Unsupported("an address far inside or outside of its object is used as a number")
    return (value[0] << shift) + low


def address_pointer(number: int, bits: int) -> Value:
    """The pointer behind a number, if it is one."""
    shift, base = _PLACES[bits]
    if number >> shift == 0:
        return number
    return (number >> shift, (number & ((1 << shift) - 1)) - base)


def int_binary(op: str, width: int, number: Unary) -> BinaryOp:
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
        if a.__class__ is int and b.__class__ is int:
            return f(a, b) & mask
        return _pointer_arithmetic(op, a, b, mask, number)

    return arithmetic


def _pointer_arithmetic(op: str, a: Value, b: Value, mask: int, number: Unary) -> Value:
    """Arithmetic on pointers cast to integers; whoever asks for more than tag bits asks where."""
    if a is UNDEF or b is UNDEF:
        return 0 if op in ("and", "mul") and (a == 0 or b == 0) else UNDEF
    if a.__class__ is tuple and b.__class__ is int and mask.bit_length() >= 32:
        signed = to_signed(b, mask.bit_length())
        near = abs(signed) < (FAR if mask.bit_length() > 32 else FAR_32)
        match op:
            case "add" if near:
                return (a[0], a[1] + signed)
            case "sub" if near:
                return (a[0], a[1] - signed)
            case "and":
                if b < ALIGNED:
                    return a[1] & b
                if (~b & mask) < ALIGNED:  # clears tag bits
                    return (a[0], a[1] & ~(~b & mask))
            case "or" | "xor":
                if b < ALIGNED and a[1] >= 0:
                    return (a[0], a[1] | b if op == "or" else a[1] ^ b)
            case "urem" | "srem":
                if b <= ALIGNED and b & (b - 1) == 0:
                    return a[1] % b
    if a.__class__ is int and b.__class__ is tuple and op in ("add", "and", "or", "xor"):
        return _pointer_arithmetic(op, b, a, mask, number)
    if a.__class__ is tuple and b.__class__ is tuple and a[0] == b[0] and op in ("sub", "xor"):
        return ((a[1] - b[1]) if op == "sub" else (a[1] ^ b[1])) & mask
    a, b = number(a), number(b)
    if not (isinstance(a, int) and isinstance(b, int)):
        return UNDEF  # a label
    return int_binary(op, mask.bit_length(), number)(a & mask, b & mask)


def _is_no_address(number: Value, pointer: Value) -> bool:
    """Whether a number, like null or -1, is no object's address, wherever that one lies."""
    if number.__class__ is not int or pointer.__class__ is not tuple:
        return False
    return -LOWEST < pointer[1] < FAR and (number < LOWEST or number >> 63 != 0)


def int_compare(predicate: str, width: int, number: Unary) -> BinaryOp:
    if predicate in ("eq", "ne"):
        negative = predicate == "ne"

        def equal(a: Value, b: Value) -> Value:
            if a is UNDEF or b is UNDEF:
                return UNDEF
            if a.__class__ is not b.__class__ or isinstance(a, Fragment):
                if _is_no_address(a, b) or _is_no_address(b, a):
                    return int(negative)
                a, b = number(a), number(b)
            return int((a == b) != negative)

        return equal
    test: Numeric = {
        "gt": operator.gt,
        "ge": operator.ge,
        "lt": operator.lt,
        "le": operator.le,
    }[predicate[1:]]
    flip = (1 << (width - 1)) if predicate[0] == "s" else 0

    def ordered(a: Value, b: Value) -> Value:
        try:
            return int(test(a ^ flip, b ^ flip))
        except TypeError:
            if a is UNDEF or b is UNDEF:
                return UNDEF
            if a.__class__ is tuple and b.__class__ is tuple and a[0] == b[0]:
                return int(test(a[1], b[1]))
            a, b = number(a), number(b)  # the order of objects is ours to fix
            return int(test(a, b)) if a.__class__ is int and b.__class__ is int else UNDEF

    return ordered
