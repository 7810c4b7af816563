"""Copying and filling memory. Where others can see it, a copy is many events, piece by piece."""

from __future__ import annotations

from imc.program.events import Mode
from imc.program.faults import FaultRaised, Property
from imc.program.instructions import Library
from imc.program.library.registry import Visibility, library
from imc.program.machine import NEXT_PHASE, Machine
from imc.program.memory import MemoryObject
from imc.program.types import I32
from imc.program.values import UNDEF, Aggregate, Value

ERRNO = "imc_errno"  # defined by the bundled C library


def set_errno(m: Machine, code: int) -> None:
    if ERRNO in m.image.program.globals:
        m.store(m.image.thread_local(ERRNO, m.thread.id, m), I32, code)


def _size(value: Value) -> int:
    if value.__class__ is not int:
        raise FaultRaised(Property.UNINITIALISED, "the size of a copy is not initialised")
    assert isinstance(value, int)
    return value


def _piece(m: Machine, at: int, size: int, *pointers: Value) -> int:
    """How many bytes an event moves: a scalar of an object's type, or a word if none is known.

    Not a matter of what the memory holds: states that compare equal must go on alike.
    """
    for number, offset in pointers:
        type = m.image.objects[number].type
        if type is not None:
            period = max(m.image.layout.size(type), 1)  # an array on the stack repeats its element
            scalar = m.image.layout.scalar_at(type, (offset + at) % period)
            return scalar if scalar is not None and scalar <= min(size, 16) else 1
    return 4 if (pointers[0][1] + at) % 4 == 0 and size >= 4 else 1


def copy_by_pieces(m: Machine, i: Library, args: list[Value]) -> Value:
    """Each piece is read in one event and written in another; overlapping ranges move at once."""
    to, source, size = args[0], args[1], _size(args[2])
    frame = m.frames[-1]
    if size == 0:
        return to
    origin, _ = m.target(source, size), m.target(to, size)
    if to[0] == source[0] and abs(to[1] - source[1]) < size:
        m.copy(to, source, size)
        m.touch(Mode.READ, source, size, False)
        m.touch(Mode.WRITE, to, size, False)
        return to
    if frame.phase % 2 == 0:
        at = frame.scratch or 0
        n = _piece(m, at, size - at, source, to)
        buffer = MemoryObject(n, UNDEF)
        buffer.copy_range(0, origin, source[1] + at, n, m.domain)
        cells = (Aggregate((k, length, v)) for k, (length, v) in sorted(buffer.cells.items()))
        frame.scratch = Aggregate((at, n, *cells))
        m.touch(Mode.READ, (source[0], source[1] + at), n, False)
        frame.phase = 1
        return NEXT_PHASE
    at, n, *cells = frame.scratch
    buffer = MemoryObject(n, UNDEF)
    buffer.cells = {k: (length, v) for k, length, v in cells}
    m.writable(to, size).copy_range(to[1] + at, buffer, 0, n, m.domain)
    m.touch(Mode.WRITE, (to[0], to[1] + at), n, False)
    frame.phase = 0
    frame.scratch = at + n if at + n < size else None
    return to if frame.scratch is None else NEXT_PHASE


def fill_by_pieces(m: Machine, i: Library, args: list[Value]) -> Value:
    to, byte, size = args[0], args[1], _size(args[2])
    frame = m.frames[-1]
    if size == 0:
        return to
    at = frame.phase  # how much is done
    n = _piece(m, at, size - at, to)
    byte = byte & 0xFF if byte.__class__ is int else UNDEF
    m.writable(to, size).fill_range(to[1] + at, n, byte, m.domain)
    m.touch(Mode.WRITE, (to[0], to[1] + at), n, False)
    frame.phase += n
    return to if frame.phase == size else NEXT_PHASE


@library(
    "memcpy", "memmove", visible=Visibility.MEMORY, stepwise=copy_by_pieces,
    reads=(1,), writes=(0,), copies=((0, 1),),
)  # fmt: skip
def memcpy(m: Machine, i: Library, args: list[Value]) -> Value:
    m.copy(args[0], args[1], _size(args[2]))
    return args[0]


@library("memset", visible=Visibility.MEMORY, stepwise=fill_by_pieces, writes=(0,))
def memset(m: Machine, i: Library, args: list[Value]) -> Value:
    to, byte, size = args[0], args[1], _size(args[2])
    if size:
        byte = byte & 0xFF if byte.__class__ is int else UNDEF
        m.writable(to, size).fill_range(to[1], size, byte, m.domain)
    return to
