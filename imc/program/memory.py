"""Memory objects: cells of whatever was stored, over a fill of zeros or of undefined bytes.

A load that matches the last store to its place returns the value that was stored; anything else
(unions, byte copies, bit-fields) is put together from bytes. Performance-critical: see
scripts/bench.py.
"""

from __future__ import annotations

from typing import ClassVar

from imc.program.domain import Domain
from imc.program.types import FloatType, IntType, Type
from imc.program.values import UNDEF, Undefined, Value

MAX_CELL = 32  # no scalar is larger, in bytes
Cells = list[tuple[int, int, Value]]  # (offset, size, value)


class MemoryObject:
    """The contents of one object. Instances reachable from a finished state are never changed."""

    __slots__ = ("cells", "fill", "key", "owner", "size")

    from_outside: ClassVar[bool] = False  # whether the world has filled it, so that all is asked

    @property
    def extent(self) -> Value | None:
        """How many bytes there are, if that is not known: `size` is the most there can be."""
        return None

    def __init__(
        self, size: int, fill: int | Undefined, owner: tuple[int, int] | None = None
    ) -> None:
        self.size = size
        self.owner = owner  # thread and frame of a local object
        self.fill = fill  # 0 or UNDEF: what bytes hold that no cell covers
        self.cells: dict[int, tuple[int, Value]] = {}
        self.key: tuple[int, tuple[int, ...]] | None = (
            None  # cache of a canonical form, owned by StateKeys
        )

    def copy(self) -> MemoryObject:
        new = MemoryObject(self.size, self.fill, self.owner)
        new.cells = self.cells.copy()
        return new

    def text_at(self, offset: Value) -> Value | None:
        """The length of a text at an offset of which nothing else is known."""
        return None

    # ------------------------------------------------------------------ read

    def read(self, offset: int, size: int, type: Type, domain: Domain) -> Value:
        """The scalar of `type` at `offset`; the range has been checked to lie inside."""
        cell = self.cells.get(offset)
        if cell is not None and cell[0] == size:
            value = cell[1]
            kind = value.__class__
            if isinstance(type, FloatType):
                if kind is float or value is UNDEF:
                    return value
            elif kind is not float:
                return value
            return domain.join(domain.split(value, IntType(8 * size), size), type)
        if cell is None and not self._overlapping(offset, size):
            if self.fill is UNDEF:
                return UNDEF
            return 0.0 if isinstance(type, FloatType) else 0
        return domain.join(self.read_bytes(offset, size, domain), type)

    def read_bytes(self, offset: int, size: int, domain: Domain) -> list[Value]:
        data: list[Value] = [self.fill] * size
        for at in self._overlapping(offset, size):
            n, value = self.cells[at]
            for i, byte in enumerate(domain.split(value, IntType(8 * n), n)):
                if 0 <= at + i - offset < size:
                    data[at + i - offset] = byte
        return data

    # ----------------------------------------------------------------- write

    def write(self, offset: int, size: int, value: Value, domain: Domain) -> None:
        cell = self.cells.get(offset)
        if cell is None or cell[0] != size:
            self._clear(offset, size, domain)
        self.cells[offset] = (size, value)

    def fill_range(self, offset: int, size: int, byte: Value, domain: Domain) -> None:
        """memset: a whole object set to zero costs nothing."""
        if offset == 0 and size == self.size and byte == 0 and byte.__class__ is int:
            self.cells.clear()
            self.fill = 0
            return
        self._clear(offset, size, domain)
        if byte == self.fill and byte.__class__ is int:
            return
        for at in range(offset, offset + size):
            self.cells[at] = (1, byte)

    def copy_range(
        self, offset: int, source: MemoryObject, start: int, size: int, domain: Domain
    ) -> None:
        """Copies `size` bytes of `source` from `start`; ranges of one object must not overlap."""
        moved = source.cut(start, size, domain)
        self._clear(offset, size, domain)
        if sum(n for _, n, _ in moved) < size and source.fill is not self.fill:
            self._write_fill(offset, size, source.fill, moved)
        for at, n, value in moved:
            self.cells[offset + at] = (n, value)

    def cut(self, start: int, size: int, domain: Domain) -> Cells:
        """The cells in a range, by their offsets in it; of those that stick out, the bytes."""
        found: Cells = []
        for at in self._overlapping(start, size):
            n, value = self.cells[at]
            if start <= at and at + n <= start + size:
                found.append((at - start, n, value))
                continue
            for i, byte in enumerate(domain.split(value, IntType(8 * n), n)):
                if start <= at + i < start + size:
                    found.append((at + i - start, 1, byte))
        return found

    def _write_fill(
        self,
        offset: int,
        size: int,
        fill: int | Undefined,
        taken: Cells,
    ) -> None:
        """Makes explicit the other object's fill, in the gaps between the cells `taken`."""
        at = 0
        for start, n, _ in [
            *sorted((t[0], t[1], None) for t in taken),
            (size, 0, None),
        ]:
            while at < start:
                step = 8 if at % 8 == 0 and at + 8 <= start else 1
                self.cells[offset + at] = (step, fill)
                at += step
            at = start + n

    def _overlapping(self, offset: int, size: int) -> list[int]:
        """Offsets of the cells that touch the range, in order."""
        cells = self.cells
        if size + MAX_CELL > len(cells):
            return sorted(
                at for at, (n, _) in cells.items() if at < offset + size and at + n > offset
            )
        before = [
            at
            for at in range(offset - MAX_CELL + 1, offset)
            if at in cells and at + cells[at][0] > offset
        ]
        return before + [at for at in range(offset, offset + size) if at in cells]

    def _clear(self, offset: int, size: int, domain: Domain) -> None:
        """Removes the cells in the range; what sticks out of it stays as bytes."""
        for at in self._overlapping(offset, size):
            n, value = self.cells.pop(at)
            if at >= offset and at + n <= offset + size:
                continue
            for i, byte in enumerate(domain.split(value, IntType(8 * n), n)):
                if not offset <= at + i < offset + size:
                    self.cells[at + i] = (1, byte)
