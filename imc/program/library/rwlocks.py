"""Read-write locks: how many readers, and which writer. Readers do not order one another."""

from __future__ import annotations

from imc.program.events import Mode
from imc.program.faults import Blocked, Property, StuckForever
from imc.program.instructions import Library
from imc.program.library.attributes import read_attributes, refuse_kind
from imc.program.library.locking import (
    EBUSY,
    EDEADLK,
    ETIMEDOUT,
    check,
    field,
    holder,
    me,
    name_of,
    owner,
    read_time,
    touch,
)
from imc.program.library.registry import Role, Visibility, library
from imc.program.machine import Machine
from imc.program.types import I8
from imc.program.values import Value

READERS, WRITER, HOLDS = 0, 4, 8  # HOLDS: a few bits per thread, how often it reads
ALWAYS = Visibility.ALWAYS


@library(
    "rwlock_init", c="pthread_rwlock_init", visible=ALWAYS, role=Role.BEGIN, writes=(0,), reads=(1,)
)
def rwlock_init(m: Machine, i: Library, args: list[Value]) -> Value:
    read_attributes(m, args, 1, "read-write locks")
    check(m, args[0], "read-write lock")
    m.store_int(args[0], READERS, 4, 0)
    m.store_int(args[0], WRITER, 4, 0)
    m.store_int(args[0], HOLDS, _holds_bytes(m), 0)
    m.put(m.domain.add_offset(args[0], _kind_offset(m)), I8, 0)
    touch(m, args[0], "read-write lock")
    return 0


def _kind_offset(m: Machine) -> int:
    """Where static initialisers say whom the lock prefers; nothing else writes there."""
    return 48 if m.image.layout.pointer_bytes == 8 else 24


def _writer(m: Machine, lock: Value) -> Value:
    return owner(m, lock, WRITER, "read-write lock")


def _read(m: Machine, lock: Value) -> bool:
    readers = field(m, lock, READERS, 4, "read-write lock")
    refuse_kind(m, m.fetch(m.domain.add_offset(lock, _kind_offset(m)), I8))
    if not m.equal(_writer(m, lock), 0):
        return False
    m.store_int(lock, READERS, 4, readers + 1)
    _holds(m, lock, 1)
    touch(m, lock, "read-write lock", Mode.SHARE)
    return True


def _holds(m: Machine, lock: Value, change: int = 0) -> int:
    """How often the thread holds the lock for reading, before a change of that."""
    size = _holds_bytes(m)
    bits = 8 * size // m.settings.thread_limit
    most, shift = (1 << bits) - 1, bits * m.thread.id
    all_holds = m.load_int(lock, HOLDS, size)
    before = int(all_holds >> shift & most)
    if before + change > most:
        raise StuckForever(f"a read lock held more than {most} times by a thread", True)
    m.store_int(lock, HOLDS, size, all_holds + (change << shift))
    return before


def _holds_bytes(m: Machine) -> int:
    return 32 if m.image.layout.pointer_bytes == 8 else 16


def _write(m: Machine, lock: Value) -> bool:
    readers = field(m, lock, READERS, 4, "read-write lock")
    if not (m.equal(readers, 0) and m.equal(_writer(m, lock), 0)):
        return False
    m.store_int(lock, WRITER, 4, me(m))
    touch(m, lock, "read-write lock")
    return True


def _is_mine(m: Machine, lock: Value) -> bool:
    """Who writes already and would have to wait is told, as glibc does; POSIX allows it."""
    mine = m.equal(_writer(m, lock), me(m))
    if mine:
        touch(m, lock, "read-write lock", Mode.READ)
    return mine


@library("rwlock_rdlock", c="pthread_rwlock_rdlock", visible=ALWAYS, writes=(0,), waits=True)
def rwlock_rdlock(m: Machine, i: Library, args: list[Value]) -> Value:
    if _is_mine(m, args[0]):
        return EDEADLK
    if not _read(m, args[0]):
        raise Blocked("read-write lock", args[0], holder(_writer(m, args[0])))
    return 0


@library("rwlock_wrlock", c="pthread_rwlock_wrlock", visible=ALWAYS, writes=(0,), waits=True)
def rwlock_wrlock(m: Machine, i: Library, args: list[Value]) -> Value:
    if _is_mine(m, args[0]):
        return EDEADLK
    if not _write(m, args[0]):
        raise Blocked("read-write lock", args[0], holder(_writer(m, args[0])))
    return 0


@library(
    "rwlock_tryrdlock", c="pthread_rwlock_tryrdlock pthread_rwlock_timedrdlock",
    visible=ALWAYS, writes=(0,), reads=(1,),
    native={"pthread_rwlock_timedrdlock": "irs_pthread_rwlock_timedrdlock"},
)  # fmt: skip
def rwlock_tryrdlock(m: Machine, i: Library, args: list[Value]) -> Value:
    for limit in args[1:]:
        read_time(m, limit)
        if _is_mine(m, args[0]):
            return EDEADLK
    return 0 if _read(m, args[0]) else _refused(m, args)


@library(
    "rwlock_trywrlock", c="pthread_rwlock_trywrlock pthread_rwlock_timedwrlock",
    visible=ALWAYS, writes=(0,), reads=(1,),
    native={"pthread_rwlock_timedwrlock": "irs_pthread_rwlock_timedwrlock"},
)  # fmt: skip
def rwlock_trywrlock(m: Machine, i: Library, args: list[Value]) -> Value:
    for limit in args[1:]:
        read_time(m, limit)
        if _is_mine(m, args[0]):
            return EDEADLK
    return 0 if _write(m, args[0]) else _refused(m, args)


def _refused(m: Machine, args: list[Value]) -> Value:
    """Whoever brings a time limit has waited until then."""
    touch(m, args[0], "read-write lock", Mode.READ)
    return ETIMEDOUT if args[1:] else EBUSY


@library("rwlock_unlock", c="pthread_rwlock_unlock", visible=ALWAYS, writes=(0,))
def rwlock_unlock(m: Machine, i: Library, args: list[Value]) -> Value:
    lock = args[0]
    if m.equal(_writer(m, lock), me(m)):
        m.store_int(lock, WRITER, 4, 0)
        touch(m, lock, "read-write lock")
        return 0
    readers = field(m, lock, READERS, 4, "read-write lock")
    if m.equal(readers, 0) or _holds(m, lock) == 0:
        m.fault(
            Property.LOCK,
            f"unlock of read-write lock '{name_of(m, lock)}', which the thread does not hold",
        )
    m.store_int(lock, READERS, 4, readers - 1)
    _holds(m, lock, -1)
    touch(m, lock, "read-write lock", Mode.SHARE)
    return 0
