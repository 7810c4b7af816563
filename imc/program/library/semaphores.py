"""POSIX semaphores: a count. Posts commute with one another."""

from __future__ import annotations

from imc.program.events import Mode
from imc.program.faults import Blocked
from imc.program.instructions import Library
from imc.program.library.locking import EAGAIN, EINVAL, ETIMEDOUT, field, touch
from imc.program.library.registry import Visibility, library
from imc.program.library.strings import set_errno
from imc.program.machine import Machine
from imc.program.values import Value

ALWAYS = Visibility.ALWAYS
FAILED = 0xFFFF_FFFF
LARGEST = 0x7FFF_FFFF


@library("sem_init", visible=ALWAYS, writes=(0,))
def sem_init(m: Machine, i: Library, args: list[Value]) -> Value:
    if args[2] > LARGEST:
        set_errno(m, EINVAL)
        return FAILED
    m.store_int(args[0], 0, 4, args[2])
    touch(m, args[0])
    return 0


@library("sem_wait", visible=ALWAYS, writes=(0,), waits=True)
def sem_wait(m: Machine, i: Library, args: list[Value]) -> Value:
    if not _take(m, args[0]):
        raise Blocked("semaphore", args[0])
    return 0


@library("sem_trywait", visible=ALWAYS, writes=(0,))
def sem_trywait(m: Machine, i: Library, args: list[Value]) -> Value:
    if _take(m, args[0]):
        return 0
    touch(m, args[0], Mode.READ)
    set_errno(m, ETIMEDOUT if "timed" in i.name else EAGAIN)
    return FAILED


def _take(m: Machine, semaphore: Value) -> bool:
    count = field(m, semaphore, 0, 4, "semaphore")
    if m.equal(count, 0):
        return False
    m.store_int(semaphore, 0, 4, count - 1)
    touch(m, semaphore)
    return True


@library("sem_post", visible=ALWAYS, writes=(0,))
def sem_post(m: Machine, i: Library, args: list[Value]) -> Value:
    m.store_int(args[0], 0, 4, field(m, args[0], 0, 4, "semaphore") + 1)
    touch(m, args[0], Mode.POST)
    return 0


@library("sem_getvalue", visible=ALWAYS, writes=(0, 1))
def sem_getvalue(m: Machine, i: Library, args: list[Value]) -> Value:
    m.store_int(args[1], 0, 4, field(m, args[0], 0, 4, "semaphore"))
    touch(m, args[0], Mode.READ)
    m.touch(Mode.WRITE, args[1], 4, False)
    return 0
