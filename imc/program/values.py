"""What a register or memory cell can hold, whatever the domain.

Integers are Python ints, unsigned modulo their width; floats are Python floats. A pointer is the
pair (object, offset); null and integers cast to pointers stay ints. A symbolic domain adds its
terms wherever an int or an offset can stand.
"""

from __future__ import annotations

import math
import struct
from typing import Any, Final

from imc.program.types import FloatType

# int | float | Pointer | Aggregate | Fragment | Partial | BlockRef | Undefined | a domain's term
Value = Any
Pointer = tuple[int, Any]


class Undefined:
    """The value of memory that nobody has written."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "undef"


UNDEF: Final = Undefined()


class Aggregate(tuple[Value, ...]):
    """A struct, array or vector held in a register."""

    __slots__ = ()


class Fragment:
    """Byte number `index` of a value that has no bytes of its own, such as a pointer."""

    __slots__ = ("index", "size", "value")

    def __init__(self, value: Value, index: int, size: int) -> None:
        self.value = value
        self.index = index
        self.size = size

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fragment) and (self.value, self.index, self.size) == (
            other.value,
            other.index,
            other.size,
        )

    def __hash__(self) -> int:
        return hash((Fragment, self.value, self.index, self.size))


class Partial:
    """An integer of which some bits have been written; those of `unknown` have not, and are 0."""

    __slots__ = ("number", "unknown")

    def __init__(self, number: int, unknown: int) -> None:
        self.number = number
        self.unknown = unknown

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Partial) and (self.number, self.unknown) == (
            other.number,
            other.unknown,
        )

    def __hash__(self) -> int:
        return hash((Partial, self.number, self.unknown))


def settled(value: Value) -> Value:
    """The value for somebody who looks at all of it: what is partly undefined is undefined."""
    if value.__class__ is Partial:
        return UNDEF
    return Aggregate(map(settled, value)) if value.__class__ is Aggregate else value


class BlockRef(str):
    """The address of a basic block: its label."""

    __slots__ = ()


def to_signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> (width - 1) else value


_FORMATS = {"half": "<e", "float": "<f", "double": "<d"}


def float_to_bytes(value: float, kind: str) -> bytes:
    """The bytes of a float; quadruple precision is kept as a double in the wider cell."""
    fmt = _FORMATS.get(kind)
    if fmt is not None:
        try:
            return struct.pack(fmt, value)
        except OverflowError:
            return struct.pack(fmt, float("inf") if value > 0 else float("-inf"))
    if kind == "x86_fp80":
        return _extended(value)
    return struct.pack("<d", value) + bytes(8)


def float_from_bytes(data: bytes, kind: str) -> float:
    if kind == "x86_fp80":
        return _from_extended(data)
    return float(struct.unpack(_FORMATS.get(kind, "<d"), data if kind in _FORMATS else data[:8])[0])


_BIAS, _SPECIAL = 16383, 0x7FFF  # of exponents in extended precision; infinities and no numbers


def _extended(value: float) -> bytes:
    """x87's format: 64 bits with the leading one, then sign and exponent."""
    sign = 0x8000 if math.copysign(1.0, value) < 0 else 0
    if value == 0:
        mantissa, exponent = 0, 0
    elif not math.isfinite(value):
        mantissa, exponent = (3 << 62 if value != value else 1 << 63), _SPECIAL
    else:
        fraction, power = math.frexp(abs(value))
        mantissa, exponent = int(fraction * 2**64), power - 1 + _BIAS
    return mantissa.to_bytes(8, "little") + (sign | exponent).to_bytes(2, "little")


def _from_extended(data: bytes) -> float:
    mantissa, top = int.from_bytes(data[:8], "little"), int.from_bytes(data[8:10], "little")
    sign, exponent = (-1.0 if top & 0x8000 else 1.0), top & _SPECIAL
    if exponent == _SPECIAL:
        return sign * math.inf if mantissa << 1 & (1 << 64) - 1 == 0 else math.nan
    try:
        return sign * math.ldexp(mantissa, exponent - _BIAS - 63)
    except OverflowError:
        return sign * math.inf


def round_float(value: float, t: FloatType) -> float:
    """`value` as the nearest float of the type."""
    return (
        value
        if t.kind not in ("half", "float")
        else float_from_bytes(float_to_bytes(value, t.kind), t.kind)
    )
