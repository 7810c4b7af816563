"""Arithmetic, comparisons and casts, on scalars and on vectors element by element."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from imc.errors import Unsupported
from imc.program.analysis.addresses import is_distance
from imc.program.concrete.partial import BITWISE, RESIZING, partial_binary, partial_cast
from imc.program.faults import Property
from imc.program.instructions import Binary, Cast, Compare, Freeze, Negate, Select
from imc.program.machine import Machine
from imc.program.semantics.dispatch import Op, Regs, destination, prepare_instruction
from imc.program.types import IntType, Type, VectorType
from imc.program.values import UNDEF, Aggregate, Partial, Undefined, Value, settled

if TYPE_CHECKING:
    from imc.program.code import FunctionCode


PARTIAL = (Partial, Undefined)


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


@prepare_instruction.register(Binary)
def _(i: Binary, code: FunctionCode, pc: int) -> Op:
    d, a, b = destination(i), code.operand(i.left), code.operand(i.right)
    domain = code.image.domain
    scalar = _scalar(i.type)
    f = _lift(domain.binary(i.op, scalar, i.flags), i.type)
    if i.op in ("sdiv", "udiv", "srem", "urem"):
        return _division(i, code, f)
    checked = Property.OVERFLOW in code.image.settings.properties
    if (
        checked
        and i.flags & {"nsw", "nuw"}
        and i.type is scalar
        and i.op in ("add", "sub", "mul", "shl")
    ):
        return _checked(i, code, f)

    if i.op in BITWISE and isinstance(i.type, IntType):
        return _bitwise(i, code, f, i.type.width)
    if is_distance(i, code.casts, code.function.name):
        return _distance(i, code, f)

    def run(m: Machine, r: Regs) -> None:
        r[d] = f(r[a], r[b])

    return run


def _distance(i: Binary, code: FunctionCode, f: Callable[..., Value]) -> Op:
    """How far one pointer lies from another: no address, as the analyses believe."""
    d, a, b = destination(i), code.operand(i.left), code.operand(i.right)

    def run(m: Machine, r: Regs) -> None:
        r[d] = found = f(r[a], r[b])
        if found.__class__ is tuple:
            raise Unsupported("the distance of an address from a number is used", i.loc)

    return run


def _bitwise(i: Binary, code: FunctionCode, f: Callable[..., Value], width: int) -> Op:
    """Clears and sets bits, also of what is partly undefined."""
    d, a, b, op = destination(i), code.operand(i.left), code.operand(i.right), i.op
    moves = d in code.tolerant

    def run(m: Machine, r: Regs) -> None:
        x, y = r[a], r[b]
        if x.__class__ in PARTIAL or y.__class__ in PARTIAL:
            value = partial_binary(op, x, y, width)
            r[d] = value if moves else settled(value)
        else:
            r[d] = f(x, y)

    return run


def _division(i: Binary, code: FunctionCode, f: Callable[..., Value]) -> Op:
    d, a, b = destination(i), code.operand(i.left), code.operand(i.right)
    scalar = _scalar(i.type)
    assert isinstance(scalar, IntType)
    equal = code.image.domain.compare("eq", scalar)
    lowest, minus_one = 1 << (scalar.width - 1), (1 << scalar.width) - 1

    def run(m: Machine, r: Regs) -> None:
        rows = [(r[a], r[b])] if i.type is scalar else zip(r[a], r[b], strict=True)
        for dividend, divisor in rows:
            if m.decide(equal(divisor, 0)):
                m.fault(Property.DIVISION, "division by zero")
            if i.op[0] == "u" or not m.decide(equal(divisor, minus_one)):
                continue
            if dividend is not UNDEF and m.decide(equal(dividend, lowest)):
                m.fault(Property.DIVISION, "the quotient does not fit its type")
        r[d] = f(r[a], r[b])

    return run


def _checked(i: Binary, code: FunctionCode, f: Callable[..., Value]) -> Op:
    d, a, b = destination(i), code.operand(i.left), code.operand(i.right)
    overflows = code.image.domain.overflows(i.op, i.type, i.flags)

    def run(m: Machine, r: Regs) -> None:
        if m.decide(overflows(r[a], r[b])):
            m.fault(Property.OVERFLOW, f"arithmetic overflow in '{i.op}'")
        r[d] = f(r[a], r[b])

    return run


@prepare_instruction.register(Compare)
def _(i: Compare, code: FunctionCode, pc: int) -> Op:
    d, a, b = destination(i), code.operand(i.left), code.operand(i.right)
    f = _lift(code.image.domain.compare(i.predicate, _scalar(i.type)), i.type)

    def run(m: Machine, r: Regs) -> None:
        r[d] = f(r[a], r[b])

    return run


@prepare_instruction.register(Cast)
def _(i: Cast, code: FunctionCode, pc: int) -> Op:
    d, a = destination(i), code.operand(i.value)
    if isinstance(i.source, VectorType) and isinstance(i.target, VectorType) and i.op != "bitcast":
        f = _lift(code.image.domain.cast(i.op, i.source.element, i.target.element), i.source)
    elif isinstance(i.source, VectorType) or isinstance(i.target, VectorType):
        return _vector_bitcast(i, code)
    else:
        f = code.image.domain.cast(i.op, i.source, i.target)
        if i.op in RESIZING and isinstance(i.source, IntType) and isinstance(i.target, IntType):
            return _resized(i, code, f, i.source.width, i.target.width)

    def run(m: Machine, r: Regs) -> None:
        r[d] = f(r[a])

    def to_pointer(m: Machine, r: Regs) -> None:
        value = f(r[a])
        r[d] = m.pointer(value) if value.__class__ is int else value

    return to_pointer if i.op == "inttoptr" else run


def _resized(i: Cast, code: FunctionCode, f: Callable[..., Value], source: int, target: int) -> Op:
    d, a, op, moves = destination(i), code.operand(i.value), i.op, destination(i) in code.tolerant

    def run(m: Machine, r: Regs) -> None:
        value = r[a]
        if value.__class__ is Partial:
            value = partial_cast(op, value, source, target)
            r[d] = value if moves else settled(value)
        else:
            r[d] = f(value)

    return run


def _vector_bitcast(i: Cast, code: FunctionCode) -> Op:
    d, a = destination(i), code.operand(i.value)
    domain, layout = code.image.domain, code.image.layout

    def data(value: Value, type: Type) -> list[Value]:
        if isinstance(type, VectorType):
            parts = [UNDEF] * type.count if value is UNDEF else value
            return [byte for part in parts for byte in data(part, type.element)]
        return domain.split(value, type, layout.store_size(type))

    def build(source: list[Value], type: Type) -> Value:
        if isinstance(type, VectorType):
            step = layout.store_size(type.element)
            return Aggregate(
                build(source[k * step : (k + 1) * step], type.element) for k in range(type.count)
            )
        return domain.join(source, type)

    def run(m: Machine, r: Regs) -> None:
        r[d] = build(data(r[a], i.source), i.target)

    return run


@prepare_instruction.register(Negate)
def _(i: Negate, code: FunctionCode, pc: int) -> Op:
    d, a = destination(i), code.operand(i.value)
    f = _lift(code.image.domain.negate(_scalar(i.type)), i.type)

    def run(m: Machine, r: Regs) -> None:
        r[d] = f(r[a])

    return run


@prepare_instruction.register(Select)
def _(i: Select, code: FunctionCode, pc: int) -> Op:
    d, c = destination(i), code.operand(i.condition)
    a, b = code.operand(i.left), code.operand(i.right)
    if isinstance(i.condition.type, VectorType):

        def run_vector(m: Machine, r: Regs) -> None:
            r[d] = Aggregate(
                x if m.decide(t) else y for t, x, y in zip(r[c], r[a], r[b], strict=True)
            )

        return run_vector

    def run(m: Machine, r: Regs) -> None:
        r[d] = r[a] if m.decide(r[c]) else r[b]

    return run


@prepare_instruction.register(Freeze)
def _(i: Freeze, code: FunctionCode, pc: int) -> Op:
    d, a = destination(i), code.operand(i.value)

    def run(m: Machine, r: Regs) -> None:
        r[d] = r[a]
        if r[a] is UNDEF:
            m.image.bounds.add("undefined values are frozen as zero")
            r[d] = 0

    return run
