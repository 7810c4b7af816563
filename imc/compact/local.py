"""Local instructions that are rare: each answers the value of register d; jumps, a pc."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from imc.compact import opcodes as op
from imc.compact.form import BASE, SHIFT, NotCompact
from imc.compact.memory import LOW
from imc.compact.numbers import overflows
from imc.compact.visible import exchange, free_object, update
from imc.program.faults import Blocked, FaultRaised, Property, StuckForever

if TYPE_CHECKING:
    from imc.compact.machine import CompactMachine

Local = Callable[["CompactMachine", list[int], int, int, int, int], int]
UNDEF = op.UNDEF
NAMES_OF_CHECKED = {op.ADD: "add", op.SUB: "sub", op.MUL: "mul", op.SHL: "shl"}


def switch(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    tables = m.form.tables
    count, value = tables[b], r[a]
    if value < 0 and count:
        m.decide(value)
    for at in range(b + 1, b + 1 + 2 * count, 2):
        if tables[at] == value:
            return tables[at + 1]
    return tables[b + 1 + 2 * count]


def dispatch(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    """Where a call through a pointer leads; the model tells what is wrong with others."""
    tables, pointer = m.form.tables, r[a]
    if pointer & LOW == BASE:
        for at in range(b + 1, b + 1 + 2 * tables[b], 2):
            if tables[at] == pointer >> SHIFT:
                return tables[at + 1]
    raise NotCompact("a call of something else than was expected", m.place(m.thread, m.at))


def forget(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    return UNDEF


def freeze(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    if r[a] < 0:
        m.image.bounds.add("undefined values are frozen as zero")
        return 0
    return r[a]


def check_overflow(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    opcode, bits = c >> 10, c & 127
    if overflows(opcode, r[a], r[b], bits, bool(c & 128), bool(c & 256)):
        name = NAMES_OF_CHECKED[opcode]
        m.raise_fault(Property.OVERFLOW, f"arithmetic overflow in '{name}'")
    return 0


def allocate(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    return _new(m, "stack", a, UNDEF)


def _new(m: CompactMachine, kind: str, size: int, fill: int) -> int:
    """A new object; its identity is the thread's own affair, whatever the others do."""
    thread = m.thread
    m.log += (m.ALLOCATED, thread, m.allocated[thread])
    m.allocated[thread] += 1
    site = m.form.where[m.form.sites[m.at]]
    name, type = site.name, None
    if kind == "heap":
        name = "heap object" + (f" (line {site.loc.line})" if site.loc else "")
    else:
        type = m.image.program.functions[site.function].code[site.pc].type  # type: ignore[attr-defined]
    identity = (kind, thread, m.allocated[thread], (site.function, site.pc))
    return m.allocate(identity, size, fill, name, site.loc, type)


def begin(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    number, changed = r[a] >> SHIFT, len(m.log)
    m.begin_scope(number, b)
    if len(m.log) > changed:
        m.unseen_writes.add(number)
    return 0


def end(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    m.release(r[a] >> SHIFT)
    return 0


def assume(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    if not m.decide(r[a]):
        if m.atomic:
            raise Blocked("assumption")
        raise StuckForever("failed assumption")
    return 0


def assertion(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    if not m.decide(r[a]):
        m.raise_fault(Property.ASSERTION, "assertion violated")
    return 0


def fail(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    m.raise_fault(Property(m.form.texts[b]), m.form.texts[a])


def stuck(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    raise StuckForever(m.form.texts[a])


def atomic_end(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    if m.atomic == 0:
        m.raise_fault(Property.LOCK, "an atomic section ends that was not begun")
    m.atomic -= 1
    return 0


def thread_self(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    return m.thread + 1


def heap(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    size = r[a] if b < 0 else r[a] * r[b]
    if r[a] < 0 or (b >= 0 and r[b] < 0):
        raise FaultRaised(Property.UNINITIALISED, "the size of an allocation is not initialised")
    if size > m.image.layout.largest:
        return 0
    return _new(m, "heap", size, 0 if c else UNDEF)


def free(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    seen = len(m.accesses)
    free_object(m, r[a])
    _hide(m, seen)
    return UNDEF


def private_update(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    seen = len(m.accesses)
    old = update(m, r[a], r[b], c)
    _hide(m, seen)
    return old


def _hide(m: CompactMachine, seen: int) -> None:
    """What an instruction touches that is no event is not among the event's accesses."""
    m.unseen_writes.update(access[1] for access in m.accesses[seen:])
    del m.accesses[seen:]


def private_exchange(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    seen = len(m.accesses)
    old, same = exchange(m, r, a, b, c)
    _hide(m, seen)
    m.put(r, d + 1, same)
    return old


def fill(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    """memset"""
    if _size(r[c]):
        if r[b] < 0:
            raise NotCompact("memset with an undefined value", m.place(m.thread, m.at))
        m.set_bytes(r[a], r[c], r[b] & 0xFF)
        m.unseen_writes.add(r[a] >> SHIFT)
    return r[a]


def copy(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    """memcpy and memmove."""
    if _size(r[c]):
        m.copy(r[a], r[b], r[c])
        m.unseen_reads.add(r[b] >> SHIFT)
        m.unseen_writes.add(r[a] >> SHIFT)
    return r[a]


def _size(size: int) -> int:
    if size < 0:
        raise FaultRaised(Property.UNINITIALISED, "the size of a copy is not initialised")
    return size


RARE: dict[int, Local] = {
    op.SWITCH: switch,
    op.FORGET: forget,
    op.FREEZE: freeze,
    op.OVERFLOWS: check_overflow,
    op.ALLOCATE: allocate,
    op.BEGIN: begin,
    op.ASSUME: assume,
    op.ASSERT: assertion,
    op.FAIL: fail,
    op.STUCK: stuck,
    op.ATOMIC_END: atomic_end,
    op.SELF: thread_self,
    op.HEAP: heap,
    op.FREE: free,
    op.UPDATE: private_update,
    op.EXCHANGE: private_exchange,
    op.FILL: fill,
    op.COPY: copy,
    op.END: end,
    op.DISPATCH: dispatch,
}
