"""Memory that the world fills."""

from __future__ import annotations

import pytest
from pysmt.fnode import FNode

from imc.errors import Unsupported
from imc.program.memory import MemoryObject
from imc.program.types import PTR, IntType
from imc.program.values import UNDEF
from imc.terms.integers import IntegerDomain
from imc.terms.merging import either
from imc.terms.outside import Outside
from imc.terms.terms import Terms
from imc.verifier.solver import Z3Solver, entails

BYTE, WORD = IntType(8), IntType(32)
NUMBER = 7


@pytest.fixture
def domain() -> IntegerDomain:
    return IntegerDomain(Terms())


def filled(domain: IntegerDomain, start: int = 0, length: FNode | None = None) -> Outside:
    before = MemoryObject(64, UNDEF)
    before.write(0, 4, 1234, domain)
    made = domain.outside(NUMBER, before, start, None, length)
    assert isinstance(made, Outside)
    return made


def test_bytes_are_any_and_never_the_same(domain: IntegerDomain) -> None:
    contents = filled(domain)
    one, two = (contents.read(3, 1, BYTE, domain) for _ in range(2))
    assert isinstance(one, FNode)
    assert one is not two
    assert contents.read(8, 4, WORD, domain) not in (one, two)


def test_what_is_before_stays(domain: IntegerDomain) -> None:
    contents = filled(domain, start=4)
    assert contents.read(0, 4, WORD, domain) == 1234
    assert isinstance(contents.read(4, 4, WORD, domain), FNode)
    assert contents.copy().read(0, 4, WORD, domain) == 1234


def test_a_text_ends_where_it_ends(domain: IntegerDomain) -> None:
    """No byte before the end is zero, the one at the end is."""
    t = domain.terms
    length = domain.symbol("length", 64)
    contents = filled(domain, length=length)
    at = domain.symbol("at", 64)
    byte = contents.read(at, 1, BYTE, domain)
    assert isinstance(byte, FNode)
    solver = Z3Solver(t)
    zero = t.equal(byte, t.zero)
    assert entails(solver, t, [t.equal(at, length)], zero)
    assert entails(solver, t, [t.less(at, length)], t.negate(zero))
    assert not entails(solver, t, [t.less(length, at)], zero)


def test_who_writes_into_a_text_may_have_moved_its_end(domain: IntegerDomain) -> None:
    contents = filled(domain, length=domain.symbol("length", 64))
    assert contents.text_at(0) is not None
    assert contents.text_at(1) is None
    contents.write(3, 1, 0, domain)
    assert contents.text_at(0) is None


def test_no_addresses_come_from_outside(domain: IntegerDomain) -> None:
    with pytest.raises(Unsupported, match="address"):
        filled(domain).read(0, 8, PTR, domain)


def test_no_address_gets_lost_among_bytes_from_outside(domain: IntegerDomain) -> None:
    """Somebody who is given the bytes may follow it."""
    with pytest.raises(Unsupported, match="no number"):
        filled(domain).write(0, 8, (3, 0), domain)
    source = MemoryObject(8, 0)
    source.write(0, 8, (3, 0), domain)
    for wrong in (source, MemoryObject(8, UNDEF)):
        with pytest.raises(Unsupported, match="no number"):
            filled(domain).copy_range(8, wrong, 0, 8, domain)
    filled(domain).copy_range(8, MemoryObject(8, 0), 0, 8, domain)


def test_bytes_that_have_to_be_told_apart_are_not_any(domain: IntegerDomain) -> None:
    domain.exact.add(NUMBER)
    assert domain.outside(NUMBER, MemoryObject(64, 0), 0) is None


def test_either_of_two_conditions() -> None:
    t = Terms()
    a, b, c = (t.at_most(t.one, t.symbol(name)) for name in "abc")
    solver = Z3Solver(t)
    for left, right in (((a, b), (a, c)), ((a,), (a, c)), ((b,), (c,)), ((), (c,))):
        found = t.conjunction(either(t, left, right))
        meant = t.disjunction([t.conjunction(left), t.conjunction(right)])
        assert entails(solver, t, [found], meant)
        assert entails(solver, t, [meant], found)
