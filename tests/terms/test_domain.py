"""Arithmetic on terms agrees with arithmetic on numbers, once the terms are given numbers."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysmt.fnode import FNode

from imc.errors import Unsupported
from imc.program.concrete import ConcreteDomain
from imc.program.concrete.given import input_name
from imc.program.types import IntType
from imc.program.values import UNDEF, Value, to_signed
from imc.terms.integers import IntegerDomain
from imc.terms.terms import Terms

OPERATIONS = ("add", "sub", "mul", "sdiv", "srem", "udiv", "urem", "and", "or", "xor")
BITS = ("and", "or", "xor")
SHIFTS = ("shl", "lshr", "ashr")
PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
WIDTHS = (1, 8, 32)


class Given:
    """A domain whose symbols a and b have values, to be put in after the computation."""

    def __init__(self, width: int, a: int, b: int) -> None:
        self.domain = IntegerDomain(Terms())
        self.numbers: dict[FNode, FNode] = {}
        self.a = self._value("a", width, a)
        self.b = self._value("b", width, b)

    def _value(self, name: str, width: int, number: int) -> Value:
        value = self.domain.input(name, IntType(width))
        terms = self.domain.terms
        signed = number if width == 1 else to_signed(number, width)
        symbol = terms.symbol(input_name(name, IntType(width)))
        self.numbers[symbol] = terms.integer(signed)
        return value

    def result(self, value: Value, width: int) -> Value:
        """What a value is for the given numbers."""
        if not isinstance(value, FNode):
            return value
        term = self.domain.terms.substitute(value, self.numbers)
        return self.domain.value(term, width)


@st.composite
def operands(draw: st.DrawFn) -> tuple[int, int, int]:
    width = draw(st.sampled_from(WIDTHS))
    edge = [0, 1, 2, (1 << width) - 1, 1 << (width - 1), (1 << (width - 1)) - 1]
    number = st.one_of(
        st.integers(0, (1 << width) - 1), st.sampled_from([e % (1 << width) for e in edge])
    )
    return width, draw(number), draw(number)


@settings(max_examples=400, deadline=None)
@given(operands(), st.sampled_from(OPERATIONS), st.sampled_from(["both", "left", "right"]))
def test_arithmetic_wraps_as_the_machine_does(
    numbers: tuple[int, int, int], op: str, known: str
) -> None:
    width, a, b = numbers
    if op in ("sdiv", "srem", "udiv", "urem") and (b == 0 or width == 1):
        return
    here = Given(width, a, b)
    left = a if known == "left" else here.a
    right = b if known == "right" else here.b
    expected = ConcreteDomain().binary(op, IntType(width))(a, b)
    try:
        value = here.domain.binary(op, IntType(width))(left, right)
    except Unsupported:
        assert known != "right" or op not in BITS
        return
    if op == "sdiv" and a == 1 << (width - 1) and b == (1 << width) - 1:
        return  # does not fit: the semantics has refused it before
    assert here.result(value, width) == expected


@settings(max_examples=200, deadline=None)
@given(operands(), st.sampled_from(SHIFTS), st.integers(0, 31))
def test_shifts(numbers: tuple[int, int, int], op: str, places: int) -> None:
    width, a, _ = numbers
    if width == 1 or places >= width:
        return
    here = Given(width, a, 0)
    expected = ConcreteDomain().binary(op, IntType(width))(a, places)
    value = here.domain.binary(op, IntType(width))(here.a, places)
    assert here.result(value, width) == expected


@settings(max_examples=200, deadline=None)
@given(operands(), st.sampled_from(["add", "sub", "mul"]))
def test_promised_arithmetic_is_exact_where_the_promise_holds(
    numbers: tuple[int, int, int], op: str
) -> None:
    width, a, b = numbers
    flags = frozenset(["nsw"])
    if width == 1 or ConcreteDomain().overflows(op, IntType(width), flags)(a, b):
        return
    here = Given(width, a, b)
    value = here.domain.binary(op, IntType(width), flags)(here.a, here.b)
    assert here.result(value, width) == ConcreteDomain().binary(op, IntType(width))(a, b)


@settings(max_examples=200, deadline=None)
@given(operands(), st.sampled_from(["add", "sub", "mul"]), st.sampled_from(["nsw", "nuw"]))
def test_overflow_is_noticed(numbers: tuple[int, int, int], op: str, flag: str) -> None:
    width, a, b = numbers
    if width == 1:
        return
    here = Given(width, a, b)
    flags = frozenset([flag])
    expected = ConcreteDomain().overflows(op, IntType(width), flags)(a, b)
    value = here.domain.overflows(op, IntType(width), flags)(here.a, here.b)
    assert here.result(value, 1) == expected


@settings(max_examples=400, deadline=None)
@given(operands(), st.sampled_from(PREDICATES), st.booleans())
def test_comparisons(numbers: tuple[int, int, int], predicate: str, known: bool) -> None:
    width, a, b = numbers
    here = Given(width, a, b)
    expected = ConcreteDomain().compare(predicate, IntType(width))(a, b)
    value = here.domain.compare(predicate, IntType(width))(here.a, b if known else here.b)
    assert here.result(value, 1) == expected


@settings(max_examples=300, deadline=None)
@given(operands(), st.sampled_from(["trunc", "zext", "sext"]), st.sampled_from([1, 8, 16, 32, 64]))
def test_casts(numbers: tuple[int, int, int], op: str, target: int) -> None:
    width, a, _ = numbers
    if (op == "trunc") != (target < width) or target == width:
        return
    here = Given(width, a, 0)
    expected = ConcreteDomain().cast(op, IntType(width), IntType(target))(a)
    value = here.domain.cast(op, IntType(width), IntType(target))(here.a)
    assert here.result(value, target) == expected


@settings(max_examples=200, deadline=None)
@given(operands(), operands())
def test_there_and_back(first: tuple[int, int, int], second: tuple[int, int, int]) -> None:
    """A sum in a wider type, cut down again: what C does to chars and shorts."""
    width, a, b = first
    if width == 1:
        return
    here = Given(width, a, b)
    concrete, symbolic = ConcreteDomain(), here.domain
    narrow, wide = IntType(width), IntType(64)

    def through(domain: ConcreteDomain, x: Value, y: Value) -> Value:
        extend, cut = domain.cast("zext", narrow, wide), domain.cast("trunc", wide, narrow)
        return cut(domain.binary("add", wide)(extend(x), extend(y)))

    assert here.result(through(symbolic, here.a, here.b), width) == through(concrete, a, b)


def test_what_is_undefined_stays_so() -> None:
    here = Given(32, 1, 2)
    assert here.domain.binary("add", IntType(32))(here.a, UNDEF) is UNDEF
    assert here.domain.compare("slt", IntType(32))(UNDEF, here.a) is UNDEF


@settings(max_examples=200, deadline=None)
@given(operands(), st.sampled_from([*SHIFTS, "sdiv", "srem", "udiv", "urem"]), st.integers(1, 31))
def test_by_a_few_numbers(numbers: tuple[int, int, int], op: str, mask: int) -> None:
    """The second operand is not known, but the program has cut it down before."""
    width, a, b = numbers
    if width == 1 or (op in SHIFTS and mask >= width):
        return
    here, concrete, kind = Given(width, a, b), ConcreteDomain(), IntType(width)
    second = concrete.binary("and", kind)(b, mask)
    if second == 0 and op not in SHIFTS:
        return
    expected = concrete.binary(op, kind)(a, second)
    cut = here.domain.binary("and", kind)(here.b, mask)
    try:
        value = here.domain.binary(op, kind)(here.a, cut)
    except Unsupported:
        assert mask & (mask + 1), "masks of low bits have a range"
        return
    assert here.result(value, width) == expected


def test_bits_of_two_large_unknowns_are_refused() -> None:
    here = Given(32, 1, 2)
    with pytest.raises(Unsupported, match="two values that are not known, of 31 bits"):
        here.domain.binary("xor", IntType(32))(here.a, here.b)
