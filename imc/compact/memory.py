"""The memory of a machine: cells, which objects there are, and the log of what has changed."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NoReturn

from imc.compact.form import BASE, INSIDE, SHIFT, CompactProgram, NotCompact
from imc.compact.opcodes import UNDEF
from imc.compact.pieces import cut, fill_pieces, read_pieces, write_pieces
from imc.errors import SourceLoc
from imc.program.code import Image
from imc.program.faults import UNCHECKED, FaultRaised, Property, StuckForever
from imc.program.objects import ObjectInfo
from imc.program.types import Type
from imc.program.workspace import HIDDEN_BYTES

LOW = (1 << SHIFT) - 1
WORD = (1 << 64) - 1
GONE = -1  # the size of an object that is not there
MOST_CELLS = 1 << 22
NO_VALUE = -2  # of an access that does not tell


class FlatMemory:
    """Objects by their numbers in the model: where their cells begin, and how many there are."""

    # Numbers of the lists that can be logged; each thread's registers follow.
    CELLS, LIMITS, ROOM, FIRST, PCS, STATUS, EVENTS, SPAWNS, ALLOCATED, PHASE, SCRATCH = range(11)
    PAUSED, DETACHED, JOINED, RESULTS, REASON, EXTRA, EXIT_CODE, OUTPUT = range(11, 19)
    parts: list[list[int]]

    def __init__(self, form: CompactProgram, image: Image) -> None:
        self.form = form
        self.image = image
        self.log: list[int] = []
        self.cells = form.cells.copy()
        self.layout = form.layout.copy()
        self.limits: list[int] = []  # bytes that can be read, GONE if it is not there
        self.room: list[int] = []  # bytes that can be written
        self.first: list[int] = []  # the first cell
        self.parts = [self.cells, self.limits, self.room, self.first]
        self._regions: dict[tuple[int, int], int] = {}
        self._numbers: dict[Hashable, int] = {}
        self.made: list[int] = []  # objects that the program has made, in some execution
        self.empty: set[int] = set()  # objects that have no cells, since nothing is kept in them
        self.places: list[int] = []  # of the library's own, whether or not something is kept there
        self.kept: list[int] = []  # threads' own variables, and places that the library keeps
        self.accesses: list[tuple[int, int, int, int, int, int]]
        self.unseen_reads: set[int] = set()  # objects that the step has used out of sight
        self.unseen_writes: set[int] = set()
        self.atomic = 0
        for k in range(0, len(form.objects), 4):
            number, first, size, constant = form.objects[k : k + 4]
            self.know(number)
            self.limits[number], self.first[number] = size, first
            self.room[number] = GONE if constant else size

    def know(self, number: int) -> None:
        """Makes room for an object in the tables."""
        while len(self.limits) <= number:
            self.limits.append(GONE)
            self.room.append(GONE)
            self.first.append(0)

    def limits_of(self, number: int) -> int:
        return self.limits[number] if number < len(self.limits) else GONE

    # ------------------------------------------------------------------ access

    def read(self, pointer: int, size: int) -> int:
        """What `size` bytes at a pointer hold, or a fault that says why they cannot be read."""
        number, offset = pointer >> SHIFT, (pointer & LOW) - BASE
        if 0 <= number < len(self.limits) and 0 <= offset <= self.limits[number] - size:
            return self._held(self.first[number] + offset, size)
        self._bad_access(pointer, size)

    def _held(self, at: int, size: int) -> int:
        """What `size` bytes hold from a cell on."""
        if self.layout[at] != size:
            if any(self.layout[at : at + size]):
                return read_pieces(self, at, size)
            self.discover(at, size)
        return self.cells[at]

    def _put(self, at: int, size: int, value: int) -> None:
        if self.layout[at] != size:
            if any(self.layout[at : at + size]):
                write_pieces(self, at, size, value)
                return
            self.discover(at, size)
        self.log += (0, at, self.cells[at])
        self.cells[at] = value

    def demand(self, pointer: int, size: int) -> None:
        """A fault, unless there are so many bytes at a pointer."""
        number, offset = pointer >> SHIFT, (pointer & LOW) - BASE
        if not (0 <= number < len(self.limits) and 0 <= offset <= self.limits[number] - size):
            self._bad_access(pointer, size)

    def write(self, pointer: int, size: int, value: int) -> None:
        number, offset = pointer >> SHIFT, (pointer & LOW) - BASE
        if 0 <= number < len(self.room) and 0 <= offset <= self.room[number] - size:
            self._put(self.first[number] + offset, size, value)
            return
        self.read(pointer, size)
        name = self.image.objects[number].name
        self.raise_fault(Property.MEMORY, f"write to the constant '{name}'")

    def peek(self, pointer: int, size: int) -> int:
        """As `read`, for an instruction that no event tells of."""
        self.unseen_reads.add(pointer >> SHIFT)
        return self.read(pointer, size)

    def poke(self, pointer: int, size: int, value: int) -> None:
        """As `write`, for an instruction that no event tells of."""
        self.unseen_writes.add(pointer >> SHIFT)
        self.write(pointer, size, value)

    def discover(self, at: int, size: int) -> None:
        """A scalar is met for the first time: its bytes are what they were filled with."""
        if len(set(self.cells[at : at + size])) > 1:
            raise NotCompact("a scalar that is filled in parts")
        self.layout[at : at + size] = [size] + [INSIDE] * (size - 1)

    def _bad_access(self, pointer: int, size: int) -> NoReturn:
        number, offset = pointer >> SHIFT, (pointer & LOW) - BASE
        if pointer < 0:
            raise FaultRaised(Property.UNINITIALISED, "an uninitialised pointer is dereferenced")
        if pointer < 4096:
            self.raise_fault(Property.MEMORY, "null pointer dereference")
        if not 0 < number < len(self.image.objects.infos):
            self.raise_fault(Property.MEMORY, f"dereference of the invalid pointer {pointer:#x}")
        info = self.image.objects[number]
        there = self.limits_of(number)
        if there >= 0:
            self.raise_fault(
                Property.MEMORY,
                f"access of {size} byte{'s' * (size != 1)} at offset {offset} of '{info.name}', "
                f"which has {there}",
            )
        messages = {
            "heap": f"use after free of {info.name}",
            "tls": f"use of '{info.name}' of a thread that has ended",
            "stack": f"use of '{info.name}' after its scope has ended",
        }
        default = f"data access to the function '{info.name}'"
        self.raise_fault(Property.MEMORY, messages.get(info.kind, default))

    def raise_fault(self, kind: Property, message: str) -> NoReturn:
        """As in the model: a violation, or the thread stops where nobody asks for the property."""
        if kind in self.image.settings.properties:
            raise FaultRaised(kind, message)
        undefined = kind in (Property.LOCK, Property.MEMORY, Property.UNINITIALISED)
        raise StuckForever(UNCHECKED[kind], undefined)

    def touch(self, mode: int, pointer: int, size: int, atomic: int, value: int = NO_VALUE) -> None:
        """Notes that the event in the making touches a cell: mode, object, offset, bytes, …"""
        offset = (pointer & LOW) - BASE
        atomic = 1 if atomic or self.atomic else 0
        self.accesses.append((mode, pointer >> SHIFT, offset, size, atomic, value))

    # --------------------------------------------------------------- addresses

    def moved(self, pointer: int, distance: int) -> int:
        """A pointer plus a distance; it must stay a pointer into or near to the same object."""
        if pointer < 0:
            return UNDEF
        to = pointer + distance
        if pointer >> SHIFT and pointer >> SHIFT != to >> SHIFT:
            raise NotCompact("an address far outside of its object")
        return to & WORD

    def indexed(self, pointer: int, index: int, scale: int, wide: bool) -> int:
        if index < 0:
            raise FaultRaised(Property.UNINITIALISED, "an uninitialised value is used as an index")
        if wide:
            if index >> 63:
                index -= 1 << 64
            elif index >> SHIFT:
                raise NotCompact("a large index, which may be an address")
        elif index >> 31:
            index -= 1 << 32
        return self.moved(pointer, index * scale)

    # ----------------------------------------------------------------- objects

    def allocate(
        self,
        identity: tuple[str, int, int, tuple[str, int]],
        size: int,
        fill: int,
        name: str,
        loc: SourceLoc | None,
        type: Type | None = None,
    ) -> int:
        """A pointer to a new object of the model's identity."""
        number = self._numbers.get(identity)
        if number is None:
            info = self.image.told(identity[0], name, identity[3], size, loc, type)
            number = self._numbers[identity] = self.image.objects.intern(identity, info)
            self.know(number)
            self.made.append(number)
        region = self._region(number, size, fill)
        log = self.log
        if self.first[number] != region:
            log += (self.FIRST, number, self.first[number])
            self.first[number] = region
        log += (self.LIMITS, number, self.limits[number], self.ROOM, number, self.room[number])
        self.limits[number] = self.room[number] = size
        return (number << SHIFT) + BASE

    def region(self, number: int, size: int) -> int | None:
        """Where an object has its cells when it has this size, if it ever had it."""
        return self._regions.get((number, size))

    def _region(self, number: int, size: int, fill: int) -> int:
        """The first of the cells that an object has whenever it has this size."""
        region = self._regions.get((number, size))
        if region is None:
            region = self._regions[number, size] = len(self.cells)
            if region + size > MOST_CELLS:
                raise NotCompact("a large memory", self.image.objects[number].loc)
            self.cells += [fill] * size
            self.layout += [0] * size
        else:
            self.fill(region, size, fill)
        return region

    def fill(self, first: int, size: int, value: int) -> None:
        """Gives all cells of a range the same value."""
        cells, log = self.cells, self.log
        for at in range(first, first + size):
            if cells[at] != value:
                log += (0, at, cells[at])
                cells[at] = value

    def place_of(self, pointer: int, size: int, sizes: list[int]) -> tuple[int, bool]:
        """The first of `size` cells, and whether they are all of an object; else the model says."""
        number, offset = pointer >> SHIFT, (pointer & LOW) - BASE
        if not (0 <= number < len(sizes) and 0 <= offset <= sizes[number] - size):
            raise NotCompact("a copy that goes wrong")
        first, end = self.first[number] + offset, self.first[number] + sizes[number]
        ends_inside = first + size < end and self.layout[first + size] == INSIDE
        if self.layout[first] == INSIDE or ends_inside:
            raise NotCompact("a part of a scalar is copied or filled")
        return first, size == sizes[number]

    def set_bytes(self, pointer: int, size: int, byte: int) -> None:
        """memset. All of an object becomes zeros at once, however it may be cut later."""
        number, offset = pointer >> SHIFT, (pointer & LOW) - BASE
        if not (0 <= number < len(self.room) and 0 <= offset <= self.room[number] - size):
            raise NotCompact("a copy that goes wrong")
        first = self.first[number]
        if byte == 0 and size == self.room[number]:
            self.fill(first, size, 0)
        else:
            fill_pieces(self, first, first + offset, size, byte, self._put)

    def copy(self, pointer: int, origin: int, size: int) -> None:
        """Copies what memory holds, scalar by scalar of where it goes to."""
        to, whole = self.place_of(pointer, size, self.room)
        source, _ = self.place_of(origin, size, self.limits)
        layout, at = self.layout, 0
        fills, moved = set(), []
        while at < size:
            here, there = layout[to + at], layout[source + at]
            changes = self.cells[to + at] != self.cells[source + at]
            if here == 0 and there == 0 and changes and to + at < self.form.statics:
                cut(self, to + at, 1)  # keys of states know only scalars of variables
                here = 1
            if here == 0 and there != 0:  # as large as the scalar that comes there, if it can be
                end = at + 1
                while end < size and layout[to + end] == 0 and layout[source + end] == INSIDE:
                    end += 1
                cut(self, to + at, end - at)
                here = layout[to + at]
            if here == 0:
                fills.add(self.cells[source + at])
                if not whole and self.cells[source + at] != self.cells[to + at]:
                    raise NotCompact("a part of an object is filled")
                moved.append((to + at, self.cells[source + at]))
            else:
                moved.append((to + at, self._held(source + at, here)))
            at += max(here, 1)
        if len(fills) > 1:
            raise NotCompact("an object that is filled in parts")
        for k, value in moved:
            if self.cells[k] != value:
                self.log += (0, k, self.cells[k])
                self.cells[k] = value

    def begin_scope(self, number: int, size: int) -> None:
        """A block's local begins, for the first time or again: nothing is in it."""
        if self.limits[number] == GONE:
            self.log += (self.LIMITS, number, GONE, self.ROOM, number, GONE)
            self.limits[number] = self.room[number] = size
        self.fill(self.first[number], size, UNDEF)

    def release(self, number: int) -> None:
        """An object ends, unless it has ended with its block."""
        if self.limits[number] == GONE:
            return
        if all(access[1] != number for access in self.accesses):
            self.unseen_writes.add(number)
        self.log += (self.LIMITS, number, self.limits[number], self.ROOM, number, self.room[number])
        self.limits[number] = self.room[number] = GONE

    # ------------------------------------------------------ what the model has performed

    def meet(self, number: int) -> None:
        """An object that the model has made, perhaps for the first time."""
        identity, kind = self.image.objects.identities[number], self.image.objects[number].kind
        if identity in self._numbers:
            return
        self._numbers[identity] = number
        self.know(number)
        if kind == "library":
            self.empty.add(number)
            self.places.append(number)
        elif kind == "tls":
            self.kept.append(number)
        else:
            self.made.append(number)

    def begin_object(self, number: int, size: int, fill: int) -> None:
        """An object that the model has made, or one that begins again."""
        if self.image.objects[number].kind == "library":
            self.log += (self.LIMITS, number, self.limits[number])
            self.limits[number] = size
            return
        region = self._region(number, size, fill)
        self.log += (self.FIRST, number, self.first[number])
        self.first[number] = region
        self.log += (self.LIMITS, number, self.limits[number], self.ROOM, number, self.room[number])
        self.limits[number] = self.room[number] = size

    def give_cells(self, number: int) -> None:
        """The library begins to keep something in a place of its own."""
        if number in self.empty:
            self.empty.discard(number)
            self.kept.append(number)
            self.first[number] = self._region(number, HIDDEN_BYTES, 0)

    def set_scalar(self, number: int, offset: int, size: int, word: int) -> None:
        self.give_cells(number)
        self._put(self.first[number] + offset, size, word)

    def hidden(self, identity: Hashable, name: str) -> int:
        """A place of the library's own; only whether it is there is known of it."""
        number = self._numbers.get(identity)
        if number is None:
            number = self.image.objects.intern(identity, ObjectInfo("library", name))
            self._numbers[identity] = number
            self.empty.add(number)
            self.places.append(number)
            self.know(number)
        if self.limits[number] < 0:
            self.log += (self.LIMITS, number, GONE)
            self.limits[number] = HIDDEN_BYTES
        return (number << SHIFT) + BASE
