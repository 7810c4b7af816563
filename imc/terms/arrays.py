"""Memory objects that offsets which are not known can index.

A summary knows the range that all elements lie in, which is cheap and often enough. Where it is
not, an array term tells the elements apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pysmt.fnode import FNode

from imc.errors import Unsupported
from imc.program.domain import Domain
from imc.program.memory import MemoryObject
from imc.program.types import FloatType, Type
from imc.program.values import UNDEF, Aggregate, Value

if TYPE_CHECKING:
    from imc.terms.integers import IntegerDomain

WHOLE = -1  # where the cells of such an object hold what is known of all elements


class Elements(MemoryObject):
    """Elements of `element` bytes each, all of them integers, in a single cell."""

    __slots__ = ("element", "number")

    def __init__(self, like: MemoryObject, number: int, element: int) -> None:
        super().__init__(like.size, like.fill, like.owner)
        self.number = number
        self.element = element

    def copy(self) -> Elements:
        new = type(self)(self, self.number, self.element)
        new.cells = self.cells.copy()
        return new

    def fits(self, offset: Value, size: int, type: Type | None) -> None:
        if size != self.element or isinstance(type, FloatType):
            raise Unsupported("elements of different sizes in an array with an unknown index")
        if offset.__class__ is int and offset % size:
            raise Unsupported("an access between two elements of an array")

    def accepts(self, value: Value) -> None:
        if value.__class__ is not int and not isinstance(value, FNode):
            raise Unsupported("an array with an unknown index is given something but an integer")

    def fill_range(self, offset: int, size: int, byte: Value, domain: Domain) -> None:
        raise Unsupported("memset of an array with an unknown index")

    def read_bytes(self, offset: int, size: int, domain: Domain) -> list[Value]:
        raise Unsupported("bytes of an array with an unknown index")

    def copy_range(
        self, offset: int, source: MemoryObject, start: int, size: int, domain: Domain
    ) -> None:
        raise Unsupported("memcpy into an array with an unknown index")

    def _overlapping(self, offset: int, size: int) -> list[int]:
        raise Unsupported("memcpy out of an array with an unknown index")


class Summary(Elements):
    """Between which numbers the elements lie; what is read is anything in between."""

    __slots__ = ()

    @property
    def range(self) -> tuple[int, int]:
        low, high = self.cells[WHOLE][1]
        return low, high

    @range.setter
    def range(self, range: tuple[int, int]) -> None:
        self.cells[WHOLE] = (self.element, Aggregate(range))

    def read(self, offset: Value, size: int, type: Type, domain: Domain) -> Value:
        self.fits(offset, size, type)
        d = integer_domain(domain)
        low, high = self.range
        return low & ((1 << 8 * size) - 1) if low == high else d.element(self.number, low, high)

    def write(self, offset: Value, size: int, value: Value, domain: Domain) -> None:
        self.fits(offset, size, None)
        self.accepts(value)
        d = integer_domain(domain)
        low, high = self.range
        least, most = _range(d, value, 8 * size)
        if least < low or most > high:
            self.range = min(low, least), max(high, most)


class ArrayObject(Elements):
    """Every element by itself, as a term over byte offsets."""

    __slots__ = ()

    @property
    def term(self) -> FNode:
        return self.cells[WHOLE][1]

    @term.setter
    def term(self, term: FNode) -> None:
        self.cells[WHOLE] = (self.element, term)

    def read(self, offset: Value, size: int, type: Type, domain: Domain) -> Value:
        self.fits(offset, size, type)
        d = integer_domain(domain)
        return d.value(d.terms.select(self.term, _index(d, offset)), 8 * size)

    def write(self, offset: Value, size: int, value: Value, domain: Domain) -> None:
        self.fits(offset, size, None)
        self.accepts(value)
        d = integer_domain(domain)
        self.term = d.terms.store(self.term, _index(d, offset), d.term(value, 8 * size))


def integer_domain(domain: Domain) -> IntegerDomain:
    """The domain, which is that of unknown values wherever such memory is."""
    from imc.terms.integers import IntegerDomain

    assert isinstance(domain, IntegerDomain)
    return domain


def _index(domain: IntegerDomain, offset: Value) -> FNode:
    return offset if isinstance(offset, FNode) else domain.terms.integer(offset)


def _range(domain: IntegerDomain, value: Value, width: int) -> tuple[int, int]:
    """Between which numbers a value lies; what does not overflow fits its width."""
    low, high = -(1 << (width - 1)), (1 << (width - 1)) - 1
    found = domain.arithmetic.range(domain.term(value, width)) or (low, high)
    return max(low, found[0]), min(high, found[1])


def _is_uniform(contents: MemoryObject, size: int) -> bool:
    """Whether there is nothing in it but integers of one size, all of them initialised."""
    if contents.size % size or contents.size == size:
        return False
    for at, (n, value) in contents.cells.items():
        if n != size or at % size or not (value.__class__ is int or isinstance(value, FNode)):
            return False
    return contents.fill is not UNDEF or len(contents.cells) * size == contents.size


def to_summary(
    number: int, contents: MemoryObject, size: int, domain: IntegerDomain
) -> Summary | None:
    """What is common to all elements, if these are integers of `size` bytes."""
    if not _is_uniform(contents, size):
        return None
    ranges = [_range(domain, value, 8 * size) for _, value in contents.cells.values()]
    if len(contents.cells) * size < contents.size:
        ranges.append((0, 0))
    summary = Summary(contents, number, size)
    summary.range = min(low for low, _ in ranges), max(high for _, high in ranges)
    return summary


def to_array(
    number: int, contents: MemoryObject, size: int, domain: IntegerDomain
) -> ArrayObject | None:
    """The contents as an array term, if they are integers of `size` bytes."""
    if not _is_uniform(contents, size):
        return None
    array = ArrayObject(contents, number, size)
    term = domain.terms.constant_array(0)
    for at, (_, value) in sorted(contents.cells.items()):
        if value.__class__ is not int or value != 0:
            element = domain.term(value, 8 * size)
            term = domain.terms.store(term, domain.terms.integer(at), element)
    array.term = term
    return array
