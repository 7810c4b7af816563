"""Bit operations on integer terms: exact, by quotients and remainders of powers of two.

A term stands for a number in two's complement, so negative numbers have endless leading ones and
rounding down is what a shift does. Masks cost one quotient per run of ones; two unknowns cost one
case per bit, and are refused where there would be too many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pysmt.operators as op
from pysmt.fnode import FNode

from imc.errors import Unsupported
from imc.terms.terms import Terms

RangeOf = Callable[[FNode], tuple[int, int] | None]
Modulo = Callable[[FNode, int], FNode]
MOST_BITS = 16  # of two unknowns


class Bits:
    """Bitwise and, or and exclusive or of terms that fit the same width."""

    def __init__(self, terms: Terms, range_of: RangeOf, modulo: Modulo) -> None:
        self.terms = terms
        self.range_of = range_of
        self.modulo = modulo

    def conjunction(self, a: FNode, b: FNode) -> FNode:
        t = self.terms
        if a.is_int_constant():
            a, b = b, a
        if b.is_int_constant():
            return self._masked(a, b.constant_value())
        for choice, other in ((a, b), (b, a)):
            if choice.node_type() == op.ITE:
                arms = (self.conjunction(arm, other) for arm in choice.args()[1:])
                return t.ite(choice.arg(0), *arms)
        return self._bit_by_bit(a, b)

    def disjunction(self, a: FNode, b: FNode) -> FNode:
        """a + b counts the common ones twice."""
        t = self.terms
        return t.subtract(t.add(a, b), self.conjunction(a, b))

    def exclusive(self, a: FNode, b: FNode) -> FNode:
        t = self.terms
        return t.combine(t.add(a, b), self.conjunction(a, b), -2)

    def _masked(self, a: FNode, mask: int) -> FNode:
        t = self.terms
        if a.is_int_constant():
            return t.integer(a.constant_value() & mask)
        result = t.zero
        for low, high in _runs(mask):
            above = t.floor_divide(a, 1 << low)
            ones = above if high is None else self.modulo(above, 1 << (high - low))
            result = t.combine(result, ones, 1 << low)
        return result

    def _bit_by_bit(self, a: FNode, b: FNode) -> FNode:
        t = self.terms
        known = [r for r in (self.range_of(a), self.range_of(b)) if r is not None]
        sizes = [high.bit_length() for low, high in known if low >= 0]
        wide = [max(high.bit_length(), (~low).bit_length()) for low, high in known]
        if not sizes and len(known) < 2:
            raise Unsupported("a bit operation on two values that are not known")
        count = min(sizes) if sizes else max(wide)
        if count > MOST_BITS:
            raise Unsupported(f"a bit operation on two values that are not known, of {count} bits")
        result = t.zero
        for n in range(count):
            both = t.conjunction([self._bit(a, n), self._bit(b, n)])
            result = t.combine(result, t.ite(both, t.integer(1 << n), t.zero))
        if not sizes:
            negative = t.conjunction([t.less(a, t.zero), t.less(b, t.zero)])
            result = t.combine(result, t.ite(negative, t.integer(-(1 << count)), t.zero))
        return result

    def _bit(self, a: FNode, number: int) -> FNode:
        t = self.terms
        return t.equal(self.modulo(t.floor_divide(a, 1 << number), 2), t.one)


def _runs(mask: int) -> Iterator[tuple[int, int | None]]:
    """The runs of ones of a number, as positions of their first bit and the one behind the last.

    A negative number's last run has no end.
    """
    at = 0
    while mask:
        while not mask & 1:
            mask, at = mask >> 1, at + 1
        if mask == -1:
            yield at, None
            return
        low = at
        while mask & 1:
            mask, at = mask >> 1, at + 1
        yield low, at
