"""Records of arithmetic, accesses and addresses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imc.compact import opcodes as op
from imc.compact.dispatch import lower_instruction, moved, width
from imc.compact.form import NotCompact
from imc.compact.performing import lower_performed
from imc.program.faults import Property
from imc.program.instructions import (
    Alloca,
    AtomicRmw,
    Binary,
    Cast,
    Compare,
    CompareExchange,
    Const,
    Fence,
    Freeze,
    GetElementPtr,
    Load,
    Reg,
    Select,
    Store,
)
from imc.program.semantics.addresses import offsets

if TYPE_CHECKING:
    from imc.compact.function import FunctionLowering

BINARY = {
    "add": op.ADD, "sub": op.SUB, "mul": op.MUL, "and": op.AND, "or": op.OR, "xor": op.XOR,
    "shl": op.SHL, "lshr": op.LSHR, "ashr": op.ASHR, "udiv": op.UDIV, "urem": op.UREM,
    "sdiv": op.SDIV, "srem": op.SREM,
}  # fmt: skip
COMPARE = {"eq": op.EQ, "ne": op.NE, "slt": op.SLT, "sle": op.SLE, "ult": op.ULT, "ule": op.ULE}
SWAPPED = {"sgt": op.SLT, "sge": op.SLE, "ugt": op.ULT, "uge": op.ULE}
UPDATES = ("xchg", "add", "sub", "and", "or", "xor", "nand", "max", "min", "umax", "umin")


@lower_instruction.register(Binary)
def _(i: Binary, f: FunctionLowering) -> None:
    bits = width(i.type, i)
    d, a, b = f.result(i), f.use(i.left, i), f.use(i.right, i)
    opcode = BINARY.get(i.op)
    if opcode is None:
        raise NotCompact(f"the operation '{i.op}'", i.loc)
    flags = 128 * ("nsw" in i.flags) + 256 * ("nuw" in i.flags)
    checked = Property.OVERFLOW in f.image.settings.properties
    if checked and flags and i.op in ("add", "sub", "mul", "shl"):
        f.emit(op.OVERFLOWS, -1, a, b, bits + flags + (opcode << 10))
    f.emit(opcode, d, a, b, bits)


@lower_instruction.register(Compare)
def _(i: Compare, f: FunctionLowering) -> None:
    bits = width(i.type, i)
    d, a, b = f.result(i), f.use(i.left, i), f.use(i.right, i)
    if i.predicate in SWAPPED:
        f.emit(SWAPPED[i.predicate], d, b, a, bits)
    else:
        f.emit(COMPARE[i.predicate], d, a, b, bits)


@lower_instruction.register(Cast)
def _(i: Cast, f: FunctionLowering) -> None:
    source, target = width(i.source, i), width(i.target, i)
    d, a = f.result(i), f.use(i.value, i)
    if i.op in ("trunc", "ptrtoint") and target < 64:
        f.emit(op.TRUNC, d, a, 0, target)
    elif i.op == "sext":
        f.emit(op.SEXT, d, a, source, target)
    elif i.op in ("zext", "inttoptr", "ptrtoint", "bitcast", "addrspacecast", "trunc"):
        f.emit(op.MOVE, d, a)
    else:
        raise NotCompact(f"the cast '{i.op}'", i.loc)


@lower_instruction.register(Select)
def _(i: Select, f: FunctionLowering) -> None:
    moved(i.type, i)
    a, b, c = (f.use(o, i) for o in (i.left, i.right, i.condition))
    f.emit(op.SELECT, f.result(i), a, b, c)


@lower_instruction.register(Freeze)
def _(i: Freeze, f: FunctionLowering) -> None:
    width(i.type, i)
    f.emit(op.FREEZE, f.result(i), f.use(i.value, i))


@lower_instruction.register(Alloca)
def _(i: Alloca, f: FunctionLowering) -> None:
    assert i.result is not None
    if i.result in f.code.promoted:
        f.emit(op.FORGET, f.reg(i.result))
        return
    if f.pc in f.late.places:
        lower_performed(i, f)
        return
    assert isinstance(i.count, Const)
    size = int(i.count.value) * f.image.layout.size(i.type)
    f.emit(op.ALLOCATE, f.reg(i.result), size)


@lower_instruction.register(Load)
def _(i: Load, f: FunctionLowering) -> None:
    if _is_promoted(f, i):
        assert isinstance(i.pointer, Reg)
        f.move(f.results(i), f.slots(i.pointer.index))
        return
    moved(i.type, i)
    d, a = f.result(i), f.use(i.pointer, i)
    size = f.image.layout.store_size(i.type)
    f.emit(op.VISIBLE_LOAD if f.visible else op.LOAD, d, a, bool(i.ordering), size)


@lower_instruction.register(Store)
def _(i: Store, f: FunctionLowering) -> None:
    if _is_promoted(f, i):
        assert isinstance(i.pointer, Reg)
        f.move(f.slots(i.pointer.index), f.words(i.value, i))
        return
    moved(i.type, i)
    a, b = f.use(i.pointer, i), f.use(i.value, i)
    size = f.image.layout.store_size(i.type)
    f.emit(op.VISIBLE_STORE if f.visible else op.STORE, bool(i.ordering), a, b, size)


def _is_promoted(f: FunctionLowering, i: Load | Store) -> bool:
    return isinstance(i.pointer, Reg) and i.pointer.index in f.code.promoted


@lower_instruction.register(AtomicRmw)
def _(i: AtomicRmw, f: FunctionLowering) -> None:
    bits, size = width(i.type, i), f.image.layout.store_size(i.type)
    if i.op not in UPDATES:
        raise NotCompact(f"the atomic operation '{i.op}'", i.loc)
    adds = f.image.settings.independent_adds and i.op in ("add", "sub")
    commutes = adds and f.code.unused(i.result)
    table = f.program.table(UPDATES.index(i.op), size, bits, commutes)
    opcode = op.VISIBLE_UPDATE if f.visible else op.UPDATE
    f.emit(opcode, f.result(i), f.use(i.pointer, i), f.use(i.value, i), table)


@lower_instruction.register(CompareExchange)
def _(i: CompareExchange, f: FunctionLowering) -> None:
    width(i.type, i)
    size = f.image.layout.store_size(i.type)
    table = f.program.table(f.use(i.new, i), size)
    opcode = op.VISIBLE_EXCHANGE if f.visible else op.EXCHANGE
    f.emit(opcode, f.result(i), f.use(i.pointer, i), f.use(i.expected, i), table)


@lower_instruction.register(Fence)
def _(i: Fence, f: FunctionLowering) -> None:
    pass


@lower_instruction.register(GetElementPtr)
def _(i: GetElementPtr, f: FunctionLowering) -> None:
    d, a = f.result(i), f.use(i.pointer, i)
    fixed, moving = offsets(i, f.code)
    if fixed or not moving:
        f.emit(op.OFFSET, d, a, fixed)
        a = d
    for index, scale, bits in moving:
        if index >= len(f.function.registers):
            raise NotCompact("an index that is an address", i.loc)
        b = f.reg(index)
        if bits not in (32, 64):
            wide = f.program.temporary()
            f.emit(op.SEXT, wide, b, bits, 64)
            b, bits = wide, 64
        f.emit(op.INDEX32 if bits == 32 else op.INDEX, d, a, b, scale)
        a = d
