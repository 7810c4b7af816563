"""A step's own copy of a state: strings in its memory, and what the world fills."""

from __future__ import annotations

from imc.program.events import Mode
from imc.program.faults import FaultRaised, Property
from imc.program.memory import MemoryObject
from imc.program.types import IntType
from imc.program.values import UNDEF, Pointer, Value
from imc.program.workspace import Workspace


class Texts(Workspace):
    """Memory as library functions use it that read and write bytes up to a zero."""

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

    def text(self, pointer: Value) -> MemoryObject | None:
        """The object behind a pointer, if a text begins there of which only its length is known."""
        if pointer.__class__ is not tuple:
            return None
        found = self.memory.get(pointer[0])
        return found if found is not None and found.text_at(pointer[1]) is not None else None

    def pass_text(self, pointer: Pointer, text: MemoryObject) -> None:
        """Reads all of such a text, wherever it ends."""
        whole = (pointer[0], 0)
        self.use(whole, text.size, False)
        self.touch(Mode.READ, whole, text.size, False)

    def pass_string(self, pointer: Value) -> None:
        """Reads a C string of which nothing matters but that it is there, and where it ends."""
        text = self.text(pointer)
        if text is not None:
            self.pass_text(pointer, text)
            return
        size = 0
        while True:
            byte = self.load(self.domain.add_offset(pointer, size), IntType(8))
            size += 1
            if byte is UNDEF:
                raise FaultRaised(
                    Property.UNINITIALISED, "an uninitialised byte is read from a string"
                )
            if self.equal(byte, 0, 8):
                break
        self.touch_read(pointer, size)

    def touch_read(self, pointer: Value, size: int) -> None:
        """Notes that a library function reads memory, which must be there."""
        if size:
            if pointer.__class__ is int:
                pointer = self.pointer(pointer)
            self.target(pointer, size)
            if pointer[0] not in self.image.constants:  # nobody writes there
                self.touch(Mode.READ, pointer, size, False)

    def write_bytes(self, pointer: Value, data: bytes) -> None:
        for i, byte in enumerate(data):
            self.store(self.domain.add_offset(pointer, i), IntType(8), byte)

    def fill_from_outside(
        self, place: Pointer, extent: Value | None = None, length: Value | None = None
    ) -> bool:
        """Lets the world fill an object from a place on, if its bytes need not be known."""
        number, start = place
        contents = self.domain.outside(number, self.memory[number], start, extent, length)
        if contents is not None:
            self.memory[number] = contents
            self.owned.add(number)
            self.writes += 1
        return contents is not None
