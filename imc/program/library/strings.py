"""Copying and filling memory. Where others can see it, a copy is many events, word by word."""

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


def _word(*offsets: int) -> int:
    """The largest power of two up to 8 that all the numbers are multiples of."""
    for size in (8, 4, 2):
        if all(offset % size == 0 for offset in offsets):
            return size
    return 1


def copy_by_words(m: Machine, i: Library, args: list[Value]) -> Value:
    """Each word is read in one event and written in another."""
    to, source, size = args[0], args[1], _size(args[2])
    frame = m.frames[-1]
    if size == 0:
        return to
    m.target(source, size), m.target(to, size)
    word = _word(to[1], source[1], size)
    nth, writing = divmod(frame.phase, 2)
    backwards = to[0] == source[0] and to[1] > source[1]
    at = size - word * (nth + 1) if backwards else word * nth
    if not writing:
        buffer = MemoryObject(word, UNDEF)
        buffer.copy_range(0, m.target(source, size), source[1] + at, word, m.domain)
        frame.scratch = Aggregate(
            Aggregate((k, n, v)) for k, (n, v) in sorted(buffer.cells.items())
        )
        m.touch(Mode.READ, (source[0], source[1] + at), word, False)
        frame.phase += 1
        return NEXT_PHASE
    buffer = MemoryObject(word, m.target(source, size).fill)
    buffer.cells = {k: (n, v) for k, n, v in frame.scratch}
    m.writable(to, size).copy_range(to[1] + at, buffer, 0, word, m.domain)
    m.touch(Mode.WRITE, (to[0], to[1] + at), word, False)
    frame.scratch = None
    frame.phase += 1
    return to if word * (nth + 1) == size else NEXT_PHASE


def fill_by_words(m: Machine, i: Library, args: list[Value]) -> Value:
    to, byte, size = args[0], args[1], _size(args[2])
    frame = m.frames[-1]
    if size == 0:
        return to
    target = m.writable(to, size)
    word = _word(to[1], size)
    at = word * frame.phase
    target.fill_range(to[1] + at, word, byte & 0xFF, m.domain)
    m.touch(Mode.WRITE, (to[0], to[1] + at), word, False)
    frame.phase += 1
    return to if at + word == size else NEXT_PHASE


@library(
    "memcpy", "memmove", visible=Visibility.MEMORY, stepwise=copy_by_words,
    reads=(1,), writes=(0,), copies=(0, 1), returns=0,
)  # fmt: skip
def memcpy(m: Machine, i: Library, args: list[Value]) -> Value:
    m.copy(args[0], args[1], _size(args[2]))
    return args[0]


@library("memset", visible=Visibility.MEMORY, stepwise=fill_by_words, writes=(0,), returns=0)
def memset(m: Machine, i: Library, args: list[Value]) -> Value:
    to, byte, size = args[0], args[1], _size(args[2])
    if size:
        byte = byte & 0xFF if byte.__class__ is int else UNDEF
        m.writable(to, size).fill_range(to[1], size, byte, m.domain)
    return to
