"""Values of the model as words of the compact form, and back.

A word is an unsigned number of 64 bits, or UNDEF. Floats are their bits (those of a double, where
they have more), addresses are numbers; structs, arrays and vectors are their scalars, one by one.
"""

from __future__ import annotations

from collections.abc import Iterator

from imc.compact.form import BASE, SHIFT, NotCompact
from imc.compact.opcodes import UNDEF
from imc.program.types import (
    ArrayType,
    FloatType,
    IntType,
    PtrType,
    StructType,
    Type,
    VectorType,
)
from imc.program.values import UNDEF as UNDEFINED
from imc.program.values import (
    Aggregate,
    Fragment,
    Partial,
    Value,
    float_from_bytes,
    float_to_bytes,
)

LOW = (1 << SHIFT) - 1
MOST_SCALARS = 64  # of a struct in registers
KINDS = {"half": 2, "float": 4}  # bytes of floats that are no doubles


def scalars(type: Type) -> Iterator[Type]:
    """The scalars that a value of a type is made of, in order."""
    if isinstance(type, StructType):
        for part in type.fields:
            yield from scalars(part)
    elif isinstance(type, ArrayType | VectorType):
        for _ in range(type.count):
            yield from scalars(type.element)
    elif isinstance(type, IntType | FloatType | PtrType):
        yield type
    else:
        raise NotCompact(f"a value of type {type}")


def count(type: Type) -> int:
    """How many words a value takes."""
    found = 0
    for _ in scalars(type):
        found += 1
        if found > MOST_SCALARS:
            raise NotCompact("a large struct in a register")
    return found


def to_word(value: Value, type: Type) -> int:
    """The word of a scalar of a type; raises NotCompact where there is none."""
    kind = value.__class__
    if kind is int:
        if 0 <= value < 1 << 64:
            return int(value)
        raise NotCompact("a number of more than 64 bits")
    if value is UNDEFINED:
        return UNDEF
    if kind is tuple:
        low = BASE + value[1]
        if not 0 <= low <= LOW:
            raise NotCompact("an address far outside of its object")
        return int(value[0] << SHIFT) + int(low)
    if kind is float:
        name = type.kind if isinstance(type, FloatType) and type.kind in KINDS else "double"
        return int.from_bytes(float_to_bytes(value, name), "little")
    if isinstance(value, Partial):
        raise NotCompact("a number that is partly undefined")
    if isinstance(value, Fragment):
        raise NotCompact("a part of an address")
    raise NotCompact("a value that is no number")


def from_word(word: int, type: Type, objects: int) -> Value:
    """A scalar of a type; there are so many objects that a number can be the address of."""
    if word == UNDEF:
        return UNDEFINED
    if isinstance(type, FloatType):
        name = type.kind if type.kind in KINDS else "double"
        return float_from_bytes(word.to_bytes(8, "little")[: KINDS.get(name, 8)], name)
    if 0 < word >> SHIFT < objects:
        return (word >> SHIFT, (word & LOW) - BASE)
    return word


def to_words(value: Value, type: Type) -> list[int]:
    """A value as words, however many scalars it has."""
    if isinstance(type, IntType | FloatType | PtrType):
        return [to_word(value, type)]
    if value is UNDEFINED:
        return [UNDEF] * count(type)
    parts = list(_parts(type))
    found: list[int] = []
    for part, own in zip(value, parts, strict=True):
        found += to_words(part, own)
    return found


def from_words(words: Iterator[int], type: Type, objects: int) -> Value:
    if isinstance(type, IntType | FloatType | PtrType):
        return from_word(next(words), type, objects)
    return Aggregate([from_words(words, part, objects) for part in _parts(type)])


def _parts(type: Type) -> Iterator[Type]:
    if isinstance(type, StructType):
        yield from type.fields
    elif isinstance(type, ArrayType | VectorType):
        for _ in range(type.count):
            yield type.element
