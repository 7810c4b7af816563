"""Locals that are made late: of no fixed size, behind calls, or for variable arguments.

All other locals are made where their function begins. Each of these has a register, in which
nothing is while it is not there: who calls the function forgets what was there in an earlier call.
The model makes it, once in a call, or again when it has ended; it ends with its function at last.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from imc.compact import opcodes as op
from imc.compact.form import NotCompact
from imc.compact.words import count
from imc.program.analysis.lifetimes import local_of
from imc.program.analysis.promotion import LIFETIME
from imc.program.code import FunctionCode
from imc.program.instructions import Alloca, Call, Const, Instruction, Library
from imc.program.types import Type, is_aggregate

if TYPE_CHECKING:
    from imc.compact.flatten import Flattening
    from imc.compact.function import FunctionLowering

STARTS = "va_start"  # lays out variable arguments, in a local of its own
Shape = tuple[tuple[Type, bool], ...]  # types of variable arguments, and whether they are structs


class Late:
    """One function's: registers of late locals by their places, and of variable arguments.

    `shape` holds which types were passed, as a place in the form's list; `more` their words.
    """

    def __init__(self, program: Flattening, copy: str) -> None:
        code = program.codes[copy]
        function = code.function
        self.places: dict[int, int] = {}
        for pc in late_places(code):
            result = function.code[pc].result
            known = result is not None
            self.places[pc] = (
                program.register(copy, result) if known else program.temporary()  # type: ignore[arg-type]
            )
        self.shape = program.temporary() if function.type.varargs else -1
        self.more = [program.temporary() for _ in range(program.most_words(function.name))]

    @property
    def arguments(self) -> list[int]:
        """Registers that are part of what the frame holds: they say how it was called."""
        return [] if self.shape < 0 else [self.shape, *self.more]

    def looked_at(self, pc: int, i: Instruction) -> list[int]:
        """Registers that the model looks at where it makes a late local."""
        if pc not in self.places:
            return []
        return [self.places[pc], *(self.arguments if _starts(i) else ())]


def late_places(code: FunctionCode) -> list[int]:
    """Where a function makes locals when something may have happened already."""
    function, found = code.function, []
    entry = len(function.blocks[0].body)
    quiet = True
    for pc, i in enumerate(function.code):
        if isinstance(i, Alloca) and i.result is not None and i.result not in code.promoted:
            if pc >= entry or not quiet or not isinstance(i.count, Const):
                found.append(pc)
        elif _starts(i):
            found.append(pc)
        if pc in code.visible or isinstance(i, (Call, Library)):
            quiet = False
    _refuse_marked(code, found)
    return found


def _refuse_marked(code: FunctionCode, late: list[int]) -> None:
    """A late local ends by itself, or with its function; not with a block, to begin again."""
    made = [code.function.code[pc] for pc in late]
    for i in code.function.code if made else ():
        if isinstance(i, Library) and i.function in LIFETIME:
            local = local_of(code.function, i.args[-1])
            if any(local is one for one in made):
                raise NotCompact("a late local that ends with its block", i.loc)


def _starts(i: Instruction) -> bool:
    return isinstance(i, Library) and i.function == STARTS


def words_of(types: Iterator[Type]) -> int:
    return sum(count(type) if is_aggregate(type) else 1 for type in types)


def pass_more(f: FunctionLowering, i: Call, callee: str) -> None:
    """What a call leaves in the registers of its callee beside the parameters."""
    late, function = f.program.late[callee], f.program.codes[callee].function
    forgotten = list(late.places.values())
    if late.shape >= 0:
        given: list[int] = []
        rest = i.args[len(function.params) :]
        for argument in rest:
            given += f.words(argument, i)
        shape = tuple((argument.type, False) for argument in rest)
        f.emit(op.MOVE, late.shape, f.constant(f.program.shape(shape)))
        f.move(late.more[: len(given)], given)
        forgotten += late.more[len(given) :]
    for register in forgotten:
        f.emit(op.FORGET, register)
