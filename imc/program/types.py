"""Types of the program model (LLVM's first-class types) and their layout in memory."""

from __future__ import annotations

from functools import cache

from imc.records import record


class Type:
    """Base of all types; instances are immutable and hashable."""

    __slots__ = ()


@record
class VoidType(Type):
    def __str__(self) -> str:
        return "void"


@record
class IntType(Type):
    width: int

    def __str__(self) -> str:
        return f"i{self.width}"


FLOAT_BITS = {
    "half": 16,
    "bfloat": 16,
    "float": 32,
    "double": 64,
    "x86_fp80": 80,
    "fp128": 128,
}


@record
class FloatType(Type):
    kind: str  # a key of FLOAT_BITS

    def __str__(self) -> str:
        return self.kind


@record
class PtrType(Type):
    """All pointers are alike; what they point to is known only by the accesses through them."""

    def __str__(self) -> str:
        return "ptr"


@record
class ArrayType(Type):
    count: int
    element: Type

    def __str__(self) -> str:
        return f"[{self.count} x {self.element}]"


@record
class VectorType(Type):
    count: int
    element: Type

    def __str__(self) -> str:
        return f"<{self.count} x {self.element}>"


@record
class StructType(Type):
    """A struct; `name` is LLVM's name without the percent sign ("struct.node"), or empty."""

    fields: tuple[Type, ...]
    packed: bool = False
    name: str = ""

    def __str__(self) -> str:
        return f"%{self.name}" if self.name else "{" + ", ".join(map(str, self.fields)) + "}"


@record
class FunctionType(Type):
    result: Type
    params: tuple[Type, ...]
    varargs: bool = False

    def __str__(self) -> str:
        params = [str(p) for p in self.params] + (["..."] if self.varargs else [])
        return f"{self.result} ({', '.join(params)})"


VOID = VoidType()
PTR = PtrType()
I1 = IntType(1)
I8 = IntType(8)
I32 = IntType(32)
I64 = IntType(64)


def is_aggregate(t: Type) -> bool:
    return isinstance(t, (ArrayType, StructType, VectorType))


@record
class DataLayout:
    """Sizes and alignments for one data model (LP64 or ILP32), in bytes."""

    pointer_bytes: int = 8

    @property
    def largest(self) -> int:
        """How many bytes an object can have at most: there are no addresses for more."""
        return (1 << (47 if self.pointer_bytes == 8 else 31)) - 1

    def store_size(self, t: Type) -> int:
        """Bytes that a load or store of `t` touches."""
        return _store_size(t, self.pointer_bytes)

    def size(self, t: Type) -> int:
        """Bytes from one element of `t` to the next in an array."""
        align = self.align(t)
        return (self.store_size(t) + align - 1) // align * align

    def align(self, t: Type) -> int:
        return _align(t, self.pointer_bytes)

    def field_offset(self, t: StructType, index: int) -> int:
        return _field_offsets(t, self.pointer_bytes)[index]

    def element_offset(self, t: Type, index: int) -> int:
        """Offset of an element or field within an aggregate."""
        if isinstance(t, StructType):
            return self.field_offset(t, index)
        if isinstance(t, (ArrayType, VectorType)):
            return index * self.size(t.element)
        raise TypeError(f"{t} has no elements")

    def scalar_at(self, t: Type, offset: int) -> int | None:
        """The size of the scalar that starts at an offset within `t`, or None in its middle."""
        if not is_aggregate(t):
            return self.store_size(t) if offset == 0 else None
        if isinstance(t, StructType):
            for at, part in reversed(self.elements(t)):
                if at <= offset < at + max(self.store_size(part), 1):
                    return self.scalar_at(part, offset - at)
            return None
        assert isinstance(t, (ArrayType, VectorType))
        return self.scalar_at(t.element, offset % max(self.size(t.element), 1))

    def words(self, t: Type) -> list[tuple[int, int]]:
        """(offset, size) of the parts that a processor loads or stores at once, in their order.

        A scalar of up to a word is one part, and so is every float of up to eight bytes.
        """
        size = self.store_size(t)
        if isinstance(t, FloatType) and size <= 8:
            return [(0, size)]
        if isinstance(t, StructType):
            parts = [(at + o, n) for at, e in self.elements(t) for o, n in self.words(e)]
            return parts or [(0, size)]
        word = self.pointer_bytes
        return [(at, min(word, size - at)) for at in range(0, size, word)] or [(0, size)]

    def pieces(self, t: Type) -> list[tuple[int, int]]:
        """(offset, size) of the scalars in `t`, each with the padding behind it."""
        starts = [at for at, _ in self._scalars(t)] or [0]
        ends = [*starts[1:], self.size(t)]
        return [(at, end - at) for at, end in zip(starts, ends, strict=True)]

    def _scalars(self, t: Type) -> list[tuple[int, int]]:
        if is_aggregate(t):
            return [(at + o, n) for at, e in self.elements(t) for o, n in self._scalars(e)]
        return self.words(t)

    def elements(self, t: Type) -> list[tuple[int, Type]]:
        """(offset, type) of the direct parts of an aggregate."""
        if isinstance(t, StructType):
            return [(self.field_offset(t, i), f) for i, f in enumerate(t.fields)]
        if isinstance(t, (ArrayType, VectorType)):
            step = self.size(t.element)
            return [(i * step, t.element) for i in range(t.count)]
        raise TypeError(f"{t} has no elements")


@cache
def _align(t: Type, pointer: int) -> int:
    match t:
        case PtrType():
            return pointer
        case IntType(width):
            size = 1
            while size * 8 < width:
                size *= 2
            return min(size, 4 if pointer == 4 and width == 64 else 16)
        case FloatType(kind):
            if pointer == 4:
                return min(FLOAT_BITS[kind] // 8, 4)
            return 16 if kind in ("x86_fp80", "fp128") else FLOAT_BITS[kind] // 8
        case ArrayType(_, element):
            return _align(element, pointer)
        case VectorType():
            size = 1
            while size < _store_size(t, pointer):
                size *= 2
            return size
        case StructType(fields, packed):
            return 1 if packed or not fields else max(_align(f, pointer) for f in fields)
    raise TypeError(f"no alignment for {t}")


@cache
def _field_offsets(t: StructType, pointer: int) -> tuple[int, ...]:
    """Offsets of the fields, and the end of the last one."""
    offsets, at = [], 0
    for field in t.fields:
        align = 1 if t.packed else _align(field, pointer)
        at = (at + align - 1) // align * align
        offsets.append(at)
        step = _align(field, pointer)
        at += (_store_size(field, pointer) + step - 1) // step * step
    return (*offsets, at)


@cache
def _store_size(t: Type, pointer: int) -> int:
    match t:
        case PtrType():
            return pointer
        case IntType(width):
            return (width + 7) // 8
        case FloatType(kind):
            return FLOAT_BITS[kind] // 8
        case ArrayType(count, element):
            step = _align(element, pointer)
            return count * ((_store_size(element, pointer) + step - 1) // step * step)
        case VectorType(count, element):
            return (count * _store_size(element, pointer) * 8 + 7) // 8
        case StructType():
            align = _align(t, pointer)
            return (_field_offsets(t, pointer)[-1] + align - 1) // align * align
    raise TypeError(f"no size for {t}")
