"""Copying and filling memory. Where others can see it, a copy is many events, piece by piece."""

from __future__ import annotations

from imc.program.events import Mode
from imc.program.faults import FaultRaised, Property
from imc.program.instructions import Library
from imc.program.library.registry import Visibility, library
from imc.program.machine import NEXT_PHASE, Machine
from imc.program.types import I32
from imc.program.values import UNDEF, Aggregate, Value

ERRNO = "imc_errno"  # defined by the bundled C library


def set_errno(m: Machine, code: int) -> None:
    if ERRNO in m.image.program.globals:
        place = m.image.thread_local(ERRNO, m.thread.id, m)
        m.store(place, I32, code)
        m.touch(Mode.WRITE, place, 4, False, code)


def get_errno(m: Machine) -> int:
    """What errno is; zero where the program does not look at it, so that nobody has set it."""
    if ERRNO not in m.image.program.globals:
        return 0
    place = m.image.thread_local(ERRNO, m.thread.id, m)
    m.touch(Mode.READ, place, 4, False)
    found = m.known(m.load(place, I32), 32)
    return int(found) if found.__class__ is int else 0


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


def _pieces(m: Machine, size: int, *pointers: Value) -> list[tuple[int, int]]:
    """(offset, size) of what each event of a copy moves, from the first byte to the last."""
    found, at = [], 0
    while at < size:
        n = _piece(m, at, size - at, *pointers)
        found.append((at, n))
        at += n
    return found


def copy_by_pieces(m: Machine, i: Library, args: list[Value]) -> Value:
    """Each piece is read in one event and written in another.

    Copies go upwards, but for those whose end would overwrite what is still to be read.
    """
    to, source, size = args[0], args[1], _size(args[2])
    frame = m.frames[-1]
    if size == 0:
        return to
    m.target(source, size), m.target(to, size)
    at, n, *cells = frame.scratch or _first_piece(m, to, source, size)
    if not cells:
        piece = m.gather((source[0], source[1] + at), n)
        m.touch(Mode.READ, (source[0], source[1] + at), n, False)
        frame.scratch = Aggregate((at, n, piece))
        frame.phase = 1
        return NEXT_PHASE
    m.give((to[0], to[1] + at), n, cells[0])
    m.touch(Mode.WRITE, (to[0], to[1] + at), n, False)
    after = _piece_after(m, to, source, size, at, n)
    frame.scratch = None if after is None else Aggregate(after)
    return to if after is None else NEXT_PHASE


def _first_piece(m: Machine, to: Value, source: Value, size: int) -> tuple[int, int]:
    if _goes_down(to, source, size):
        return _pieces(m, size, source, to)[-1]
    return 0, _piece(m, 0, size, source, to)


def _piece_after(
    m: Machine, to: Value, source: Value, size: int, at: int, n: int
) -> tuple[int, int] | None:
    if _goes_down(to, source, size):
        below = [piece for piece in _pieces(m, size, source, to) if piece[0] < at]
        return below[-1] if below else None
    at += n
    return (at, _piece(m, at, size - at, source, to)) if at < size else None


def _goes_down(to: Value, source: Value, size: int) -> bool:
    return bool(to[0] == source[0] and source[1] < to[1] < source[1] + size)


def fill_by_pieces(m: Machine, i: Library, args: list[Value]) -> Value:
    to, byte, size = args[0], args[1], _size(args[2])
    frame = m.frames[-1]
    if size == 0:
        return to
    m.target(to, size)
    at = frame.phase  # how much is done
    n = _piece(m, at, size - at, to)
    m.fill((to[0], to[1] + at), n, byte & 0xFF if byte.__class__ is int else UNDEF)
    m.touch(Mode.WRITE, (to[0], to[1] + at), n, False)
    frame.phase += n
    return to if frame.phase == size else NEXT_PHASE


MOVE = {
    "visible": Visibility.MEMORY, "stepwise": copy_by_pieces,
    "reads": (1,), "writes": (0,), "copies": ((0, 1),), "assumes": ("copies-ascend",),
    "returns": 0, "native_pieces": "irs_copy",
}  # fmt: skip


@library("memcpy", c="memcpy __memcpy_chk", intrinsics="memcpy memcpy.inline", **MOVE)
@library("memmove", c="memmove __memmove_chk", intrinsics="memmove", **MOVE)
def memcpy(m: Machine, i: Library, args: list[Value]) -> Value:
    m.copy(args[0], args[1], _size(args[2]))
    return args[0]


@library(
    "memset", c="memset __memset_chk", intrinsics="memset memset.inline",
    visible=Visibility.MEMORY, stepwise=fill_by_pieces, writes=(0,),
    returns=0, native_pieces="irs_fill",
)  # fmt: skip
def memset(m: Machine, i: Library, args: list[Value]) -> Value:
    to, byte, size = args[0], args[1], _size(args[2])
    if size:
        m.fill(to, size, byte & 0xFF if byte.__class__ is int else UNDEF)
    return to
