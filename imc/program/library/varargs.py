"""Variable arguments, laid out where the code that clang makes for va_arg looks for them."""

from __future__ import annotations

from collections.abc import Callable

from imc.program.events import Mode
from imc.program.instructions import Library
from imc.program.library.registry import Visibility, library
from imc.program.machine import Machine
from imc.program.types import PTR, Type
from imc.program.values import UNDEF, Value

# x86-64: a va_list says how much of the register save area is used up. We say all of it, so that
# every argument is taken from the overflow area, which is ours to lay out.
GP_OFFSET, FP_OFFSET, OVERFLOW_AREA, SAVE_AREA = 0, 4, 8, 16
GP_USED, FP_USED = 48, 176


def _slot(m: Machine, type: Type, at: int) -> tuple[int, int]:
    """Offset and end of the next argument in the area."""
    pointer = m.image.layout.pointer_bytes
    align = max(pointer, m.image.layout.align(type) if pointer == 8 else pointer)
    start = (at + align - 1) // align * align
    size = m.image.layout.size(type)
    return start, start + (size + pointer - 1) // pointer * pointer


@library("va_start", intrinsics="va_start", visible=Visibility.MEMORY, writes=(0,))
def va_start(m: Machine, i: Library, args: list[Value]) -> Value:
    frame = m.frames[-1]
    places, end = [], 0
    for type, _, _ in frame.varargs:
        start, end = _slot(m, type, end)
        places.append(start)
    area = m.allocate(
        "stack", end, UNDEF, "variable arguments", (frame.code.function.name, frame.pc)
    )
    frame.objects.append(area[0])
    for at, (type, byval, value) in zip(places, frame.varargs, strict=True):
        if byval:  # the callee's own copy
            m.copy((area[0], at), value, m.image.layout.size(type))
        else:
            m.store((area[0], at), type, value)
    m.account(False, len(m.accesses), i.loc)
    if m.image.layout.pointer_bytes == 4:
        m.store(args[0], PTR, area)
        m.touch(Mode.WRITE, args[0], 4, False)
        return UNDEF
    m.store_int(args[0], GP_OFFSET, 4, GP_USED)
    m.store_int(args[0], FP_OFFSET, 4, FP_USED)
    m.store_int(args[0], OVERFLOW_AREA, 8, area)
    m.store_int(args[0], SAVE_AREA, 8, area)
    m.touch(Mode.WRITE, args[0], 24, False)
    return UNDEF


@library("va_end", intrinsics="va_end", ignores=(0,))
def va_end(m: Machine, i: Library, args: list[Value]) -> Value:
    return UNDEF


@library(
    "va_copy", intrinsics="va_copy",
    visible=Visibility.MEMORY, reads=(1,), writes=(0,), copies=((0, 1),),
)  # fmt: skip
def va_copy(m: Machine, i: Library, args: list[Value]) -> Value:
    size = 4 if m.image.layout.pointer_bytes == 4 else 24
    m.copy(args[0], args[1], size)
    m.touch(Mode.READ, args[1], size, False)
    m.touch(Mode.WRITE, args[0], size, False)
    return UNDEF


def argument_reader(m: Machine, va_list: Value) -> Callable[[Type], Value]:
    """Takes one argument after the other, as va_arg would.

    On x86-64 a va_list is passed by reference and moves on; on i386 it is the place itself.
    """
    by_reference = m.image.layout.pointer_bytes == 8
    place = (va_list[0], va_list[1] + OVERFLOW_AREA)
    area = m.load(place, PTR) if by_reference else va_list

    def take(type: Type) -> Value:
        nonlocal area
        start, end = _slot(m, type, area[1])
        area = (area[0], end)
        if by_reference:
            m.store(place, PTR, area)
            m.touch(Mode.WRITE, place, 8, False)
        m.touch_read((area[0], start), m.image.layout.store_size(type))
        return m.load((area[0], start), type)

    return take
