"""A step's own copy of a state: its memory, and the environment that answers its questions."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, NoReturn

from imc.errors import SourceLoc
from imc.program.domain import Domain
from imc.program.events import Access, Mode
from imc.program.faults import FaultRaised, NeedChoice, Property, StuckForever
from imc.program.memory import MemoryObject
from imc.program.objects import ObjectInfo
from imc.program.state import State, Thread
from imc.program.types import FloatType, IntType, Type, is_aggregate
from imc.program.values import UNDEF, Aggregate, Pointer, Undefined, Value

if TYPE_CHECKING:
    from imc.program.code import Image


HIDDEN_BYTES = 8192


class Workspace:
    """Memory that a step may change, with faults for accesses that C does not allow."""

    def __init__(self, image: Image, state: State, choices: tuple[int, ...] = ()) -> None:
        self.image = image
        self.domain: Domain = image.domain
        self.settings = image.settings
        self.state = state
        self.memory = state.memory
        self.choices = choices
        self.chosen = 0
        self.owned: set[int] = set()
        self.accesses: list[Access] = []
        self.atomic = 0  # how many atomic sections the step is inside
        self.writes = 0
        self.thread: Thread

    # -------------------------------------------------------- the environment

    def choose(self, count: int) -> int:
        """One of `count` alternatives, which the environment picks and not the scheduler."""
        if count <= 1:
            return 0
        if self.chosen == len(self.choices):
            raise NeedChoice(count)
        self.chosen += 1
        return self.choices[self.chosen - 1]

    def decide(self, value: Value) -> bool:
        """Whether an i1 holds; where the domain cannot tell, both answers are tried."""
        if value is UNDEF:
            self.fault(Property.UNINITIALISED, "an uninitialised value decides a branch")
        known = self.domain.truth(value)
        if known is None:
            known = bool(self.choose(2))
            self.state.conditions += ((value, known),)
        return known

    def input(self, type: Type) -> Value:
        """A new unknown, named by thread and order; None when a value must be chosen."""
        self.thread.inputs += 1
        return self.domain.input(f"input.{self.thread.id}.{self.thread.inputs}", type)

    def standard_input(self) -> bytes:
        """All that the program can read."""
        return self.settings.stdin

    def put_out(self, data: bytes, stream: str) -> None:
        """What a program writes to standard output is part of its state."""
        if stream == "stdout":
            self.state.output += (data,)

    def known(self, value: Value, width: int = 64) -> Value:
        """The value as a number; where it is a term, the step goes on for each it can be."""
        return value

    def one_of(self, offset: Value, candidates: Iterable[int]) -> int:
        """The one of the candidates that an offset equals; all of them are tried."""
        for candidate in candidates:
            if self.decide(
                self.domain.inside(self.domain.add_offset((0, offset), -candidate)[1], 0)
            ):
                return candidate
        self.fault(Property.MEMORY, "an access at an offset between two elements")

    def equal(self, left: Value, right: Value, width: int = 32) -> bool:
        return self.decide(self.image.equality(width)(left, right))

    def fault(self, kind: Property, message: str) -> NoReturn:
        """Reports a violation, or stops the thread quietly when the property is not asked for."""
        if kind in self.settings.properties:
            raise FaultRaised(kind, message)
        undefined = kind in (
            Property.LOCK,
            Property.MEMORY,
            Property.UNINITIALISED,
        )  # a real run might go on
        raise StuckForever(f"executions end at an unchecked error: {message}", undefined)

    def own(self, thread: Thread) -> Thread:
        """Another thread, made this step's own to be changed."""
        copy = self.state.threads[thread.id] = thread.copy()
        return copy

    # ----------------------------------------------------------------- memory

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
                    f"use of '{info.name}' after its function has returned",
                )
            self.fault(Property.MEMORY, f"data access to the function '{info.name}'")
        if offset.__class__ is int:
            inside = 0 <= offset <= found.size - size
        else:
            inside = self.decide(self.domain.inside(offset, found.size - size))
        if not inside:
            where = f"at offset {offset}" if offset.__class__ is int else "outside the bounds"
            self.fault(
                Property.MEMORY,
                f"access of {size} byte{'s' * (size != 1)} {where} of '{info.name}', "
                f"which has {found.size}",
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
        if pointer.__class__ is int:
            pointer = self.pointer(pointer)
        if is_aggregate(type):
            base = pointer
            add = self.domain.add_offset
            return Aggregate(
                self.load(add(base, at), t) for at, t in self.image.layout.elements(type)
            )
        size = self.image.layout.store_size(type)
        found = self.target(pointer, size)
        if pointer[1].__class__ is not int:
            found, pointer = self._indexed(found, pointer, size)
        value = found.read(pointer[1], size, type, self.domain)
        return value if value is not UNDEF else self.undefined(type)

    def _indexed(
        self, found: MemoryObject, pointer: Pointer, size: int
    ) -> tuple[MemoryObject, Pointer]:
        """What an offset that is a term leads to; objects without such a form are split by cell."""
        contents = self.domain.indexed(pointer[0], found, size)
        if contents is None:
            return found, (pointer[0], self.one_of(pointer[1], range(0, found.size, size)))
        if contents is not found and pointer[0] in self.memory:
            self.memory[pointer[0]] = contents
            self.owned.add(pointer[0])
        return contents, pointer

    def undefined(self, type: Type) -> Value:
        """What reading uninitialised memory gives: zero, if nobody wants to know of it."""
        if Property.UNINITIALISED in self.settings.properties:
            return UNDEF
        self.image.bounds.add("uninitialised memory is read as zero")
        return 0.0 if isinstance(type, FloatType) else 0

    def pointer(self, number: int) -> Value:
        """The pointer that an integer stands for, if it was made from one."""
        pointer = self.domain.pointer(number)
        known = pointer.__class__ is tuple and pointer[0] < len(self.image.objects.infos)
        return pointer if known else number

    def store(self, pointer: Value, type: Type, value: Value) -> None:
        if pointer.__class__ is int:
            pointer = self.pointer(pointer)
        if is_aggregate(type):
            add = self.domain.add_offset
            parts = self.image.layout.elements(type)
            values = [UNDEF] * len(parts) if value is UNDEF else value
            for (at, t), part in zip(parts, values, strict=True):
                self.store(add(pointer, at), t, part)
            return
        size = self.image.layout.store_size(type)
        found = self.writable(pointer, size)
        if pointer[1].__class__ is not int:
            found, pointer = self._indexed(found, pointer, size)
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
        self.writable(to, size).copy_range(to[1], origin, source[1], size, self.domain)

    def read_string(self, pointer: Value, limit: int | None = None) -> bytes:
        """The bytes of a C string, without the final zero."""
        data = bytearray()
        offset = 0
        while limit is None or len(data) < limit:
            byte = self.known(self.load(self.domain.add_offset(pointer, offset), IntType(8)), 8)
            if byte.__class__ is not int:
                raise FaultRaised(
                    Property.UNINITIALISED,
                    "an uninitialised byte is read from a string",
                )
            if byte == 0:
                break
            data.append(byte)
            offset += 1
        self.touch_read(pointer, len(data) + (limit is None))
        return bytes(data)

    def touch_read(self, pointer: Value, size: int) -> None:
        """Notes that a library function reads memory that somebody might write."""
        if size and pointer.__class__ is tuple and pointer[0] not in self.image.constants:
            self.touch(Mode.READ, pointer, size, False)

    def write_bytes(self, pointer: Value, data: bytes) -> None:
        for i, byte in enumerate(data):
            self.store(self.domain.add_offset(pointer, i), IntType(8), byte)

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
        number = self.image.objects.intern(
            (kind, thread.id, thread.allocated, site),
            ObjectInfo(kind, name, loc, None, type),
        )
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

    def release(self, number: int) -> None:
        self.memory.pop(number, None)
        self.writes += 1
