"""Programs without the operations that a schedule leaves out."""

from __future__ import annotations

from dataclasses import replace

from imc.program.analysis.sharing import Sharing
from imc.program.instructions import Const, Fence, Freeze, Instruction, Library
from imc.program.interpreter import Interpreter
from imc.program.library.registry import Visibility, library
from imc.program.machine import NEXT_PHASE, Machine
from imc.program.program import Block, Function, Program
from imc.program.settings import Settings
from imc.program.values import Value
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
        name: _without(function, {pc: a for (where, pc), a in actions.items() if where == name})
        for name, function in program.functions.items()
    }
    seen: dict[str, set[int]] = {}
    for (function, pc), action in actions.items():
        if action == "pass":
            seen.setdefault(function, set()).add(pc)
    changed = replace(program, functions=functions)
    interpreter = Interpreter(changed, settings, sharing=Seen(changed, seen))
    interpreter.image.threads.seed(schedule.threads)
    return interpreter


def _without(function: Function, actions: dict[int, str]) -> Function:
    if not actions:
        return function
    blocks: list[Block] = []
    pc = 0
    for block in function.blocks:
        body = []
        for instruction in block.body:
            body.append(_nothing(instruction, actions[pc]) if pc in actions else instruction)
            pc += 1
        blocks.append(replace(block, body=tuple(body)))
    return replace(function, blocks=tuple(blocks))


@library("passed_barrier", visible=Visibility.ALWAYS)
def passed_barrier(m: Machine, i: Library, args: list[Value]) -> Value:
    """Arriving and leaving are two events, at the same gate, with nothing in between."""
    frame = m.frames[-1]
    frame.phase += 1
    return NEXT_PHASE if frame.phase == 1 else 0


def _nothing(instruction: Instruction, action: str) -> Instruction:
    assert isinstance(instruction, Library)
    if action == "pass" and instruction.function == "barrier_wait":
        return replace(instruction, function="passed_barrier")
    if instruction.result is None:
        return Fence(loc=instruction.loc)
    zero = Const(instruction.type, 0)
    return Freeze(type=instruction.type, value=zero, result=instruction.result, loc=instruction.loc)
