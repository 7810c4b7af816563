"""Read-write locks: how many readers, and which writer. Readers do not order one another."""

from __future__ import annotations

from imc.program.events import Mode
from imc.program.faults import Blocked, Property, StuckForever
from imc.program.instructions import Library
from imc.program.library.locking import (
    EBUSY,
    ETIMEDOUT,
    field,
    holder,
    me,
    name_of,
    touch,
)
from imc.program.library.registry import Visibility, library
from imc.program.machine import Machine
from imc.program.values import Value

READERS, WRITER, HOLDS = 0, 4, 8  # HOLDS: a few bits per thread, how often it reads
ALWAYS = Visibility.ALWAYS


@library("rwlock_init", visible=ALWAYS, writes=(0,))
def rwlock_init(m: Machine, i: Library, args: list[Value]) -> Value:
    m.store_int(args[0], READERS, 4, 0)
    m.store_int(args[0], WRITER, 4, 0)
    m.store_int(args[0], HOLDS, _holds_bytes(m), 0)
    touch(m, args[0])
    return 0


def _read(m: Machine, lock: Value) -> bool:
    readers = field(m, lock, READERS, 4, "read-write lock")
    if not m.equal(field(m, lock, WRITER, 4, "read-write lock"), 0):
        return False
    m.store_int(lock, READERS, 4, readers + 1)
    _holds(m, lock, 1)
    touch(m, lock, Mode.SHARE)
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
    if not (m.equal(readers, 0) and m.equal(field(m, lock, WRITER, 4, "read-write lock"), 0)):
        return False
    m.store_int(lock, WRITER, 4, me(m))
    touch(m, lock)
    return True


@library("rwlock_rdlock", visible=ALWAYS, writes=(0,), waits=True)
def rwlock_rdlock(m: Machine, i: Library, args: list[Value]) -> Value:
    if not _read(m, args[0]):
        raise Blocked("read-write lock", args[0], holder(m.load_int(args[0], WRITER, 4)))
    return 0


@library("rwlock_wrlock", visible=ALWAYS, writes=(0,), waits=True)
def rwlock_wrlock(m: Machine, i: Library, args: list[Value]) -> Value:
    if not _write(m, args[0]):
        raise Blocked("read-write lock", args[0], holder(m.load_int(args[0], WRITER, 4)))
    return 0


@library("rwlock_tryrdlock", visible=ALWAYS, writes=(0,))
def rwlock_tryrdlock(m: Machine, i: Library, args: list[Value]) -> Value:
    return 0 if _read(m, args[0]) else _refused(m, i, args[0])


@library("rwlock_trywrlock", visible=ALWAYS, writes=(0,))
def rwlock_trywrlock(m: Machine, i: Library, args: list[Value]) -> Value:
    return 0 if _write(m, args[0]) else _refused(m, i, args[0])


def _refused(m: Machine, i: Library, lock: Value) -> Value:
    touch(m, lock, Mode.READ)
    return ETIMEDOUT if "timed" in i.name else EBUSY


@library("rwlock_unlock", visible=ALWAYS, writes=(0,))
def rwlock_unlock(m: Machine, i: Library, args: list[Value]) -> Value:
    lock = args[0]
    if m.equal(field(m, lock, WRITER, 4, "read-write lock"), me(m)):
        m.store_int(lock, WRITER, 4, 0)
        touch(m, lock)
        return 0
    readers = field(m, lock, READERS, 4, "read-write lock")
    if m.equal(readers, 0) or _holds(m, lock) == 0:
        m.fault(
            Property.LOCK,
            f"unlock of read-write lock '{name_of(m, lock)}', which the thread does not hold",
        )
    m.store_int(lock, READERS, 4, readers - 1)
    _holds(m, lock, -1)
    touch(m, lock, Mode.SHARE)
    return 0
