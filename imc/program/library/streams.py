"""Streams that a program opens: reading brings any bytes, writing succeeds.

A stream is an object that only the library looks into. Calls of several threads take turns, so
they do not race; what is used after it was closed is an error.
"""

from __future__ import annotations

from imc.errors import Unsupported
from imc.program.events import Mode
from imc.program.instructions import Library
from imc.program.library.external import invented_result
from imc.program.library.files import (
    DESCRIPTORS,
    MEMORY,
    OUTSIDE,
    brought,
    minus_one,
    read_names,
    succeeds,
)
from imc.program.library.heap import GIVEN, OWN, release_whole
from imc.program.library.registry import Role, library
from imc.program.library.world import (
    FILE_BYTES,
    any_byte,
    between,
    fails,
    fill,
    fill_string,
    truth,
)
from imc.program.machine import Machine
from imc.program.types import I8, I32, PTR, IntType
from imc.program.values import Value

STREAM_BYTES = 216  # of a FILE
LINE_ROOM = 120  # that getline takes at first
EOF = 0xFFFF_FFFF
SMALL = ("small-files",)


def stream(m: Machine, pointer: Value) -> str:
    """A call takes its turn at the stream that a FILE * stands for; its name."""
    number, _ = place = m.place_of(pointer, 1)
    info = m.image.objects[number]
    if info.kind == "heap":
        m.leaves = True
        m.touch(Mode.WRITE, place, 1, True)
    return info.name


def use_stream(m: Machine, pointer: Value) -> bool:
    """A call takes its turn at a stream; whether the program has opened it."""
    stream(m, pointer)
    return is_opened(m, pointer)


def is_opened(m: Machine, pointer: Value) -> bool:
    """Whether a stream was opened by the program; the standard ones were not."""
    number, _ = m.place_of(pointer, 1)
    return m.image.objects[number].kind == "heap"


# ------------------------------------------------------------------ opening, closing


def _open(names: str, texts: tuple[int, ...]) -> None:
    def run(m: Machine, i: Library, args: list[Value]) -> Value:
        read_names(m, args, texts)
        m.leaves = True
        if fails(m, i):
            return 0
        return m.allocate("heap", STREAM_BYTES, 0, f"stream of {i.name}", (i.name, OWN), i.loc)

    for name in names.split():
        library(
            f"stream.{name}", c=name, reads=texts, returns_heap=True, returns_number=True,
            assumes=SMALL, **OUTSIDE,
        )(run)  # fmt: skip


_open("fopen fopen64 popen", (0, 1))
_open("fdopen", (1,))
_open("tmpfile tmpfile64", ())


@library("stream.close", c="fclose pclose", writes=(0,), returns_number=True, **OUTSIDE)
def fclose(m: Machine, i: Library, args: list[Value]) -> Value:
    if is_opened(m, args[0]):
        m.leaves = True
        release_whole(m, args[0])
    return 0 if succeeds(m, i) else EOF


@library(
    "stream.reopen", c="freopen freopen64", reads=(0, 1), writes=(2,), returns_heap=True,
    returns_number=True, assumes_by_name=("invented-result",), **OUTSIDE,
)  # fmt: skip
def freopen(m: Machine, i: Library, args: list[Value]) -> Value:
    """What it leads to from now on is not remembered, so what comes is made up."""
    m.leaves, m.invents = True, i.name
    use_stream(m, args[2])
    read_names(m, args, (0, 1))
    return invented_result(m, i)


# --------------------------------------------------------------------------- reading


@library(
    "stream.read", c="fread fread_unlocked", writes=(0, 3), returns_number=True, assumes=SMALL,
    native={"fread": "irs_fread", "fread_unlocked": "irs_fread"}, **OUTSIDE,
)  # fmt: skip
def fread(m: Machine, i: Library, args: list[Value]) -> Value:
    to, unit, count, source = args
    use_stream(m, source)
    return brought(m, i, to, count, unit) if unit and count else 0


def line_from_outside(m: Machine, i: Library, to: Value, room: int) -> Value:
    """What fgets does with a stream that the program has opened."""
    if room < 2 or not truth(m, i):
        return 0
    m.target(to, room)  # the line might be longer
    fill_string(m, i, to, min(room - 1, FILE_BYTES))
    return to


def byte_from_outside(m: Machine, i: Library) -> Value:
    """A byte, or the end."""
    if not truth(m, i):
        return EOF
    return m.domain.cast("zext", I8, I32)(any_byte(m, i))


