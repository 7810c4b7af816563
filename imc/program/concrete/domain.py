"""The concrete domain: Python ints and floats, pointers as (object, offset).

Each operation has a fast path for plain numbers; pointers cast to integers and undefined values
raise TypeError there and take the slow path.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from imc.program.concrete.casts import make_cast
from imc.program.concrete.floats import float_binary, float_compare
from imc.program.concrete.integers import address_number, address_pointer, int_binary, int_compare
from imc.program.concrete.partial import bytes_of, of_bytes
from imc.program.domain import BinaryOp, Unary
from imc.program.faults import FaultRaised, Property
from imc.program.types import FloatType, IntType, Type
from imc.program.values import (
    UNDEF,
    Fragment,
    Partial,
    Value,
    float_from_bytes,
    float_to_bytes,
    to_signed,
)

if TYPE_CHECKING:
    from imc.program.memory import MemoryObject

Numeric = Callable[[Any, Any], Any]


def _shift_left(a: int, b: int) -> int:
    return a << b


class ConcreteDomain:
    """Values are known: every branch decides itself."""

    symbolic = False
    answers = False

    def __init__(self) -> None:
        self.numeric = False
        self.pointer_bits = 64

    def number(self, value: Value) -> Value:
        """A pointer, or a byte of one, as a number, noting that addresses have become data."""
        if value.__class__ is tuple:
            self.numeric = True
            return address_number(value, self.pointer_bits)
        if isinstance(value, Fragment):
            return self.number(value.value) >> 8 * value.index & 0xFF
        return value

    # ------------------------------------------------------------ arithmetic

    def binary(self, op: str, type: Type, flags: frozenset[str] = frozenset()) -> BinaryOp:
        if isinstance(type, FloatType):
            return float_binary(op, type)
        assert isinstance(type, IntType)
        return int_binary(op, type.width, self.number)

    def overflows(self, op: str, type: Type, flags: frozenset[str]) -> BinaryOp:
        assert isinstance(type, IntType)
        width = type.width
        exact: Numeric = {
            "add": operator.add,
            "sub": operator.sub,
            "mul": operator.mul,
            "shl": _shift_left,
        }[op]
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
            return float_compare(predicate)
        width = type.width if isinstance(type, IntType) else 64
        return int_compare(predicate, width, self.number)

    def negate(self, type: Type) -> Unary:
        return lambda a: UNDEF if a is UNDEF else -a

    def signed(self, width: int) -> Unary:
        half, full = 1 << (width - 1), 1 << width

        def signed(a: Value) -> Value:
            if a.__class__ is int:
                return a - full if a >= half else a
            if a is UNDEF:
                raise FaultRaised(
                    Property.UNINITIALISED, "an uninitialised value is used as an index"
                )
            return a

        return signed

    def input(self, name: str, type: Type) -> Value:
        return None

    def bounded(self, value: Value, low: int, high: int, other: int, width: int) -> Value:
        signed = to_signed(value, width)
        return value if low <= signed <= high else other & ((1 << width) - 1)

    def truth(self, value: Value) -> bool | None:
        if value is UNDEF:
            raise FaultRaised(Property.UNINITIALISED, "an uninitialised value decides a branch")
        return bool(value)

    # ----------------------------------------------------------------- casts

    def cast(self, op: str, source: Type, target: Type) -> Unary:
        fast = make_cast(op, source, target, self)

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
            kind = (
                type.kind
                if isinstance(type, FloatType)
                else {4: "float", 2: "half", 10: "x86_fp80"}.get(size, "double")
            )
            return list(float_to_bytes(value, kind))
        if isinstance(value, Fragment):
            return [value, *[0] * (size - 1)]
        if isinstance(value, Partial):
            return bytes_of(value, size)
        return [Fragment(value, i, size) for i in range(size)]

    def join(self, data: list[Value], type: Type) -> Value:
        first = data[0]
        if isinstance(first, Fragment):
            whole = first.size == len(data) and all(
                isinstance(b, Fragment) and b.index == i and b.value == first.value
                for i, b in enumerate(data)
            )
            if whole:
                return first.value
        if len(data) == 1 and first.__class__ is not int:
            return first
        data = [self.number(b) for b in data]
        if any(b.__class__ is not int for b in data):
            return of_bytes(data, type.width) if isinstance(type, IntType) else UNDEF
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
        return (pointer + offset) & ((1 << self.pointer_bits) - 1)

    def pointer(self, number: int) -> Value:
        return address_pointer(number, self.pointer_bits)

    def scale(self, index: Value, factor: int) -> Value:
        if index.__class__ is tuple:
            if factor == 1:
                return index
            raise FaultRaised(Property.MEMORY, "a pointer is used as an index")
        return index * factor

    def inside(self, offset: Value, last: int) -> Value:
        return int(0 <= offset <= last)

    def within(self, offset: Value, size: int, extent: Value) -> Value:
        return int(0 <= offset <= extent - size)

    def outside(
        self,
        number: int,
        contents: MemoryObject,
        start: int,
        extent: Value | None = None,
        length: Value | None = None,
    ) -> MemoryObject | None:
        return None

    def among(self, offset: Value, offsets: list[int], step: int) -> Value:
        return int(offset in offsets)

    def is_multiple(self, offset: Value, size: int) -> bool:
        return bool(offset % size == 0)

    def indexed(
        self, number: int, contents: MemoryObject, size: int, written: Value | None = None
    ) -> MemoryObject | None:
        return None
