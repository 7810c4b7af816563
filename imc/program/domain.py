"""The seam between what an instruction does and what values are.

The semantics in `semantics.py` is written once against this protocol. A domain supplies arithmetic
on values; whatever may depend on a value that is not known (a branch, a bound, a divisor) goes
through `Machine.decide`, which asks the domain and, where it cannot tell, the environment.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from imc.program.types import Type
from imc.program.values import Value

if TYPE_CHECKING:
    from imc.program.memory import MemoryObject

Unary = Callable[[Value], Value]
BinaryOp = Callable[[Value, Value], Value]


class Domain(Protocol):
    """Operations on values. Each factory is called once per instruction, when code is prepared."""

    pointer_bits: int  # set when a program is loaded
    numeric: bool  # whether an address has been used as a number, so that its value matters
    symbolic: bool  # whether values may be terms
    answers: bool  # whether `input` has an answer, so that none has to be chosen

    def binary(self, op: str, type: Type, flags: frozenset[str] = frozenset()) -> BinaryOp:
        """Arithmetic of `op` on scalars of `type`; divisors have been checked to be non-zero.

        With nsw or nuw among the flags, the program promises that the result fits.
        """
        ...

    def overflows(self, op: str, type: Type, flags: frozenset[str]) -> BinaryOp:
        """Whether the operation leaves the range that its nsw/nuw flags promise (i1)."""
        ...

    def compare(self, predicate: str, type: Type) -> BinaryOp:
        """A comparison of two scalars of `type`, as i1."""
        ...

    def cast(self, op: str, source: Type, target: Type) -> Unary: ...

    def negate(self, type: Type) -> Unary: ...

    def signed(self, width: int) -> Unary:
        """An integer of `width` bits as a signed mathematical integer (for address arithmetic)."""
        ...

    def input(self, name: str, type: Type) -> Value:
        """An unknown of the type, or None when the environment must choose a value."""
        ...

    def bounded(self, value: Value, low: int, high: int, other: int, width: int) -> Value:
        """A signed number if it lies between bounds, or else another one that does."""
        ...

    def truth(self, value: Value) -> bool | None:
        """Whether an i1 holds; None when it depends on what is not known."""
        ...

    def split(self, value: Value, type: Type, size: int) -> list[Value]:
        """The bytes of a scalar, lowest first."""
        ...

    def join(self, data: list[Value], type: Type) -> Value:
        """The scalar of `type` that the bytes make."""
        ...

    def add_offset(self, pointer: Value, offset: Value) -> Value:
        """The pointer moved by `offset` bytes."""
        ...

    def pointer(self, number: int) -> Value:
        """The pointer that a number stands for, or the number itself."""
        ...

    def scale(self, index: Value, factor: int) -> Value:
        """A signed index times a constant."""
        ...

    def inside(self, offset: Value, last: int) -> Value:
        """Whether an offset that is a term lies between 0 and `last` (i1)."""
        ...

    def within(self, offset: Value, size: int, extent: Value) -> Value:
        """Whether `size` bytes at an offset lie among `extent` bytes (i1)."""
        ...

    def outside(
        self,
        number: int,
        contents: MemoryObject,
        start: int,
        extent: Value | None = None,
        length: Value | None = None,
    ) -> MemoryObject | None:
        """An object whose bytes from an offset on are not known; None where they have to be.

        It has `extent` bytes; if there is a length, a text of this length begins at the offset.
        """
        ...

    def among(self, offset: Value, offsets: list[int], step: int) -> Value:
        """Whether an offset that is a term is one of some, which are in order (i1).

        All are multiples of `step`; so is the offset, if there are several.
        """
        ...

    def is_multiple(self, offset: Value, size: int) -> bool:
        """Whether an offset is known to be a multiple of a size."""
        ...

    def indexed(
        self, number: int, contents: MemoryObject, size: int, written: Value | None = None
    ) -> MemoryObject | None:
        """An object in a form that offsets which are terms can index; None if there is none.

        `written` is what is about to be stored there, if anything is.
        """
        ...
