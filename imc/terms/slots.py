"""Memory that holds addresses and is indexed by what is not known: what was written, and where.

A queue of pointers is of this kind. An address is never a term, since a step must know which object
it leads to. So the last values that were written are kept by themselves, with their offsets as
terms, no two of them at the same place. Reading asks which of them it is. An address whose object
is no more is forgotten, so that such memory looks the same after each round of a loop; nobody can
read at its place then.
"""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING, NamedTuple

from pysmt.fnode import FNode

from imc.errors import Unsupported
from imc.program.domain import Domain
from imc.program.memory import MemoryObject
from imc.program.types import FloatType, Type
from imc.program.values import Value
from imc.terms.arrays import WHOLE, Elements, Summary, integer_domain

if TYPE_CHECKING:
    from imc.terms.integers import IntegerDomain

FIRST = -128  # the first cell of the first slot, where no access comes; the others lie before it
CELLS = 3  # of a slot
MOST_SLOTS = 32


class Written(NamedTuple):
    """A value of `size` bytes at byte `scale` * `index`, which tells what divides the offset."""

    index: Value
    scale: int
    size: int
    value: Value


class Slots(Elements):
    """Slots, and what lies everywhere else: zeros, undefined bytes, or None if nobody knows."""

    __slots__ = ()

    def __init__(self, like: MemoryObject, number: int, element: int = 0) -> None:
        super().__init__(like, number, element)
        self.rest = like.fill

    @property
    def rest(self) -> Value:
        return self.cells[WHOLE][1]

    @rest.setter
    def rest(self, value: Value) -> None:
        self.cells[WHOLE] = (1, value)

    @property
    def slots(self) -> list[Written]:
        found = []
        at = FIRST
        while at in self.cells:
            (_, index), (size, value), (_, scale) = (self.cells[at - k] for k in range(CELLS))
            found.append(Written(index, scale, size, value))
            at -= CELLS
        return found

    @slots.setter
    def slots(self, slots: list[Written]) -> None:
        self.cells = {WHOLE: self.cells[WHOLE]}
        for n, (index, scale, size, value) in enumerate(slots):
            # The size stands beside the scale too: keys leave out values that are zero.
            for k, cell in enumerate(((8, index), (size, value), (size, scale))):
                self.cells[FIRST - CELLS * n - k] = cell

    def read(self, offset: Value, size: int, type: Type, domain: Domain) -> Value:
        if isinstance(type, FloatType):
            raise Unsupported("a floating-point number beside addresses, at an unknown index")
        found, _ = self._look_up(offset, size, domain)
        if found is not None:
            return found.value
        if self.rest is None:
            raise Unsupported("what lies at an unknown index among addresses is not known any more")
        return self.rest

    def write(self, offset: Value, size: int, value: Value, domain: Domain) -> None:
        if not (value.__class__ in (int, tuple) or isinstance(value, FNode)):
            raise Unsupported("something but a number or an address is stored beside addresses")
        _, others = self._look_up(offset, size, domain)
        if value.__class__ is not int or value != self.rest:
            others.append(_slot(integer_domain(domain), offset, size, value))
        if len(others) > MOST_SLOTS:
            raise Unsupported(f"more than {MOST_SLOTS} values at unknown indices among addresses")
        self.slots = others

    def leads_to(self, objects: Set[int]) -> bool:
        return any(s.value.__class__ is tuple and s.value[0] in objects for s in self.slots)

    def without(self, objects: Set[int]) -> Slots:
        """The same without addresses of some objects; nobody knows any more what lies there."""
        new = self.copy()
        assert isinstance(new, Slots)
        new.rest = None
        new.slots = [
            s for s in self.slots if s.value.__class__ is not tuple or s.value[0] not in objects
        ]
        return new

    def _look_up(
        self, offset: Value, size: int, domain: Domain
    ) -> tuple[Written | None, list[Written]]:
        """The slot at an offset, and all the others; the step asks which it is."""
        d = integer_domain(domain)
        wanted = _slot(d, offset, size, 0)
        slots = self.slots
        for n, slot in enumerate(slots):
            if _decide(d, _same_place(d, slot, wanted)):
                if slot.size != size:
                    raise Unsupported("elements of different sizes at an unknown index")
                return slot, slots[:n] + slots[n + 1 :]
            if not _is_aligned(slot, wanted) and not _decide(d, _apart(d, slot, wanted)):
                raise Unsupported("an access between two elements, at an unknown index")
        return None, slots


def to_slots(number: int, contents: MemoryObject, domain: IntegerDomain) -> Slots | None:
    """An object as slots, if it has few cells; of a summary, what all elements are is kept."""
    made = Slots(contents, number)
    if isinstance(contents, Summary):
        made.rest = 0 if contents.range == (0, 0) else None
        return made
    if isinstance(contents, Elements) or len(contents.cells) > MOST_SLOTS:
        return None
    cells = sorted(contents.cells.items())
    if any(not (v.__class__ in (int, tuple) or isinstance(v, FNode)) for _, (_, v) in cells):
        return None
    made.slots = [_slot(domain, at, size, value) for at, (size, value) in cells]
    return made


def _slot(domain: IntegerDomain, offset: Value, size: int, value: Value) -> Written:
    if not domain.is_multiple(offset, size):
        return Written(offset, 1, size, value)
    index = domain.offset(domain.terms.divided(domain.offset_term(offset), size))
    return Written(index, size, size, value)


def _is_aligned(a: Written, b: Written) -> bool:
    """Whether they can only be at the same place or apart."""
    return a.scale == a.size == b.scale == b.size


def _same_place(domain: IntegerDomain, a: Written, b: Written) -> Value:
    t = domain.terms
    if a.scale == b.scale:
        left, right = domain.offset_term(a.index), domain.offset_term(b.index)
    else:
        left, right = _offset(domain, a), _offset(domain, b)
    return domain.value(t.equal(left, right), 1)


def _apart(domain: IntegerDomain, a: Written, b: Written) -> Value:
    t = domain.terms
    one, two = _offset(domain, a), _offset(domain, b)
    before = t.at_most(t.add(one, t.integer(a.size)), two)
    behind = t.at_most(t.add(two, t.integer(b.size)), one)
    return domain.value(t.disjunction([before, behind]), 1)


def _offset(domain: IntegerDomain, slot: Written) -> FNode:
    return domain.terms.scale(domain.offset_term(slot.index), slot.scale)


def _decide(domain: IntegerDomain, condition: Value) -> bool:
    if not isinstance(condition, FNode):
        return bool(condition)
    decide = domain.arithmetic.decide
    if decide is None:
        raise Unsupported("an unknown index outside of a step")
    return decide(condition)
