"""The program's surroundings: its end, time, chance, the system."""

from __future__ import annotations

from imc.program.events import Mode
from imc.program.faults import Property
from imc.program.instructions import Library
from imc.program.library.registry import Visibility, library
from imc.program.library.verifier import arbitrary, listed
from imc.program.machine import CALLED, EXITED, Machine
from imc.program.types import IntType
from imc.program.values import Value

ALWAYS = Visibility.ALWAYS


@library("exit", visible=ALWAYS, takes_terms=True)
def exit_program(m: Machine, i: Library, args: list[Value]) -> Value:
    if i.name == "exit" and call_handler(m):
        return CALLED
    return m.exit(args[0] & 0xFF if args and args[0].__class__ is int else 0)


@library("atexit", visible=ALWAYS, calls=0)
def atexit(m: Machine, i: Library, args: list[Value]) -> Value:
    place = _handlers(m)
    count = m.load_int(place, 0, 8)
    m.store_int(place, 8 * (count + 1), 8, args[0])
    m.store_int(place, 0, 8, count + 1)
    m.touch(Mode.WRITE, place, 8, True)
    return 0


def _handlers(m: Machine) -> Value:
    """Where the functions that atexit was given are kept: a count, then the functions."""
    return m.hidden("atexit", "atexit handlers")


def call_handler(m: Machine) -> bool:
    """Calls the last function given to atexit; the thread then comes back to where it exits."""
    place = _handlers(m)
    m.touch(Mode.WRITE, place, 8, True)
    count = m.load_int(place, 0, 8)
    if count == 0:
        return False
    m.store_int(place, 0, 8, count - 1)
    code = m.image.function_at(m.load_int(place, 8 * count, 8))
    if code is None:
        m.fault(Property.MEMORY, "an exit handler is not a function")
    m.call(code, [])
    return True


@library("abort", visible=ALWAYS)
def abort(m: Machine, i: Library, args: list[Value]) -> Value:
    if Property.ABORT in m.settings.properties:
        m.fault(Property.ABORT, f"{i.name or 'abort'}() is called")
    m.exit(134)
    return EXITED


@library("chance", reads_input=True, takes_terms=True)
def chance(m: Machine, i: Library, args: list[Value]) -> Value:
    """rand, time, clock: any value that is not negative."""
    value = arbitrary(m, i)
    if isinstance(i.type, IntType) and m.decide(m.domain.compare("slt", i.type)(value, 0)):
        return 0
    return value


@library("clock_read", visible=Visibility.MEMORY, writes=(0, 1), reads_input=True)
def clock_read(m: Machine, i: Library, args: list[Value]) -> Value:
    """clock_gettime, timespec_get, gettimeofday: the time is arbitrary, and the call succeeds."""
    place = args[0] if i.name in ("gettimeofday", "timespec_get") else args[1]
    size = m.image.layout.pointer_bytes
    if place.__class__ is tuple:
        values = m.settings.inputs
        m.image.bounds.add(f"times of {i.name} taken from {listed(values)}")
        m.store_int(place, 0, size, max(values[m.choose(len(values))], 0))
        m.store_int(place, size, size, 0)
        m.touch(Mode.WRITE, place, 2 * size, False)
    return args[1] if i.name == "timespec_get" else 0
