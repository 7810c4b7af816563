"""Memory that the world outside fills: any bytes, as many as it likes, perhaps a text.

Nothing is known of the bytes, so nothing is kept of them: who reads one is told any number. How
many there are, and where a text ends, is kept, as terms. Reading the same byte twice may bring two
numbers, so an error that depends on bytes is looked for once more where they are told apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from pysmt.fnode import FNode

from imc.errors import Unsupported
from imc.program.domain import Domain
from imc.program.memory import Cells, MemoryObject
from imc.program.types import IntType, Type
from imc.program.values import Value
from imc.terms.arithmetic import signed_range
from imc.terms.arrays import integer_domain

if TYPE_CHECKING:
    from imc.terms.integers import IntegerDomain

# Where such an object keeps what is known of it: before its first byte, where no access comes.
START = -32  # the offset of the first byte that the world has filled, behind which all are its own
EXTENT = -64  # how many bytes the object has, where that is not known
LENGTH = -96  # of the text that begins at START: no byte of it is zero, the one behind it is
KEPT = 8  # the size of these cells
MOST_COPIED = 64  # bytes of it that are copied one by one


class Outside(MemoryObject):
    """An object whose bytes from `START` on the world has filled; what is before it is kept."""

    __slots__ = ("number",)

    from_outside = True

    def __init__(self, like: MemoryObject, number: int) -> None:
        super().__init__(like.size, like.fill, like.owner)
        self.cells = like.cells.copy()
        self.number = number

    def copy(self) -> Outside:
        return Outside(self, self.number)

    @property
    def extent(self) -> Value | None:
        cell = self.cells.get(EXTENT)
        return None if cell is None else cell[1]

    def text_at(self, offset: Value) -> Value | None:
        """The length of the text that begins at an offset, if one is known to."""
        length = self.cells.get(LENGTH)
        begins = length is not None and self.cells[START][1] == offset
        return length[1] if begins and length is not None else None

    def read(self, offset: Value, size: int, type: Type, domain: Domain) -> Value:
        if self._is_kept(offset, size, domain):
            return super().read(offset, size, type, domain)
        if not isinstance(type, IntType):
            raise Unsupported("an address or a floating-point number in bytes from outside")
        return self._any(offset, size, integer_domain(domain))

    def _any(self, offset: Value, size: int, domain: IntegerDomain) -> Value:
        byte = domain.element(self.number, *signed_range(8 * size))
        length = self.cells.get(LENGTH)
        if length is None or size != 1:
            return byte
        t = domain.terms
        start = self.cells[START][1]
        at = t.subtract(domain.offset_term(offset), t.integer(start))
        end = domain.offset_term(length[1])
        some = t.ite(t.equal(byte, t.zero), t.one, byte)
        text = t.ite(t.at_most(end, t.subtract(at, t.one)), byte, some)
        value = t.ite(t.equal(at, end), t.zero, text)
        domain.ranges[value] = signed_range(8)
        return domain.value(value, 8)

    def read_bytes(self, offset: int, size: int, domain: Domain) -> list[Value]:
        if self._is_kept(offset, size, domain):
            return super().read_bytes(offset, size, domain)
        if size > MOST_COPIED:
            raise Unsupported("many bytes from outside are read at once")
        return [self.read(offset + k, 1, IntType(8), domain) for k in range(size)]

    def cut(self, start: int, size: int, domain: Domain) -> Cells:
        if self._is_kept(start, size, domain):
            return super().cut(start, size, domain)
        return [(k, 1, byte) for k, byte in enumerate(self.read_bytes(start, size, domain))]

    def write(self, offset: Value, size: int, value: Value, domain: Domain) -> None:
        """What is written among bytes that are not known is as little known as they are."""
        if self._is_kept(offset, size, domain):
            super().write(offset, size, value, domain)
        else:
            self._lose([value])

    def fill_range(self, offset: int, size: int, byte: Value, domain: Domain) -> None:
        if self._is_kept(offset, size, domain):
            super().fill_range(offset, size, byte, domain)
        elif self.extent is None and offset == 0 and size == self.size:
            self.cells.clear()
            super().fill_range(offset, size, byte, domain)
        else:
            self._lose([byte])

    def copy_range(
        self, offset: int, source: MemoryObject, start: int, size: int, domain: Domain
    ) -> None:
        if self._is_kept(offset, size, domain):
            super().copy_range(offset, source, start, size, domain)
        else:
            cells = source.cut(start, size, domain)
            gaps = sum(n for _, n, _ in cells) < size
            self._lose([*(value for _, _, value in cells), *([source.fill] if gaps else [])])

    def _lose(self, values: Iterable[Value]) -> None:
        """Numbers become any numbers; an address must not be lost, somebody may follow it."""
        if any(value.__class__ is not int and not isinstance(value, FNode) for value in values):
            raise Unsupported("what is no number is stored among bytes from outside")
        self.cells.pop(LENGTH, None)

    def _is_kept(self, offset: Value, size: int, domain: Domain) -> bool:
        """Whether the bytes lie before those of the world."""
        cell = self.cells.get(START)
        if cell is None:
            return True
        start = cell[1]
        if offset.__class__ is int and offset + size <= start:
            return True
        if offset.__class__ is int and offset >= start:
            return False
        if start == 0:
            return False
        raise Unsupported("an access at an unknown offset beside bytes from outside")


def fill(
    contents: MemoryObject, number: int, start: int, known: Mapping[int, Value | None]
) -> Outside:
    """An object that the world has filled from an offset on."""
    made = Outside(contents, number)
    made.cells = {at: cell for at, cell in made.cells.items() if 0 <= at < start}
    made.cells[START] = (KEPT, start)
    for at, value in known.items():
        if value is not None:
            made.cells[at] = (KEPT, value)
    return made
