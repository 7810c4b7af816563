"""Control flow: jumps fill the phis of the block they lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imc.program.faults import Property, StuckForever
from imc.program.instructions import (
    Call,
    CondBranch,
    IndirectBranch,
    Jump,
    Library,
    Return,
    Switch,
    Unreachable,
)
from imc.program.library.environment import call_handler
from imc.program.machine import RELOAD, Machine
from imc.program.semantics.dispatch import Op, Regs, destination, prepare_instruction
from imc.program.values import UNDEF, BlockRef, settled

if TYPE_CHECKING:
    from imc.program.code import FunctionCode


def edge(code: FunctionCode, source: str, target: str) -> tuple[int, list[tuple[int, int]]]:
    """Where a jump leads, and the phis it fills: (register, operand)."""
    moves = []
    for phi in code.function.by_label[target].phis:
        for operand, origin in phi.incoming:
            if origin == source:
                moves.append((destination(phi), code.operand(operand)))
                break
    return code.function.starts[target], moves


def fill_phis(r: Regs, moves: list[tuple[int, int]]) -> None:
    """All at once: a phi may read another one's old value."""
    values = [r[source] for _, source in moves]
    for (register, _), value in zip(moves, values, strict=True):
        r[register] = value


@prepare_instruction.register(Jump)
def _(i: Jump, code: FunctionCode, pc: int) -> Op:
    target, moves = edge(code, code.function.block_of[pc].label, i.target)
    if not moves:
        return lambda m, r: target

    def run(m: Machine, r: Regs) -> int:
        fill_phis(r, moves)
        return target

    return run


@prepare_instruction.register(CondBranch)
def _(i: CondBranch, code: FunctionCode, pc: int) -> Op:
    c, label = code.operand(i.condition), code.function.block_of[pc].label
    then, then_moves = edge(code, label, i.then)
    other, other_moves = edge(code, label, i.otherwise)

    def run(m: Machine, r: Regs) -> int:
        value = r[c]
        if value if value.__class__ is int else m.decide(value):
            if then_moves:
                fill_phis(r, then_moves)
            return then
        if other_moves:
            fill_phis(r, other_moves)
        return other

    return run


@prepare_instruction.register(Switch)
def _(i: Switch, code: FunctionCode, pc: int) -> Op:
    v, label = code.operand(i.value), code.function.block_of[pc].label
    default = edge(code, label, i.default)
    cases = [(value, *edge(code, label, target)) for value, target in i.cases]
    table = {value: (target, moves) for value, target, moves in reversed(cases)}
    equal = code.image.domain.compare("eq", i.type)

    def run(m: Machine, r: Regs) -> int:
        value = r[v]
        if value.__class__ is int:
            target, moves = table.get(value, default)
        else:
            target, moves = default
            for case, to, phis in cases:
                if m.decide(equal(value, case)):
                    target, moves = to, phis
                    break
        if moves:
            fill_phis(r, moves)
        return target

    return run


@prepare_instruction.register(IndirectBranch)
def _(i: IndirectBranch, code: FunctionCode, pc: int) -> Op:
    a, label = code.operand(i.address), code.function.block_of[pc].label
    table = {target: edge(code, label, target) for target in i.labels}

    def run(m: Machine, r: Regs) -> int:
        if not isinstance(r[a], BlockRef) or r[a] not in table:
            m.fault(Property.MEMORY, "computed goto to something that is not a label")
        target, moves = table[r[a]]
        fill_phis(r, moves)
        return target

    return run


@prepare_instruction.register(Return)
def _(i: Return, code: FunctionCode, pc: int) -> Op:
    v = code.operand(i.value) if i.value is not None else None
    is_entry = code.function.name == code.image.program.entry
    visible = pc in code.visible

    def run(m: Machine, r: Regs) -> int:
        value = UNDEF if v is None else r[v]
        if is_entry and len(m.frames) == 1 and m.thread.id == 0:
            m.frames[-1].pc = pc
            if call_handler(m):
                return RELOAD
            status = value if value.__class__ is int else 0
            return m.exit(status & 0xFF).code
        frame = m.frames.pop()
        if frame.objects:
            before = len(m.accesses)
            for number in frame.objects:
                m.end_local(number, visible)
            m.account(visible, before, i.loc)
        if not m.frames:
            m.thread.result = settled(value) if not m.thread.ending else m.thread.result
        elif frame.result is not None:
            m.frames[-1].receive(frame.result, value)
        return RELOAD

    return run


@prepare_instruction.register(Unreachable)
def _(i: Unreachable, code: FunctionCode, pc: int) -> Op:
    before = code.function.code[pc - 1] if pc else None
    after_call = isinstance(before, (Library, Call)) and before in code.function.block_of[pc].body

    def run(m: Machine, r: Regs) -> None:
        if after_call:
            raise StuckForever("a function that does not return")
        m.fault(Property.ABORT, "code that the program calls unreachable is reached")

    return run
