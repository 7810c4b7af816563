"""Records for instructions that have no operation of their own: the model performs them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imc.compact import opcodes as op
from imc.compact.form import NotCompact
from imc.compact.host import looked_at
from imc.program.code import reads_input
from imc.program.instructions import (
    Alloca,
    Call,
    Instruction,
    Library,
    Load,
    Phi,
    Reg,
    Return,
    Store,
    Terminator,
    VaArg,
)
from imc.program.library import LIBRARY
from imc.program.library.registry import Ends, LibraryFunction

if TYPE_CHECKING:
    from imc.compact.function import FunctionLowering

BY_MODEL = 3  # how an INPUT is read that is no plain number


def comes_back(i: Instruction) -> bool:
    """Whether the thread may call a function in the middle of the instruction."""
    if not isinstance(i, Library):
        return isinstance(i, Return)  # of main, to exit handlers
    function = LIBRARY[i.function]
    calls = function.calls is not None and not (function.spawns or function.calls_at_end)
    return calls or function.ends is Ends.PROGRAM


def check_performable(i: Instruction, promoted: frozenset[int], why: NotCompact) -> None:
    """Raises the reason why an instruction has no form, unless the model can perform it."""
    if isinstance(i, Alloca | Phi | Terminator | VaArg):
        raise why
    if isinstance(i, Load | Store) and isinstance(i.pointer, Reg) and i.pointer.index in promoted:
        raise why
    if isinstance(i, Library):
        function = LIBRARY[i.function]
        if leaves(function):
            raise why


def leaves(function: LibraryFunction) -> bool:
    """Whether a function does more than words can tell: new threads, other places in the code."""
    return function.spawns or function.returns_twice or function.ends is Ends.FRAME


def lower_performed(i: Instruction, f: FunctionLowering) -> None:
    """One record; a second one to which functions return that the first one calls."""
    if isinstance(i, Call) and f.calls_back_to_itself():
        raise NotCompact(f"'{f.function.name}' calls itself in a way that has no form", i.loc)
    registers: list[int] = []
    for register in looked_at(i):
        registers += f.slots(register)
    registers += f.late.looked_at(f.pc, i)
    table = f.program.table(len(registers), *registers)
    results = f.slots(i.result) if i.result is not None else []
    if f.pc in f.late.places:
        results = [f.late.places[f.pc]]
    d = results[0] if results else f.program.nowhere
    back = comes_back(i) or isinstance(i, Call)
    if reads_input(i) and not f.visible:
        if len(results) > 1 or back:
            raise NotCompact("an input that is no scalar", i.loc)
        f.emit(op.INPUT, d, BY_MODEL, 64, table)
        return
    at = len(f.form.sites)
    opcode, calls = op.VISIBLE_PERFORM if f.visible else op.PERFORM, isinstance(i, Call)
    f.emit(opcode, d, table, 0 if calls else len(results), back)
    if back:
        f.form.live[at] = f.live_table(f.pc)
        phase = int(isinstance(i, Library) and LIBRARY[i.function].phases)
        f.emit(op.RESUME, -1, at, phase)
    if calls:  # its caller stands behind it
        f.form.live[-1] = f.live_table(f.pc + 1, i.result)
        f.move(results, [f.program.value + k for k in range(len(results))])
