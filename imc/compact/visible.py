"""Operations that other threads can see: accesses, threads, the end of the program, inputs.

Each answers the pc that follows, or that its thread ends, comes again, or ends the program.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from imc.compact import opcodes as op
from imc.compact.form import BASE, LINK, ROOT, SHIFT, NotCompact
from imc.compact.memory import GONE, LOW
from imc.compact.numbers import updated
from imc.program.events import Mode
from imc.program.faults import Blocked, Property
from imc.program.library.heap import OWN
from imc.program.library.locking import EDEADLK, ESRCH
from imc.program.library.verifier import listed
from imc.program.workspace import HIDDEN_BYTES

if TYPE_CHECKING:
    from imc.compact.machine import CompactMachine

Visible = Callable[["CompactMachine", list[int], int, int, int, int], int]
UNDEF = op.UNDEF
EXITS, ENDS, AGAIN = -1, -2, -3
ABSENT, RUNNING, DONE, STUCK = -1, 0, 1, 2  # what a thread is
READ, WRITE = int(Mode.READ), int(Mode.WRITE)
STARTS, INPUT_OF, JOINS, TOLD = 1, 2, 3, 13  # kinds of notes
ABORTED = 134
BY_MODEL = 3  # how an input is read


def visible_load(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    pointer = r[a]
    value = m.read(pointer, c)
    m.put(r, d, value)
    m.touch(READ, pointer, c, b, value)
    return m.at + 1


def visible_store(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    pointer, value = r[a], r[b]
    m.write(pointer, c, value)
    m.touch(WRITE, pointer, c, d, value)
    return m.at + 1


def update(m: CompactMachine, pointer: int, value: int, table: int) -> int:
    """An atomic update; the old value."""
    kind, size, bits, commutes = m.form.tables[table : table + 4]
    old = m.read(pointer, size)
    new = updated(m, kind, old, value, bits)
    m.write(pointer, size, new)
    m.touch(int(Mode.ADD) if commutes else WRITE, pointer, size, 1, new)
    return old


def visible_update(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    m.put(r, d, update(m, r[a], r[b], c))
    return m.at + 1


def exchange(m: CompactMachine, r: list[int], a: int, b: int, table: int) -> tuple[int, int]:
    """Compare and exchange: the old value, and whether it was the expected one."""
    register, size = m.form.tables[table : table + 2]
    pointer, expected, new = r[a], r[b], r[register]
    old = m.read(pointer, size)
    same = m.decide(UNDEF if old < 0 or expected < 0 else int(old == expected))
    if same:
        m.write(pointer, size, new)
    m.touch(WRITE if same else READ, pointer, size, 1, new if same else old)
    return old, int(same)


def visible_exchange(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    old, same = exchange(m, r, a, b, c)
    m.put(r, d, old)
    m.put(r, d + 1, same)
    return m.at + 1


def free_object(m: CompactMachine, pointer: int) -> None:
    if pointer == 0:
        return
    number, offset = pointer >> SHIFT, (pointer & LOW) - BASE
    if not 0 < number < len(m.image.objects.infos):
        m.raise_fault(Property.MEMORY, "free of an invalid pointer")
    info = m.image.objects[number]
    if info.kind != "heap":
        m.raise_fault(Property.MEMORY, f"free of '{info.name}', which is not on the heap")
    if m.limits_of(number) < 0:
        m.raise_fault(Property.MEMORY, f"double free of {info.name}")
    if offset:
        m.raise_fault(Property.MEMORY, f"free of a pointer into the middle of {info.name}")
    if m.image.objects.identities[number][-1][-1] == OWN:  # type: ignore[index]
        m.raise_fault(Property.MEMORY, f"free of '{info.name}', which was not allocated")
    m.touch(WRITE, pointer, max(m.limits[number], 1), 0)
    m.release(number)


def visible_free(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    free_object(m, r[a])
    m.put(r, d, UNDEF)
    return m.at + 1


def _end_locals(m: CompactMachine, r: list[int], function: int) -> None:
    """A function's locals end where others may still reach them."""
    for number in m.locals_of(r, function):
        if m.limits[number] != GONE:
            m.touch(WRITE, (number << SHIFT) + BASE, max(m.limits[number], 1), 0)


