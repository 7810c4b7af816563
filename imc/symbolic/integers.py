"""The symbolic domain: what is not known is a mathematical integer.

A term of an iN stands for the number between -2^(N-1) and 2^(N-1) - 1 that its bits mean; an i1 is
a formula. Arithmetic that the program promises not to overflow (nsw) is exact, all other wraps.
Whatever is known stays a Python int and is computed by the concrete domain.
"""

from __future__ import annotations

from collections.abc import Callable

import pysmt.operators as op
from pysmt.fnode import FNode

from imc.errors import Unsupported
from imc.program.concrete import ConcreteDomain
from imc.program.domain import BinaryOp, Unary
from imc.program.memory import MemoryObject
from imc.program.types import FloatType, IntType, PtrType, Type
from imc.program.values import UNDEF, Fragment, Value, to_signed
from imc.symbolic.arrays import Elements, to_array, to_summary
from imc.symbolic.terms import Terms

Range = tuple[int, int]
TermOp = Callable[[FNode, FNode], FNode]


class IntegerDomain(ConcreteDomain):
    """Values are ints where they are known and terms where they are not."""

    symbolic = True

    def __init__(self, terms: Terms) -> None:
        super().__init__()
        self.terms = terms
        self.ranges: dict[FNode, Range] = {}  # of every symbol, and of some terms
        self.inputs: set[FNode] = set()  # the symbols that stand for input
        self.elements: dict[FNode, int] = {}  # inputs that are in fact elements of these objects
        self.exact: set[int] = set()  # objects whose elements must be told apart
        self.promised = False  # whether a result rests on the program's promise not to overflow
        self.step = ""  # names the step that is being run, and
        self.fresh = 0  # how many unknowns it has made

    # ------------------------------------------------------- numbers and terms

    def symbol(self, name: str, width: int) -> FNode:
        """The integer symbol of a name, with the range of its width; one bit is 0 or 1."""
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

    def range(self, term: FNode) -> Range | None:
        """Between which numbers a term lies, judged by its symbols' ranges."""
        low = high = self.terms.linear(term)[1]
        for atom, factor in self.terms.linear(term)[0].items():
            found = self._atom_range(atom)
            if found is None:
                return None
            ends = factor * found[0], factor * found[1]
            low, high = low + min(ends), high + max(ends)
        return low, high

    def _atom_range(self, atom: FNode) -> Range | None:
        known = self.ranges.get(atom)
        if known is not None or atom.is_symbol():
            return known
        if atom.node_type() == op.ITE:
            arms = [self.range(arm) for arm in atom.args()[1:]]
            if arms[0] is not None and arms[1] is not None:
                return min(arms[0][0], arms[1][0]), max(arms[0][1], arms[1][1])
        if atom.node_type() == op.DIV:
            inner = self.range(atom.arg(0))
            divisor = atom.arg(1).constant_value()
            return None if inner is None else (inner[0] // divisor, inner[1] // divisor)
        if atom.node_type() == op.ARRAY_SELECT:
            base = atom.arg(0)
            while base.node_type() == op.ARRAY_STORE:
                base = base.arg(0)
            return self.ranges.get(base)
        return None

    def wrap(self, term: FNode, width: int) -> FNode:
        """The term modulo 2^width, in the width's signed range."""
        t = self.terms
        low, high = signed_range(width)
        found = self.range(term)
        full = t.integer(1 << width)
        if found is None or found[0] < low - (1 << width) or found[1] > high + (1 << width):
            shifted = t.modulo(t.add(term, t.integer(-low)), 1 << width)
            return t.add(shifted, t.integer(low))
        result = term
        if found[1] > high:
            above = t.subtract(term, full)
            result = t.ite(t.at_most(term, t.integer(high)), result, above)
        if found[0] < low:
            result = t.ite(t.at_most(t.integer(low), term), result, t.add(term, full))
        if result is not term:
            self.ranges[result] = (low, high)
        return result

    def unsigned(self, term: FNode, width: int) -> FNode:
        """The number that the bits mean without a sign."""
        t = self.terms
        found = self.range(term)
        if found is not None and found[0] >= 0:
            return term
        result = t.ite(t.at_most(t.zero, term), term, t.add(term, t.integer(1 << width)))
        self.ranges[result] = (0, (1 << width) - 1)
        return result

    # -------------------------------------------------------------- arithmetic

    def binary(self, op: str, type: Type, flags: frozenset[str] = frozenset()) -> BinaryOp:
        concrete = super().binary(op, type, flags)
        if isinstance(type, FloatType):
            return self._refuse(concrete, "floating-point arithmetic")
        assert isinstance(type, IntType)
        width = type.width
        make = self._formula_op(op) if width == 1 else self._integer_op(op, width, flags)

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
                return self.value(t.subtract(self._number(a[1]), self._number(b[1])), width)
        elif op == "add":
            pointer, number = (a, b) if a.__class__ is tuple else (b, a)
            return self.add_offset(pointer, self.offset(self.term(number, width)))
        elif op == "sub" and a.__class__ is tuple:
            return self.add_offset(a, self.offset(t.scale(self.term(b, width), -1)))
        raise Unsupported(f"'{op}' on an address that is not known")

    def _formula_op(self, op: str) -> TermOp:
        t = self.terms
        makes: dict[str, TermOp] = {
            "and": lambda a, b: t.conjunction([a, b]),
            "or": lambda a, b: t.disjunction([a, b]),
            "xor": lambda a, b: t.ite(a, t.negate(b), b),
            "add": lambda a, b: t.ite(a, t.negate(b), b),
            "sub": lambda a, b: t.ite(a, t.negate(b), b),
            "mul": lambda a, b: t.conjunction([a, b]),
        }
        return makes.get(op) or self._unknown_op(op)

    def _unknown_op(self, op: str) -> TermOp:
        def refuse(a: FNode, b: FNode) -> FNode:
            raise Unsupported(f"the bit operation '{op}' on a value that is not known")

        return refuse

    def _integer_op(self, op: str, width: int, flags: frozenset[str]) -> TermOp:
        t = self.terms
        exact = "nsw" in flags

        def fit(term: FNode) -> FNode:
            if exact:
                self.promised = True
                return term
            return self.wrap(term, width)

        def shift_left(a: FNode, b: FNode) -> FNode:
            return fit(t.scale(a, 1 << self._constant(b, "shl", width)))

        def shift_right(a: FNode, b: FNode) -> FNode:
            places = self._constant(b, "lshr", width)
            return self.wrap(t.floor_divide(self.unsigned(a, width), 1 << places), width)

        makes: dict[str, TermOp] = {
            "add": lambda a, b: fit(t.add(a, b)),
            "sub": lambda a, b: fit(t.subtract(a, b)),
            "mul": lambda a, b: fit(t.multiply(a, b)),
            "shl": shift_left,
            "lshr": shift_right,
            "ashr": lambda a, b: t.floor_divide(a, 1 << self._constant(b, "ashr", width)),
            "sdiv": lambda a, b: self._divide(a, self._constant(b, "sdiv", None))[0],
            "srem": lambda a, b: self._divide(a, self._constant(b, "srem", None))[1],
            "udiv": lambda a, b: self.wrap(
                t.floor_divide(self.unsigned(a, width), self._positive(b, "udiv", width)), width
            ),
            "urem": lambda a, b: self.wrap(
                t.modulo(self.unsigned(a, width), self._positive(b, "urem", width)), width
            ),
            "and": lambda a, b: self._masked(a, b, width),
            "or": lambda a, b: self._by_cases("or", a, b, width),
            "xor": lambda a, b: self._by_cases("xor", a, b, width),
        }
        return makes[op]

    def _constant(self, term: FNode, op: str, width: int | None) -> int:
        if not term.is_int_constant():
            raise Unsupported(f"'{op}' by a value that is not known")
        number: int = term.constant_value()
        if width is not None and not 0 <= number < width:
            raise Unsupported(f"'{op}' by {number} places")
        return number

    def _positive(self, term: FNode, op: str, width: int) -> int:
        return self._constant(term, op, None) & ((1 << width) - 1)

    def _divide(self, a: FNode, divisor: int) -> tuple[FNode, FNode]:
        """Quotient and remainder as C rounds them: towards zero."""
        t = self.terms
        size = abs(divisor)
        found = self.range(a)
        up = t.floor_divide(a, size)
        down = t.scale(t.floor_divide(t.scale(a, -1), size), -1)
        if found is not None and found[0] >= 0:
            quotient = up
        else:
            quotient = t.ite(t.at_most(t.zero, a), up, down)
        remainder = t.combine(a, quotient, -size)
        if quotient.node_type() == op.ITE:
            remainder = t.ite(
                quotient.arg(0),
                t.combine(a, quotient.arg(1), -size),
                t.combine(a, quotient.arg(2), -size),
            )
            self.ranges[remainder] = (1 - size, size - 1)
        return (quotient if divisor > 0 else t.scale(quotient, -1)), remainder

    def _masked(self, a: FNode, b: FNode, width: int) -> FNode:
        """Bitwise and, where one side is a mask of low bits or of all but them."""
        t = self.terms
        if a.is_int_constant():
            a, b = b, a
        if b.is_int_constant():
            mask = b.constant_value() & ((1 << width) - 1)
            if mask & (mask + 1) == 0:
                return self.wrap(t.modulo(a, mask + 1), width) if mask else t.zero
            low = (~mask & ((1 << width) - 1)) + 1
            if low & (low - 1) == 0:
                return t.subtract(a, t.modulo(a, low))
        return self._by_cases("and", a, b, width)

    def _by_cases(self, op_name: str, a: FNode, b: FNode, width: int) -> FNode:
        """A bit operation on values that are one of a few constants."""
        t = self.terms
        if a.node_type() == op.ITE:
            then, other = (self._by_cases(op_name, x, b, width) for x in a.args()[1:])
            return t.ite(a.arg(0), then, other)
        if b.node_type() == op.ITE or (a.is_int_constant() and not b.is_int_constant()):
            return self._by_cases(op_name, b, a, width)
        if b.is_int_constant():
            number: int = b.constant_value()
            if a.is_int_constant():
                both = {"and": int.__and__, "or": int.__or__, "xor": int.__xor__}[op_name]
                return t.integer(both(a.constant_value(), number))
            if number == 0:
                return t.zero if op_name == "and" else a
            if number == -1 and op_name == "xor":
                return t.subtract(t.integer(-1), a)
        return self._unknown_op(op_name)(a, b)

    def overflows(self, op: str, type: Type, flags: frozenset[str]) -> BinaryOp:
        concrete = super().overflows(op, type, flags)
        assert isinstance(type, IntType)
        t, width = self.terms, type.width
        exact = self._integer_op(op, width, frozenset(["nsw"]))

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
                wide = exact(self.unsigned(x, width), self.unsigned(y, width))
                cases.append(outside(wide, 0, (1 << width) - 1))
            return self.value(t.disjunction(cases), 1)

        return overflow

    # ------------------------------------------------------------- comparisons

    def compare(self, predicate: str, type: Type) -> BinaryOp:
        concrete = super().compare(predicate, type)
        if isinstance(type, FloatType):
            return self._refuse(concrete, "a floating-point comparison")
        width = type.width if isinstance(type, IntType) else self.pointer_bits
        make = self._comparison(predicate, width)

        def compare(a: Value, b: Value) -> Value:
            if _is_pointer(a) or _is_pointer(b):
                return self._compare_pointers(predicate, a, b, concrete)
            if not (_is_term(a) or _is_term(b)):
                return concrete(a, b)
            if a is UNDEF or b is UNDEF:
                return UNDEF
            return self.value(make(self.term(a, width), self.term(b, width)), 1)

        return compare

    def _comparison(self, predicate: str, width: int) -> TermOp:
        t = self.terms
        if predicate == "ne":
            equal = self._comparison("eq", width)
            return lambda a, b: t.negate(equal(a, b))
        if predicate == "eq":
            return t.equal if width > 1 else lambda a, b: t.ite(a, b, t.negate(b))
        if predicate[1] == "g":  # a > b is b < a
            swapped = self._comparison(predicate[0] + "l" + predicate[2], width)
            return lambda a, b: swapped(b, a)
        order = t.less if predicate[2] == "t" else t.at_most
        if width == 1:
            if predicate[0] == "s":  # true is -1
                return lambda a, b: order(self._bit(b), self._bit(a))
            return lambda a, b: order(self._bit(a), self._bit(b))
        if predicate[0] == "s":
            return order
        return lambda a, b: self._unsigned_order(order, a, b, width)

    def _bit(self, formula: FNode) -> FNode:
        return self.terms.ite(formula, self.terms.one, self.terms.zero)

    def _unsigned_order(self, order: TermOp, a: FNode, b: FNode, width: int) -> FNode:
        """A comparison of bits without a sign, by whether the sides are negative."""
        t = self.terms
        negative_a, negative_b = t.less(a, t.zero), t.less(b, t.zero)
        return t.disjunction(
            [
                t.conjunction([t.negate(negative_a), negative_b]),
                t.conjunction([t.negate(negative_a), t.negate(negative_b), order(a, b)]),
                t.conjunction([negative_a, negative_b, order(a, b)]),
            ]
        )

    def _compare_pointers(self, predicate: str, a: Value, b: Value, concrete: BinaryOp) -> Value:
        """Comparisons in which an offset is a term."""
        if a is UNDEF or b is UNDEF:
            return UNDEF
        if a.__class__ is tuple and b.__class__ is tuple and a[0] == b[0]:
            make = self._comparison(predicate.replace("u", "s"), self.pointer_bits)
            return self.value(make(self._number(a[1]), self._number(b[1])), 1)
        if _is_term(a) or _is_term(b):
            raise Unsupported("an address is compared with a number that is not known")
        plain = [(x[0], 0) if _is_pointer(x) else x for x in (a, b)]
        return concrete(*plain)

    def _number(self, offset: Value) -> FNode:
        return offset if isinstance(offset, FNode) else self.terms.integer(offset)

    # ------------------------------------------------------------------- casts

    def cast(self, op: str, source: Type, target: Type) -> Unary:
        concrete = super().cast(op, source, target)

        def cast(a: Value) -> Value:
            if not isinstance(a, FNode):
                return concrete(a)
            if isinstance(source, IntType) and isinstance(target, IntType):
                return self.value(self._resize(op, a, source.width, target.width), target.width)
            if isinstance(source, (IntType, PtrType)) and isinstance(target, (IntType, PtrType)):
                return a
            raise Unsupported(f"the cast '{op}' of a value that is not known")

        return cast

    def _resize(self, op: str, a: FNode, source: int, target: int) -> FNode:
        t = self.terms
        if op == "bitcast":
            return a
        if op == "trunc":
            if target == 1:
                return t.equal(t.modulo(a, 2), t.one)
            return self.wrap(a, target)
        if source == 1:
            return t.ite(a, t.one if op == "zext" else t.integer(-1), t.zero)
        return a if op == "sext" else self.unsigned(a, source)

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
            total = self.terms.add(self._number(pointer[1]), self._number(offset))
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
        term = self._number(offset)
        bounds = [t.at_most(t.zero, term), t.at_most(term, t.integer(last))]
        return self.value(t.conjunction(bounds), 1)

    def indexed(self, number: int, contents: MemoryObject, size: int) -> MemoryObject | None:
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


def input_name(name: str, type: IntType) -> str:
    """What an input is called: on another path, one of another type may be as many reads away."""
    return f"{name}.{type.width}"


def signed_range(width: int) -> Range:
    return -(1 << (width - 1)), (1 << (width - 1)) - 1


def _is_term(value: Value) -> bool:
    return isinstance(value, FNode)


def _is_pointer(value: Value) -> bool:
    """A pointer whose offset is not known."""
    return value.__class__ is tuple and isinstance(value[1], FNode)
