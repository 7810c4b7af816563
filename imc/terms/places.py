"""Places: what a state's values are called in formulas.

After each step, every term in the new state is replaced by the symbol of the place it stands in,
and the step's updates say what that symbol now means. So a state is a skeleton that many concrete
states share, and formulas over its places tell them apart.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass

import pysmt.operators as op
from pysmt.fnode import FNode

from imc.errors import Unsupported
from imc.program.code import FunctionCode, Image
from imc.program.instructions import Alloca
from imc.program.keys import StateKeys
from imc.program.memory import MemoryObject
from imc.program.state import Frame, State, Thread
from imc.program.types import IntType, Type
from imc.program.values import UNDEF, Aggregate, Fragment, Value
from imc.terms.arithmetic import signed_range
from imc.terms.arrays import WHOLE, ArrayObject, Elements, Summary
from imc.terms.integers import IntegerDomain
from imc.terms.slots import Slots, Written
from imc.terms.strides import strides

# Where a value stands: ("m", object, offset), ("r", thread, depth, function, register), …
PlaceKey = tuple[object, ...]
# What the precision speaks of: all instances of a variable together.
Variable = tuple[object, ...]
THREAD_LOCAL = "thread-local"  # a variable of which each thread has an instance
LARGEST = 8  # bytes of a number that can become a symbol for growing
OFFSET = "offset"  # the part of a pointer that can be a term
SLOT, ITEM = "slot", "item"  # where something was written at an unknown index, and what


@dataclass(frozen=True, slots=True)
class Place:
    """A place that a formula can speak of, and its name for people."""

    key: PlaceKey
    name: str
    object: int | None = None  # the memory object it lies in
    width: int = 0  # in bits; of an array, its elements' size in bytes


class Places:
    """The symbols of all places, and which variables are to be symbols even when they are known."""

    def __init__(self, image: Image, domain: IntegerDomain) -> None:
        self.image = image
        self.domain = domain
        self.terms = domain.terms
        self.abstract: set[Variable] = set()
        self.of: dict[FNode, Place] = {}
        self._symbols: dict[tuple[PlaceKey, int], FNode] = {}
        self._widths: dict[int, list[int]] = {}
        self._strides: dict[int, list[int]] = {}

    # --------------------------------------------------------------- skeletons

    def abstracted(self, before: State | None, after: State) -> dict[FNode, FNode]:
        """Puts symbols in place of terms, in what a step has changed; answers the updates."""
        updates: dict[FNode, FNode] = {}
        if before is None:  # the program's variables are everybody's
            after.memory = {number: contents.copy() for number, contents in after.memory.items()}
        self._make_thread_locals(after)
        if before is not None:
            self._forget(before, after)
        for number, contents in after.memory.items():
            if before is None or before.memory.get(number) is not contents:
                if isinstance(contents, Slots):
                    self._slots(number, contents, updates)
                else:
                    self._object(number, contents, updates)
        for number, thread in after.threads.items():
            if before is None or before.threads.get(number) is not thread:
                self._thread(thread, updates)
        return {s: t for s, t in updates.items() if s is not t}

    def _object(self, number: int, contents: MemoryObject, updates: dict[FNode, FNode]) -> None:
        if isinstance(contents, ArrayObject):
            symbol = self.array_symbol(number, contents.element)
            updates[symbol] = contents.term
            contents.term = symbol
            return
        if isinstance(contents, Summary):
            if (*self.variable_of_object(number), WHOLE) in self.abstract:
                contents.range = signed_range(8 * contents.element)
            return
        variable = self.variable_of_object(number)
        forced = bool(self.abstract)
        for at, (size, value) in contents.cells.items():
            if value.__class__ is int and not (forced and (*variable, at) in self.abstract):
                continue
            new = self._value(value, ("m", number, at), 8 * size, updates, (*variable, at))
            if new is not value:
                contents.cells[at] = (size, new)

    def _forget(self, before: State, after: State) -> None:
        """Leaves addresses of objects that a step has ended out of slots."""
        gone = before.memory.keys() - after.memory.keys()
        for number, contents in list(after.memory.items()) if gone else ():
            if isinstance(contents, Slots) and contents.leads_to(gone):
                after.memory[number] = contents.without(gone)

    def _slots(self, number: int, contents: Slots, updates: dict[FNode, FNode]) -> None:
        found = []
        for n, (index, scale, size, value) in enumerate(contents.slots):
            term = self.domain.offset_term(index)
            symbol = self._place(("m", number, n, SLOT), 64, term, updates)
            item = self._value(value, ("m", number, n, ITEM), 8 * size, updates, ())
            found.append(Written(symbol, scale, size, item))
        contents.slots = found

    def _make_thread_locals(self, after: State) -> None:
        """Those that are to be symbols are made before a thread first uses them: nobody can tell.

        A thread that has not failed yet is then like one that has, as far as errno goes.
        """
        names = {variable[1] for variable in self.abstract if variable[0] == THREAD_LOCAL}
        for name in sorted(map(str, names)):
            variable = self.image.program.globals[name]
            for thread in after.threads.values():
                number = self.image.thread_local_number(name, thread.id)
                if number not in after.memory and thread.frames:
                    made = after.memory[number] = self.image.initial(variable)
                    made.cells.setdefault(0, (made.size, 0))

    def array_symbol(self, number: int, element: int) -> FNode:
        key: PlaceKey = ("a", number)
        symbol = self._symbols.get((key, element))
        if symbol is None:
            symbol = self.terms.array_symbol(f"a{number}.{element}")
            self._symbols[key, element] = symbol
            self.domain.ranges[symbol] = signed_range(8 * element)
            self.of[symbol] = Place(key, self.image.objects[number].name, number, element)
        return symbol

    def variable_of_object(self, number: int) -> Variable:
        """What all objects from one allocation site have in common."""
        if self.image.objects.dynamic[number]:
            match self.image.objects.identities[number]:
                case (_, _, _, (str(function), int(pc))):
                    return ("site", function, pc)
        match self.image.objects.identities[number]:
            case ("tls", str(name), int()) if self._is_number(name):
                return (THREAD_LOCAL, name)
        return ("object", number)

    def variable_of_register(self, code: FunctionCode, register: int) -> Variable:
        """What a local is, or where it points to."""
        variable = ("register", code.number, register)
        return variable if self._register_widths(code)[register] else (*variable, OFFSET)

    def _is_number(self, name: str) -> bool:
        """Whether all of a variable is one integer."""
        return isinstance(self.image.program.globals[name].type, IntType)

    def _thread(self, thread: Thread, updates: dict[FNode, FNode]) -> None:
        for depth, frame in enumerate(thread.frames):
            self._frame(thread, depth, frame, set(self._live(thread, depth)), updates)
        if not isinstance(thread.result, int):
            thread.result = self._value(thread.result, ("t", thread.id), 64, updates, ())

    def _live(self, thread: Thread, depth: int) -> list[int]:
        """The registers that a frame may still read; a call that goes on will write its result."""
        frame = thread.frames[depth]
        live = frame.code.live[frame.pc]
        result = None
        if depth < len(thread.frames) - 1 and frame.phase == 0:
            result = thread.frames[depth + 1].result
        return [register for register in live if register != result]

    def _frame(
        self, thread: Thread, depth: int, frame: Frame, live: set[int], updates: dict[FNode, FNode]
    ) -> None:
        regs, code = frame.regs, frame.code
        widths = self._register_widths(code)
        base: PlaceKey = ("r", thread.id, depth, code.number)
        for register in range(len(code.function.registers)):
            value = regs[register]
            if value.__class__ is int:
                variable = ("register", code.number, register)
                if variable not in self.abstract or register not in live or not widths[register]:
                    continue
            elif value is UNDEF:
                continue
            elif register not in live:
                regs[register] = UNDEF
                continue
            variable = ("register", code.number, register)
            regs[register] = self._value(
                value, (*base, register), widths[register] or 64, updates, variable
            )
        if frame.scratch is not None:
            frame.scratch = self._value(frame.scratch, (*base, "scratch"), 64, updates, ())
        if frame.varargs:
            frame.varargs = tuple(
                (t, b, self._value(v, (*base, "va", n), _width(t) or 64, updates, ()))
                for n, (t, b, v) in enumerate(frame.varargs)
            )

    def _value(
        self,
        value: Value,
        key: PlaceKey,
        width: int,
        updates: dict[FNode, FNode],
        variable: Variable,
    ) -> Value:
        """The value with terms replaced by symbols; a known number only if it is to be abstract."""
        if isinstance(value, FNode):
            return self._place(key, width, value, updates)
        if value.__class__ is int:
            if variable in self.abstract:
                return self._place(key, width, self.domain.term(value, width), updates)
            return value
        if value.__class__ is tuple:
            if isinstance(value[1], FNode) or (*variable, OFFSET) in self.abstract:
                return (value[0], self._offset(value[1], (*key, OFFSET), updates, variable))
            return value
        if value.__class__ is Aggregate and any(_has_term(v) for v in value):
            return Aggregate(
                self._value(v, (*key, n), 64, updates, ()) for n, v in enumerate(value)
            )
        if isinstance(value, Fragment) and _has_term(value.value):
            raise Unsupported("a part of a value that is not known is stored")
        return value

    def _offset(
        self, offset: Value, key: PlaceKey, updates: dict[FNode, FNode], variable: Variable
    ) -> FNode:
        """The symbol of an address's offset; in strides, if it is a whole number of these."""
        term = self.domain.offset_term(offset)
        stride = self._stride(variable)
        if stride == 1 or not self.domain.is_multiple(offset, stride):
            return self._place(key, 64, term, updates)
        symbol = self._place((*key, stride), 64, self.terms.divided(term, stride), updates)
        return self.terms.scale(symbol, stride)

    def _stride(self, variable: Variable) -> int:
        match variable:
            case ("register", int(number), int(register)):
                if number not in self._strides:
                    self._strides[number] = strides(self._code(number))
                return self._strides[number][register]
        return 1

    def _place(self, key: PlaceKey, width: int, term: FNode, updates: dict[FNode, FNode]) -> FNode:
        formula = self.terms.is_formula(term)
        symbol = self.symbol(key, 1 if formula else width)
        if formula:
            updates[symbol] = self.terms.ite(term, self.terms.one, self.terms.zero)
            return self.terms.at_most(self.terms.one, symbol)
        updates[symbol] = term
        return symbol

    def symbol(self, key: PlaceKey, width: int) -> FNode:
        found = self._symbols.get((key, width))
        if found is None:
            name = ".".join(map(str, key)) + (f":{width}" if width != 32 else "")
            found = self._symbols[key, width] = self.domain.symbol(name, width)
            number = key[1] if key[0] == "m" else None
            assert number is None or isinstance(number, int)
            self.of[found] = Place(key, self._name(key), number, width)
        return found

    def moved(self, symbol: FNode, number: int) -> FNode:
        """The symbol of the same place in another object."""
        place = self.of[symbol]
        if place.key[0] == "a":
            return self.array_symbol(number, place.width)
        return self.symbol((place.key[0], number, *place.key[2:]), place.width)

    # ------------------------------------------------------------------- names

    def _name(self, key: PlaceKey) -> str:
        match key:
            case ("m", int(number), int(nth), ("slot" | "item") as part, *_):
                return f"{part} {nth} of {self.image.objects[number].name}"
            case ("m", int(number), int(offset), *_):
                return self.image.objects[number].cell(offset)
            case ("r", int(thread), int(), int(code), int(register), *_):
                return f"{self._register_name(code, register)}@{self.image.threads.names[thread]}"
            case ("t", int(thread)):
                return f"result of {self.image.threads.names[thread]}"
        return ".".join(map(str, key))

    def _register_name(self, code: int, register: int) -> str:
        function = self._code(code).function
        name = function.registers[register].name
        for instruction in function.code:
            if isinstance(instruction, Alloca) and instruction.result == register:
                return instruction.name or name
        return name if name and not name.isdigit() else f"%{name or register}"

    def _code(self, number: int) -> FunctionCode:
        return self.image.code_number(number)

    def _register_widths(self, code: FunctionCode) -> list[int]:
        """The width of each register that holds an integer, 0 for the others."""
        widths = self._widths.get(code.number)
        if widths is None:
            widths = [_width(r.type) for r in code.function.registers]
            for instruction in code.function.code:
                if isinstance(instruction, Alloca) and instruction.result in code.promoted:
                    widths[instruction.result] = _width(instruction.type)
            self._widths[code.number] = widths
        return widths

    def symbols(self, state: State) -> set[FNode]:
        """The symbols that stand in a state for what is not known."""
        values: list[Value] = []
        for contents in state.memory.values():
            if isinstance(contents, ArrayObject):
                values.append(contents.term)
            values += [value for _, value in contents.cells.values()]
        for thread in state.threads.values():
            values.append(thread.result)
            for depth, frame in enumerate(thread.frames):
                values += [frame.regs[register] for register in self._live(thread, depth)]
                values += [frame.scratch, *(value for _, _, value in frame.varargs)]
        return {s for value in values for s in self._symbols_in(value)}

    def _symbols_in(self, value: Value) -> Iterator[FNode]:
        if isinstance(value, FNode):
            yield from self.terms.symbols(value)
        elif isinstance(value, tuple):  # a pointer, or an aggregate
            for part in value:
                yield from self._symbols_in(part)

    # --------------------------------------------------------- explicit values

    def numbers(self, state: State) -> Iterator[tuple[Variable, PlaceKey, int]]:
        """Every known integer of a state, with the variable it is an instance of."""
        for number, contents in state.memory.items():
            if isinstance(contents, Elements):
                if isinstance(contents, Summary):
                    low, high = contents.range
                    variable = (*self.variable_of_object(number), WHOLE)
                    yield variable, ("s", number), high - low
                continue
            variable = self.variable_of_object(number)
            for at, (size, value) in contents.cells.items():
                if value.__class__ is int:
                    if size <= LARGEST:  # a library's own record is no number
                        yield (*variable, at), ("m", number, at), value
                elif value.__class__ is tuple and value[1].__class__ is int:
                    yield (*variable, at, OFFSET), ("m", number, at, value[0]), value[1]
        for thread in state.threads.values():
            for depth, frame in enumerate(thread.frames):
                widths = self._register_widths(frame.code)
                for register in self._live(thread, depth):
                    value = frame.regs[register]
                    variable = ("register", frame.code.number, register)
                    key = ("r", thread.id, depth, frame.code.number, register)
                    if value.__class__ is int and widths[register]:
                        yield variable, key, value
                    elif value.__class__ is tuple and value[1].__class__ is int:
                        yield (*variable, OFFSET), (*key, value[0]), value[1]


class SkeletonKeys(StateKeys):
    """Keys of skeletons: what is a symbol in both states may differ."""

    def _value(self, value: Value, references: list[int]) -> Hashable:
        if isinstance(value, FNode):
            return "formula" if value.node_type() == op.LE else "?"
        if value.__class__ is tuple and isinstance(value[1], FNode):
            unit = "?" if value[1].is_symbol() else "strides"
            return super()._value((value[0], unit), references)
        return super()._value(value, references)


def _has_term(value: Value) -> bool:
    if value.__class__ is Aggregate:
        return any(map(_has_term, value))
    return isinstance(value, FNode) or (value.__class__ is tuple and isinstance(value[1], FNode))


def _width(type: Type) -> int:
    return type.width if isinstance(type, IntType) else 0
