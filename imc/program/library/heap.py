"""The heap. Addresses are never used again, so a stale pointer is always found out."""

from __future__ import annotations

from imc.program.events import Mode
from imc.program.faults import FaultRaised, Property
from imc.program.instructions import Library
from imc.program.library.locking import EINVAL
from imc.program.library.registry import Visibility, library
from imc.program.library.strings import set_errno
from imc.program.machine import Machine
from imc.program.types import PTR
from imc.program.values import UNDEF, Undefined, Value

ENOMEM = 12
OWN, GIVEN = -1, -2  # in place of where an object was made: by the library, to keep or to be freed


def new_object(m: Machine, i: Library, size: Value, fill: int | Undefined) -> Value:
    if size.__class__ is not int:
        raise FaultRaised(Property.UNINITIALISED, "the size of an allocation is not initialised")
    if size > m.image.layout.largest:
        return 0
    frame = m.frames[-1]
    line = f" (line {i.loc.line})" if i.loc else ""
    site = (frame.code.function.name, frame.pc)
    return m.allocate("heap", size, fill, f"heap object{line}", site, i.loc)


@library(
    "malloc", c="malloc valloc alloca __builtin_alloca", returns_heap=True,
    returns_aligned=True, assumes=("allocation-succeeds",),
)  # fmt: skip
def malloc(m: Machine, i: Library, args: list[Value]) -> Value:
    return new_object(m, i, args[0], UNDEF)


@library(
    "aligned_alloc", c="aligned_alloc memalign", returns_heap=True,
    returns_aligned=True, assumes=("allocation-succeeds",),
)  # fmt: skip
def aligned_alloc(m: Machine, i: Library, args: list[Value]) -> Value:
    return new_object(m, i, args[1], UNDEF)


@library(
    "calloc", c="calloc", returns_heap=True, returns_aligned=True, assumes=("allocation-succeeds",)
)
def calloc(m: Machine, i: Library, args: list[Value]) -> Value:
    known = all(a.__class__ is int for a in args)
    return new_object(m, i, args[0] * args[1] if known else UNDEF, 0)


@library(
    "posix_memalign", c="posix_memalign", visible=Visibility.MEMORY, writes=(0,), stores_heap=0,
    returns_aligned=True, assumes=("allocation-succeeds",),
)  # fmt: skip
def posix_memalign(m: Machine, i: Library, args: list[Value]) -> Value:
    if args[1] == 0 or args[1] & (args[1] - 1):
        return EINVAL
    new = new_object(m, i, args[2], UNDEF)
    if new == 0:
        return ENOMEM
    m.store(args[0], PTR, new)
    m.touch(Mode.WRITE, args[0], m.image.layout.pointer_bytes, False, new)
    return 0


REALLOC = {
    "visible": Visibility.MEMORY, "reads": (0,), "writes": (0,), "returns_heap": True,
    "returns_aligned": True, "assumes": ("allocation-succeeds", "no-reuse"),
}  # fmt: skip


@library("realloc", c="realloc", intrinsics="", **REALLOC)
def realloc(m: Machine, i: Library, args: list[Value]) -> Value:
    """To no bytes it is a free, as in glibc; C leaves that to libraries."""
    old, size = args
    if old != 0 and size == 0:
        _check(m, old)
        release_whole(m, old)
        return 0
    new = new_object(m, i, size, UNDEF)
    if new == 0:  # what there was is still there
        return 0
    if old != 0:
        _check(m, old)
        kept = min(size, m.memory[old[0]].size)
        m.copy(new, old, kept)
        if kept:
            m.touch(Mode.WRITE, new, kept, False)
        release_whole(m, old)
    return new


@library("reallocarray", c="reallocarray", intrinsics="", **REALLOC)
def reallocarray(m: Machine, i: Library, args: list[Value]) -> Value:
    old, count, size = args
    known = count.__class__ is int and size.__class__ is int
    if known and count * size >> 8 * m.image.layout.pointer_bytes:
        set_errno(m, ENOMEM)
        return 0
    return realloc(m, i, [old, count * size if known else UNDEF])


@library("free", c="free cfree", visible=Visibility.MEMORY, writes=(0,), assumes=("no-reuse",))
def free(m: Machine, i: Library, args: list[Value]) -> Value:
    if args[0] != 0:
        _check(m, args[0])
        release_whole(m, args[0])
    return UNDEF


def _check(m: Machine, pointer: Value) -> None:
    if pointer.__class__ is not tuple:
        m.fault(Property.MEMORY, "free of an invalid pointer")
    info = m.image.objects[pointer[0]]
    if info.kind != "heap":
        m.fault(Property.MEMORY, f"free of '{info.name}', which is not on the heap")
    if pointer[0] not in m.memory:
        m.fault(Property.MEMORY, f"double free of {info.name}")
    if pointer[1] != 0:
        m.fault(Property.MEMORY, f"free of a pointer into the middle of {info.name}")
    if m.image.objects.identities[pointer[0]][-1][-1] == OWN:  # type: ignore[index]
        m.fault(Property.MEMORY, f"free of '{info.name}', which was not allocated")


def release_whole(m: Machine, pointer: Value) -> None:
    m.touch(Mode.WRITE, pointer, max(m.memory[pointer[0]].size, 1), False)
    m.release(pointer[0])
