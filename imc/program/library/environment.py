"""The program's surroundings: its end, time, chance, the system."""

from __future__ import annotations

from imc.program.faults import Property
from imc.program.instructions import Library
from imc.program.library.registry import Visibility, library
from imc.program.library.verifier import arbitrary
from imc.program.machine import EXITED, Machine
from imc.program.values import Value

ALWAYS = Visibility.ALWAYS


@library("exit", visible=ALWAYS)
def exit_program(m: Machine, i: Library, args: list[Value]) -> Value:
    return m.exit(args[0] & 0xFF if args and args[0].__class__ is int else 0)


@library("abort", visible=ALWAYS)
def abort(m: Machine, i: Library, args: list[Value]) -> Value:
    if Property.ABORT in m.settings.properties:
        m.fault(Property.ABORT, f"{i.name or 'abort'}() is called")
    m.exit(134)
    return EXITED


@library("chance")
def chance(m: Machine, i: Library, args: list[Value]) -> Value:
    """rand, time, clock: any value that is not negative."""
    value = arbitrary(m, i)
    width = getattr(i.type, "width", 64)
    return value if value < 1 << (width - 1) else 0


@library("clock_read", writes=(1,))
def clock_read(m: Machine, i: Library, args: list[Value]) -> Value:
    """clock_gettime, timespec_get, gettimeofday: the time is arbitrary, and the call succeeds."""
    place = args[0] if i.name in ("gettimeofday", "timespec_get") else args[1]
    size = m.image.layout.pointer_bytes
    if place.__class__ is tuple:
        values = m.settings.inputs
        m.image.bounds.add(f"times of {i.name} taken from {{{', '.join(map(str, values))}}}")
        m.store_int(place, 0, size, max(values[m.choose(len(values))], 0))
        m.store_int(place, size, size, 0)
    return args[1] if i.name == "timespec_get" else 0
