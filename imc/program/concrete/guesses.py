"""Known values, but for what was made up: a guess stands for whatever its function may answer.

What is computed from a guess is one again, and a branch on it can go both ways. Whatever else needs
to know its value raises `Depends`: nothing more can be said then.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from imc.errors import SourceLoc
from imc.program.concrete.given import GivenInputs
from imc.program.domain import BinaryOp, Unary
from imc.program.types import Type
from imc.program.values import UNDEF, Fragment, Value
from imc.records import record


@record
class Invention:
    """A call whose effect was made up, and on which an error depends."""

    function: str
    loc: SourceLoc | None

    def __str__(self) -> str:
        line = f" (line {self.loc.line})" if self.loc is not None else ""
        return f"depends on what {self.function} does{line}"


class Depends(Exception):
    """An execution cannot be followed without knowing what a function answers."""

    def __init__(self, invention: Invention) -> None:
        super().__init__(str(invention))
        self.invention = invention


class Guess:
    """A value that is not known; two of them are equal only if they are the same."""

    __slots__ = ("source",)

    def __init__(self, source: Invention) -> None:
        self.source = source

    def _needed(self, *_: Any) -> NoReturn:
        raise Depends(self.source)

    __bool__ = __index__ = __int__ = __float__ = __len__ = __iter__ = __getitem__ = _needed
    __lt__ = __le__ = __gt__ = __ge__ = __neg__ = __format__ = _needed
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _needed
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _needed
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = __mod__ = __floordiv__ = _needed


def guess_among(*values: Value) -> Guess | None:
    """What makes a result unknown that is computed from the values, if one of them does."""
    return next((v for v in values if v.__class__ is Guess), None)


class Guesses(GivenInputs):
    """The domain of an execution whose inputs are given, or chosen (None), with guesses besides."""

    symbolic = True

    def __init__(self, inputs: Mapping[str, int] | None = None) -> None:
        super().__init__(inputs)
        self.chosen = inputs is None

    def input(self, name: str, type: Type) -> Value:
        return None if self.chosen else super().input(name, type)

    def truth(self, value: Value) -> bool | None:
        return None if value.__class__ is Guess else super().truth(value)

    def binary(self, op: str, type: Type, flags: frozenset[str] = frozenset()) -> BinaryOp:
        return _on_two(super().binary(op, type, flags))

    def overflows(self, op: str, type: Type, flags: frozenset[str]) -> BinaryOp:
        return _on_two(super().overflows(op, type, flags))

    def compare(self, predicate: str, type: Type) -> BinaryOp:
        return _on_two(super().compare(predicate, type))

    def cast(self, op: str, source: Type, target: Type) -> Unary:
        return _on_one(super().cast(op, source, target))

    def negate(self, type: Type) -> Unary:
        return _on_one(super().negate(type))

    def signed(self, width: int) -> Unary:
        return _on_one(super().signed(width))

    def scale(self, index: Value, factor: int) -> Value:
        return Guess(index.source) if index.__class__ is Guess else super().scale(index, factor)

    def add_offset(self, pointer: Value, offset: Value) -> Value:
        guess = guess_among(pointer, offset)
        return super().add_offset(pointer, offset) if guess is None else Guess(guess.source)

    def number(self, value: Value) -> Value:
        return Guess(value.source) if value.__class__ is Guess else super().number(value)

    def split(self, value: Value, type: Type, size: int) -> list[Value]:
        if value.__class__ is Guess:
            return [Fragment(value, k, size) for k in range(size)]
        return super().split(value, type, size)

    def join(self, data: list[Value], type: Type) -> Value:
        parts = [b.value if isinstance(b, Fragment) else b for b in data]
        guess = guess_among(*parts)
        if guess is None or (len(data) == 1 and data[0].__class__ is Guess):
            return super().join(data, type)
        whole = [getattr(b, "index", -1) for b in data] == list(range(len(data)))
        if whole and data[0].size == len(data) and all(p is guess for p in parts):
            return guess
        return UNDEF if any(p is UNDEF for p in parts) else Guess(guess.source)


def _on_two(operation: BinaryOp) -> BinaryOp:
    def run(a: Value, b: Value) -> Value:
        guess = guess_among(a, b)
        if guess is None:
            return operation(a, b)
        return UNDEF if a is UNDEF or b is UNDEF else Guess(guess.source)

    return run


def _on_one(operation: Unary) -> Unary:
    def run(a: Value) -> Value:
        return Guess(a.source) if a.__class__ is Guess else operation(a)

    return run