def visible_return(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    _end_locals(m, r, c)
    return m.leave(r, r[b], a, c, d)


# --------------------------------------------------------------------- threads


def spawn(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    result, attributes = m.form.tables[d : d + 2]
    if r[attributes]:
        raise NotCompact("threads with attributes", m.place(m.thread, m.at))
    routine = r[b]
    function = m.functions.get(routine >> SHIFT) if routine & LOW == BASE else None
    if function is None:
        if m.image.functions.get(routine >> SHIFT) and routine & LOW == BASE:
            raise NotCompact("a thread starts in an unknown function")
        m.raise_fault(Property.MEMORY, "the start routine of a thread is not a function")
    parent = m.thread
    m.log += (m.SPAWNS, parent, m.spawns[parent])
    m.spawns[parent] += 1
    if sum(status != ABSENT for status in m.status) >= m.settings.thread_limit:
        raise NotCompact("too many threads")
    child = m.image.threads.child(parent, m.spawns[parent])
    m.new_thread(child)
    _, first, parameter, link, _ = m.form.function(function)
    m.pcs[child] = first
    m.regs[child][link] = ROOT
    if parameter >= 0:
        m.regs[child][parameter] = r[c]
    m.started.append(child)
    m.spawned += (child,)
    m.note = (STARTS, child)
    m.write(r[a], 8, child + 1)
    m.touch(WRITE, r[a], 8, 0, child + 1)
    m.put(r, result, 0)
    return m.at + 1


def join(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    thread = r[a] - 1
    status = 0
    if not 0 <= thread < len(m.status) or m.status[thread] == ABSENT:
        status = ESRCH
    elif thread == m.thread:
        status = EDEADLK
    else:
        touch_thread(m, thread)
        if m.detached[thread] or m.is_joined[thread]:
            name = m.image.threads.names[thread]
            again = "although it is detached" if m.detached[thread] else "a second time"
            m.raise_fault(Property.LOCK, f"{name} is joined {again}")
        elif m.status[thread] != DONE:
            raise Blocked("end of thread", None, thread)
        else:
            m.joined += (thread,)
            m.log += (m.JOINED, thread, 0)
            m.is_joined[thread] = 1
            if r[b] != 0:
                m.write(r[b], c, m.results[thread])
                m.touch(WRITE, r[b], c, 0, m.results[thread])
            m.note = (JOINS, thread)
    m.put(r, d, status)
    return m.at + 1


def touch_thread(m: CompactMachine, thread: int) -> None:
    """Joins and detaches of one thread do not commute."""
    m.touch(WRITE, m.hidden(("thread", thread), m.image.threads.names[thread]), 1, 1)


def detach(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    thread = r[a] - 1
    if not 0 <= thread < len(m.status) or m.status[thread] == ABSENT:
        m.put(r, d, ESRCH)
        return m.at + 1
    m.log += (m.DETACHED, thread, m.detached[thread])
    m.detached[thread] = 1
    touch_thread(m, thread)
    m.put(r, d, 0)
    return m.at + 1


def thread_exit(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    active = [c]
    while (back := r[m.form.function(active[-1])[LINK]]) != ROOT:
        active.append(m.function_at(back - 1))
    for function in reversed(active):
        _end_locals(m, r, function)
        for number in m.locals_of(r, function):
            m.release(number)
    m.log += (m.RESULTS, m.thread, m.results[m.thread])
    m.results[m.thread] = r[a]
    return ENDS


def exit_program(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    if b:  # nobody has given it a handler, but that is looked up
        m.touch(WRITE, m.hidden("atexit", "atexit handlers"), HIDDEN_BYTES, 1)
    return m.exit_with(r[a] & 0xFF if r[a] >= 0 else 0)


def abort(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    if Property.ABORT in m.settings.properties:
        m.raise_fault(Property.ABORT, m.form.texts[a])
    return m.exit_with(ABORTED)


def atomic_begin(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    m.atomic += 1
    return m.at + 1


def read_input(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    """One of the values that the settings name; a: null, an integer, a truth value, the model's."""
    if a == BY_MODEL:
        return HANDLERS[op.VISIBLE_PERFORM](m, r, d, c, 1, 0)
    name = m.form.where[m.form.sites[m.at]].name
    value = 0
    if a == 2:
        value = m.choose(2)
        m.note = (INPUT_OF, value)
    elif a == 1:
        values, mask = m.settings.inputs, (1 << b) - 1
        if len({v & mask for v in values}) < 1 << b:
            m.image.bounds.add(f"inputs of {name} taken from {listed(values)}")
        value = values[m.choose(len(values))]
        m.note = (INPUT_OF, value)
        value &= mask
    else:
        m.image.bounds.add(f"pointers from {name} are null")
    m.put(r, d, value)
    return m.at + 1


# Operations that may have to wait, and those in which the environment may have a choice.
WAITING = frozenset(
    [
        op.JOIN,
        op.ATOMIC_BEGIN,
        op.MUTEX_LOCK,
        op.SPIN_LOCK,
        op.COND_WAIT,
        op.SEM_WAIT,
        op.BARRIER_WAIT,
        op.VISIBLE_PERFORM,
    ]
)
CHOOSING = frozenset([op.INPUT, op.COND_SIGNAL])

HANDLERS: dict[int, Visible] = {
    op.VISIBLE_LOAD: visible_load,
    op.VISIBLE_STORE: visible_store,
    op.VISIBLE_UPDATE: visible_update,
    op.VISIBLE_EXCHANGE: visible_exchange,
    op.VISIBLE_RETURN: visible_return,
    op.VISIBLE_FREE: visible_free,
    op.INPUT: read_input,
    op.SPAWN: spawn,
    op.JOIN: join,
    op.THREAD_EXIT: thread_exit,
    op.EXIT: exit_program,
    op.ABORT: abort,
    op.ATOMIC_BEGIN: atomic_begin,
    op.DETACH: detach,
}
