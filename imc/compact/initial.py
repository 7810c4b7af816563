"""The memory that a program begins with: its globals, and the arguments of main."""

from __future__ import annotations

from imc.compact.form import BASE, INSIDE, SHIFT, CompactProgram, NotCompact
from imc.compact.opcodes import UNDEF
from imc.program.code import Image
from imc.program.machine import Machine
from imc.program.memory import MemoryObject
from imc.program.state import State
from imc.program.types import IntType
from imc.program.values import UNDEF as UNDEFINED
from imc.program.values import Value

MOST_CELLS = 1 << 20
WORD = 8  # bytes of the largest scalar


def lay_out(image: Image, form: CompactProgram, parameters: list[int]) -> None:
    """Gives every object that is there at the start its cells, and main its arguments."""
    machine = Machine(image, State())
    thread = machine.main_thread()
    form.allocated = thread.allocated
    for home in (image.constants, image.variables, machine.memory):
        if home is image.variables:
            form.variables = len(form.cells)
        for number, contents in home.items():
            if len(form.cells) + contents.size > MOST_CELLS:
                raise NotCompact("a large memory", image.objects[number].loc)
            first = len(form.cells)
            form.objects += [number, first, contents.size, home is image.constants]
            form.cells += [0 if contents.fill == 0 else UNDEF] * contents.size
            form.layout += [0] * contents.size
            _fill(image, form, first, number, contents)
        if home is image.variables:
            form.statics = len(form.cells)
    main = thread.frames[0]
    for parameter, register in zip(main.code.function.params, parameters, strict=True):
        form.arguments += [register, _number(image, form, main.regs[parameter.register])]


def _fill(
    image: Image, form: CompactProgram, first: int, number: int, contents: MemoryObject
) -> None:
    for at, (size, value) in contents.cells.items():
        if contents.fill == 0 and value.__class__ is int and value == 0:
            continue  # the same as if nobody had written it, and any scalar may lie there
        for start in range(at, at + size, WORD):
            piece = min(WORD, at + size - start)
            if piece != size or value.__class__ is float:  # its bytes are a number
                value = contents.read(start, piece, IntType(8 * piece), image.domain)
            form.cells[first + start] = _number(image, form, value, number)
            form.layout[first + start] = piece
            form.layout[first + start + 1 : first + start + piece] = [INSIDE] * (piece - 1)


def _number(image: Image, form: CompactProgram, value: Value, number: int = 0) -> int:
    if value.__class__ is tuple:
        return int(value[0] << SHIFT) + BASE + int(value[1])
    if value is UNDEFINED:
        return UNDEF
    if value.__class__ is not int:
        raise NotCompact("a global that is no integer", image.objects[number].loc)
    form.note_number(value)
    return int(value)
