"""Mutexes and spin locks, in glibc's layout, so that static initialisers mean what they say."""

from __future__ import annotations

from imc.program.events import Mode
from imc.program.faults import Blocked, Property
from imc.program.instructions import Library
from imc.program.library import locking
from imc.program.library.locking import (
    EBUSY,
    EDEADLK,
    EPERM,
    ETIMEDOUT,
    check,
    field,
    holder,
    me,
    name_of,
    name_of_thread,
    read_time,
    status,
    touch,
)
from imc.program.library.registry import Role, Visibility, library
from imc.program.machine import Machine
from imc.program.values import UNDEF, Value

OWNER, COUNT = 0, 4
NORMAL, RECURSIVE, ERRORCHECK = 0, 1, 2
ALWAYS = Visibility.ALWAYS


def _kind_offset(m: Machine) -> int:
    return 16 if m.image.layout.pointer_bytes == 8 else 12


def _kind(m: Machine, mutex: Value) -> int:
    return int(field(m, mutex, _kind_offset(m), 4, "mutex") & 3)


def owner(m: Machine, mutex: Value) -> Value:
    return locking.owner(m, mutex, OWNER, "mutex")


def depth(m: Machine, mutex: Value) -> Value:
    """How many times the owner has locked it, besides the first."""
    return m.load_int(mutex, COUNT, 4)


def acquire(m: Machine, mutex: Value) -> None:
    m.store_int(mutex, OWNER, 4, me(m))
    m.acquired += (mutex,)


def release(m: Machine, mutex: Value) -> None:
    m.store_int(mutex, OWNER, 4, 0)


@library(
    "mutex_init", c="pthread_mutex_init", visible=ALWAYS, role=Role.BEGIN, reads=(1,), writes=(0,)
)
def mutex_init(m: Machine, i: Library, args: list[Value]) -> Value:
    attributes = args[1]
    kind: Value = NORMAL
    if attributes != 0:
        kind = m.load_int(attributes, 0, 4)
        m.touch_read(attributes, 4)
    return _initialise(m, args[0], kind)


@library(
    "mtx_init", c="mtx_init", visible=ALWAYS, role=Role.BEGIN, writes=(0,), tells_threads_apart=True
)
def mtx_init(m: Machine, i: Library, args: list[Value]) -> Value:
    return _initialise(m, args[0], args[1] & RECURSIVE)


def _initialise(m: Machine, mutex: Value, kind: Value) -> Value:
    check(m, mutex, "mutex")
    m.store_int(mutex, OWNER, 4, 0)
    m.store_int(mutex, COUNT, 4, 0)
    m.store_int(mutex, _kind_offset(m), 4, kind)
    touch(m, mutex, "mutex")
    return 0


@library(
    "mutex_destroy",
    c="pthread_mutex_destroy mtx_destroy",
    visible=ALWAYS,
    role=Role.END,
    writes=(0,),
)
def mutex_destroy(m: Machine, i: Library, args: list[Value]) -> Value:
    held = owner(m, args[0])
    touch(m, args[0], "mutex")
    if not m.equal(held, 0):
        return EBUSY
    m.store_int(args[0], OWNER, 4, UNDEF)
    return 0


@library(
    "mutex_lock", c="pthread_mutex_lock mtx_lock", verb="lock",
    visible=ALWAYS, role=Role.LOCK, writes=(0,), waits=True,
)  # fmt: skip
def mutex_lock(m: Machine, i: Library, args: list[Value]) -> Value:
    mutex = args[0]
    result = _enter(m, mutex)
    if result is None:
        raise Blocked("mutex", mutex, holder(owner(m, mutex)))
    return result


@library(
    "mutex_trylock", c="pthread_mutex_trylock mtx_trylock", verb="trylock",
    visible=ALWAYS, writes=(0,),
)  # fmt: skip
def mutex_trylock(m: Machine, i: Library, args: list[Value]) -> Value:
    m.tries = True
    result = _enter(m, args[0], trying=True)
    if result is None:
        touch(m, args[0], "mutex", Mode.READ)
        return status(i, EBUSY)
    return result


@library(
    "mutex_timedlock", c="pthread_mutex_timedlock pthread_mutex_clocklock mtx_timedlock",
    visible=ALWAYS, writes=(0,), reads=(1, 2),
    native={
        "pthread_mutex_timedlock": "irs_pthread_mutex_timedlock",
        "mtx_timedlock": "irs_mtx_timedlock",
    },
    refused_natively={"pthread_mutex_clocklock": "use pthread_mutex_timedlock"},
)  # fmt: skip
def mutex_timedlock(m: Machine, i: Library, args: list[Value]) -> Value:
    m.tries = True
    read_time(m, args[-1])
    result = _enter(m, args[0])
    if result is None:
        touch(m, args[0], "mutex", Mode.READ)
        return status(i, ETIMEDOUT)
    return result


