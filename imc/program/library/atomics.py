"""Atomic operations that clang leaves to the library: objects too large for an instruction."""

from __future__ import annotations

from imc.errors import Unsupported
from imc.program.events import Mode
from imc.program.instructions import Library
from imc.program.library.registry import Visibility, library
from imc.program.machine import Machine
from imc.program.values import UNDEF, Fragment, Value

MEMORY = Visibility.MEMORY


@library("atomic_load", visible=MEMORY, reads=(1,), writes=(2,), copies=((2, 1),))
def atomic_load(m: Machine, i: Library, args: list[Value]) -> Value:
    size, source, to = args[:3]
    m.copy(to, source, size)
    m.touch(Mode.READ, source, size, True)
    return UNDEF


@library("atomic_store", visible=MEMORY, reads=(2,), writes=(1,), copies=((1, 2),))
def atomic_store(m: Machine, i: Library, args: list[Value]) -> Value:
    size, to, source = args[:3]
    m.copy(to, source, size)
    m.touch(Mode.WRITE, to, size, True)
    return UNDEF


@library("atomic_exchange", visible=MEMORY, reads=(2,), writes=(1, 3), copies=((1, 2), (3, 1)))
def atomic_exchange(m: Machine, i: Library, args: list[Value]) -> Value:
    size, place, new, old = args[:4]
    m.copy(old, place, size)
    m.copy(place, new, size)
    m.touch(Mode.WRITE, place, size, True)
    return UNDEF


@library(
    "atomic_compare_exchange", visible=MEMORY, reads=(3,), writes=(1, 2), copies=((1, 3), (2, 1))
)
def atomic_compare_exchange(m: Machine, i: Library, args: list[Value]) -> Value:
    size, place, expected, new = args[:4]
    held = m.target(place, size).read_bytes(place[1], size, m.domain)
    wanted = m.target(expected, size).read_bytes(expected[1], size, m.domain)
    same = held == wanted
    if m.domain.symbolic and not same and any(isinstance(b, Fragment) for b in held + wanted):
        raise Unsupported("a large atomic object is compared, and its value is not known")
    if same:
        m.copy(place, new, size)
    else:
        m.copy(expected, place, size)
    m.touch(Mode.WRITE if same else Mode.READ, place, size, True)
    return int(same)
