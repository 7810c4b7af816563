"""Integers of which some bits are undefined: structs with padding, bit-fields set one by one.

Compilers move such integers as a whole, and clear and set bits of them. Nobody looks at what is
undefined that way, so it is no error; whoever does anything else with them does look.
"""

from __future__ import annotations

from imc.program.values import UNDEF, Partial, Value, to_signed

BITWISE = frozenset({"and", "or", "xor", "shl", "lshr", "ashr"})
RESIZING = frozenset({"trunc", "zext", "sext"})


def partial(number: int, unknown: int, width: int) -> Value:
    """So many bits, of which some are unknown: all of them, some or none."""
    mask = (1 << width) - 1
    unknown &= mask
    if unknown == 0:
        return number & mask
    return UNDEF if unknown == mask else Partial(number & mask & ~unknown, unknown)


def partial_binary(op: str, a: Value, b: Value, width: int) -> Value:
    """A bitwise operation, one side of which is not defined altogether."""
    x, y = _bits(a, width), _bits(b, width)
    if x is None or y is None:
        return UNDEF
    (p, u), (q, v) = x, y
    match op:
        case "and":  # a bit that is known to be 0 decides
            return partial(p & q, (u | v) & (p | u) & (q | v), width)
        case "or":  # a bit that is known to be 1 decides
            return partial(p | q, (u | v) & ~p & ~q, width)
        case "xor":
            return partial(p ^ q, u | v, width)
    if v or q >= width:
        return UNDEF
    if op == "shl":
        return partial(p << q, u << q, width)
    if op == "lshr":
        return partial(p >> q, u >> q, width)
    return partial(to_signed(p, width) >> q, to_signed(u, width) >> q, width)


def partial_cast(op: str, a: Partial, source: int, target: int) -> Value:
    """A change of width."""
    if op != "sext":
        return partial(a.number, a.unknown, target)
    return partial(to_signed(a.number, source), to_signed(a.unknown, source), target)


def bytes_of(value: Partial, size: int) -> list[Value]:
    return [partial(value.number >> 8 * k, value.unknown >> 8 * k, 8) for k in range(size)]


def of_bytes(data: list[Value], width: int) -> Value:
    """The integer that bytes make, some of which may be undefined; UNDEF if one is no number."""
    number = unknown = 0
    for k, byte in enumerate(data):
        found = _bits(byte, 8)
        if found is None:
            return UNDEF
        number |= found[0] << 8 * k
        unknown |= found[1] << 8 * k
    return partial(number, unknown, width)


def _bits(value: Value, width: int) -> tuple[int, int] | None:
    """The bits that are known, and which are not; None for what is no number."""
    if value.__class__ is int:
        return value, 0
    if value.__class__ is Partial:
        return value.number, value.unknown
    return (0, (1 << width) - 1) if value is UNDEF else None
