"""Constant expressions reduced to plain constants or to an address with an offset."""

from __future__ import annotations

import operator
import struct
from collections.abc import Callable, Sequence

from imc.frontend.ir.literals import from_bits
from imc.program.instructions import (
    Address,
    AggregateConst,
    Const,
    ConstExpr,
    Operand,
    Undef,
    Zero,
)
from imc.program.types import (
    I64,
    PTR,
    ArrayType,
    DataLayout,
    FloatType,
    IntType,
    PtrType,
    StructType,
    Type,
    VectorType,
)

_ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
}
_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "gt": operator.gt,
    "ge": operator.ge,
    "lt": operator.lt,
    "le": operator.le,
}


def signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> (width - 1) & 1 else value


def zero(t: Type) -> Operand:
    """`zeroinitializer` of any type."""
    if isinstance(t, FloatType):
        return Const(t, 0.0)
    return Const(t, 0) if isinstance(t, (IntType, PtrType)) else Zero(t)


def splat(t: VectorType, element: Operand) -> AggregateConst:
    return AggregateConst(t, (element,) * t.count)


def offset_of(source: Type, indices: Sequence[int], layout: DataLayout) -> int:
    """Bytes that `getelementptr source, p, indices` adds to p; TypeError if a step has no parts."""
    total = indices[0] * layout.size(source) if indices else 0
    for index in indices[1:]:
        total += layout.element_offset(source, index)
        if isinstance(source, StructType):
            source = source.fields[index]
        elif isinstance(source, (ArrayType, VectorType)):
            source = source.element
    return total


def add_offset(base: Operand, offset: int, layout: DataLayout) -> Operand:
    """A pointer constant moved by a number of bytes."""
    match base:
        case Address(t, symbol, at):
            return Address(t, symbol, at + offset)
        case Const(PtrType(), int(value)):
            return Const(PTR, (value + offset) % (1 << 8 * layout.pointer_bytes))
        case Undef():
            return base
    if offset == 0:
        return base
    return ConstExpr(PTR, "getelementptr", (base, Const(I64, offset % (1 << 64))))


def cast(op: str, value: Operand, target: Type, layout: DataLayout) -> Operand:
    """A cast of a constant."""
    pointer_width = 8 * layout.pointer_bytes
    match op, value, target:
        case (("bitcast" | "addrspacecast"), _, PtrType()):
            return value
        case _, Undef(), _:
            return Undef(target)
        case "ptrtoint", Address(_, symbol, offset), IntType(width) if width == pointer_width:
            return Address(target, symbol, offset)
        case "inttoptr", Address(IntType(width), symbol, offset), _ if width == pointer_width:
            return Address(target, symbol, offset)
        case (("ptrtoint" | "trunc" | "zext"), Const(_, int(bits)), IntType(width)):
            return Const(target, bits % (1 << width))
        case "inttoptr", Const(_, int(bits)), PtrType():
            return Const(target, bits % (1 << pointer_width))
        case "sext", Const(IntType(narrow), int(bits)), IntType(width):
            return Const(target, signed(bits, narrow) % (1 << width))
        case "bitcast", Const(IntType(), int(bits)), FloatType(kind):
            number = from_bits(bits, kind)
            if number is not None:
                return Const(target, number)
        case "bitcast", Const(FloatType("double"), float(number)), IntType():
            return Const(target, int.from_bytes(struct.pack("<d", number), "little"))
        case "bitcast", Const(FloatType("float"), float(number)), IntType():
            return Const(target, int.from_bytes(struct.pack("<f", number), "little"))
    return ConstExpr(target, op, (value,))


def binary(op: str, t: Type, left: Operand, right: Operand) -> Operand:
    """Integer arithmetic on constants, or on an address and a constant."""
    match left, right:
        case Const(IntType(width), int(a)), Const(_, int(b)):
            value = _arithmetic(op, a, b, width)
            if value is not None:
                return Const(t, value % (1 << width))
        case Address(_, symbol, offset), Const(IntType(width), int(b)) if op in ("add", "sub"):
            step = signed(b, width)
            return Address(t, symbol, offset + (step if op == "add" else -step))
        case Const(), Address() if op == "add":
            return binary(op, t, right, left)
        case Address(_, symbol, at), Address(_, other, to) if op == "sub" and symbol == other:
            if isinstance(t, IntType):
                return Const(t, (at - to) % (1 << t.width))
    return ConstExpr(t, op, (left, right))


def _arithmetic(op: str, a: int, b: int, width: int) -> int | None:
    if op in _ARITHMETIC:
        return _ARITHMETIC[op](a, b)
    if op in ("shl", "lshr", "ashr"):
        if b >= width:
            return None
        if op == "shl":
            return a << b
        return (signed(a, width) if op == "ashr" else a) >> b
    if b == 0:
        return None
    if op in ("sdiv", "srem"):
        a, b = signed(a, width), signed(b, width)
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return quotient if op in ("sdiv", "udiv") else a - quotient * b


def compare(predicate: str, t: Type, left: Operand, right: Operand) -> Operand:
    """`icmp` on constants; addresses of different symbols are left to the reader of the result."""
    match left, right:
        case Const(IntType(width), int(a)), Const(_, int(b)):
            if predicate[0] == "s":
                a, b = signed(a, width), signed(b, width)
            return Const(t, int(_COMPARISONS[predicate.lstrip("us")](a, b)))
        case Const(PtrType(), int(a)), Const(_, int(b)):
            return Const(t, int(_COMPARISONS[predicate.lstrip("us")](a, b)))
        case Address(_, symbol, at), Address(_, other, to) if symbol == other:
            return Const(t, int(_COMPARISONS[predicate.lstrip("us")](at, to)))
    return ConstExpr(t, f"icmp {predicate}", (left, right))


def select(t: Type, condition: Operand, left: Operand, right: Operand) -> Operand:
    if isinstance(condition, Const):
        return left if condition.value else right
    return ConstExpr(t, "select", (condition, left, right))
