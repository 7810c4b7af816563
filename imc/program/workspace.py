"""A step's own copy of a state: its memory."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from imc.errors import SourceLoc, Unsupported
from imc.program.accounting import Accounting
from imc.program.events import Access, Mode
from imc.program.faults import FaultRaised, Property
from imc.program.memory import MemoryObject
from imc.program.objects import ObjectInfo
from imc.program.types import FloatType, IntType, Type, is_aggregate
from imc.program.values import UNDEF, Aggregate, Partial, Pointer, Undefined, Value

HIDDEN_BYTES = 8192


class Workspace(Accounting):
    """Memory that a step may change, with faults for accesses that C does not allow.

    Every access goes through here. Those that an instruction answers for itself are `fetch` and
    `put`; all others (`load`, `store`, `copy` …) are written down in `ranges`, and `account`
    compares these with what the event says it touches.
    """

    def touch(
        self, mode: Mode, pointer: Value, size: int, atomic: bool, value: Value = None
    ) -> None:
        """Notes that the event in the making touches a cell."""
        if pointer.__class__ is int:
            pointer = self.pointer(pointer)
        if pointer.__class__ is tuple:
            number, offset = pointer
            unknown = None
            if offset.__class__ is not int:  # it may be any part of the object
                found = self.memory.get(number) or self.image.constants[number]
                unknown = offset, size
                offset, size = 0, found.size
            self.accesses.append(
                Access(mode, number, offset, size, atomic or self.atomic > 0, value, unknown)
            )

    def target(self, pointer: Value, size: int) -> MemoryObject:
        """The object that `size` bytes at a pointer lie in, or a fault that says why not."""
        if pointer.__class__ is not tuple:
            if pointer is UNDEF:
                raise FaultRaised(
                    Property.UNINITIALISED, "an uninitialised pointer is dereferenced"
                )
            if pointer == 0 or pointer < 4096:
                self.fault(Property.MEMORY, "null pointer dereference")
            self.fault(Property.MEMORY, f"dereference of the invalid pointer {pointer:#x}")
        number, offset = pointer
        found = self.memory.get(number) or self.image.constants.get(number)
        info = self.image.objects[number]
        if found is None:
            if info.kind == "heap":
                self.fault(Property.MEMORY, f"use after free of {info.name}")
            if info.kind == "tls":
                self.fault(Property.MEMORY, f"use of '{info.name}' of a thread that has ended")
            if info.kind == "stack":
                self.fault(
                    Property.MEMORY,
                    f"use of '{info.name}' after its scope has ended",
                )
            self.fault(Property.MEMORY, f"data access to the function '{info.name}'")
        if found.from_outside and found.extent is not None:
            inside = self.decide(self.domain.within(offset, size, found.extent))
        elif offset.__class__ is int:
            inside = 0 <= offset <= found.size - size
        else:
            inside = self.decide(self.domain.inside(offset, found.size - size))
        if not inside:
            where = f"at offset {offset}" if offset.__class__ is int else "outside the bounds"
            has = f"has {found.size}" if found.extent is None else "is smaller"
            self.fault(
                Property.MEMORY,
                f"access of {size} byte{'s' * (size != 1)} {where} of '{info.name}', which {has}",
            )
        return found

    def writable(self, pointer: Value, size: int) -> MemoryObject:
        """The object behind a pointer, made this step's own."""
        found = self.target(pointer, size)
        number = pointer[0]
        self.writes += 1
        if number not in self.owned:
            if number in self.image.constants:
                self.fault(
                    Property.MEMORY,
                    f"write to the constant '{self.image.objects[number].name}'",
                )
            found = self.memory[number] = found.copy()
            self.owned.add(number)
        return found

    def load(self, pointer: Value, type: Type) -> Value:
        """What a library function reads."""
        self.use(pointer, self.image.layout.store_size(type), False)
        return self.fetch(pointer, type)

    def store(self, pointer: Value, type: Type, value: Value) -> None:
        """What a library function writes."""
        self.use(pointer, self.image.layout.store_size(type), True)
        self.put(pointer, type, value)

    def fetch(self, pointer: Value, type: Type, moves: bool = False) -> Value:
        """A value from memory, by an instruction that says so itself.

        Who only moves it on takes what is partly undefined.
        """
        if pointer.__class__ is int:
            pointer = self.pointer(pointer)
        if is_aggregate(type):
            base = pointer
            add = self.domain.add_offset
            return Aggregate(
                self.fetch(add(base, at), t, moves) for at, t in self.image.layout.elements(type)
            )
        size = self.image.layout.store_size(type)
        found = self.target(pointer, size)
        if pointer[1].__class__ is not int:
            found, pointer = self._indexed(found, pointer, size, type)
        value = found.read(pointer[1], size, type, self.domain)
        return value if moves and value.__class__ is Partial else self.defined(value, type)

    def _indexed(
        self,
        found: MemoryObject,
        pointer: Pointer,
        size: int,
        read: Type | None = None,
        written: Value | None = None,
    ) -> tuple[MemoryObject, Pointer]:
        """What an offset that is a term leads to; objects without such a form are split by cell.

        Who only reads goes on for each value that lies there, not for each cell.
        """
        contents = self.domain.indexed(pointer[0], found, size, written)
        if contents is None:
            cells = [[at] for at in range(0, found.size, size)]
            if read is not None and self.domain.is_multiple(pointer[1], size):
                cells = self._by_value(found, size, read)
            return found, (pointer[0], self.one_of(pointer[1], cells, size))
        if contents is not found and pointer[0] in self.memory:
            self.memory[pointer[0]] = contents
            self.owned.add(pointer[0])
        return contents, pointer

    def _by_value(self, found: MemoryObject, size: int, type: Type) -> list[list[int]]:
        """The cells of an object, those with the same number together, most of them first.

        Looking at a cell is not reading it: an address among them has not become data for that.
        """
        alike: dict[object, list[int]] = {}
        numeric = self.domain.numeric
        for at in range(0, found.size - size + 1, size):
            try:
                value = found.read(at, size, type, self.domain)
            except Unsupported:  # as it should be where it is read
                value = UNDEF
            key = value if value.__class__ is int else (at,)
            alike.setdefault(key, []).append(at)
        self.domain.numeric = numeric
        return sorted(alike.values(), key=len, reverse=True)

    def defined(self, value: Value, type: Type) -> Value:
        """A value for somebody who looks at all of it."""
        if value.__class__ is Partial and Property.UNINITIALISED not in self.settings.properties:
            self.undefined(type)
            return value.number
        return self.undefined(type) if value is UNDEF or value.__class__ is Partial else value

    def undefined(self, type: Type) -> Value:
        """What reading uninitialised memory gives: zero, if nobody wants to know of it."""
        if Property.UNINITIALISED in self.settings.properties:
            return UNDEF
        self.image.bounds.add("uninitialised memory is read as zero")
        return 0.0 if isinstance(type, FloatType) else 0

    def put(self, pointer: Value, type: Type, value: Value) -> None:
        """A value into memory, by an instruction that says so itself."""
        if pointer.__class__ is int:
            pointer = self.pointer(pointer)
        if is_aggregate(type):
            add = self.domain.add_offset
            parts = self.image.layout.elements(type)
            values = [UNDEF] * len(parts) if value is UNDEF else value
            for (at, t), part in zip(parts, values, strict=True):
                self.put(add(pointer, at), t, part)
            return
        size = self.image.layout.store_size(type)
        found = self.writable(pointer, size)
        if pointer[1].__class__ is not int:
            found, pointer = self._indexed(found, pointer, size, written=value)
        found.write(pointer[1], size, value, self.domain)

    def load_int(self, pointer: Value, offset: int, size: int) -> Value:
        """An integer field of a library object."""
        return self.known(
            self.load(self.domain.add_offset(pointer, offset), IntType(8 * size)), 8 * size
        )

    def store_int(self, pointer: Value, offset: int, size: int, value: Value) -> None:
        self.store(self.domain.add_offset(pointer, offset), IntType(8 * size), value)

    def copy(self, to: Value, source: Value, size: int) -> None:
        """memmove."""
        if size == 0:
            return
        origin = self.target(source, size)
        self.use(source, size, False)
        self.use(to, size, True)
        self.writable(to, size).copy_range(to[1], origin, source[1], size, self.domain)

    def gather(self, source: Value, size: int) -> Aggregate:
        """The contents of some bytes, to be kept between two events: (offset, length, value)."""
        buffer = MemoryObject(size, UNDEF)
        origin = self.target(source, size)
        self.use(source, size, False)
        buffer.copy_range(0, origin, source[1], size, self.domain)
        return Aggregate(Aggregate((k, n, v)) for k, (n, v) in sorted(buffer.cells.items()))

    def give(self, to: Value, size: int, cells: Iterable[Value]) -> None:
        """Writes what `gather` has brought."""
        self.use(to, size, True)
        buffer = self.buffer(size, cells)
        self.writable(to, size).copy_range(to[1], buffer, 0, size, self.domain)

    def buffer(self, size: int, cells: Iterable[Value]) -> MemoryObject:
        """What `gather` has brought, as an object of its own."""
        made = MemoryObject(size, UNDEF)
        made.cells = {k: (n, v) for k, n, v in cells}
        return made

    def place_of(self, pointer: Value, size: int) -> Pointer:
        """A pointer to some bytes as an object and a number, or a fault that says why not."""
        if pointer.__class__ is int:
            pointer = self.pointer(pointer)
        pointer = self.known(pointer)
        self.target(pointer, size)
        return (pointer[0], pointer[1])

    def assembled(self, words: Iterable[Value], size: int, type: Type) -> Value:
        """The value of a type from its parts, which `gather` has brought: (offset, size, cells)."""
        cells = {at + k: (n, v) for at, _, part in words for k, n, v in part}
        return self._value_in(MemoryObject(size, UNDEF), cells, 0, type)

    def _value_in(
        self, made: MemoryObject, cells: dict[int, tuple[int, Value]], at: int, type: Type
    ) -> Value:
        made.cells = cells
        if is_aggregate(type):
            return Aggregate(
                self._value_in(made, cells, at + offset, t)
                for offset, t in self.image.layout.elements(type)
            )
        value = made.read(at, self.image.layout.store_size(type), type, self.domain)
        return self.defined(value, type)

    def give_word(self, to: Pointer, at: int, size: int, type: Type, value: Value) -> None:
        """Stores some bytes of a value."""
        layout = self.image.layout
        whole = MemoryObject(layout.store_size(type), UNDEF)
        self._lay_out(whole, 0, type, value)
        self.use((to[0], to[1] + at), size, True)
        self.writable((to[0], to[1] + at), size).copy_range(
            to[1] + at, whole, at, size, self.domain
        )

    def _lay_out(self, whole: MemoryObject, at: int, type: Type, value: Value) -> None:
        if not is_aggregate(type):
            whole.write(at, self.image.layout.store_size(type), value, self.domain)
            return
        parts = self.image.layout.elements(type)
        values = [UNDEF] * len(parts) if value is UNDEF else value
        for (offset, t), part in zip(parts, values, strict=True):
            self._lay_out(whole, at + offset, t, part)

    def read_bytes(self, pointer: Value, size: int) -> list[Value]:
        self.use(pointer, size, False)
        return self.target(pointer, size).read_bytes(pointer[1], size, self.domain)

    def fill(self, to: Value, size: int, byte: Value) -> None:
        """memset."""
        self.use(to, size, True)
        self.writable(to, size).fill_range(to[1], size, byte, self.domain)

    def allocate(
        self,
        kind: str,
        size: int,
        fill: int | Undefined,
        name: str,
        site: tuple[str, int],
        loc: SourceLoc | None = None,
        type: Type | None = None,
    ) -> Pointer:
        """A new object; its identity is the thread's own affair, whatever the others do."""
        thread = self.thread
        thread.allocated += 1
        identity = (kind, thread.id, thread.allocated, site)
        number = self.image.objects.find(identity)
        if number is None:
            told = self.image.told(kind, name, site, size, loc, type)
            number = self.image.objects.intern(identity, told)
        owner = (thread.id, len(thread.frames)) if kind == "stack" else None
        self.memory[number] = MemoryObject(size, fill, owner)
        self.owned.add(number)
        return (number, 0)

    def hidden(self, identity: Hashable, name: str) -> Pointer:
        """A place of the library's own, all zero at first, outside the program's memory."""
        number = self.image.objects.intern(identity, ObjectInfo("library", name))
        if number not in self.memory:
            self.memory[number] = MemoryObject(HIDDEN_BYTES, 0)
            self.owned.add(number)
        return (number, 0)

    def begin_scope(self, number: int, size: int) -> None:
        """A block's local begins, for the first time or again: nothing is in it."""
        owner = (self.thread.id, len(self.thread.frames))
        self.memory[number] = MemoryObject(size, UNDEF, owner)
        self.owned.add(number)
        self.writes += 1

    def end_scope(self, number: int) -> None:
        """A block's local ends, and may begin again: its number stays with its function."""
        found = self.memory.pop(number, None)
        self.writes += 1
        if found is not None:
            self.ranges.append((number, 0, found.size, True))

    def end_local(self, number: int, visible: bool) -> None:
        """A local ends for good, unless its block has ended before."""
        found = self.memory.get(number)
        if visible and found is not None:
            self.touch(Mode.WRITE, (number, 0), max(found.size, 1), False)
        self.release(number)

    def release(self, number: int) -> None:
        """The object ends, which is a write to all of it."""
        found = self.memory.pop(number, None)
        self.writes += 1
        if found is not None:
            self.ranges.append((number, 0, found.size, True))
