"""Where a thread can go on within a function, when some of its values are known.

Only numbers are followed, through registers and through locals that live in none but their own
accesses; what is not followed is not known, and then every way is one that can be gone.
"""

from __future__ import annotations

from collections.abc import Mapping

from imc.program.analysis.promotion import LIFETIME, promotable
from imc.program.instructions import (
    Alloca,
    Binary,
    Cast,
    Compare,
    CondBranch,
    Const,
    Freeze,
    Instruction,
    Jump,
    Library,
    Load,
    Operand,
    Reg,
    Store,
    Switch,
    Terminator,
)
from imc.program.program import Function
from imc.program.types import IntType
from imc.records import record

Numbers = dict[int, int]  # by register, which for a local is the one of its address


@record
class Spot:
    """A place, before its instruction, and what is known there: bits of values and of locals."""

    pc: int
    registers: frozenset[tuple[int, int]] = frozenset()
    locals: frozenset[tuple[int, int]] = frozenset()

    def value(self, operand: Operand) -> int | None:
        """The bits of an operand, if they are known."""
        return _value(operand, dict(self.registers))


class Prospect:
    """Answers for one function."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.private = promotable(function)

    def onward(self, spot: Spot) -> list[Spot]:
        """All places that can be next."""
        i = self.function.code[spot.pc]
        registers, variables = dict(spot.registers), dict(spot.locals)
        if isinstance(i, Terminator):
            return [self._entered(spot.pc, to, registers, spot) for to in _targets(i, registers)]
        match i:
            case Store(pointer=Reg(index=index)) if index in self.private:
                _put(variables, index, _value(i.value, registers))
            case Alloca() if i.result is not None:
                variables.pop(i.result, None)
            case Library() if i.function in LIFETIME:
                for operand in i.operands():
                    if isinstance(operand, Reg):
                        variables.pop(operand.index, None)
        if i.result is not None:
            _put(registers, i.result, _computed(i, registers, variables))
        return [Spot(spot.pc + 1, frozenset(registers.items()), frozenset(variables.items()))]

    def _entered(self, pc: int, label: str, registers: Numbers, spot: Spot) -> Spot:
        """At the start of a block: all its phis take their values at once."""
        start, origin = self.function.starts[label], self.function.block_of[pc].label
        now = dict(registers)
        for phi in self.function.by_label[label].phis:
            if phi.result is not None:
                incoming = next((o for o, source in phi.incoming if source == origin), None)
                found = None if incoming is None else _value(incoming, registers)
                _put(now, phi.result, found)
        return Spot(start, frozenset(now.items()), spot.locals)


def _put(numbers: Numbers, index: int, number: int | None) -> None:
    if number is None:
        numbers.pop(index, None)
    else:
        numbers[index] = number


def _targets(i: Terminator, registers: Numbers) -> tuple[str, ...]:
    match i:
        case Jump():
            return (i.target,)
        case CondBranch():
            known = _value(i.condition, registers)
            if known is not None:
                return (i.then if known & 1 else i.otherwise,)
        case Switch():
            known = _value(i.value, registers)
            if known is not None:
                bits = (1 << i.type.width) - 1
                found = (label for number, label in i.cases if number & bits == known)
                return (next(found, i.default),)
    return tuple(dict.fromkeys(i.targets()))


def _value(operand: Operand, registers: Mapping[int, int]) -> int | None:
    match operand:
        case Const(type=IntType(width=bits), value=int(number)):
            return number & ((1 << bits) - 1)
        case Reg(type=IntType()):
            return registers.get(operand.index)
    return None


def _computed(i: Instruction, registers: Numbers, variables: Numbers) -> int | None:
    match i:
        case Load(pointer=Reg(index=index), type=IntType()):
            return variables.get(index)
        case Freeze():
            return _value(i.value, registers)
        case Library(function="copy"):
            return _value(i.args[0], registers)
        case Cast(op=op, source=IntType(width=source), target=IntType(width=target)):
            known = _value(i.value, registers)
            if known is None or op not in ("zext", "sext", "trunc", "bitcast"):
                return None
            wide = _signed(known, source) if op == "sext" else known
            return wide & ((1 << target) - 1)
        case Compare(type=IntType(width=bits)):
            return _compared(i, bits, registers)
        case Binary(type=IntType(), op="and" | "or" | "xor" as op):
            left, right = _value(i.left, registers), _value(i.right, registers)
            if left is None or right is None:
                return None
            return {"and": left & right, "or": left | right, "xor": left ^ right}[op]
    return None


def _compared(i: Compare, bits: int, registers: Numbers) -> int | None:
    left, right = _value(i.left, registers), _value(i.right, registers)
    if left is None or right is None:
        return None
    if i.predicate.startswith("s"):
        left, right = _signed(left, bits), _signed(right, bits)
    match i.predicate[-2:]:
        case "eq":
            return int(left == right)
        case "ne":
            return int(left != right)
        case "lt":
            return int(left < right)
        case "le":
            return int(left <= right)
        case "gt":
            return int(left > right)
        case "ge":
            return int(left >= right)
    return None


def _signed(number: int, bits: int) -> int:
    return number - (1 << bits) if number >> (bits - 1) else number
