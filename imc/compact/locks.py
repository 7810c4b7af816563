"""Mutexes, spin locks, conditions, semaphores and barriers, as the model's library has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from imc.compact import opcodes as op
from imc.compact.form import BASE, SHIFT, NotCompact
from imc.compact.memory import LOW
from imc.compact.visible import ABSENT, AGAIN, HANDLERS, READ, WRITE
from imc.program.events import Mode
from imc.program.faults import Blocked, Property
from imc.program.library.barriers import NEEDED, SERIAL_THREAD
from imc.program.library.barriers import WAITERS as BARRIER_WAITERS
from imc.program.library.conditions import BYTES, WAITING, WOKEN
from imc.program.library.locking import EBUSY, EDEADLK, EINVAL, EPERM, EXTENTS, SIZES
from imc.program.library.mutexes import COUNT, ERRORCHECK, RECURSIVE
from imc.program.library.semaphores import LARGEST

if TYPE_CHECKING:
    from imc.compact.machine import CompactMachine

UNDEF = op.UNDEF
KIND = 16  # where a mutex keeps its kind
WAKES, WAKES_ALL, ARRIVES, ARRIVES_LAST, LEAVES, WAKES_NOBODY = 4, 5, 6, 7, 8, 9  # kinds of notes
UNSIGNALLED, GIVES_BACK, HAS_AGAIN = 10, 11, 12  # of a wait
TOUCHED = {what: sizes[8] for what, sizes in EXTENTS.items()}  # the form is for 64 bits
MUTEX, SPIN, CONDITION = TOUCHED["mutex"], TOUCHED["spin lock"], TOUCHED["condition variable"]
SEMAPHORE, BARRIER = TOUCHED["semaphore"], TOUCHED["barrier"]


def _load(m: CompactMachine, pointer: int, offset: int, size: int) -> int:
    return m.read(m.moved(pointer, offset), size)


def _store(m: CompactMachine, pointer: int, offset: int, size: int, value: int) -> None:
    m.write(m.moved(pointer, offset), size, value)


def _check(m: CompactMachine, pointer: int, what: str) -> None:
    """A pointer must lead to an object that is as large as C says."""
    m.demand(pointer, SIZES[what][8])


def _field(m: CompactMachine, pointer: int, offset: int, size: int, what: str) -> int:
    """A field of a synchronisation object, which must have been initialised."""
    _check(m, pointer, what)
    value = _load(m, pointer, offset, size)
    if value < 0:
        name = _name(m, pointer)
        m.raise_fault(Property.LOCK, f"{what} '{name}' is used while not initialised")
    return value


def _owner(m: CompactMachine, pointer: int, what: str) -> int:
    """Who holds a lock; 0: nobody."""
    owner = _field(m, pointer, 0, 4, what)
    if owner and not (owner <= len(m.status) and m.status[owner - 1] != ABSENT):
        _overwritten(m, pointer, what)
    return owner


def _overwritten(m: CompactMachine, pointer: int, what: str) -> NoReturn:
    name = _name(m, pointer)
    m.raise_fault(Property.LOCK, f"{what} '{name}' is used after it was overwritten")


def _name(m: CompactMachine, pointer: int) -> str:
    return m.image.objects[pointer >> SHIFT].cell((pointer & LOW) - BASE, outermost=True)


def _pair(pointer: int) -> tuple[int, int]:
    """A pointer as the model has it."""
    return pointer >> SHIFT, (pointer & LOW) - BASE


def _done(m: CompactMachine, r: list[int], d: int, value: int) -> int:
    m.put(r, d, value)
    return m.at + 1


def _changed(
    m: CompactMachine,
    r: list[int],
    d: int,
    a: int,
    size: int,
    value: int = 0,
    mode: int = WRITE,
) -> int:
    """The operation has touched its object, and is over."""
    m.touch(mode, r[a], size, 1)
    return _done(m, r, d, value)


def _holder(owner: int) -> int | None:
    return owner - 1 if owner else None


# --------------------------------------------------------------------- mutexes


def mutex_init(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    kind = r[c] & RECURSIVE if c >= 0 else 0
    if b >= 0 and r[b] >> SHIFT > 0:
        kind = _load(m, r[b], 0, 4)
        m.touch(READ, r[b], 4, 0)
    elif b >= 0 and r[b]:
        raise NotCompact("attributes at no address", m.place(m.thread, m.at))
    _check(m, r[a], "mutex")
    _store(m, r[a], 0, 4, 0)
    _store(m, r[a], COUNT, 4, 0)
    _store(m, r[a], KIND, 4, kind)
    return _changed(m, r, d, a, MUTEX)


def mutex_destroy(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    held = _owner(m, r[a], "mutex")
    if held:
        return _changed(m, r, d, a, MUTEX, EBUSY)
    _store(m, r[a], 0, 4, UNDEF)
    return _changed(m, r, d, a, MUTEX)


def _kind(m: CompactMachine, mutex: int) -> int:
    return _field(m, mutex, KIND, 4, "mutex") & 3


def _take(m: CompactMachine, mutex: int) -> None:
    _store(m, mutex, 0, 4, m.thread + 1)
    m.acquired += (mutex,)


def _enter(m: CompactMachine, r: list[int], d: int, a: int, trying: bool) -> int | None:
    """Takes the mutex; None when another thread, or for a normal one this thread, holds it."""
    mutex = r[a]
    held = _owner(m, mutex, "mutex")
    if held == 0:
        _take(m, mutex)
        return _changed(m, r, d, a, MUTEX)
    if held == m.thread + 1:
        kind = _kind(m, mutex)
        if kind == RECURSIVE:
            depth = m.known_number(_load(m, mutex, COUNT, 4))
            _store(m, mutex, COUNT, 4, depth + 1)
            return _changed(m, r, d, a, MUTEX)
        if kind == ERRORCHECK and not trying:
            return _changed(m, r, d, a, MUTEX, EDEADLK, READ)
    return None


def mutex_lock(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    after = _enter(m, r, d, a, False)
    if after is None:
        raise Blocked("mutex", _pair(r[a]), _holder(_load(m, r[a], 0, 4)))
    return after


def mutex_trylock(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    m.tries = True
    after = _enter(m, r, d, a, True)
    return _changed(m, r, d, a, MUTEX, c, READ) if after is None else after


def mutex_unlock(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    mutex = r[a]
    held = _owner(m, mutex, "mutex")
    if held != m.thread + 1:
        if _kind(m, mutex) in (ERRORCHECK, RECURSIVE):
            return _changed(m, r, d, a, MUTEX, EPERM, READ)
        by = "nobody" if held == 0 else m.image.threads.names[held - 1]
        m.raise_fault(Property.LOCK, f"unlock of mutex '{_name(m, mutex)}', which {by} holds")
    depth = m.known_number(_load(m, mutex, COUNT, 4))
    if depth == 0:
        _store(m, mutex, 0, 4, 0)
    else:
        _store(m, mutex, COUNT, 4, depth - 1)
    return _changed(m, r, d, a, MUTEX)


def destroy(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    """What is destroyed may not be used until it is initialised again. c: how large it is."""
    size = BYTES if b == CONDITION else 4  # the set of who waits is one scalar
    m.demand(r[a], c)
    _store(m, r[a], 0, size, UNDEF)
    return _changed(m, r, d, a, b)


# ------------------------------------------------------------------ spin locks


def spin_init(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    _store(m, r[a], 0, 4, 0)
    return _changed(m, r, d, a, SPIN)


def spin_lock(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    held = _owner(m, r[a], "spin lock")
    if held:
        raise Blocked("spin lock", _pair(r[a]), _holder(held))
    _take(m, r[a])
    return _changed(m, r, d, a, SPIN)


def spin_trylock(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    m.tries = True
    if _owner(m, r[a], "spin lock"):
        return _changed(m, r, d, a, SPIN, EBUSY, READ)
    _take(m, r[a])
    return _changed(m, r, d, a, SPIN)


def spin_unlock(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    if _owner(m, r[a], "spin lock") != m.thread + 1:
        name = _name(m, r[a])
        m.raise_fault(
            Property.LOCK, f"unlock of spin lock '{name}', which the thread does not hold"
        )
    _store(m, r[a], 0, 4, 0)
    return _changed(m, r, d, a, SPIN)


# ------------------------------------------------------------------ conditions


def _waiters(m: CompactMachine, condition: int) -> int:
    waiters = _field(m, condition, 0, BYTES, "condition variable")
    for thread in range(waiters.bit_length()):
        if waiters >> thread & 1 and (thread >= len(m.status) or m.status[thread] == ABSENT):
            _overwritten(m, condition, "condition variable")
    return waiters


def cond_init(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    _check(m, r[a], "condition variable")
    _store(m, r[a], 0, BYTES, 0)
    return _changed(m, r, d, a, CONDITION)


def cond_wait(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    """Gives the mutex up and waits; perhaps is woken without a signal; has the mutex again."""
    condition, mutex, thread = r[a], r[b], m.thread
    bit = 1 << thread
    if m.phase[thread] == 0:
        if _owner(m, mutex, "mutex") != thread + 1:
            m.raise_fault(Property.LOCK, f"wait without holding mutex '{_name(m, mutex)}'")
        if m.decide(_load(m, mutex, COUNT, 4)):
            name = _name(m, mutex)
            m.raise_fault(Property.LOCK, f"wait with mutex '{name}' locked more than once")
        unsignalled = c and m.choose(2)
        _store(m, mutex, 0, 4, 0)
        m.note = (GIVES_BACK, 0)
        if unsignalled:
            m.note = (UNSIGNALLED, 0)
        else:
            _store(m, condition, 0, BYTES, _waiters(m, condition) | bit)
        m.touch(WRITE, condition, CONDITION, 1)
        m.touch(WRITE, mutex, MUTEX, 1)
        m.set_phase(WOKEN if unsignalled else WAITING)
        return AGAIN
    if m.phase[thread] == WAITING:
        if _waiters(m, condition) & bit:
            m.touch(WRITE, mutex, MUTEX, 1)
            raise Blocked("signal on condition variable", _pair(condition))
        m.touch(WRITE, condition, CONDITION, 1)
    held = _owner(m, mutex, "mutex")
    if held:
        raise Blocked("mutex", _pair(mutex), _holder(held))
    _take(m, mutex)
    m.touch(WRITE, mutex, MUTEX, 1)
    m.note = (HAS_AGAIN, 0)
    m.set_phase(0)
    return _done(m, r, d, 0)


def cond_signal(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    waiters = _waiters(m, r[a])
    m.wakes = True
    waiting = [t for t in range(waiters.bit_length()) if waiters >> t & 1]
    m.note = (WAKES_NOBODY, 0)
    if waiting:
        m.touch(WRITE, r[a], CONDITION, 1)
        woken = waiting[m.choose(len(waiting))]
        _store(m, r[a], 0, BYTES, waiters & ~(1 << woken))
        m.note = (WAKES, woken)
        return _done(m, r, d, 0)
    return _changed(m, r, d, a, CONDITION)


def cond_broadcast(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    waiters = _waiters(m, r[a])
    m.wakes = True
    m.touch(WRITE, r[a], CONDITION, 1)
    _store(m, r[a], 0, BYTES, 0)
    m.note = (WAKES_ALL, waiters.bit_count()) if waiters else (WAKES_NOBODY, 0)
    return _done(m, r, d, 0)


# ------------------------------------------------------- semaphores, barriers


def sem_init(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    if not 0 <= r[b] <= LARGEST:
        raise NotCompact("a semaphore of no count", m.place(m.thread, m.at))
    _check(m, r[a], "semaphore")
    _store(m, r[a], 0, 4, r[b])
    return _changed(m, r, d, a, SEMAPHORE)


def sem_wait(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    count = _field(m, r[a], 0, 4, "semaphore")
    if count == 0:
        raise Blocked("semaphore", _pair(r[a]))
    _store(m, r[a], 0, 4, count - 1)
    return _changed(m, r, d, a, SEMAPHORE)


def sem_post(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    count = _field(m, r[a], 0, 4, "semaphore")
    if count == LARGEST:
        raise NotCompact("a semaphore that is full", m.place(m.thread, m.at))
    _store(m, r[a], 0, 4, count + 1)
    return _changed(m, r, d, a, SEMAPHORE, 0, int(Mode.POST))


def barrier_init(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    if r[b] == 0:
        return _done(m, r, d, EINVAL)
    _check(m, r[a], "barrier")
    _store(m, r[a], NEEDED, 4, r[b])
    _store(m, r[a], BARRIER_WAITERS, 16, 0)
    return _changed(m, r, d, a, BARRIER)


def barrier_wait(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    """First event: arrive. Second one: leave, once all have arrived. b: its result is looked at."""
    barrier, thread = r[a], m.thread
    bit = 1 << thread
    needed = _field(m, barrier, NEEDED, 4, "barrier")
    waiters = _field(m, barrier, BARRIER_WAITERS, 16, "barrier")
    if m.phase[thread] == 0:
        if needed == 0:
            name = _name(m, barrier)
            m.raise_fault(Property.LOCK, f"barrier '{name}' is used while not initialised")
        last = (waiters | bit).bit_count() == needed
        _store(m, barrier, BARRIER_WAITERS, 16, 0 if last else waiters | bit)
        m.touch(WRITE if last or b else int(Mode.ARRIVE), barrier, BARRIER, 1)
        m.note = (ARRIVES_LAST if last else ARRIVES, 0)
        m.set_phase(1, SERIAL_THREAD if last and b else 0)
        return AGAIN
    if waiters & bit:
        raise Blocked("barrier", _pair(barrier))
    m.note = (LEAVES, 0)
    result = m.scratch[thread]
    m.set_phase(0)
    return _changed(m, r, d, a, BARRIER, result, READ)


HANDLERS.update(
    {
        op.MUTEX_INIT: mutex_init,
        op.MUTEX_DESTROY: mutex_destroy,
        op.MUTEX_LOCK: mutex_lock,
        op.MUTEX_TRYLOCK: mutex_trylock,
        op.MUTEX_UNLOCK: mutex_unlock,
        op.SPIN_INIT: spin_init,
        op.SPIN_LOCK: spin_lock,
        op.SPIN_TRYLOCK: spin_trylock,
        op.SPIN_UNLOCK: spin_unlock,
        op.COND_INIT: cond_init,
        op.COND_WAIT: cond_wait,
        op.COND_SIGNAL: cond_signal,
        op.COND_BROADCAST: cond_broadcast,
        op.SEM_INIT: sem_init,
        op.SEM_WAIT: sem_wait,
        op.SEM_POST: sem_post,
        op.BARRIER_INIT: barrier_init,
        op.BARRIER_WAIT: barrier_wait,
        op.DESTROY: destroy,
    }
)
