"""LLVM's own functions: bit counting, checked arithmetic, minima, stack marks."""

from __future__ import annotations

from imc.program.analysis.promotion import SCOPE, SCOPE_END
from imc.program.faults import Property, StuckForever
from imc.program.instructions import Library
from imc.program.library.registry import Ends, Visibility, library
from imc.program.machine import Machine
from imc.program.types import IntType
from imc.program.values import UNDEF, Aggregate, Value, to_signed


def _width(i: Library) -> int:
    type = i.arg_types[0]
    assert isinstance(type, IntType)
    return type.width


@library(
    "copy",
    intrinsics="expect expect.with.probability launder.invariant.group strip.invariant.group "
    "ptr.annotation annotation ssa.copy arithmetic.fence",
    takes_terms=True,
    ignores=(0, 1, 2),
)
def copy(m: Machine, i: Library, args: list[Value]) -> Value:
    """llvm.expect and the like: the first argument."""
    return args[0]


@library("minus_one", intrinsics="objectsize", ignores=(0,))
def minus_one(m: Machine, i: Library, args: list[Value]) -> Value:
    """llvm.objectsize when it does not know."""
    return (1 << i.type.width) - 1 if isinstance(i.type, IntType) else UNDEF


@library("trap", intrinsics="trap debugtrap ubsantrap", ends=Ends.ERROR)
def trap(m: Machine, i: Library, args: list[Value]) -> Value:
    m.fault(Property.ABORT, "a trap instruction is reached")


@library("unreachable")
def unreachable(m: Machine, i: Library, args: list[Value]) -> Value:
    raise StuckForever("unreachable code")


@library(
    SCOPE, intrinsics="lifetime.start", visible=Visibility.MEMORY, ignores=(0, 1), verb="begin"
)
@library(
    SCOPE_END, intrinsics="lifetime.end", visible=Visibility.MEMORY, ignores=(0, 1), verb="end"
)
def lifetime(m: Machine, i: Library, args: list[Value]) -> Value:
    raise AssertionError("lifetimes are prepared as instructions")


@library(
    "thread_local_address", intrinsics="threadlocal.address", ignores=(0,), tells_threads_apart=True
)
def thread_local_address(m: Machine, i: Library, args: list[Value]) -> Value:
    return args[0]


@library("stacksave", intrinsics="stacksave")
def stacksave(m: Machine, i: Library, args: list[Value]) -> Value:
    return len(m.frames[-1].objects)


@library("stackrestore", intrinsics="stackrestore", visible=Visibility.MEMORY, ignores=(0,))
def stackrestore(m: Machine, i: Library, args: list[Value]) -> Value:
    objects = m.frames[-1].objects
    while len(objects) > args[0]:
        m.end_local(objects.pop(), True)
    return UNDEF


@library("ctpop", intrinsics="ctpop")
def ctpop(m: Machine, i: Library, args: list[Value]) -> Value:
    return UNDEF if args[0].__class__ is not int else args[0].bit_count()


def _is_undefined(args: list[Value]) -> bool:
    """Whether zeros of zero are counted, which the second argument may leave undefined."""
    return bool(args[0] == 0 and args[1] != 0)


@library("ctlz", intrinsics="ctlz")
def ctlz(m: Machine, i: Library, args: list[Value]) -> Value:
    if args[0].__class__ is not int or _is_undefined(args):
        return UNDEF
    return _width(i) - args[0].bit_length()


@library("cttz", intrinsics="cttz")
def cttz(m: Machine, i: Library, args: list[Value]) -> Value:
    if args[0].__class__ is not int or _is_undefined(args):
        return UNDEF
    return (args[0] & -args[0]).bit_length() - 1 if args[0] else _width(i)


@library("bswap", intrinsics="bswap")
def bswap(m: Machine, i: Library, args: list[Value]) -> Value:
    if args[0].__class__ is not int:
        return UNDEF
    return int.from_bytes(args[0].to_bytes(_width(i) // 8, "little"), "big")


@library("bitreverse", intrinsics="bitreverse")
def bitreverse(m: Machine, i: Library, args: list[Value]) -> Value:
    return UNDEF if args[0].__class__ is not int else int(f"{args[0]:0{_width(i)}b}"[::-1], 2)


@library("funnel_left", "funnel_right", intrinsics="fshl fshr")
def funnel(m: Machine, i: Library, args: list[Value]) -> Value:
    if any(a.__class__ is not int for a in args):
        return UNDEF
    width = _width(i)
    both, by = args[0] << width | args[1], args[2] % width
    shifted = both >> (width - by) if i.function == "funnel_left" else both >> by
    return shifted & ((1 << width) - 1)


@library("abs", intrinsics="abs", takes_terms=True)
def absolute(m: Machine, i: Library, args: list[Value]) -> Value:
    type = IntType(_width(i))
    if args[0] is UNDEF or not m.decide(m.domain.compare("slt", type)(args[0], 0)):
        return args[0]
    return m.domain.binary("sub", type)(0, args[0])


@library("smax", "smin", "umax", "umin", intrinsics="smax smin umax umin", takes_terms=True)
def extreme(m: Machine, i: Library, args: list[Value]) -> Value:
    left, right = args
    order = m.domain.compare(
        i.function[0] + ("gt" if i.function.endswith("max") else "lt"),
        IntType(_width(i)),
    )
    return left if m.decide(order(left, right)) else right


@library(
    "sadd_overflow",
    "ssub_overflow",
    "smul_overflow",
    "uadd_overflow",
    "usub_overflow",
    "umul_overflow",
    intrinsics="sadd.with.overflow ssub.with.overflow smul.with.overflow "
    "uadd.with.overflow usub.with.overflow umul.with.overflow",
    takes_terms=True,
)
def with_overflow(m: Machine, i: Library, args: list[Value]) -> Value:
    """The wrapped result and whether it wrapped."""
    op, type = i.function[1:4], IntType(_width(i))
    flag = frozenset({"nsw" if i.function[0] == "s" else "nuw"})
    if any(a is UNDEF for a in args):
        return Aggregate((UNDEF, UNDEF))
    return Aggregate((m.domain.binary(op, type)(*args), m.domain.overflows(op, type, flag)(*args)))


@library(
    "sadd_sat", "ssub_sat", "uadd_sat", "usub_sat",
    intrinsics="sadd.sat ssub.sat uadd.sat usub.sat",
)  # fmt: skip
def saturating(m: Machine, i: Library, args: list[Value]) -> Value:
    if any(a.__class__ is not int for a in args):
        return UNDEF
    width, is_signed = _width(i), i.function[0] == "s"
    left, right = (to_signed(a, width) if is_signed else a for a in args)
    exact = left + right if "add" in i.function else left - right
    low, high = (
        (-(1 << (width - 1)), (1 << (width - 1)) - 1) if is_signed else (0, (1 << width) - 1)
    )
    return max(low, min(high, exact)) & ((1 << width) - 1)


@library("is_fpclass", intrinsics="is.fpclass")
def is_fpclass(m: Machine, i: Library, args: list[Value]) -> Value:
    value, mask = args
    if value is UNDEF:
        return UNDEF
    negative = str(value).startswith("-")
    if value != value:
        bit = 1
    elif value in (float("inf"), float("-inf")):
        bit = 2 if negative else 9
    elif value == 0:
        bit = 5 if negative else 6
    else:
        bit = 3 if negative else 8
    return mask >> bit & 1