def _enter(m: Machine, mutex: Value, trying: bool = False) -> Value:
    """Takes the mutex, or None when another thread (or, for a normal one, this thread) holds it."""
    held = owner(m, mutex)
    if m.equal(held, 0):
        acquire(m, mutex)
        touch(m, mutex, "mutex")
        return 0
    if m.equal(held, me(m)):
        kind = _kind(m, mutex)
        if kind == RECURSIVE:
            m.store_int(mutex, COUNT, 4, m.load_int(mutex, COUNT, 4) + 1)
            touch(m, mutex, "mutex")
            return 0
        if kind == ERRORCHECK and not trying:
            touch(m, mutex, "mutex", Mode.READ)
            return EDEADLK
    return None


@library(
    "mutex_unlock", c="pthread_mutex_unlock mtx_unlock", verb="unlock",
    visible=ALWAYS, role=Role.LOCK, writes=(0,),
)  # fmt: skip
def mutex_unlock(m: Machine, i: Library, args: list[Value]) -> Value:
    mutex = args[0]
    held = owner(m, mutex)
    if not m.equal(held, me(m)):
        if _kind(m, mutex) in (ERRORCHECK, RECURSIVE):
            touch(m, mutex, "mutex", Mode.READ)
            return EPERM
        by = "nobody" if m.equal(held, 0) else name_of_thread(m, held)
        m.fault(Property.LOCK, f"unlock of mutex '{name_of(m, mutex)}', which {by} holds")
    depth = m.load_int(mutex, COUNT, 4)
    if m.equal(depth, 0):
        release(m, mutex)
    else:
        m.store_int(mutex, COUNT, 4, depth - 1)
    touch(m, mutex, "mutex")
    return 0


@library("mutexattr_init", c="pthread_mutexattr_init", visible=Visibility.MEMORY, writes=(0,))
def mutexattr_init(m: Machine, i: Library, args: list[Value]) -> Value:
    m.store_int(args[0], 0, 4, NORMAL)
    m.touch(Mode.WRITE, args[0], 4, False, NORMAL)
    return 0


@library(
    "mutexattr_settype", c="pthread_mutexattr_settype",
    visible=Visibility.MEMORY, writes=(0,), tells_threads_apart=True,
)  # fmt: skip
def mutexattr_settype(m: Machine, i: Library, args: list[Value]) -> Value:
    m.store_int(args[0], 0, 4, args[1])
    m.touch(Mode.WRITE, args[0], 4, False, args[1])
    return 0


@library(
    "mutexattr_gettype",
    c="pthread_mutexattr_gettype",
    visible=Visibility.MEMORY,
    reads=(0,),
    writes=(1,),
)
def mutexattr_gettype(m: Machine, i: Library, args: list[Value]) -> Value:
    m.store_int(args[1], 0, 4, m.load_int(args[0], 0, 4))
    m.touch_read(args[0], 4)
    m.touch(Mode.WRITE, args[1], 4, False)
    return 0


@library("spin_init", c="pthread_spin_init", visible=ALWAYS, role=Role.BEGIN, writes=(0,))
def spin_init(m: Machine, i: Library, args: list[Value]) -> Value:
    m.store_int(args[0], 0, 4, 0)
    touch(m, args[0], "spin lock")
    return 0


@library(
    "spin_lock", c="pthread_spin_lock", visible=ALWAYS, role=Role.LOCK, writes=(0,), waits=True
)
def spin_lock(m: Machine, i: Library, args: list[Value]) -> Value:
    held = locking.owner(m, args[0], 0, "spin lock")
    if not m.equal(held, 0):
        raise Blocked("spin lock", args[0], holder(held))
    acquire(m, args[0])
    touch(m, args[0], "spin lock")
    return 0


@library("spin_trylock", c="pthread_spin_trylock", visible=ALWAYS, writes=(0,))
def spin_trylock(m: Machine, i: Library, args: list[Value]) -> Value:
    m.tries = True
    if not m.equal(locking.owner(m, args[0], 0, "spin lock"), 0):
        touch(m, args[0], "spin lock", Mode.READ)
        return EBUSY
    acquire(m, args[0])
    touch(m, args[0], "spin lock")
    return 0


@library("spin_unlock", c="pthread_spin_unlock", visible=ALWAYS, role=Role.LOCK, writes=(0,))
def spin_unlock(m: Machine, i: Library, args: list[Value]) -> Value:
    held = locking.owner(m, args[0], 0, "spin lock")
    if not m.equal(held, me(m)):
        m.fault(
            Property.LOCK,
            f"unlock of spin lock '{name_of(m, args[0])}', which the thread does not hold",
        )
    m.store_int(args[0], 0, 4, 0)
    touch(m, args[0], "spin lock")
    return 0
