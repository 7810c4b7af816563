"""The symbolic domain: what is not known is a mathematical integer.

A term of an iN stands for the number between -2^(N-1) and 2^(N-1) - 1 that its bits mean; an i1 is
a formula. Arithmetic that the program promises not to overflow (nsw) is exact, all other wraps.
Whatever is known stays a Python int and is computed by the concrete domain.
"""

from __future__ import annotations

import pysmt.operators as op
from pysmt.fnode import FNode

from imc.errors import Unsupported
from imc.program.concrete import ConcreteDomain
from imc.program.concrete.given import input_name
from imc.program.domain import BinaryOp, Unary
from imc.program.memory import MemoryObject
from imc.program.types import FloatType, IntType, PtrType, Type
from imc.program.values import UNDEF, Fragment, Value, to_signed
from imc.terms import outside
from imc.terms.arithmetic import Arithmetic, signed_range
from imc.terms.arrays import Elements, to_array, to_summary
from imc.terms.slots import Slots, to_slots
from imc.terms.terms import Terms


class IntegerDomain(ConcreteDomain):
    """Values are ints where they are known and terms where they are not."""

    symbolic = True
    answers = True

    def __init__(self, terms: Terms) -> None:
        super().__init__()
        self.terms = terms
        self.arithmetic = Arithmetic(terms)
        self.ranges = self.arithmetic.ranges
        self.inputs: set[FNode] = set()  # the symbols that stand for input
        self.elements: dict[FNode, int] = {}  # inputs that are in fact elements of these objects
        self.exact: set[int] = set()  # objects whose elements must be told apart
        self.step = ""  # names the step that is being run, and
        self.fresh = 0  # how many unknowns it has made

    # ------------------------------------------------------- numbers and terms

    def symbol(self, name: str, width: int) -> FNode:
        """The integer symbol of a name, with the range of its width; one bit is 0 or 1."""
        assert width > 0, name
        symbol = self.terms.symbol(name)
        range = signed_range(width) if width > 1 else (0, 1)
        assert self.ranges.setdefault(symbol, range) == range, name
        return symbol

    def input(self, name: str, type: Type) -> Value:
        if not isinstance(type, IntType):
            return None
        symbol = self.symbol(input_name(name, type), type.width)
        self.inputs.add(symbol)
        return symbol if type.width > 1 else self.terms.at_most(self.terms.one, symbol)

    def unknown(self, name: str, like: FNode) -> FNode:
        """A symbol for any number that another symbol can be."""
        symbol = self.terms.symbol(name)
        self.ranges[symbol] = self.ranges[like]
        self.inputs.add(symbol)
        return symbol

    def bounded(self, value: Value, low: int, high: int, other: int, width: int) -> Value:
        if not isinstance(value, FNode):
            return super().bounded(value, low, high, other, width)
        t = self.terms
        inside = [t.at_most(t.integer(low), value), t.at_most(value, t.integer(high))]
        result = t.ite(t.conjunction(inside), value, t.integer(other))
        self.ranges[result] = (low, high)
        return result

    def in_range(self, symbol: FNode) -> FNode:
        """That a symbol's value fits its width."""
        low, high = self.ranges[symbol]
        t = self.terms
        return t.conjunction(
            [t.at_most(t.integer(low), symbol), t.at_most(symbol, t.integer(high))]
        )

    def term(self, value: Value, width: int) -> FNode:
        """A value of an integer type as a term: a formula if it has one bit."""
        if isinstance(value, FNode):
            return value
        if value.__class__ is not int:
            raise Unsupported("an address or an undefined value meets one that is not known")
        if width == 1:
            return self.terms.boolean(value == 1)
        return self.terms.integer(to_signed(value & ((1 << width) - 1), width))

    def value(self, term: FNode, width: int) -> Value:
        """A term as a value: a Python int if it is known."""
        kind = term.node_type()
        if kind == op.INT_CONSTANT:
            return term.constant_value() & ((1 << width) - 1)
        return int(term.constant_value()) if kind == op.BOOL_CONSTANT else term

    def offset(self, term: FNode) -> Value:
        """A term as a number without a width: an int if it is known."""
        return term.constant_value() if term.is_int_constant() else term

    # -------------------------------------------------------------- arithmetic

    def binary(self, op: str, type: Type, flags: frozenset[str] = frozenset()) -> BinaryOp:
        concrete = super().binary(op, type, flags)
        if isinstance(type, FloatType):
            return self._refuse(concrete, "floating-point arithmetic")
        assert isinstance(type, IntType)
        width = type.width
        make = (
            self.arithmetic.formula_op(op)
            if width == 1
            else self.arithmetic.integer_op(op, width, flags)
        )

        def binary(a: Value, b: Value) -> Value:
            if not (_is_term(a) or _is_term(b)):
                return concrete(a, b)
            if a is UNDEF or b is UNDEF:
                return UNDEF
            if a.__class__ is tuple or b.__class__ is tuple:
                return self._pointer_sum(op, a, b, width)
            return self.value(make(self.term(a, width), self.term(b, width)), width)

        return binary

    def _refuse(self, concrete: BinaryOp, what: str) -> BinaryOp:
        def binary(a: Value, b: Value) -> Value:
            if _is_term(a) or _is_term(b):
                raise Unsupported(f"{what} on a value that is not known")
            return concrete(a, b)

        return binary

    def _pointer_sum(self, op: str, a: Value, b: Value, width: int) -> Value:
        """Arithmetic on an address as a number, where that stays inside one object."""
        t = self.terms
        if a.__class__ is tuple and b.__class__ is tuple:
            if op == "sub" and a[0] == b[0]:
                return self.value(t.subtract(self.offset_term(a[1]), self.offset_term(b[1])), width)
        elif op == "add":
            pointer, number = (a, b) if a.__class__ is tuple else (b, a)
            return self.add_offset(pointer, self.offset(self.term(number, width)))
        elif op == "sub" and a.__class__ is tuple:
            return self.add_offset(a, self.offset(t.scale(self.term(b, width), -1)))
        raise Unsupported(f"'{op}' on an address that is not known")

    def overflows(self, op: str, type: Type, flags: frozenset[str]) -> BinaryOp:
        concrete = super().overflows(op, type, flags)
        assert isinstance(type, IntType)
        t, width = self.terms, type.width
        exact = self.arithmetic.exact(op, width)

        def outside(term: FNode, low: int, high: int) -> FNode:
            return t.negate(
                t.conjunction([t.at_most(t.integer(low), term), t.at_most(term, t.integer(high))])
            )

        def overflow(a: Value, b: Value) -> Value:
            if not (_is_term(a) or _is_term(b)):
                return concrete(a, b)
            x, y = self.term(a, width), self.term(b, width)
            cases = []
            if "nsw" in flags:
                cases.append(outside(exact(x, y), *signed_range(width)))
            if "nuw" in flags:
                wide = exact(self.arithmetic.unsigned(x, width), self.arithmetic.unsigned(y, width))
                cases.append(outside(wide, 0, (1 << width) - 1))
            return self.value(t.disjunction(cases), 1)

        return overflow

    # ------------------------------------------------------------- comparisons

    def compare(self, predicate: str, type: Type) -> BinaryOp:
        concrete = super().compare(predicate, type)
        if isinstance(type, FloatType):
            return self._refuse(concrete, "a floating-point comparison")
        width = type.width if isinstance(type, IntType) else self.pointer_bits
        make = self.arithmetic.comparison(predicate, width)

        def compare(a: Value, b: Value) -> Value:
            if _is_pointer(a) or _is_pointer(b):
                return self._compare_pointers(predicate, a, b, concrete)
            if not (_is_term(a) or _is_term(b)):
                return concrete(a, b)
            if a is UNDEF or b is UNDEF:
                return UNDEF
            return self.value(make(self.term(a, width), self.term(b, width)), 1)

        return compare

    def _compare_pointers(self, predicate: str, a: Value, b: Value, concrete: BinaryOp) -> Value:
        """Comparisons in which an offset is a term."""
        if a is UNDEF or b is UNDEF:
            return UNDEF
        if a.__class__ is tuple and b.__class__ is tuple and a[0] == b[0]:
            make = self.arithmetic.comparison(predicate.replace("u", "s"), self.pointer_bits)
            return self.value(make(self.offset_term(a[1]), self.offset_term(b[1])), 1)
        if _is_term(a) or _is_term(b):
            raise Unsupported("an address is compared with a number that is not known")
        plain = [(x[0], 0) if _is_pointer(x) else x for x in (a, b)]
        return concrete(*plain)

    def offset_term(self, offset: Value) -> FNode:
        """A number without a width as a term."""
        return offset if isinstance(offset, FNode) else self.terms.integer(offset)

    # ------------------------------------------------------------------- casts

    def cast(self, op: str, source: Type, target: Type) -> Unary:
        concrete = super().cast(op, source, target)

        def cast(a: Value) -> Value:
            if not isinstance(a, FNode):
                return concrete(a)
            if isinstance(source, IntType) and isinstance(target, IntType):
                return self.value(
                    self.arithmetic.resize(op, a, source.width, target.width), target.width
                )
            if isinstance(source, (IntType, PtrType)) and isinstance(target, (IntType, PtrType)):
                return self._address_cast(a, self._bits(source), self._bits(target))
            raise Unsupported(f"the cast '{op}' of a value that is not known")

        return cast

    def _address_cast(self, a: FNode, source: int, target: int) -> Value:
        """A number as an address, or back: too much is cut off, what is missing is zero."""
        if source == target:
            return a
        op = "trunc" if target < source else "zext"
        return self.value(self.arithmetic.resize(op, a, source, target), target)

    def _bits(self, type: IntType | PtrType) -> int:
        return type.width if isinstance(type, IntType) else self.pointer_bits

    def signed(self, width: int) -> Unary:
        concrete = super().signed(width)
        return lambda a: a if isinstance(a, FNode) else concrete(a)

    def truth(self, value: Value) -> bool | None:
        return None if isinstance(value, FNode) else super().truth(value)

    def negate(self, type: Type) -> Unary:
        concrete = super().negate(type)

        def negate(a: Value) -> Value:
            if isinstance(a, FNode):
                raise Unsupported("floating-point arithmetic on a value that is not known")
            return concrete(a)

        return negate

    # ------------------------------------------------------------------ memory

    def split(self, value: Value, type: Type, size: int) -> list[Value]:
        if isinstance(value, FNode):
            return [Fragment(value, i, size) for i in range(size)]
        return super().split(value, type, size)

    def join(self, data: list[Value], type: Type) -> Value:
        first = data[0]
        terms = [b for b in data if isinstance(b, Fragment) and isinstance(b.value, FNode)]
        if terms:
            if not isinstance(first, Fragment) or first.size != len(data):
                raise Unsupported("a part of a value that is not known is read")
            if any(
                not isinstance(b, Fragment) or b.value is not first.value or b.index != i
                for i, b in enumerate(data)
            ):
                raise Unsupported("a value is put together from parts that are not known")
            return first.value
        return super().join(data, type)

    def add_offset(self, pointer: Value, offset: Value) -> Value:
        if pointer.__class__ is tuple and (_is_term(offset) or _is_term(pointer[1])):
            if offset.__class__ is tuple:
                raise Unsupported("an address is moved by an address")
            total = self.terms.add(self.offset_term(pointer[1]), self.offset_term(offset))
            return (pointer[0], self.offset(total))
        if _is_term(pointer) or _is_term(offset):
            raise Unsupported("an address that is not known")
        return super().add_offset(pointer, offset)

    def scale(self, index: Value, factor: int) -> Value:
        if isinstance(index, FNode):
            return self.offset(self.terms.scale(index, factor))
        return super().scale(index, factor)

    def inside(self, offset: Value, last: int) -> Value:
        t = self.terms
        term = self.offset_term(offset)
        bounds = [t.at_most(t.zero, term), t.at_most(term, t.integer(last))]
        return self.value(t.conjunction(bounds), 1)

    def within(self, offset: Value, size: int, extent: Value) -> Value:
        t = self.terms
        first = self.offset_term(offset)
        end = t.add(first, t.integer(size))
        bounds = [t.at_most(t.zero, first), t.at_most(end, self.offset_term(extent))]
        return self.value(t.conjunction(bounds), 1)

    def outside(
        self,
        number: int,
        contents: MemoryObject,
        start: int,
        extent: Value | None = None,
        length: Value | None = None,
    ) -> MemoryObject | None:
        if number in self.exact:
            return None
        known = {outside.EXTENT: extent, outside.LENGTH: length}
        return outside.fill(contents, number, start, known)

    def among(self, offset: Value, offsets: list[int], step: int) -> Value:
        t = self.terms
        term = self.offset_term(offset)
        low = [at for at in offsets if at - step not in offsets]
        high = [at for at in offsets if at + step not in offsets]
        runs = [
            t.conjunction([t.at_most(t.integer(first), term), t.at_most(term, t.integer(last))])
            for first, last in zip(low, high, strict=True)
        ]
        return self.value(t.disjunction(runs), 1)

    def is_multiple(self, offset: Value, size: int) -> bool:
        factors, constant = self.terms.linear(self.offset_term(offset))
        return all(number % size == 0 for number in (constant, *factors.values()))

    def indexed(
        self, number: int, contents: MemoryObject, size: int, written: Value | None = None
    ) -> MemoryObject | None:
        if isinstance(contents, outside.Outside | Slots):
            return contents
        if written.__class__ is tuple or (written is not None and _holds_addresses(contents)):
            return to_slots(number, contents, self)
        if isinstance(contents, Elements):
            return contents if contents.element == size else None
        make = to_array if number in self.exact else to_summary
        return make(number, contents, size, self)

    def element(self, number: int, low: int, high: int) -> FNode:
        """An unknown between two numbers: an element of an object, we do not know which."""
        self.fresh += 1
        symbol = self.terms.symbol(f"element.{self.step}.{self.fresh}.{number}.{low}.{high}")
        self.ranges[symbol] = (low, high)
        self.inputs.add(symbol)
        self.elements[symbol] = number
        return symbol


def _holds_addresses(contents: MemoryObject) -> bool:
    return any(value.__class__ is tuple for _, value in contents.cells.values())


def _is_term(value: Value) -> bool:
    return isinstance(value, FNode)


def _is_pointer(value: Value) -> bool:
    """A pointer whose offset is not known."""
    return value.__class__ is tuple and isinstance(value[1], FNode)
