"""Accesses that do not match the scalars which memory is cut into: numbers in parts, or joined.

How memory is cut stays as it is: a narrow access takes some bytes of a scalar, a wide one several
scalars together. Only numbers are taken apart and joined. An address must stay in one cell, where
keys of states find it; and what is undefined in part has no word.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from imc.compact.form import INSIDE, MOST_OBJECTS, SHIFT, NotCompact
from imc.compact.opcodes import UNDEF

if TYPE_CHECKING:
    from imc.compact.memory import FlatMemory

LARGEST = 8  # bytes of a word
Put = Callable[[int, int, int], None]  # a cell, bytes, what they are to hold


def read_pieces(m: FlatMemory, at: int, size: int) -> int:
    """What `size` bytes hold from a cell on."""
    found, unknown = 0, 0
    for cell, low, high in _pieces(m, at, size):
        value = m.cells[cell]
        if value == UNDEF:
            unknown += high - low
            continue
        _refuse_address(value)
        part = value >> 8 * (low - cell) & _mask(high - low)
        found |= part << 8 * (low - at)
    if unknown:
        if unknown < size:
            raise NotCompact("a number that is partly undefined")
        return UNDEF
    if _like_address(found):
        raise NotCompact("a number that looks like an address")
    return found


def write_pieces(m: FlatMemory, at: int, size: int, value: int) -> None:
    """Gives `size` bytes from a cell on a value."""
    _refuse_address(value)
    for cell, low, high in _pieces(m, at, size):
        old = m.cells[cell]
        m.log += (0, cell, old)
        m.cells[cell] = _changed(m, cell, low, high, value, at)


def fill_pieces(m: FlatMemory, first: int, at: int, size: int, byte: int, put: Put) -> None:
    """Gives `size` bytes of the object at a cell the same value, by aligned words.

    Zeros that nobody has looked at yet stay open.
    """
    end = at + size
    while at < end:
        piece = LARGEST
        while piece > end - at or (at - first) % piece:
            piece //= 2
        if byte or any(m.layout[at : at + piece]) or any(m.cells[at : at + piece]):
            put(at, piece, int.from_bytes(bytes([byte]) * piece, "little"))
        at += piece


def _changed(m: FlatMemory, cell: int, low: int, high: int, value: int, at: int) -> int:
    """What a scalar holds when some of its bytes have got a new value."""
    old, mask = m.cells[cell], _mask(high - low)
    if high - low == m.layout[cell]:
        return UNDEF if value == UNDEF else value >> 8 * (low - at) & mask
    if (old == UNDEF) != (value == UNDEF):
        raise NotCompact("a number that is partly undefined")
    if old == UNDEF:
        return UNDEF
    _refuse_address(old)
    shift = 8 * (low - cell)
    new = old & ~(mask << shift) | (value >> 8 * (low - at) & mask) << shift
    if _like_address(new):
        raise NotCompact("a number that looks like an address")
    return new


def _pieces(m: FlatMemory, at: int, size: int) -> list[tuple[int, int, int]]:
    """The scalars that an access touches: the cell, and which bytes of it."""
    if size > LARGEST:
        raise NotCompact("memory is cut into scalars in several ways")
    cut(m, at, size)
    cell = at
    while m.layout[cell] == INSIDE:
        cell -= 1
    found = []
    while cell < at + size:
        end = cell + m.layout[cell]
        if end - cell > LARGEST:
            raise NotCompact("memory is cut into scalars in several ways")
        found.append((cell, max(cell, at), min(end, at + size)))
        cell = end
    return found


def cut(m: FlatMemory, at: int, size: int) -> None:
    """Bytes that no scalar is known of become scalars, as large as they can be."""
    k = at
    while k < at + size:
        if m.layout[k] != 0:
            k += 1
            continue
        end = k
        while end < at + size and m.layout[end] == 0:
            end += 1
        piece = LARGEST
        while piece > end - k or (k - at) % piece:
            piece //= 2
        m.discover(k, piece)
        k += piece


def _mask(bytes: int) -> int:
    return (1 << 8 * bytes) - 1


def _like_address(value: int) -> bool:
    return 0 < value >> SHIFT < MOST_OBJECTS


def _refuse_address(value: int) -> None:
    if _like_address(value):
        raise NotCompact("memory is cut into scalars in several ways")
