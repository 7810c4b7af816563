"""Strings that are printed although not all of their bytes are known: that they end is enough."""

from __future__ import annotations

from types import NoneType

from imc.errors import Unsupported
from imc.program.machine import Machine
from imc.program.memory import MemoryObject
from imc.program.types import IntType
from imc.program.values import UNDEF, Partial, Value

BYTE = IntType(8)


def pass_unknown_text(m: Machine, pointer: Value, limit: int | None) -> bool:
    """Reads a string of which not all is known, if it surely ends, and all of it is defined.

    Whoever prints it need not know more. False: it is to be read byte by byte, which finds out
    what is wrong with it.
    """
    text = m.text(pointer)
    if text is not None:
        m.pass_text(pointer, text)
        return True
    number = pointer[0] if pointer.__class__ is tuple else 0
    found = m.memory.get(number) or m.image.constants.get(number)
    if found is None or found.__class__ is not MemoryObject:
        return False
    start = pointer[1]
    if start.__class__ is int:
        size = _unknown_part(m, found, start, limit)
        if size:
            m.use(pointer, size, False)
            m.touch_read(pointer, size)
        return size > 0
    if limit is not None or not _all_texts(m, found):
        return False
    m.target(pointer, 1)  # wherever it is, the object's last byte ends it
    m.use(pointer, 1, False)
    m.touch_read((pointer[0], 0), found.size)
    return True


def _unknown_part(m: Machine, found: MemoryObject, start: int, limit: int | None) -> int:
    """How many bytes may be read before a zero that is surely there; 0 if all are known."""
    if start < 0:
        return 0
    end = found.size if limit is None else min(found.size, start + limit)
    is_unknown = False
    for at in range(start, end):
        byte = _byte(m, found, at)
        if byte.__class__ is int:
            if byte == 0:
                return at + 1 - start if is_unknown else 0
        elif not _is_term(m, byte):
            return 0
        else:
            is_unknown = True
    return limit if is_unknown and limit is not None and start + limit <= found.size else 0


def _all_texts(m: Machine, found: MemoryObject) -> bool:
    """Whether a string begins at every byte of an object."""
    values = [_byte(m, found, at) for at in range(found.size)]
    return all(v.__class__ is int for v in values) and bool(values) and values[-1] == 0


def _is_term(m: Machine, byte: Value) -> bool:
    if byte is UNDEF or byte.__class__ in (NoneType, tuple, Partial):
        return False
    return m.domain.truth(byte) is None


def _byte(m: Machine, found: MemoryObject, at: int) -> Value:
    try:
        return found.read(at, 1, BYTE, m.domain)
    except Unsupported:
        return None
