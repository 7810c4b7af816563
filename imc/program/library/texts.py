"""Copies of strings on the heap. Nobody else knows of a copy before it is complete."""

from __future__ import annotations

from imc.errors import Unsupported
from imc.program.events import Mode
from imc.program.faults import FaultRaised, Property
from imc.program.instructions import Library
from imc.program.library.heap import new_object
from imc.program.library.registry import Visibility, library
from imc.program.machine import NEXT_PHASE, Machine
from imc.program.types import IntType
from imc.program.values import UNDEF, Aggregate, Pointer, Value

BYTE = IntType(8)
COPYING = 2  # a phase


def dup_by_bytes(m: Machine, i: Library, args: list[Value]) -> Value:
    """Looks for the end first, and then copies so many bytes, whatever they have become.

    Each byte is read in an event of its own; the last one also makes the copy.
    """
    frame = m.frames[-1]
    if m.text(args[0]) is not None:
        raise Unsupported("a text from outside that several threads may use is copied", i.loc)
    length, *copied = frame.scratch or (0,)
    looking = frame.phase < COPYING
    at = length if looking else len(copied)
    place = m.domain.add_offset(args[0], at)
    m.touch(Mode.READ, place, 1, False)
    byte = _byte(m, place)
    if looking:
        ends = m.equal(byte, 0, 8)
        frame.scratch, frame.phase = Aggregate((length + (not ends),)), COPYING if ends else 1
        return NEXT_PHASE
    copied.append(byte)
    if at < length:
        frame.scratch = Aggregate((length, *copied))
        return NEXT_PHASE
    frame.scratch = None
    new = new_object(m, i, length + 1, UNDEF)
    for k, value in enumerate(copied):
        m.memory[new[0]].write(k, 1, value, m.domain)
    return new


@library(
    "strdup", c="strdup __strdup", visible=Visibility.MEMORY, stepwise=dup_by_bytes, reads=(0,),
    returns_heap=True, returns_number=True, returns_aligned=True,
    assumes=("allocation-succeeds",),
    native_steps={"strdup": "irs_strdup", "__strdup": "irs_strdup"},
)  # fmt: skip
def strdup(m: Machine, i: Library, args: list[Value]) -> Value:
    """A copy at once: whatever is copied here, nobody else uses it."""
    source, text = args[0], m.text(args[0])
    if text is not None:
        return _copied_text(m, i, source, text.text_at(source[1]), text.size - source[1])
    size = 1
    while not m.equal(_byte(m, m.domain.add_offset(source, size - 1)), 0, 8):
        size += 1
    new = new_object(m, i, size, UNDEF)
    contents = m.memory[new[0]]
    contents.copy_range(0, m.target(source, size), source[1], size, m.domain)
    return new


def _copied_text(m: Machine, i: Library, source: Pointer, length: Value, most: int) -> Value:
    m.use((source[0], 0), m.memory[source[0]].size, False)
    new = new_object(m, i, most, UNDEF)
    size = m.domain.binary("add", IntType(64))(length, 1)
    if not m.fill_from_outside(new, extent=size, length=length):
        raise Unsupported("an error may depend on the bytes of a text from outside", i.loc)
    return new


def _byte(m: Machine, place: Value) -> Value:
    byte = m.load(place, BYTE)
    if byte is UNDEF:
        raise FaultRaised(Property.UNINITIALISED, "an uninitialised byte is read from a string")
    return byte

