"""Arithmetic on terms: exact where the program promises that it fits, modulo 2^N elsewhere."""

from __future__ import annotations

import builtins
from collections.abc import Callable

import pysmt.operators as op
from pysmt.fnode import FNode

from imc.errors import Unsupported
from imc.terms.bits import Bits
from imc.terms.terms import Terms

Range = tuple[int, int]
TermOp = Callable[[FNode, FNode], FNode]

MOST_CASES = 32  # numbers that a shift or a division is tried for


def signed_range(width: int) -> Range:
    return -(1 << (width - 1)), (1 << (width - 1)) - 1


class Arithmetic:
    """Operations on integer terms of a width, and on formulas, which are integers of one bit."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.ranges: dict[FNode, Range] = {}  # of every symbol, and of some terms
        self.promised = False  # whether a result rests on the program's promise not to overflow
        self.bits = Bits(terms, self.range, self.modulo)
        self.promises: list[FNode] = []  # that values fit, made since somebody last looked
        # Asked whether a formula holds, where that makes a result simpler; both is thought of.
        self.decide: Callable[[FNode], bool] | None = None
        # Asked for one of the few numbers that a term can be, each of which is thought of in turn;
        # none if there are more.
        self.choose: Callable[[FNode, int], int | None] | None = None

    def range(self, term: FNode) -> Range | None:
        """Between which numbers a term lies, judged by its symbols' ranges."""
        return self._range(term, {})

    def _range(self, term: FNode, seen: dict[FNode, Range | None]) -> Range | None:
        """The same; `seen` are atoms that were met, since terms share what they are made of."""
        known = self.ranges.get(term)
        if known is not None:
            return known
        low = high = self.terms.linear(term)[1]
        for atom, factor in self.terms.linear(term)[0].items():
            if atom not in seen:
                seen[atom] = self._atom_range(atom, seen)
            found = seen[atom]
            if found is None:
                return None
            ends = factor * found[0], factor * found[1]
            low, high = low + min(ends), high + max(ends)
        return low, high

    def _atom_range(self, atom: FNode, seen: dict[FNode, Range | None]) -> Range | None:
        known = self.ranges.get(atom)
        if known is not None or atom.is_symbol():
            return known
        if atom.node_type() == op.ITE:
            arms = [self._range(arm, seen) for arm in atom.args()[1:]]
            if arms[0] is not None and arms[1] is not None:
                return min(arms[0][0], arms[1][0]), max(arms[0][1], arms[1][1])
        if atom.node_type() == op.DIV:
            inner = self._range(atom.arg(0), seen)
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

    def _is_known_to_fit(self, term: FNode, width: int) -> bool:
        """Whether a number can be cut to a width and stays the same; most do."""
        found, (low, high) = self.range(term), signed_range(width)
        if found is not None and low <= found[0] and found[1] <= high:
            return True
        if self.decide is None or (found is not None and found[1] - found[0] <= 2 << width):
            return False
        t = self.terms
        bounds = [t.at_most(t.integer(low), term), t.at_most(term, t.integer(high))]
        return self.decide(t.conjunction(bounds))

    def _promise(self, term: FNode, width: int) -> None:
        """Notes that the program promises a value to fit its width, if that is not plain."""
        low, high = signed_range(width)
        found = self.range(term)
        t = self.terms
        if found is None or found[0] < low:
            self.promises.append(t.at_most(t.integer(low), term))
            self.promised = True
        if found is None or found[1] > high:
            self.promises.append(t.at_most(term, t.integer(high)))
            self.promised = True

    def unsigned(self, term: FNode, width: int) -> FNode:
        """The number that the bits mean without a sign."""
        t = self.terms
        found = self.range(term)
        if found is not None and found[0] >= 0:
            return term
        result = t.ite(t.at_most(t.zero, term), term, t.add(term, t.integer(1 << width)))
        self.ranges[result] = (0, (1 << width) - 1)
        return result

    def formula_op(self, op: str) -> TermOp:
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

    def exact(self, op: str, width: int) -> TermOp:
        """The mathematical result, whether it fits or not."""
        t = self.terms
        makes: dict[str, TermOp] = {
            "add": t.add,
            "sub": t.subtract,
            "mul": t.multiply,
            "shl": self._by_cases("shl", lambda a, n: t.scale(a, 1 << n), range(width)),
        }
        return makes[op]

    def integer_op(self, op: str, width: int, flags: frozenset[str]) -> TermOp:
        t = self.terms
        promised = "nsw" in flags

        def fit(term: FNode) -> FNode:
            if promised:
                self._promise(term, width)
                return term
            return self.wrap(term, width)

        def shift_right(a: FNode, places: int) -> FNode:
            return self.wrap(t.floor_divide(self.unsigned(a, width), 1 << places), width)

        def quotient(a: FNode, divisor: int) -> FNode:
            divisor &= (1 << width) - 1
            return self.wrap(t.floor_divide(self.unsigned(a, width), divisor), width)

        def remainder(a: FNode, divisor: int) -> FNode:
            divisor &= (1 << width) - 1
            return self.wrap(self.modulo(self.unsigned(a, width), divisor), width)

        if op in ("add", "sub", "mul", "shl"):
            whole = self.exact(op, width)
            return lambda a, b: fit(whole(a, b))
        shifts: dict[str, Callable[[FNode, int], FNode]] = {
            "lshr": shift_right,
            "ashr": lambda a, places: t.floor_divide(a, 1 << places),
        }
        divisions: dict[str, Callable[[FNode, int], FNode]] = {
            "sdiv": lambda a, n: self._divide(a, n)[0],
            "srem": lambda a, n: self._divide(a, n)[1],
            "udiv": quotient,
            "urem": remainder,
        }
        if op in shifts:
            return self._by_cases(op, shifts[op], range(width))
        if op in divisions:
            return self._by_cases(op, divisions[op], None)
        makes: dict[str, TermOp] = {
            "and": self.bits.conjunction,
            "or": self.bits.disjunction,
            "xor": self.bits.exclusive,
        }
        return makes[op]

    def _by_cases(
        self, op: str, make: Callable[[FNode, int], FNode], allowed: builtins.range | None
    ) -> TermOp:
        """An operation whose second operand is a number, or one of a few; it is not zero.

        Shifts are only defined for the numbers allowed; by zero nobody divides.
        """
        t = self.terms

        def apply(a: FNode, b: FNode) -> FNode:
            found = self.range(b)
            if found is None or found[1] - found[0] >= MOST_CASES:
                # What has been found out about it before an event is known to the step only.
                number = None if self.choose is None else self.choose(b, MOST_CASES)
                if number is None:
                    raise Unsupported(f"'{op}' by a value that is not known")
                found = number, number
            numbers = [n for n in builtins.range(found[0], found[1] + 1) if n or allowed]
            if allowed is not None and any(n not in allowed for n in numbers):
                places = f"{found[0]} to {found[1]}" if found[0] < found[1] else str(found[0])
                raise Unsupported(f"'{op}' by {places} places")
            result = make(a, numbers[-1])
            for number in reversed(numbers[:-1]):
                result = t.ite(t.equal(b, t.integer(number)), make(a, number), result)
            return result

        return apply

    def modulo(self, a: FNode, divisor: int) -> FNode:
        """The remainder by a positive constant, with its range."""
        result = self.terms.modulo(a, divisor)
        self.ranges[result] = (0, divisor - 1)
        return result

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

    def comparison(self, predicate: str, width: int) -> TermOp:
        t = self.terms
        if predicate == "ne":
            equal = self.comparison("eq", width)
            return lambda a, b: t.negate(equal(a, b))
        if predicate == "eq":
            return t.equal if width > 1 else lambda a, b: t.ite(a, b, t.negate(b))
        if predicate[1] == "g":  # a > b is b < a
            swapped = self.comparison(predicate[0] + "l" + predicate[2], width)
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

    def resize(self, op: str, a: FNode, source: int, target: int) -> FNode:
        t = self.terms
        if op == "bitcast":
            return a
        if op == "trunc":
            if target == 1:
                return t.equal(self.modulo(a, 2), t.one)
            return a if self._is_known_to_fit(a, target) else self.wrap(a, target)
        if source == 1:
            return t.ite(a, t.one if op == "zext" else t.integer(-1), t.zero)
        return a if op == "sext" else self.unsigned(a, source)
