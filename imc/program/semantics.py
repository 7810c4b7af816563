"""What each instruction does: the one definition, for every domain.

`prepare` turns an instruction into a closure that reads and writes a frame's registers. It returns
the next program counter, or None for the one that follows. Performance-critical: see
scripts/bench_interpreter.py.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch
from typing import TYPE_CHECKING

from imc.errors import Unsupported
from imc.program.access import prepare_access
from imc.program.faults import FaultRaised, Property, StuckForever
from imc.program.instructions import (
    Alloca,
    AtomicRmw,
    Binary,
    Branch,
    Call,
    Cast,
    Compare,
    CompareExchange,
    CondBranch,
    ExtractElement,
    ExtractValue,
    Fence,
    Freeze,
    GetElementPtr,
    IndirectBranch,
    InlineAsm,
    InsertElement,
    InsertValue,
    Instruction,
    Library,
    Load,
    Negate,
    Reg,
    Return,
    Select,
    ShuffleVector,
    Store,
    Switch,
    Unreachable,
    VaArg,
)
from imc.program.library import LIBRARY, Visibility
from imc.program.library.environment import call_handler
from imc.program.machine import RELOAD, Control, Machine
from imc.program.promotion import LIFETIME
from imc.program.types import ArrayType, IntType, StructType, Type, VectorType
from imc.program.values import UNDEF, Aggregate, BlockRef, Value, to_signed

if TYPE_CHECKING:
    from imc.program.code import FunctionCode

Regs = list[Value]
Op = Callable[[Machine, Regs], int | None]


def prepare(code: FunctionCode, pc: int, instruction: Instruction) -> Op:
    """The closure for one instruction, with addresses of thread-local variables looked up first."""
    op = _prepare(instruction, code, pc)
    for operand in instruction.operands():
        if code.image.is_thread_local(operand):
            op = _with_thread_local(code, operand.symbol, code.operand(operand), op)  # type: ignore[union-attr]
    return op


def _with_thread_local(code: FunctionCode, symbol: str, slot: int, op: Op) -> Op:
    image = code.image

    def run(m: Machine, r: Regs) -> int | None:
        r[slot] = image.thread_local(symbol, m.thread.id, m)
        return op(m, r)

    return run


@singledispatch
def _prepare(instruction: Instruction, code: FunctionCode, pc: int) -> Op:
    raise Unsupported(f"the instruction '{type(instruction).__name__}' is not supported", instruction.loc)


def _destination(instruction: Instruction) -> int:
    assert instruction.result is not None
    return instruction.result


# --------------------------------------------------------------- arithmetic


def _lift(f: Callable[..., Value], type: Type) -> Callable[..., Value]:
    """The operation on vectors, element by element."""
    if not isinstance(type, VectorType):
        return f
    count = type.count

    def lifted(*vectors: Value) -> Value:
        columns = [[UNDEF] * count if v is UNDEF else v for v in vectors]
        return Aggregate(f(*row) for row in zip(*columns, strict=True))

    return lifted


def _scalar(type: Type) -> Type:
    return type.element if isinstance(type, VectorType) else type


@_prepare.register(Binary)
def _(i: Binary, code: FunctionCode, pc: int) -> Op:
    d, a, b = _destination(i), code.operand(i.left), code.operand(i.right)
    domain = code.image.domain
    scalar = _scalar(i.type)
    f = _lift(domain.binary(i.op, scalar), i.type)
    if i.op in ("sdiv", "udiv", "srem", "urem"):
        return _division(i, code, f)
    checked = Property.OVERFLOW in code.image.settings.properties
    if checked and i.flags & {"nsw", "nuw"} and i.type is scalar and i.op in ("add", "sub", "mul", "shl"):
        return _checked(i, code, f)

    def run(m: Machine, r: Regs) -> None:
        r[d] = f(r[a], r[b])

    return run


def _division(i: Binary, code: FunctionCode, f: Callable[..., Value]) -> Op:
    d, a, b = _destination(i), code.operand(i.left), code.operand(i.right)
    scalar = _scalar(i.type)
    assert isinstance(scalar, IntType)
    is_zero = code.image.domain.compare("eq", scalar)
    lowest, minus_one = 1 << (scalar.width - 1), (1 << scalar.width) - 1

    def run(m: Machine, r: Regs) -> None:
        for divisor in r[b] if i.type is not scalar else (r[b],):
            if m.decide(is_zero(divisor, 0)):
                m.fault(Property.DIVISION, "division by zero")
        if i.op[0] == "s" and r[b] == minus_one and r[a] == lowest:
            m.fault(Property.DIVISION, "the quotient does not fit its type")
        r[d] = f(r[a], r[b])

    return run


def _checked(i: Binary, code: FunctionCode, f: Callable[..., Value]) -> Op:
    d, a, b = _destination(i), code.operand(i.left), code.operand(i.right)
    overflows = code.image.domain.overflows(i.op, i.type, i.flags)

    def run(m: Machine, r: Regs) -> None:
        if m.decide(overflows(r[a], r[b])):
            m.fault(Property.OVERFLOW, f"arithmetic overflow in '{i.op}'")
        r[d] = f(r[a], r[b])

    return run


@_prepare.register(Compare)
def _(i: Compare, code: FunctionCode, pc: int) -> Op:
    d, a, b = _destination(i), code.operand(i.left), code.operand(i.right)
    f = _lift(code.image.domain.compare(i.predicate, _scalar(i.type)), i.type)

    def run(m: Machine, r: Regs) -> None:
        r[d] = f(r[a], r[b])

    return run


@_prepare.register(Cast)
def _(i: Cast, code: FunctionCode, pc: int) -> Op:
    d, a = _destination(i), code.operand(i.value)
    if isinstance(i.source, VectorType) and isinstance(i.target, VectorType) and i.op != "bitcast":
        f = _lift(code.image.domain.cast(i.op, i.source.element, i.target.element), i.source)
    elif isinstance(i.source, VectorType) or isinstance(i.target, VectorType):
        return _vector_bitcast(i, code)
    else:
        f = code.image.domain.cast(i.op, i.source, i.target)

    def run(m: Machine, r: Regs) -> None:
        r[d] = f(r[a])

    return run


def _vector_bitcast(i: Cast, code: FunctionCode) -> Op:
    d, a = _destination(i), code.operand(i.value)
    domain, layout = code.image.domain, code.image.layout

    def data(value: Value, type: Type) -> list[Value]:
        if isinstance(type, VectorType):
            parts = [UNDEF] * type.count if value is UNDEF else value
            return [byte for part in parts for byte in data(part, type.element)]
        return domain.split(value, type, layout.store_size(type))

    def build(source: list[Value], type: Type) -> Value:
        if isinstance(type, VectorType):
            step = layout.store_size(type.element)
            return Aggregate(build(source[k * step : (k + 1) * step], type.element) for k in range(type.count))
        return domain.join(source, type)

    def run(m: Machine, r: Regs) -> None:
        r[d] = build(data(r[a], i.source), i.target)

    return run


@_prepare.register(Negate)
def _(i: Negate, code: FunctionCode, pc: int) -> Op:
    d, a = _destination(i), code.operand(i.value)
    f = _lift(code.image.domain.negate(_scalar(i.type)), i.type)

    def run(m: Machine, r: Regs) -> None:
        r[d] = f(r[a])

    return run


@_prepare.register(Select)
def _(i: Select, code: FunctionCode, pc: int) -> Op:
    d, c = _destination(i), code.operand(i.condition)
    a, b = code.operand(i.left), code.operand(i.right)
    if isinstance(i.condition.type, VectorType):

        def run_vector(m: Machine, r: Regs) -> None:
            r[d] = Aggregate(x if m.decide(t) else y for t, x, y in zip(r[c], r[a], r[b], strict=True))

        return run_vector

    def run(m: Machine, r: Regs) -> None:
        r[d] = r[a] if m.decide(r[c]) else r[b]

    return run


@_prepare.register(Freeze)
def _(i: Freeze, code: FunctionCode, pc: int) -> Op:
    d, a = _destination(i), code.operand(i.value)

    def run(m: Machine, r: Regs) -> None:
        r[d] = 0 if r[a] is UNDEF else r[a]

    return run


# --------------------------------------------------------------- aggregates


def _element(value: Value, path: tuple[int, ...]) -> Value:
    for index in path:
        if value is UNDEF:
            return UNDEF
        value = value[index]
    return value


def _part(type: Type, index: int) -> Type:
    if isinstance(type, StructType):
        return type.fields[index]
    assert isinstance(type, (ArrayType, VectorType))
    return type.element


def _replace(value: Value, type: Type, path: tuple[int, ...], new: Value) -> Value:
    if not path:
        return new
    count = len(type.fields) if isinstance(type, StructType) else type.count  # type: ignore[attr-defined]
    parts = [UNDEF] * count if value is UNDEF else list(value)
    parts[path[0]] = _replace(parts[path[0]], _part(type, path[0]), path[1:], new)
    return Aggregate(parts)


@_prepare.register(ExtractValue)
def _(i: ExtractValue, code: FunctionCode, pc: int) -> Op:
    d, a, path = _destination(i), code.operand(i.aggregate), i.path

    def run(m: Machine, r: Regs) -> None:
        r[d] = _element(r[a], path)

    return run


@_prepare.register(InsertValue)
def _(i: InsertValue, code: FunctionCode, pc: int) -> Op:
    d, a, v = _destination(i), code.operand(i.aggregate), code.operand(i.value)

    def run(m: Machine, r: Regs) -> None:
        r[d] = _replace(r[a], i.type, i.path, r[v])

    return run


@_prepare.register(ExtractElement)
def _(i: ExtractElement, code: FunctionCode, pc: int) -> Op:
    d, a, k = _destination(i), code.operand(i.vector), code.operand(i.index)

    def run(m: Machine, r: Regs) -> None:
        r[d] = _element(r[a], (r[k],))

    return run


@_prepare.register(InsertElement)
def _(i: InsertElement, code: FunctionCode, pc: int) -> Op:
    d, a = _destination(i), code.operand(i.vector)
    v, k = code.operand(i.value), code.operand(i.index)

    def run(m: Machine, r: Regs) -> None:
        r[d] = _replace(r[a], i.type, (r[k],), r[v])

    return run


@_prepare.register(ShuffleVector)
def _(i: ShuffleVector, code: FunctionCode, pc: int) -> Op:
    d, a, b = _destination(i), code.operand(i.left), code.operand(i.right)
    assert isinstance(i.type, VectorType)
    count = i.type.count

    def run(m: Machine, r: Regs) -> None:
        both = [x for v in (r[a], r[b]) for x in ([UNDEF] * count if v is UNDEF else v)]
        r[d] = Aggregate(UNDEF if k < 0 else both[k] for k in i.mask)

    return run


# ------------------------------------------------------------------- memory


@_prepare.register(Load)
@_prepare.register(Store)
@_prepare.register(AtomicRmw)
@_prepare.register(CompareExchange)
def _(i: Load | Store | AtomicRmw | CompareExchange, code: FunctionCode, pc: int) -> Op:
    return prepare_access(i, code, pc)


@_prepare.register(Alloca)
def _(i: Alloca, code: FunctionCode, pc: int) -> Op:
    d = _destination(i)
    if d in code.promoted:

        def fresh(m: Machine, r: Regs) -> None:
            r[d] = UNDEF

        return fresh
    count, element = code.operand(i.count), code.image.layout.size(i.type)
    name = i.name or code.function.registers[d].name or "local"
    site = (code.function.name, pc)

    def run(m: Machine, r: Regs) -> None:
        size = r[count]
        if size.__class__ is not int:
            raise FaultRaised(Property.UNINITIALISED, f"the size of '{name}' is not known")
        pointer = m.allocate("stack", size * element, UNDEF, name, site, i.loc)
        m.frames[-1].objects.append(pointer[0])
        r[d] = pointer

    return run


@_prepare.register(GetElementPtr)
def _(i: GetElementPtr, code: FunctionCode, pc: int) -> Op:
    d, a = _destination(i), code.operand(i.pointer)
    domain, layout = code.image.domain, code.image.layout
    fixed, moving = _offsets(i, code)
    add = domain.add_offset
    if isinstance(i.pointer.type, VectorType):
        raise Unsupported("vectors of pointers are not supported", i.loc)
    if not moving:

        def run_fixed(m: Machine, r: Regs) -> None:
            p = r[a]
            r[d] = (p[0], p[1] + fixed) if p.__class__ is tuple else add(p, fixed)

        return run_fixed
    parts = [(index, scale, domain.signed(width)) for index, scale, width in moving]
    scaled = domain.scale
    del layout

    def run(m: Machine, r: Regs) -> None:
        p = r[a] if not fixed else add(r[a], fixed)
        for index, scale, signed in parts:
            p = add(p, scaled(signed(r[index]), scale))
        r[d] = p

    return run


def _offsets(i: GetElementPtr, code: FunctionCode) -> tuple[int, list[tuple[int, int, int]]]:
    """The constant part of the offset, and (register, scale, width) of the rest."""
    layout = code.image.layout
    fixed, moving = 0, []
    type: Type = i.source
    for nth, index in enumerate(i.indices):
        if nth and isinstance(type, StructType):
            field = code.image.constant(index)
            fixed += layout.field_offset(type, field)
            type = type.fields[field]
            continue
        if nth:
            assert isinstance(type, (ArrayType, VectorType))
            type = type.element
        assert isinstance(index.type, IntType)
        scale = layout.size(type)
        if isinstance(index, Reg):
            moving.append((index.index, scale, index.type.width))
        else:
            constant = code.image.constant(index)
            if constant.__class__ is int:
                fixed += to_signed(constant, index.type.width) * scale
            else:
                moving.append((code.constant(constant), scale, index.type.width))
    return fixed, moving


@_prepare.register(Fence)
def _(i: Fence, code: FunctionCode, pc: int) -> Op:
    return lambda m, r: None


# ------------------------------------------------------------------- calls


@_prepare.register(Call)
def _(i: Call, code: FunctionCode, pc: int) -> Op:
    args = [code.operand(a) for a in i.args]
    target, d, image = code.operand(i.callee), i.result, code.image
    byval = i.byval or (None,) * len(i.args)
    types = tuple((b or a.type, b is not None) for a, b in zip(i.args, byval, strict=True))

    def run(m: Machine, r: Regs) -> int:
        callee = image.function_at(r[target])
        if callee is None:
            m.fault(Property.MEMORY, "call through a pointer that is not a function")
        m.frames[-1].pc = pc + 1
        m.call(callee, [r[a] for a in args], d, types)
        return RELOAD

    return run


@_prepare.register(Library)
def _(i: Library, code: FunctionCode, pc: int) -> Op:
    function = LIBRARY[i.function]
    if i.function in LIFETIME:
        return _lifetime(i, code)
    call = function.stepwise if function.stepwise and pc in code.visible else function.run
    args, d = [code.operand(a) for a in i.args], i.result
    private = function.visible is Visibility.MEMORY and pc not in code.visible

    def run(m: Machine, r: Regs) -> int | None:
        m.frames[-1].pc = pc
        seen = len(m.accesses)
        value = call(m, i, [r[a] for a in args])
        if private:
            del m.accesses[seen:]
        if value.__class__ is Control:
            return int(value.code)
        m.frames[-1].phase = 0
        if d is not None:
            r[d] = value
        return None

    return run


def _lifetime(i: Library, code: FunctionCode) -> Op:
    """A local that comes into scope again is uninitialised again."""
    pointer = i.args[-1]
    slot = code.operand(pointer)
    if isinstance(pointer, Reg) and slot in code.promoted:

        def forget(m: Machine, r: Regs) -> None:
            r[slot] = UNDEF

        return forget

    def clear(m: Machine, r: Regs) -> None:
        found = m.memory.get(r[slot][0])
        if found is not None and (found.cells or found.fill is not UNDEF):
            own = m.writable(r[slot], 0)
            own.cells.clear()
            own.fill = UNDEF

    return clear


@_prepare.register(InlineAsm)
def _(i: InlineAsm, code: FunctionCode, pc: int) -> Op:
    if i.template.strip() == "" and i.result is None:
        return lambda m, r: None

    def refuse(m: Machine, r: Regs) -> None:
        raise Unsupported(
            f"inline assembly '{i.template.strip()[:40]}' has no meaning in the model", i.loc,
            "replace it by C, or hide it behind an external function",
        )  # fmt: skip

    return refuse


@_prepare.register(VaArg)
def _(i: VaArg, code: FunctionCode, pc: int) -> Op:
    raise Unsupported("the va_arg instruction is not supported", i.loc)


# ------------------------------------------------------------- control flow


def _edge(code: FunctionCode, source: str, target: str) -> tuple[int, list[tuple[int, int]]]:
    """Where a jump leads, and the phis it fills: (register, operand)."""
    moves = []
    for phi in code.function.by_label[target].phis:
        for operand, origin in phi.incoming:
            if origin == source:
                moves.append((_destination(phi), code.operand(operand)))
                break
    return code.function.starts[target], moves


def _move(r: Regs, moves: list[tuple[int, int]]) -> None:
    values = [r[source] for _, source in moves]
    for (register, _), value in zip(moves, values, strict=True):
        r[register] = value


@_prepare.register(Branch)
def _(i: Branch, code: FunctionCode, pc: int) -> Op:
    target, moves = _edge(code, code.function.block_of[pc].label, i.target)
    if not moves:
        return lambda m, r: target

    def run(m: Machine, r: Regs) -> int:
        _move(r, moves)
        return target

    return run


@_prepare.register(CondBranch)
def _(i: CondBranch, code: FunctionCode, pc: int) -> Op:
    c, label = code.operand(i.condition), code.function.block_of[pc].label
    then, then_moves = _edge(code, label, i.then)
    other, other_moves = _edge(code, label, i.otherwise)

    def run(m: Machine, r: Regs) -> int:
        value = r[c]
        if value if value.__class__ is int else m.decide(value):
            if then_moves:
                _move(r, then_moves)
            return then
        if other_moves:
            _move(r, other_moves)
        return other

    return run


@_prepare.register(Switch)
def _(i: Switch, code: FunctionCode, pc: int) -> Op:
    v, label = code.operand(i.value), code.function.block_of[pc].label
    default = _edge(code, label, i.default)
    cases = [(value, *_edge(code, label, target)) for value, target in i.cases]
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
            _move(r, moves)
        return target

    return run


@_prepare.register(IndirectBranch)
def _(i: IndirectBranch, code: FunctionCode, pc: int) -> Op:
    a, label = code.operand(i.address), code.function.block_of[pc].label
    table = {target: _edge(code, label, target) for target in i.labels}

    def run(m: Machine, r: Regs) -> int:
        if not isinstance(r[a], BlockRef) or r[a] not in table:
            m.fault(Property.MEMORY, "computed goto to something that is not a label")
        target, moves = table[r[a]]
        _move(r, moves)
        return target

    return run


@_prepare.register(Return)
def _(i: Return, code: FunctionCode, pc: int) -> Op:
    v = code.operand(i.value) if i.value is not None else None
    is_entry = code.function.name == code.image.program.entry

    def run(m: Machine, r: Regs) -> int:
        value = UNDEF if v is None else r[v]
        if is_entry and len(m.frames) == 1 and m.thread.id == 0:
            m.frames[-1].pc = pc
            if call_handler(m):
                return RELOAD
            status = value if value.__class__ is int else 0
            return m.exit(status & 0xFF).code
        frame = m.frames.pop()
        for number in frame.objects:
            m.release(number)
        if not m.frames:
            m.thread.result = value
        elif frame.result is not None:
            m.frames[-1].regs[frame.result] = value
        return RELOAD

    return run


@_prepare.register(Unreachable)
def _(i: Unreachable, code: FunctionCode, pc: int) -> Op:
    def run(m: Machine, r: Regs) -> None:
        raise StuckForever("the end of a function that does not return")

    return run


