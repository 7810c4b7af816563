"""Arithmetic on unsigned numbers, as `imc/program/concrete` has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from imc.compact import opcodes as op
from imc.compact.form import SHIFT, NotCompact
from imc.program.concrete.partial import partial_binary
from imc.program.faults import Property
from imc.program.values import UNDEF as ANY
from imc.program.values import Partial, to_signed

if TYPE_CHECKING:
    from imc.compact.machine import CompactMachine

Slow = Callable[["CompactMachine", int, int, int], int]
UNDEF = op.UNDEF
WIDE_ADD, WIDE_SUB = 60, 61  # of 64 bits, where an operand may be an address


def _wide(sign: int) -> Slow:
    """Addresses stay in the window of their object, or the model has to do it."""

    def run(m: CompactMachine, x: int, y: int, bits: int) -> int:
        if x < 0 or y < 0:
            return UNDEF
        value = (x + sign * y) & (1 << 64) - 1
        objects = len(m.image.objects.infos)
        left, right = 0 < x >> SHIFT < objects, 0 < y >> SHIFT < objects
        if left != right and value >> SHIFT != (x if left else y) >> SHIFT:
            raise NotCompact("an address far outside of its object", m.place(m.thread, m.at))
        return value

    return run


def _multiply(m: CompactMachine, x: int, y: int, bits: int) -> int:
    if x < 0 or y < 0:
        return 0 if x == 0 or y == 0 else UNDEF
    return (x * y) & (1 << bits) - 1


def _partial(m: CompactMachine, op: str, x: int, y: int, bits: int) -> int:
    """A bitwise operation on a number that is undefined; in part, it has no compact form."""
    left, right = (ANY if n < 0 else n for n in (x, y))
    value = partial_binary(op, left, right, bits)
    if value.__class__ is Partial:
        raise NotCompact("a number that is partly undefined", m.place(m.thread, m.at))
    return UNDEF if value is ANY else int(value)


def _and(m: CompactMachine, x: int, y: int, bits: int) -> int:
    return _partial(m, "and", x, y, bits) if x < 0 or y < 0 else x & y


def _or(m: CompactMachine, x: int, y: int, bits: int) -> int:
    return _partial(m, "or", x, y, bits) if x < 0 or y < 0 else x | y


def _xor(m: CompactMachine, x: int, y: int, bits: int) -> int:
    return UNDEF if x < 0 or y < 0 else x ^ y


def _shift_left(m: CompactMachine, x: int, y: int, bits: int) -> int:
    if x < 0 or y < 0:
        return _partial(m, "shl", x, y, bits)
    return UNDEF if y >= bits else (x << y) & (1 << bits) - 1


def _shift_right(m: CompactMachine, x: int, y: int, bits: int) -> int:
    if x < 0 or y < 0:
        return _partial(m, "lshr", x, y, bits)
    return UNDEF if y >= bits else x >> y


def _shift_signed(m: CompactMachine, x: int, y: int, bits: int) -> int:
    if x < 0 or y < 0 or y >= bits:
        return UNDEF
    return (to_signed(x, bits) >> y) & (1 << bits) - 1


def _check_division(m: CompactMachine, x: int, y: int, bits: int, signed: bool) -> bool:
    """Whether there is a quotient to compute; a divisor that is not known decides a branch."""
    if not m.decide(y):
        m.raise_fault(Property.DIVISION, "division by zero")
    if signed and y == (1 << bits) - 1 and x == 1 << (bits - 1):
        m.raise_fault(Property.DIVISION, "the quotient does not fit its type")
    return x >= 0


def _divide(m: CompactMachine, x: int, y: int, bits: int) -> int:
    return x // y if _check_division(m, x, y, bits, False) else UNDEF


def _remainder(m: CompactMachine, x: int, y: int, bits: int) -> int:
    return x % y if _check_division(m, x, y, bits, False) else UNDEF


def _divide_signed(m: CompactMachine, x: int, y: int, bits: int) -> int:
    if not _check_division(m, x, y, bits, True):
        return UNDEF
    x, y = to_signed(x, bits), to_signed(y, bits)
    quotient = abs(x) // abs(y)
    return (quotient if (x < 0) == (y < 0) else -quotient) & (1 << bits) - 1


def _remainder_signed(m: CompactMachine, x: int, y: int, bits: int) -> int:
    if not _check_division(m, x, y, bits, True):
        return UNDEF
    x, y = to_signed(x, bits), to_signed(y, bits)
    rest = abs(x) % abs(y)
    return (-rest if x < 0 else rest) & (1 << bits) - 1


SLOW_BINARY: dict[int, Slow] = {
    WIDE_ADD: _wide(1),
    WIDE_SUB: _wide(-1),
    op.MUL: _multiply,
    op.AND: _and,
    op.OR: _or,
    op.XOR: _xor,
    op.SHL: _shift_left,
    op.LSHR: _shift_right,
    op.ASHR: _shift_signed,
    op.UDIV: _divide,
    op.UREM: _remainder,
    op.SDIV: _divide_signed,
    op.SREM: _remainder_signed,
}


def overflows(opcode: int, x: int, y: int, bits: int, nsw: bool, nuw: bool) -> bool:
    """Whether an operation leaves the numbers that its flags promise."""
    if x < 0 or y < 0 or (opcode == op.SHL and y >= bits):
        return False

    def exact(p: int, q: int) -> int:
        if opcode == op.ADD:
            return p + q
        if opcode == op.SUB:
            return p - q
        return p * q if opcode == op.MUL else p << q

    if nsw:
        right = y if opcode == op.SHL else to_signed(y, bits)
        if not -(1 << (bits - 1)) <= exact(to_signed(x, bits), right) < 1 << (bits - 1):
            return True
    return nuw and not 0 <= exact(x, y) < 1 << bits


# What an atomic update makes of the old value and the operand, by its number in the form.
def updated(m: CompactMachine, kind: int, old: int, value: int, bits: int) -> int:
    if kind == 0:  # xchg
        return value
    if kind in (1, 2):
        if bits == 64:
            return SLOW_BINARY[WIDE_ADD if kind == 1 else WIDE_SUB](m, old, value, bits)
        if old < 0 or value < 0:
            return UNDEF
        return (old + value if kind == 1 else old - value) & (1 << bits) - 1
    if kind in (3, 4, 5):
        return SLOW_BINARY[(op.AND, op.OR, op.XOR)[kind - 3]](m, old, value, bits)
    if kind == 6:  # nand
        both = _and(m, old, value, bits)
        return UNDEF if both < 0 else both ^ (1 << bits) - 1
    if old < 0 or value < 0:
        m.decide(UNDEF)
    flip = 1 << (bits - 1) if kind in (7, 8) else 0  # max and min are of signed numbers
    larger = value ^ flip > old ^ flip if kind in (7, 9) else value ^ flip < old ^ flip
    return value if larger else old
