"""Whether a concrete state is one of those that a node's skeleton stands for.

If it is, the answer is what the skeleton's symbols stand for; if it is not, the answer is why.
"""

from __future__ import annotations

from collections.abc import Iterator

from pysmt.fnode import FNode

from game.formulas import Array, Binding, Mismatch
from imc.program.code import FunctionCode, Image
from imc.program.instructions import Alloca
from imc.program.memory import MemoryObject
from imc.program.state import Frame, State, Thread
from imc.program.types import IntType
from imc.program.values import UNDEF, Aggregate, Fragment, Value, to_signed
from imc.terms.arrays import ArrayObject, Summary


class Matcher:
    """Compares one concrete state with one skeleton, and finds what the symbols stand for."""

    def __init__(self, image: Image, concrete: State, skeleton: State) -> None:
        self.image = image
        self.concrete = concrete
        self.skeleton = skeleton
        self.binding: Binding = {}
        self._objects: dict[int, int] = {}  # the skeleton's dynamic objects to the concrete ones
        self._inverse: dict[int, int] = {}
        self._pairs: list[tuple[int, int]] = []

    def match(self) -> Binding:
        concrete, skeleton = self.concrete, self.skeleton
        # Which exit code it is nobody can see any more; a skeleton need not know it.
        self._same("has ended", concrete.exit_code is not None, skeleton.exit_code is not None)
        self._same("threads", sorted(concrete.threads), sorted(skeleton.threads))
        for number in sorted(concrete.threads):
            self._thread(concrete.threads[number], skeleton.threads[number])
        dynamic = self.image.objects.dynamic
        for number in sorted(skeleton.memory):
            if not dynamic[number]:
                self._object(number, number)
        for number in concrete.memory:
            if not dynamic[number] and number not in skeleton.memory:
                raise Mismatch(f"'{self.image.objects[number].name}' is not in the node")
        for ours, theirs in self._pairs:  # grows while we walk it
            self._object(ours, theirs)
        return self.binding

    def _same(self, what: str, concrete: object, skeleton: object) -> None:
        if concrete != skeleton:
            raise Mismatch(f"{what}: {concrete}, and {skeleton} in the node")

    def _bind(self, symbol: FNode, value: object) -> None:
        if self.binding.setdefault(symbol, value) != value:
            raise Mismatch(f"{symbol} would be both {self.binding[symbol]} and {value}")

    # ----------------------------------------------------------------- threads

    def _thread(self, ours: Thread, theirs: Thread) -> None:
        name = self.image.threads.names[ours.id]
        for what in ("status", "paused", "detached", "joined", "keys", "ending", "spawned"):
            self._same(f"{what} of {name}", getattr(ours, what), getattr(theirs, what))
        self._value(f"result of {name}", ours.result, theirs.result, 64)
        self._same(f"calls of {name}", len(ours.frames), len(theirs.frames))
        last = len(ours.frames) - 1
        for depth, (frame, other) in enumerate(zip(ours.frames, theirs.frames, strict=True)):
            where = f"{name} in {frame.code.function.name}"
            self._same(
                f"position of {where}",
                (frame.code.function.name, frame.pc, frame.phase, frame.loops),
                (other.code.function.name, other.pc, other.phase, other.loops),
            )
            live = set(frame.code.live[frame.pc])
            if depth < last and frame.phase == 0:
                live.discard(ours.frames[depth + 1].result)
            self._frame(where, frame, other, sorted(live))

    def _frame(self, where: str, ours: Frame, theirs: Frame, live: list[int]) -> None:
        for register in live:
            name = f"register {ours.code.function.registers[register].name or register} of {where}"
            width = _width(ours.code, register) or 8 * self.image.layout.pointer_bytes
            self._value(name, ours.regs[register], theirs.regs[register], width)
        self._value(f"scratch of {where}", ours.scratch, theirs.scratch, 64)
        self._same(f"arguments of {where}", len(ours.varargs), len(theirs.varargs))
        for (kind, _, value), (_, _, other) in zip(ours.varargs, theirs.varargs, strict=True):
            width = kind.width if isinstance(kind, IntType) else 64
            self._value(f"argument of {where}", value, other, width)

    # ------------------------------------------------------------------ values

    def _value(self, where: str, ours: Value, theirs: Value, width: int) -> None:
        if isinstance(theirs, FNode):
            self._term(where, ours, theirs, width)
        elif theirs.__class__ is tuple:
            if ours.__class__ is not tuple:
                raise Mismatch(f"{where}: {ours}, and {theirs} in the node")
            self._pair(where, ours[0], theirs[0])
            if isinstance(theirs[1], FNode):
                self._symbol(where, theirs[1], ours[1])
            else:
                self._same(where, ours[1], theirs[1])
        elif isinstance(theirs, Aggregate):
            if not isinstance(ours, Aggregate) or len(ours) != len(theirs):
                raise Mismatch(f"{where}: {ours}, and {theirs} in the node")
            for a, b in zip(ours, theirs, strict=True):
                self._value(where, a, b, width)
        elif isinstance(theirs, Fragment):
            if not isinstance(ours, Fragment) or ours.index != theirs.index:
                raise Mismatch(f"{where}: {ours}, and a fragment in the node")
            self._value(where, ours.value, theirs.value, 8 * theirs.size)
        elif ours.__class__ is not theirs.__class__ or ours != theirs:
            raise Mismatch(f"{where}: {ours}, and {theirs} in the node")

    def _term(self, where: str, ours: Value, theirs: FNode, width: int) -> None:
        if ours.__class__ is not int:
            raise Mismatch(f"{where}: {ours}, and {theirs} in the node")
        if theirs.is_symbol():
            self._symbol(where, theirs, to_signed(ours, width) if width > 1 else ours)
        elif theirs.is_le() and theirs.arg(0).is_int_constant(1) and theirs.arg(1).is_symbol():
            self._same(f"truth value in {where}", ours in (0, 1), True)
            self._symbol(where, theirs.arg(1), ours)
        else:
            raise Mismatch(f"{where}: the node has {theirs}, which is not a symbol")

    def _symbol(self, where: str, symbol: FNode, value: Value) -> None:
        if value.__class__ is not int or not symbol.is_symbol():
            raise Mismatch(f"{where}: {value}, and {symbol} in the node")
        self._bind(symbol, value)

    def _pair(self, where: str, ours: int, theirs: int) -> None:
        """Objects that pointers lead to: dynamic ones may have other numbers."""
        dynamic = self.image.objects.dynamic
        infos = self.image.objects.infos
        if not dynamic[ours] or not dynamic[theirs]:
            self._same(f"object of {where}", infos[ours].name, infos[theirs].name)
            self._same(f"object of {where}", ours, theirs)
            return
        if self._objects.get(theirs, ours) != ours or self._inverse.get(ours, theirs) != theirs:
            raise Mismatch(f"{where}: two objects are confused")
        if theirs not in self._objects:
            self._objects[theirs], self._inverse[ours] = ours, theirs
            self._same(f"object of {where}", infos[ours].kind, infos[theirs].kind)
            self._pairs.append((ours, theirs))

    # ----------------------------------------------------------------- objects

    def _object(self, ours: int, theirs: int) -> None:
        name = self.image.objects[ours].name
        contents, other = self.concrete.memory.get(ours), self.skeleton.memory.get(theirs)
        if contents is None or other is None:
            self._same(f"'{name}' is there", contents is not None, other is not None)
            return
        self._same(f"size of '{name}'", contents.size, other.size)
        self._same(f"owner of '{name}'", contents.owner, other.owner)
        if isinstance(other, Summary):
            low, high = other.range
            for at, number in self._elements(name, contents, other.element):
                if not low <= number <= high:
                    raise Mismatch(f"'{name}' at {at} is {number}, not in {low}..{high}")
        elif isinstance(other, ArrayObject):
            cells = tuple(self._elements(name, contents, other.element))
            if not other.term.is_symbol():
                raise Mismatch(f"'{name}': the node has {other.term}, which is not a symbol")
            self._bind(other.term, Array(cells, 0))
        else:
            self._cells(name, contents, other)

    def _elements(self, name: str, contents: MemoryObject, size: int) -> Iterator[tuple[int, int]]:
        for at in range(0, contents.size, size):
            value = self._cell(contents, at, size)
            if value.__class__ is not int:
                raise Mismatch(f"'{name}' at {at} is {value}, and an element in the node")
            yield at, to_signed(value, 8 * size)

    def _cell(self, contents: MemoryObject, at: int, size: int) -> Value:
        return contents.read(at, size, IntType(8 * size), self.image.domain)

    def _cells(self, name: str, ours: MemoryObject, theirs: MemoryObject) -> None:
        covered: set[int] = set()
        for at, (size, value) in theirs.cells.items():
            cell = ours.cells.get(at)
            mine = cell[1] if cell and cell[0] == size else self._cell(ours, at, size)
            self._value(f"'{name}' at {at}", mine, value, 8 * size)
            covered.update(range(at, at + size))
        for at, (size, value) in ours.cells.items():
            if not covered.issuperset(range(at, at + size)):
                other = theirs.fill
                if value.__class__ is int and other.__class__ is int and value == other:
                    continue
                if value is UNDEF and other is UNDEF:
                    continue
                raise Mismatch(f"'{name}' at {at} is {value}, and {other} in the node")
            covered.update(range(at, at + size))
        if len(covered) < ours.size:
            self._same(f"fill of '{name}'", ours.fill is UNDEF, theirs.fill is UNDEF)


def _width(code: FunctionCode, register: int) -> int:
    """The width of an integer register; a local without memory is a register of its type."""
    kind = code.function.registers[register].type
    if register in code.promoted:
        for i in code.function.code:
            if isinstance(i, Alloca) and i.result == register:
                kind = i.type
    return kind.width if isinstance(kind, IntType) else 0
