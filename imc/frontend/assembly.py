"""Inline assembly that is known: barriers, hints, atomic operations of x86 on one place, bits.

A template is taken only if all of it is understood: which operand is a register, which the place in
memory, and how wide they are. Everything else is refused by whoever asks.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from imc.program.instructions import (
    AtomicRmw,
    Binary,
    Cast,
    CompareExchange,
    Const,
    ExtractValue,
    InlineAsm,
    InsertValue,
    Instruction,
    Library,
    Operand,
    Reg,
    Undef,
)
from imc.program.types import I8, IntType, PtrType, StructType, Type
from imc.records import record

# Compiler barriers, hints and fences: nothing, where memory is sequentially consistent.
HARMLESS = ("", "nop", "pause", "rep; nop", "rep nop", "mfence", "lfence", "sfence")
_BARRIER = re.compile(r"lock (?:add|or)[lq] \$\$0(?:x0)?, ?0?\(%[er]sp\)")
_ATOMIC = re.compile(
    r"(?P<lock>lock )?(?P<op>xadd|xchg|cmpxchg|inc|dec|add|sub|and|or|xor)(?P<size>[bwlq]?) "
    r"(?P<first>\$\$?\w+)(?:, ?(?P<second>\$\w+))?(?:; ?set(?:e|z) (?P<flag>\$\w+))?"
)
_BITS = re.compile(
    r"(?P<rep>rep;? )?(?P<op>bsf|bsr|tzcnt|lzcnt|popcnt|bswap)(?P<size>[wlq]?) "
    r"(?P<first>\$\d+)(?:, ?(?P<second>\$\d+))?"
)
# As functions of the model, and whether the result for zero is undefined. With rep, bsf is tzcnt
# where the processor knows it: they differ for zero only.
_COUNTED = {
    "bsf": ("cttz", True),
    "bsr": ("ctlz", True),
    "tzcnt": ("cttz", False),
    "lzcnt": ("ctlz", False),
    "popcnt": ("ctpop", None),
    "bswap": ("bswap", None),
}
_WIDTHS = {"b": 8, "w": 16, "l": 32, "q": 64}
NewRegister = Callable[[Type], int]


@record
class _Place:
    """An operand: a register that is an output (`nth` of them), an input, or memory."""

    constraint: str
    nth: int = -1
    value: Operand | None = None
    memory: bool = False


def _places(i: InlineAsm) -> list[_Place] | None:
    """The operands by their numbers; None if one of them is of a kind that is not known."""
    found: list[_Place] = []
    args, outputs = list(i.args), 0
    for constraint in i.constraints.split(","):
        if not constraint or constraint.startswith("~"):
            continue
        written, rest = constraint.startswith("="), constraint.lstrip("=&")
        indirect = rest.startswith("*")
        if written and not indirect:
            found.append(_Place(rest, nth=outputs))
            outputs += 1
        elif args:
            found.append(_Place(rest.lstrip("*"), value=args.pop(0), memory=indirect))
        else:
            return None
    return found if not args else None


def _normal(template: str) -> str:
    """One instruction after the other, with `; ` between them, and a prefix before a blank."""
    parts = [part.strip() for part in re.split(r"[;\n]", template.replace("\t", " "))]
    text = "; ".join(re.sub(r" +", " ", part) for part in parts if part)
    return re.sub(r"\block; ", "lock ", text)


def is_harmless(i: InlineAsm) -> bool:
    """Whether it does nothing but to hand a value through, in one register, if it has one."""
    text = _normal(i.template)
    if text and (i.intel or (text not in HARMLESS and not _BARRIER.fullmatch(text))):
        return False
    places = _places(i) or []
    given = [place.constraint for place in places if place.value is not None]
    return i.result is None or (given == ["0"] and len(places) == 2)


def translated(i: InlineAsm, result: Type, new: NewRegister) -> list[Instruction] | None:
    """Instructions that do the same; None if that is not known."""
    text = _normal(i.template)
    if i.intel:
        return None
    if text == "rdtsc":
        return [
            Library(
                result=i.result, loc=i.loc, function="rdtsc", args=(), type=result, name="rdtsc"
            )
        ]
    places = _places(i)
    if places is None:
        return None
    if bits := _BITS.fullmatch(text):
        return _counted(i, bits, places, result, new)
    match = _ATOMIC.fullmatch(text)
    if match is None:
        return None
    operands = [_operand(match[name], places, match["size"]) for name in ("first", "second")]
    if operands[0] is None or (match["second"] and operands[1] is None):
        return None
    return _Atomic(i, match, places, operands[0], operands[1], result, new).instructions()


def _operand(text: str | None, places: list[_Place], size: str) -> _Place | None:
    if text is None:
        return None
    if text.startswith("$$"):
        try:
            number = int(text[2:], 0)
        except ValueError:
            return None
        type = IntType(_WIDTHS.get(size, 32))
        return _Place("i", value=Const(type, number & ((1 << type.width) - 1)))
    nth = text[1:]
    return places[int(nth)] if nth.isdigit() and int(nth) < len(places) else None


def _input_of(place: _Place, places: list[_Place]) -> Operand | None:
    """What a register has at first: an input of its own, or one that is tied to the output."""
    if place.value is not None:
        return None if place.memory else place.value
    number = str(places.index(place))
    return next((p.value for p in places if p.constraint == number), None)


def _counted(
    i: InlineAsm, match: re.Match[str], places: list[_Place], type: Type, new: NewRegister
) -> list[Instruction] | None:
    """What is computed of one register, and nothing else; memory is for whoever knows its event."""
    op = match["op"]
    if (op == "bswap") != (match["second"] is None) or (match["rep"] and op != "bsf"):
        return None
    source = _operand(match["first"], places, "")
    target = source if op == "bswap" else _operand(match["second"], places, "")
    if source is None or target is None or target.nth < 0 or any(p.nth > 0 for p in places):
        return None
    value = _input_of(source, places)
    widths = (32, 64) if op == "bswap" else (16, 32, 64)
    if value is None or value.type != type or getattr(type, "width", 0) not in widths:
        return None
    assert isinstance(type, IntType)
    if match["size"] and _WIDTHS[match["size"]] != type.width:
        return None
    function, undefined = _COUNTED[op]
    more = () if undefined is None else (Const(IntType(1), int(undefined)),)
    found = new(type) if op == "bsr" else i.result
    args = (value, *more)
    made: list[Instruction] = [
        Library(
            result=found, loc=i.loc, function=function, args=args, type=type,
            arg_types=tuple(a.type for a in args), name=op,
        )
    ]  # fmt: skip
    if op == "bsr":  # the number of the bit, not how many are above it
        assert found is not None
        left, right = Const(type, type.width - 1), Reg(found, type)
        made.append(Binary(result=i.result, loc=i.loc, op="sub", type=type, left=left, right=right))
    return made


class _Atomic:
    """One operation on one place in memory."""

    def __init__(
        self, i: InlineAsm, match: re.Match[str], places: list[_Place], first: _Place,
        second: _Place | None, result: Type, new: NewRegister,
    ) -> None:  # fmt: skip
        self.i, self.match, self.places = i, match, places
        self.first, self.second = first, second
        self.result, self.new = result, new
        self.outputs = [p for p in places if p.nth >= 0]

    def instructions(self) -> list[Instruction] | None:
        op, locked = self.match["op"], bool(self.match["lock"])
        memory = [p for p in self.places if p.memory]
        if not memory or len({p.value for p in memory}) != 1:
            return None
        if op == "cmpxchg":
            return self._exchange_if_equal() if locked else None
        if self.match["flag"]:
            return None
        if op in ("xchg", "xadd"):
            return self._exchange("xchg" if op == "xchg" else "add", locked or op == "xchg")
        return self._change(op) if locked else None

    def _pointer(self) -> Operand:
        pointer = next(p.value for p in self.places if p.memory)
        assert pointer is not None
        return pointer

    def _fits(self, type: Type) -> bool:
        width = 64 if isinstance(type, PtrType) else getattr(type, "width", 0)
        return self.match["size"] in ("", next((s for s, w in _WIDTHS.items() if w == width), "?"))

    def _exchange(self, op: str, atomic: bool) -> list[Instruction] | None:
        register, place = self.first, self.second
        if place is None or not atomic:
            return None
        if register.memory and op == "xchg":
            register, place = place, register
        value = _input_of(register, self.places)
        if not place.memory or value is None or register.nth < 0 or len(self.outputs) != 1:
            return None
        if not self._fits(value.type):
            return None
        return [
            AtomicRmw(
                result=self.i.result, loc=self.i.loc, op=op, type=value.type,
                pointer=self._pointer(), value=value,
            )
        ]  # fmt: skip

    def _change(self, op: str) -> list[Instruction] | None:
        """Arithmetic on memory, whose result nobody gets."""
        if self.outputs:
            return None
        if op in ("inc", "dec"):
            width = _WIDTHS.get(self.match["size"])
            if width is None or self.second is not None or not self.first.memory:
                return None
            value: Operand | None = Const(IntType(width), 1)
            op = {"inc": "add", "dec": "sub"}[op]
        else:
            if self.second is None or not self.second.memory:
                return None
            value = _input_of(self.first, self.places)
        if value is None or not isinstance(value.type, IntType) or not self._fits(value.type):
            return None
        return [
            AtomicRmw(
                result=self.new(value.type), loc=self.i.loc, op=op, type=value.type,
                pointer=self._pointer(), value=value,
            )
        ]  # fmt: skip

    def _exchange_if_equal(self) -> list[Instruction] | None:
        """The accumulator has what is expected, and gets what was there."""
        if self.second is None or not self.second.memory:
            return None
        new = _input_of(self.first, self.places)
        accumulator = next((p for p in self.outputs if p.constraint == "{ax}"), None)
        if accumulator is not None:
            expected = _input_of(accumulator, self.places)
        else:
            expected = next((p.value for p in self.places if p.constraint == "{ax}"), None)
        if new is None or expected is None or new.type != expected.type:
            return None
        if not self._fits(new.type):
            return None
        flag = _operand(self.match["flag"], self.places, "") if self.match["flag"] else None
        if self.match["flag"] and (flag is None or flag.nth < 0):
            return None
        if any(p not in (accumulator, flag) for p in self.outputs):
            return None
        pair = StructType((new.type, IntType(1)))
        both = self.new(pair)
        made: list[Instruction] = [
            CompareExchange(
                result=both, loc=self.i.loc, type=new.type, pointer=self._pointer(),
                expected=expected, new=new,
            )
        ]  # fmt: skip
        return made + self._results(pair, both, new.type, accumulator, flag)

    def _results(
        self, pair: StructType, both: int, type: Type, old: _Place | None, flag: _Place | None
    ) -> list[Instruction]:
        """What the outputs are, in their order: the old value, and whether it was exchanged."""
        made: list[Instruction] = []
        values: list[Operand] = []
        if self.i.result is None:
            return made
        for output in self.outputs:
            if output is old:
                part = self.new(type)
                made.append(_extract(pair, both, 0, part))
                values.append(Reg(part, type))
            else:
                bit, wide = self.new(IntType(1)), self.new(I8)
                made.append(_extract(pair, both, 1, bit))
                one = Reg(bit, IntType(1))
                made.append(Cast(result=wide, op="zext", value=one, source=IntType(1), target=I8))
                values.append(Reg(wide, I8))
        return made + self._put_together(values)

    def _put_together(self, values: list[Operand]) -> list[Instruction]:
        made: list[Instruction] = []
        if len(values) == 1:
            type = values[0].type
            made.append(
                Cast(result=self.i.result, op="bitcast", value=values[0], source=type, target=type)
            )
            return made
        whole: Operand = Undef(self.result)
        for nth, value in enumerate(values):
            last = nth == len(values) - 1
            to = self.i.result if last else self.new(self.result)
            assert to is not None
            made.append(
                InsertValue(result=to, type=self.result, aggregate=whole, value=value, path=(nth,))
            )
            whole = Reg(to, self.result)
        return made


def _extract(pair: StructType, both: int, nth: int, to: int) -> ExtractValue:
    return ExtractValue(result=to, type=pair, aggregate=Reg(both, pair), path=(nth,))
