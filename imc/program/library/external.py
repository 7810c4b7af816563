"""Functions that nobody has told us about.

What such a function returns, and what it leaves in the memory that it was given, is not known: it
is invented here, and `Event.invents` says so. It can reach what its arguments point to, and what
that points to. A function that it could call it must not be given: nobody knows when it would.
"""

from __future__ import annotations

from collections.abc import Iterable

from imc.errors import NobodyKnows, Unsupported
from imc.program.events import Mode
from imc.program.instructions import Library
from imc.program.library.heap import GIVEN
from imc.program.library.registry import Role, Visibility, library
from imc.program.library.verifier import arbitrary, listed
from imc.program.machine import Machine
from imc.program.types import IntType, PtrType, Type, is_aggregate
from imc.program.values import Aggregate, Value

ARGUMENTS = tuple(range(32))
MOST_CELLS = 64  # of an object whose contents are made unknown one by one
STUBS = "name a file that defines it as one more source; --stubs FILE.c has to define all"


@library(
    "external",
    visible=Visibility.MEMORY,
    reads_input=True,
    takes_terms=True,
    role=Role.HIDE,
    tells_threads_apart=True,
    sleeps=True,
    reads_reachable=True,
    writes_reachable=True,
    returns_heap=True,
    publishes=ARGUMENTS,
    returns_published=True,
    assumes_by_name=("external-function",),
)
def external(m: Machine, i: Library, args: list[Value]) -> Value:
    m.leaves = True
    m.invents = i.name
    for k in i.by_value:
        _read_copied(m, args[k])
    reached = _reachable(m, i, args)
    if reached:
        _overwrite(m, i, reached)
    return invented_result(m, i)


def invented_result(m: Machine, i: Library) -> Value:
    return 0 if i.result is None else _invented(m, i, i.type)


def _invented(m: Machine, i: Library, type: Type) -> Value:
    if is_aggregate(type):
        return Aggregate(_invented(m, i, part) for _, part in m.image.layout.elements(type))
    if isinstance(type, PtrType):
        unknown = m.input(type)
        if unknown is not None:
            return unknown
        m.image.bounds.add(f"pointers from {i.name} are null or lead to 4096 zeros")
        if m.choose(2) == 0:
            return 0
        return m.allocate("heap", 4096, 0, f"result of {i.name}", (i.name, GIVEN), i.loc)
    return arbitrary(m, i, type)


def _reachable(m: Machine, i: Library, args: list[Value]) -> list[int]:
    """The program's objects that the arguments lead to, each once."""
    found: dict[int, None] = {}
    work = [a[0] for k, a in enumerate(args) if a.__class__ is tuple and k not in i.by_value]
    for k in i.by_value:
        work += _pointers_in(m, args[k])
    while work:
        number = work.pop()
        if number in m.image.functions:
            raise NobodyKnows(
                f"'{i.name}' is not defined, and is given the function "
                f"'{m.image.functions[number]}', which it may call",
                i.loc,
                STUBS,
            )
        if number in found or number not in m.memory:
            continue
        found[number] = None
        work += _pointers_in(m, (number, 0))
    return list(found)


def _pointers_in(m: Machine, place: Value) -> list[int]:
    """Objects that an object has addresses of."""
    if place.__class__ is not tuple or place[0] not in m.memory:
        return []
    values = (value for _, value in m.memory[place[0]].cells.values())
    return [value[0] for value in values if value.__class__ is tuple]


def _read_copied(m: Machine, place: Value) -> None:
    """A struct that is passed by value is read, and stays as it is."""
    if place.__class__ is tuple and place[0] in m.memory:
        m.touch_read((place[0], 0), m.memory[place[0]].size)


def _overwrite(m: Machine, i: Library, reached: list[int]) -> None:
    """Whatever lies in the objects from now on, nobody knows."""
    value = None if m.domain.answers else _one_value(m, i)
    for number in reached:
        place, size = (number, 0), m.memory[number].size
        if size:
            m.touch(Mode.READ, place, size, False)
            m.touch(Mode.WRITE, place, size, False)
            cells = _cells(m, number)
            if cells is None:
                _fill_whole(m, i, place, size)
            else:
                _invent(m, place, cells, value)


def _fill_whole(m: Machine, i: Library, place: Value, size: int) -> None:
    """Any bytes in all of a large object; one that has addresses in it would lose them."""
    number, offset = place
    found = m.memory[number]
    plain = offset == 0 and size == found.size and not _pointers_in(m, place)
    if plain and m.fill_from_outside(place, extent=found.extent):
        m.use(place, size, True)
    elif not plain or m.domain.symbolic or not m.domain.answers:
        raise _too_large(m, i, place, size)


def _invent(m: Machine, place: Value, cells: Iterable[tuple[int, int]], value: int | None) -> None:
    """New contents for scalars at offsets from a place; None: as they were, or unknown."""
    for at, n in cells:
        to, type = m.domain.add_offset(place, at), IntType(8 * n)
        if m.domain.answers:
            m.store(to, type, m.input(type))
        elif value is not None:
            m.store(to, type, value & ((1 << 8 * n) - 1))


def overwrite_bytes(m: Machine, i: Library, place: Value, size: int) -> None:
    """A buffer that a function fills, as far as it does."""
    m.target(place, size)
    m.touch(Mode.WRITE, place, size, False)
    if size > MOST_CELLS:
        _fill_whole(m, i, place, size)
        return
    value = None if m.domain.answers else _one_value(m, i)
    _invent(m, place, [(at, 1) for at in range(size)], value)


def _too_large(m: Machine, i: Library, place: Value, size: int) -> Unsupported:
    name = m.image.objects[place[0]].name
    return Unsupported(
        f"'{i.name}' is not modelled, and may write to {size} bytes of '{name}'", i.loc, STUBS
    )


def _one_value(m: Machine, i: Library) -> int | None:
    """Where values are numbers, one for all of it; None: it has written nothing."""
    values = m.settings.inputs
    m.image.bounds.add(f"what {i.name} writes is taken from {listed(values)}")
    choice = m.choose(len(values) + 1)
    return values[choice] if choice < len(values) else None


def _cells(m: Machine, number: int) -> list[tuple[int, int]] | None:
    """(offset, size) of the scalars in an object, as it was declared or as words.

    None: there are too many of them.
    """
    layout, info, size = m.image.layout, m.image.objects[number], m.memory[number].size
    step = layout.size(info.type) if info.type is not None else layout.pointer_bytes
    parts = layout.pieces(info.type) if info.type is not None else [(0, step)]
    if step <= 0 or m.memory[number].from_outside or len(parts) * (size // step + 1) > MOST_CELLS:
        return None
    return [
        (start + at + k, n)
        for start in range(0, size, step)
        for at, length in parts
        for k, n in _scalars(min(length, size - start - at))
    ]


def _scalars(length: int) -> list[tuple[int, int]]:
    """So many bytes as scalars: (offset, size)."""
    found, at = [], 0
    while at < length:
        n = next(n for n in (8, 4, 2, 1) if n <= length - at)
        found.append((at, n))
        at += n
    return found
