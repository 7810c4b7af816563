"""Programs without the operations that a schedule leaves out."""

from __future__ import annotations

from dataclasses import replace

from imc.program.analysis.sharing import Sharing
from imc.program.instructions import Const, Fence, Freeze, Instruction, Library
from imc.program.interpreter import Interpreter
from imc.program.program import Block, Function, Program
from imc.program.settings import Settings
from irs.schedule import Schedule


class Seen(Sharing):
    """As found in a program, but some operations that do nothing are seen all the same."""

    def __init__(self, program: Program, seen: dict[str, set[int]]) -> None:
        super().__init__(program)
        self.seen = seen

    def visible_in(self, function: str) -> frozenset[int]:
        return super().visible_in(function) | frozenset(self.seen.get(function, ()))


def interpreter_under(program: Program, settings: Settings, schedule: Schedule) -> Interpreter:
    """Runs the program with each operation that is left out replaced by its result, 0."""
    actions = {(s.function, s.pc): s.action for s in schedule.sites if s.action in ("pass", "skip")}
    functions = {
        name: _without(function, {pc for where, pc in actions if where == name})
        for name, function in program.functions.items()
    }
    seen: dict[str, set[int]] = {}
    for (function, pc), action in actions.items():
        if action == "pass":
            seen.setdefault(function, set()).add(pc)
    changed = replace(program, functions=functions)
    return Interpreter(changed, settings, sharing=Seen(changed, seen))


def _without(function: Function, pcs: set[int]) -> Function:
    if not pcs:
        return function
    blocks: list[Block] = []
    pc = 0
    for block in function.blocks:
        body = []
        for instruction in block.body:
            body.append(_nothing(instruction) if pc in pcs else instruction)
            pc += 1
        blocks.append(replace(block, body=tuple(body)))
    return replace(function, blocks=tuple(blocks))


def _nothing(instruction: Instruction) -> Instruction:
    assert isinstance(instruction, Library)
    if instruction.result is None:
        return Fence(loc=instruction.loc)
    zero = Const(instruction.type, 0)
    return Freeze(type=instruction.type, value=zero, result=instruction.result, loc=instruction.loc)
