"""Loads, stores and atomic updates; the visible ones note what they touch."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from imc.errors import Unsupported
from imc.program.events import Mode
from imc.program.instructions import AtomicRmw, CompareExchange, Load, Reg, Store
from imc.program.machine import AGAIN, Machine
from imc.program.semantics.dispatch import Op, Regs, prepare_instruction
from imc.program.types import FloatType, IntType, Type, is_aggregate
from imc.program.values import UNDEF, Aggregate, Partial, Value, settled

if TYPE_CHECKING:
    from imc.program.code import FunctionCode


@prepare_instruction.register(Load)
def _(i: Load, code: FunctionCode, pc: int) -> Op:
    return _move_load(i, code) if _is_promoted(code, i) else _load(i, code, pc in code.visible)


@prepare_instruction.register(Store)
def _(i: Store, code: FunctionCode, pc: int) -> Op:
    return _move_store(i, code) if _is_promoted(code, i) else _store(i, code, pc in code.visible)


def _is_promoted(code: FunctionCode, i: Load | Store) -> bool:
    """Whether the access goes to a local that lives in a register."""
    return isinstance(i.pointer, Reg) and i.pointer.index in code.promoted


def _move_load(i: Load, code: FunctionCode) -> Op:
    assert i.result is not None and isinstance(i.pointer, Reg)
    d, a, type = i.result, i.pointer.index, i.type
    moves = d in code.tolerant

    def run(m: Machine, r: Regs) -> None:
        value = r[a]
        if value is UNDEF or (value.__class__ is Partial and not moves):
            value = m.defined(value, type)
        r[d] = value

    return run


def _move_store(i: Store, code: FunctionCode) -> Op:
    assert isinstance(i.pointer, Reg)
    d, v = i.pointer.index, code.operand(i.value)

    def run(m: Machine, r: Regs) -> None:
        r[d] = r[v]

    return run


def _load(i: Load, code: FunctionCode, visible: bool) -> Op:
    assert i.result is not None
    d, a, type = i.result, code.operand(i.pointer), i.type
    size, atomic = code.image.layout.store_size(type), bool(i.ordering)
    if visible and not atomic:
        parts = code.image.layout.words(type)
        if len(parts) > 1:
            return _load_by_words(d, a, type, parts)
    plain = not is_aggregate(type) and not isinstance(type, FloatType)
    loc, moves = i.loc, d in code.tolerant

    def run(m: Machine, r: Regs) -> None:
        p = r[a]
        try:
            n, value = m.memory[p[0]].cells[p[1]]
            kind = value.__class__
            # What objects keep of themselves lies before their first byte, and is nobody's to read.
            if plain and n == size and (kind is int or kind is tuple) and p[1] >= 0:
                r[d] = value
                m.unseen_reads.setdefault(p[0], loc)
                return
        except (KeyError, TypeError):
            pass
        r[d] = m.fetch(p, type, moves)
        m.hide_at(p, False, loc)

    if not visible:
        return run

    def run_visible(m: Machine, r: Regs) -> None:
        pointer = r[a]
        r[d] = m.fetch(pointer, type, moves)
        value = r[d]
        told = value if value.__class__ is int else settled(value)
        m.touch(Mode.READ, pointer, size, atomic, told)

    return run_visible


def _load_by_words(d: int, a: int, type: Type, parts: list[tuple[int, int]]) -> Op:
    """What is wider than a word is read in several events, from its first byte to its last."""
    size = parts[-1][0] + parts[-1][1]

    def run(m: Machine, r: Regs) -> int | None:
        frame, pointer = m.frames[-1], m.place_of(r[a], size)
        at, n = parts[frame.phase]
        word = Aggregate((at, n, m.gather((pointer[0], pointer[1] + at), n)))
        m.touch(Mode.READ, (pointer[0], pointer[1] + at), n, False)
        m.ranges.clear()
        words = (*(frame.scratch or ()), word)
        if len(words) < len(parts):
            frame.scratch, frame.phase = Aggregate(words), frame.phase + 1
            return AGAIN
        frame.scratch, frame.phase = None, 0
        r[d] = m.assembled(words, size, type)
        return None

    return run


def _store(i: Store, code: FunctionCode, visible: bool) -> Op:
    a, v, type = code.operand(i.pointer), code.operand(i.value), i.type
    size, atomic = code.image.layout.store_size(type), bool(i.ordering)
    if visible and not atomic:
        parts = code.image.layout.words(type)
        if len(parts) > 1:
            return _store_by_words(a, v, type, parts)
    loc = i.loc

    def run(m: Machine, r: Regs) -> None:
        m.put(r[a], type, r[v])
        m.hide_at(r[a], True, loc)

    if not visible:
        return run

    def run_visible(m: Machine, r: Regs) -> None:
        m.put(r[a], type, r[v])
        value = r[v]
        told = value if value.__class__ is int else settled(value)
        m.touch(Mode.WRITE, r[a], size, atomic, told)

    return run_visible


def _store_by_words(a: int, v: int, type: Type, parts: list[tuple[int, int]]) -> Op:
    size = parts[-1][0] + parts[-1][1]

    def run(m: Machine, r: Regs) -> int | None:
        frame, pointer = m.frames[-1], m.place_of(r[a], size)
        at, n = parts[frame.phase]
        m.give_word(pointer, at, n, type, r[v])
        m.touch(Mode.WRITE, (pointer[0], pointer[1] + at), n, False)
        m.ranges.clear()
        frame.phase += 1
        if frame.phase < len(parts):
            return AGAIN
        frame.phase = 0
        return None

    return run


@prepare_instruction.register(AtomicRmw)
def _(i: AtomicRmw, code: FunctionCode, pc: int) -> Op:
    a, v, d, type = code.operand(i.pointer), code.operand(i.value), i.result, i.type
    size = code.image.layout.store_size(type)
    f = _updater(i, code, type)
    visible, loc = pc in code.visible, i.loc
    adds = code.image.settings.independent_adds and i.op in ("add", "sub") and code.unused(d)
    mode = Mode.ADD if adds else Mode.WRITE

    def run(m: Machine, r: Regs) -> None:
        p = r[a]
        old = m.fetch(p, type)
        new = f(m, old, r[v])
        m.put(p, type, new)
        if visible:
            m.touch(mode, p, size, True, new)
        else:
            m.hide_at(p, True, loc)
        if d is not None:
            r[d] = old

    return run


def _updater(
    i: AtomicRmw, code: FunctionCode, type: Type
) -> Callable[[Machine, Value, Value], Value]:
    domain, op = code.image.domain, i.op
    if op == "xchg":
        return lambda m, old, value: value
    if op in ("max", "min", "umax", "umin"):
        better = domain.compare(
            ("u" if op[0] == "u" else "s") + ("gt" if op.endswith("max") else "lt"),
            type,
        )
        return lambda m, old, value: value if m.decide(better(value, old)) else old
    if op == "nand":
        assert isinstance(type, IntType)
        conjunction, flip, ones = (
            domain.binary("and", type),
            domain.binary("xor", type),
            (1 << type.width) - 1,
        )
        return lambda m, old, value: flip(conjunction(old, value), ones)
    if op not in ("add", "sub", "and", "or", "xor", "fadd", "fsub"):
        raise Unsupported(f"the atomic operation '{op}' is not supported", i.loc)
    arithmetic = domain.binary(op, type)
    return lambda m, old, value: arithmetic(old, value)


@prepare_instruction.register(CompareExchange)
def _(i: CompareExchange, code: FunctionCode, pc: int) -> Op:
    a, e, n, d, type = (
        code.operand(i.pointer), code.operand(i.expected), code.operand(i.new), i.result, i.type,
    )  # fmt: skip
    size = code.image.layout.store_size(type)
    equal = code.image.domain.compare("eq", type)
    visible, loc = pc in code.visible, i.loc

    def run(m: Machine, r: Regs) -> None:
        p = r[a]
        old = m.fetch(p, type)
        same = m.decide(equal(old, r[e]))
        if same:
            m.put(p, type, r[n])
        if visible:
            m.touch(Mode.WRITE if same else Mode.READ, p, size, True, r[n] if same else old)
        else:
            m.hide_at(p, same, loc)
        if d is not None:
            r[d] = Aggregate((old, int(same)))

    return run
