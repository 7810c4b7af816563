"""Condition variables: a set of waiters, one bit per thread. Whom a signal wakes is open."""

from __future__ import annotations

from imc.program.faults import Blocked, Property
from imc.program.instructions import Library
from imc.program.library import mutexes
from imc.program.library.locking import ETIMEDOUT, field, holder, me, name_of, status, touch
from imc.program.library.registry import Visibility, library
from imc.program.machine import NEXT_PHASE, Machine
from imc.program.values import Value

WAITERS, BYTES = 0, 16
ALWAYS = Visibility.ALWAYS


def _waiters(m: Machine, condition: Value) -> int:
    waiters = field(m, condition, WAITERS, BYTES, "condition variable")
    assert isinstance(waiters, int)
    return waiters


@library("cond_init", visible=ALWAYS, writes=(0,))
def cond_init(m: Machine, i: Library, args: list[Value]) -> Value:
    m.store_int(args[0], WAITERS, BYTES, 0)
    touch(m, args[0])
    return 0


@library("cond_wait", visible=ALWAYS, writes=(0, 1), waits=True)
def cond_wait(m: Machine, i: Library, args: list[Value]) -> Value:
    return _wait(m, i, args, timed=False)


@library("cond_timedwait", visible=ALWAYS, writes=(0, 1), waits=True)
def cond_timedwait(m: Machine, i: Library, args: list[Value]) -> Value:
    return _wait(m, i, args, timed=True)


def _wait(m: Machine, i: Library, args: list[Value], timed: bool) -> Value:
    """First event: give the mutex up and wait. Second one: woken, and the mutex is free again."""
    condition, mutex = args[:2]
    frame = m.frames[-1]
    bit = 1 << m.thread.id
    waiters = _waiters(m, condition)
    if frame.phase == 0:
        if not m.equal(mutexes.owner(m, mutex), me(m)):
            m.fault(Property.LOCK, f"wait without holding mutex '{name_of(m, mutex)}'")
        if not m.equal(mutexes.depth(m, mutex), 0):
            m.fault(Property.LOCK, f"wait with mutex '{name_of(m, mutex)}' locked more than once")
        mutexes.release(m, mutex)
        m.store_int(condition, WAITERS, BYTES, waiters | bit)
        touch(m, condition)
        touch(m, mutex)
        frame.phase = 1
        return NEXT_PHASE
    if waiters & bit and not (timed or m.settings.spurious_wakeups):
        touch(m, mutex)
        raise Blocked("signal on condition variable", condition)
    held = mutexes.owner(m, mutex)
    if not m.equal(held, 0):
        touch(m, condition)
        raise Blocked("mutex", mutex, holder(held))
    mutexes.acquire(m, mutex)
    touch(m, condition)
    touch(m, mutex)
    if waiters & bit:
        m.store_int(condition, WAITERS, BYTES, waiters & ~bit)
        m.note = "times out" if timed else "wakes up without a signal"
        return status(i, ETIMEDOUT) if timed else 0
    return 0


@library("cond_signal", visible=ALWAYS, writes=(0,))
def cond_signal(m: Machine, i: Library, args: list[Value]) -> Value:
    waiters = _waiters(m, args[0])
    m.wakes = True
    touch(m, args[0])
    waiting = [t for t in range(waiters.bit_length()) if waiters >> t & 1]
    if waiting:
        woken = waiting[m.choose(len(waiting))]
        m.store_int(args[0], WAITERS, BYTES, waiters & ~(1 << woken))
        m.note = f"wakes {m.image.threads.names[woken]}"
    else:
        m.note = "nobody waits"
    return 0


@library("cond_broadcast", visible=ALWAYS, writes=(0,))
def cond_broadcast(m: Machine, i: Library, args: list[Value]) -> Value:
    waiters = _waiters(m, args[0])
    m.wakes = True
    touch(m, args[0])
    m.store_int(args[0], WAITERS, BYTES, 0)
    m.note = f"wakes {waiters.bit_count()}" if waiters else "nobody waits"
    return 0
