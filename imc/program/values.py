"""What a register or memory cell can hold, whatever the domain.

Integers are Python ints, unsigned modulo their width; floats are Python floats. A pointer is the
pair (object, offset); null and integers cast to pointers stay ints. A symbolic domain adds its
terms wherever an int or an offset can stand.
"""

from __future__ import annotations

import struct
from typing import Any, Final

from imc.program.types import FloatType

Value = Any  # int | float | Pointer | Aggregate | Fragment | BlockRef | Undefined | a domain's term
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


class BlockRef(str):
    """The address of a basic block: its label."""

    __slots__ = ()


def to_signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> (width - 1) else value


_FORMATS = {"half": "<e", "float": "<f", "double": "<d"}


def float_to_bytes(value: float, kind: str) -> bytes:
    """The bytes of a float; extended precision is kept as a double in the wider cell."""
    fmt = _FORMATS.get(kind)
    if fmt is not None:
        try:
            return struct.pack(fmt, value)
        except OverflowError:
            return struct.pack(fmt, float("inf") if value > 0 else float("-inf"))
    size = 10 if kind == "x86_fp80" else 16
    return struct.pack("<d", value) + bytes(size - 8)


def float_from_bytes(data: bytes, kind: str) -> float:
    return float(struct.unpack(_FORMATS.get(kind, "<d"), data if kind in _FORMATS else data[:8])[0])


def round_float(value: float, t: FloatType) -> float:
    """`value` as the nearest float of the type."""
    return (
        value
        if t.kind not in ("half", "float")
        else float_from_bytes(float_to_bytes(value, t.kind), t.kind)
    )
