"""Loads, stores and atomic updates; the visible ones note what they touch."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from imc.errors import Unsupported
from imc.program.events import Mode
from imc.program.instructions import AtomicRmw, CompareExchange, Load, Reg, Store
from imc.program.machine import Machine
from imc.program.semantics.dispatch import Op, Regs, prepare_instruction
from imc.program.types import FloatType, IntType, Type, is_aggregate
from imc.program.values import UNDEF, Aggregate, Value

if TYPE_CHECKING:
    from imc.program.code import FunctionCode


@prepare_instruction.register(Load)
def _(i: Load, code: FunctionCode, pc: int) -> Op:
    return _move_load(i) if _is_promoted(code, i) else _load(i, code, pc in code.visible)


@prepare_instruction.register(Store)
def _(i: Store, code: FunctionCode, pc: int) -> Op:
    return _move_store(i, code) if _is_promoted(code, i) else _store(i, code, pc in code.visible)


def _is_promoted(code: FunctionCode, i: Load | Store) -> bool:
    """Whether the access goes to a local that lives in a register."""
    return isinstance(i.pointer, Reg) and i.pointer.index in code.promoted


def _move_load(i: Load) -> Op:
    assert i.result is not None and isinstance(i.pointer, Reg)
    d, a, type = i.result, i.pointer.index, i.type

    def run(m: Machine, r: Regs) -> None:
        value = r[a]
        r[d] = value if value is not UNDEF else m.undefined(type)

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
    plain = not is_aggregate(type) and not isinstance(type, FloatType)

    def run(m: Machine, r: Regs) -> None:
        p = r[a]
        try:
            n, value = m.memory[p[0]].cells[p[1]]
            if plain and n == size and (value.__class__ is int or value.__class__ is tuple):
                r[d] = value
                return
        except (KeyError, TypeError):
            pass
        r[d] = m.load(p, type)

    if not visible:
        return run

    def run_visible(m: Machine, r: Regs) -> None:
        pointer = r[a]
        run(m, r)
        m.touch(Mode.READ, pointer, size, atomic, r[d])

    return run_visible


def _store(i: Store, code: FunctionCode, visible: bool) -> Op:
    a, v, type = code.operand(i.pointer), code.operand(i.value), i.type
    size, atomic = code.image.layout.store_size(type), bool(i.ordering)

    def run(m: Machine, r: Regs) -> None:
        m.store(r[a], type, r[v])

    if not visible:
        return run

    def run_visible(m: Machine, r: Regs) -> None:
        m.store(r[a], type, r[v])
        m.touch(Mode.WRITE, r[a], size, atomic, r[v])

    return run_visible


@prepare_instruction.register(AtomicRmw)
def _(i: AtomicRmw, code: FunctionCode, pc: int) -> Op:
    a, v, d, type = code.operand(i.pointer), code.operand(i.value), i.result, i.type
    size = code.image.layout.store_size(type)
    f = _updater(i, code, type)
    adds = code.image.settings.independent_adds and i.op in ("add", "sub") and code.unused(d)
    mode = Mode.ADD if adds else Mode.WRITE

    def run(m: Machine, r: Regs) -> None:
        p = r[a]
        old = m.load(p, type)
        new = f(m, old, r[v])
        m.store(p, type, new)
        m.touch(mode, p, size, True, new)
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

    def run(m: Machine, r: Regs) -> None:
        p = r[a]
        old = m.load(p, type)
        same = m.decide(equal(old, r[e]))
        if same:
            m.store(p, type, r[n])
        m.touch(Mode.WRITE if same else Mode.READ, p, size, True, r[n] if same else old)
        if d is not None:
            r[d] = Aggregate((old, int(same)))

    return run