def new_line(m: Machine, i: Library, args: list[Value], text: bytes | None) -> Value:
    """What getline does: a line in the buffer that is given if it has room; None: any line."""
    line, size = args[:2]
    word = IntType(8 * m.image.layout.pointer_bytes)
    length = len(text) if text is not None else 1 + m.choose(FILE_BYTES)
    old, room = m.known(m.load(line, PTR)), m.known(m.load(size, word), word.width)
    m.touch_read(line, word.width // 8)
    m.touch_read(size, word.width // 8)
    if old == 0 or room <= length:
        if old != 0:
            release_whole(m, old)
        room = max(LINE_ROOM, length + 1)
        old = m.allocate("heap", room, 0, "a line", (i.name, GIVEN), i.loc)
        m.store(line, PTR, old)
        m.touch(Mode.WRITE, line, word.width // 8, False)
        m.store(size, word, room)
        m.touch(Mode.WRITE, size, word.width // 8, False)
    if text is None:
        _fill_line(m, i, old, length)
    else:
        m.write_bytes(old, text + b"\0")
        m.touch(Mode.WRITE, old, length + 1, False)
    return length


def _fill_line(m: Machine, i: Library, place: Value, length: int) -> None:
    fill(m, i, place, length)
    m.store_int(place, length, 1, 0)
    m.touch(Mode.WRITE, m.domain.add_offset(place, length), 1, False)


# -------------------------------------------------------------------------- the rest


@library(
    "stream.state", c="feof ferror feof_unlocked ferror_unlocked", writes=(0,), **OUTSIDE
)  # fmt: skip
def state(m: Machine, i: Library, args: list[Value]) -> Value:
    use_stream(m, args[0])
    return int(truth(m, i))


@library("stream.place", c="ftell ftello ftello64", writes=(0,), assumes=SMALL, **OUTSIDE)
def place(m: Machine, i: Library, args: list[Value]) -> Value:
    use_stream(m, args[0])
    if not succeeds(m, i):
        return minus_one(i)
    assert isinstance(i.type, IntType)
    return between(m, i, 0, FILE_BYTES, i.type)


@library("stream.seek", c="fseek fseeko fseeko64", writes=(0,), **OUTSIDE)
def seek(m: Machine, i: Library, args: list[Value]) -> Value:
    use_stream(m, args[0])
    return 0 if succeeds(m, i) else minus_one(i)


@library("stream.number", c="fileno", writes=(0,), assumes=SMALL, **OUTSIDE)
def number(m: Machine, i: Library, args: list[Value]) -> Value:
    name = stream(m, args[0])
    if is_opened(m, args[0]):
        return between(m, i, *DESCRIPTORS)
    return {"stdin": 0, "stdout": 1}.get(name, 2)


@library("stream.turn", c="rewind clearerr", visible=MEMORY, writes=(0,), role=Role.HIDE)
def turn(m: Machine, i: Library, args: list[Value]) -> Value:
    use_stream(m, args[0])
    return 0


@library("stream.flush", c="fflush", visible=MEMORY, writes=(0,), role=Role.HIDE)
def flush(m: Machine, i: Library, args: list[Value]) -> Value:
    """What is printed is seen at once; without a stream, all are meant."""
    if args[0] != 0:
        use_stream(m, args[0])
    return 0


@library("stream.buffer", c="setvbuf setbuf", visible=MEMORY, writes=(0,), role=Role.HIDE)
def buffer(m: Machine, i: Library, args: list[Value]) -> Value:
    """Without a buffer of the program's own, which would be the library's from now on."""
    use_stream(m, args[0])
    return 0


@library(
    "stream.lock", c="flockfile funlockfile", visible=MEMORY, writes=(0,), role=Role.HIDE,
    sleeps=True,
)  # fmt: skip
def lock(m: Machine, i: Library, args: list[Value]) -> Value:
    use_stream(m, args[0])
    return 0


@library("stream.unread", c="ungetc", visible=MEMORY, writes=(1,), role=Role.HIDE)
def unread(m: Machine, i: Library, args: list[Value]) -> Value:
    """A byte that will be read again: any may be."""
    if not use_stream(m, args[1]):
        raise Unsupported("nothing is put back to standard input", i.loc, "read it by getline")
    return args[0] & 0xFF if args[0] != EOF else EOF
