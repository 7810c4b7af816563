"""What the world outside may answer: numbers between bounds, short strings, failures.

These are inputs, as arbitrary as POSIX permits: an error that depends on them is one. Where the
model puts a bound on them, an assumption says so (see `imc/program/assumptions.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from imc.errors import Unsupported
from imc.program.events import Mode
from imc.program.instructions import Library
from imc.program.library.heap import OWN
from imc.program.library.strings import ERRNO, set_errno
from imc.program.library.verifier import listed
from imc.program.machine import Machine
from imc.program.types import I32, IntType, Type
from imc.program.values import Pointer, Value

PROCESSORS = 4  # that there may be
OUTSIDE_BYTES = 8  # of a string of the environment
FILE_BYTES = 4  # of a file, or what is read at a time; or all of what is asked for,
MOST_READ = 64  # if that are not more bytes
ENTRIES = 2  # of all directories, where values are known
FEW = 5  # numbers that are all tried where values are known
ERRORS = 133  # that errno may tell of
TRUTH, BYTE, LONG = IntType(1), IntType(8), IntType(64)
LETTER = ord("x")
LIKELY_ERRORS = (2, 4)  # ENOENT, EINTR: tried where values are known


def masked(value: int, type: IntType) -> int:
    return value & ((1 << type.width) - 1)


def between(m: Machine, i: Library, low: int, high: int, type: IntType = I32) -> Value:
    """An input of the type that is at least `low` and at most `high`."""
    drawn = m.drawn(low, high)
    if drawn is not None:
        return masked(drawn, type)
    value = m.input(type)
    if value is None:
        return masked(_chosen(m, i, low, high), type)
    return m.domain.bounded(value, low, high, low, type.width)


def _chosen(m: Machine, i: Library, low: int, high: int) -> int:
    """One of the numbers, or of some of them, which is a bound."""
    values = list(range(low, high + 1)) if high - low < FEW else _some(m, low, high)
    if high - low >= FEW:
        m.image.bounds.add(f"inputs of {i.name} taken from {listed(tuple(values))}")
    value = values[m.choose(len(values))]
    m.note = f"input {value}"
    return value


def _some(m: Machine, low: int, high: int) -> list[int]:
    known = {v for v in m.settings.inputs if low <= v <= high}
    return sorted({low, *known, *([high] if high < 1 << 16 else [])})


def truth(m: Machine, i: Library) -> bool:
    """A question that the world answers by yes or no."""
    drawn = m.drawn(0, 1)
    if drawn is not None:
        return bool(drawn)
    value = m.input(TRUTH)
    if value is not None:
        return m.decide(value)
    m.note = f"input {m.choose(2)}"
    return bool(m.choices[m.chosen - 1])


def fails(m: Machine, i: Library) -> bool:
    """Whether a call fails; if so, errno tells of any error."""
    if truth(m, i):
        return False
    set_any_error(m, i)
    return True


def set_any_error(m: Machine, i: Library) -> None:
    if ERRNO not in m.image.program.globals:
        return
    drawn = m.drawn(1, ERRORS)
    if drawn is not None:
        set_errno(m, drawn)
        return
    value = m.input(I32)
    if value is None:
        m.image.bounds.add(f"errors of {i.name} taken from {listed(LIKELY_ERRORS)}")
        set_errno(m, LIKELY_ERRORS[m.choose(len(LIKELY_ERRORS))])
    else:
        set_errno(m, m.domain.bounded(value, 1, ERRORS, 1, I32.width))


def file_size(m: Machine, i: Library) -> Value:
    """How many bytes a file has: any number, or few where values are known."""
    if not m.draws and not m.domain.answers:
        return FILE_BYTES * m.choose(2)
    return between(m, i, 0, FILE_BYTES if m.draws else (1 << 63) - 1, LONG)


def any_byte(m: Machine, i: Library) -> Value:
    byte = m.drawn(0, 255)
    if byte is None:
        byte = m.input(BYTE)
    return _one_byte(m, i) if byte is None else byte


def fill(m: Machine, i: Library, place: Value, size: int) -> None:
    """Bytes from outside, at a place that the call has been given."""
    if size == 0:
        return
    m.target(place, size)
    m.touch(Mode.WRITE, place, size, False)
    one = None
    for at in range(size):
        byte = m.drawn(0, 255)
        if byte is None:
            byte = m.input(BYTE)
        if byte is None:
            one = _one_byte(m, i) if one is None else one
            byte = one
        m.store_int(place, at, 1, byte)


def _one_byte(m: Machine, i: Library) -> int:
    """Where values are known, one for all bytes."""
    values = tuple(sorted({masked(v, BYTE) for v in m.settings.inputs}))
    m.image.bounds.add(f"bytes of {i.name} taken from {listed(values)}")
    return values[m.choose(len(values))]


def new_string(m: Machine, i: Library, name: str) -> Pointer:
    """An object with any string of at most `OUTSIDE_BYTES` characters."""
    place = m.allocate("heap", OUTSIDE_BYTES + 1, 0, name, (i.name, OWN), i.loc)
    fill_string(m, i, place, OUTSIDE_BYTES)
    return place


def fill_string(m: Machine, i: Library, place: Value, most: int) -> None:
    """Any string of at most so many characters, at a place that has room for one byte more.

    The bytes behind its end are as arbitrary as those before it.
    """
    if not m.draws and not m.domain.answers:
        _write_one(m, i, place, [b"", *_texts(m, most)])
        return
    fill(m, i, place, most)
    m.store_int(place, most, 1, 0)
    m.touch(Mode.WRITE, m.domain.add_offset(place, most), 1, False)


def fill_name(m: Machine, i: Library, place: Pointer, room: int) -> Value:
    """The name of a file: any string that is not empty, and has room with its end; its length.

    Behind it the object may hold anything.
    """
    if not m.draws and not m.domain.answers:
        _write_one(m, i, place, _texts(m, FILE_BYTES)[-2:])
        return 1
    most = FILE_BYTES if m.draws else room - 1
    length = between(m, i, 1, most, LONG)
    letters = [any_byte(m, i) for _ in range(FILE_BYTES)]  # as many in all domains
    m.use(place, room, True)
    m.touch(Mode.WRITE, place, room, False)
    if m.fill_from_outside(place, length=length):
        return length
    if m.domain.symbolic:
        raise Unsupported("an error may depend on the characters of a file's name", i.loc)
    for at in range(length):
        letter = letters[at] if at < FILE_BYTES else LETTER
        m.store_int(place, at, 1, LETTER if m.equal(letter, 0, 8) else letter)
    m.store_int(place, length, 1, 0)
    return length


def _texts(m: Machine, most: int) -> list[bytes]:
    return [*(str(v).encode()[:most] for v in m.settings.inputs), b"x" * most]


def _write_one(m: Machine, i: Library, place: Value, texts: list[bytes]) -> None:
    said = ", ".join(repr(text.decode()) for text in texts)
    m.image.bounds.add(f"strings of {i.name} are {said}")
    text = texts[m.choose(len(texts))]
    m.write_bytes(place, text + b"\0")
    m.touch(Mode.WRITE, place, len(text) + 1, False)


def remembered(
    m: Machine, key: Hashable, name: str, type: Type, find: Callable[[], Value]
) -> Value:
    """What was found when somebody first asked; from then on it stays the same.

    The call has to be an event, since all threads look at the same place.
    """
    place = m.hidden(("world", key), name)
    value = m.domain.add_offset(place, 8)
    if m.load_int(place, 0, 1) == 0:
        m.touch(Mode.WRITE, place, 16, True)
        m.store_int(place, 0, 1, 1)
        m.store(value, type, find())
    else:
        m.touch(Mode.READ, place, 16, True)
    return m.load(value, type)
