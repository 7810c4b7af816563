"""POSIX semaphores: a count. Posts commute with one another."""

from __future__ import annotations

from imc.program.events import Mode
from imc.program.faults import Blocked
from imc.program.instructions import Library
from imc.program.library.cancellation import give_up, is_possible
from imc.program.library.locking import (
    EAGAIN,
    EINVAL,
    EOVERFLOW,
    ETIMEDOUT,
    check,
    field,
    read_time,
    touch,
)
from imc.program.library.registry import Role, Visibility, library
from imc.program.library.strings import set_errno
from imc.program.machine import NEXT_PHASE, Machine
from imc.program.values import Value

ALWAYS = Visibility.ALWAYS
FAILED = 0xFFFF_FFFF
LARGEST = 0x7FFF_FFFF


@library("sem_init", c="sem_init", visible=ALWAYS, role=Role.BEGIN, writes=(0,))
def sem_init(m: Machine, i: Library, args: list[Value]) -> Value:
    if args[2] > LARGEST:
        set_errno(m, EINVAL)
        return FAILED
    check(m, args[0], "semaphore")
    m.store_int(args[0], 0, 4, args[2])
    touch(m, args[0], "semaphore")
    return 0


@library(
    "sem_wait", c="sem_wait", visible=ALWAYS, writes=(0,), waits=True, cancellable=True,
    native_cancellable={"sem_wait": "irs_cancellable_sem_wait"},
)  # fmt: skip
def sem_wait(m: Machine, i: Library, args: list[Value]) -> Value:
    if _take(m, args[0]):
        return 0
    if is_possible(m, i):
        touch(m, args[0], "semaphore", Mode.READ)
    return give_up(m, i, Blocked("semaphore", args[0]))


@library(
    "sem_trywait", c="sem_trywait sem_timedwait sem_clockwait",
    visible=ALWAYS, writes=(0,), reads=(1, 2),
    native={"sem_timedwait": "irs_sem_timedwait"},
    refused_natively={"sem_clockwait": "use sem_timedwait"},
)  # fmt: skip
def sem_trywait(m: Machine, i: Library, args: list[Value]) -> Value:
    if args[1:]:
        read_time(m, args[-1])
    if _take(m, args[0]):
        return 0
    touch(m, args[0], "semaphore", Mode.READ)
    set_errno(m, ETIMEDOUT if args[1:] else EAGAIN)
    return FAILED


def _take(m: Machine, semaphore: Value) -> bool:
    count = field(m, semaphore, 0, 4, "semaphore")
    if m.equal(count, 0):
        return False
    m.store_int(semaphore, 0, 4, count - 1)
    touch(m, semaphore, "semaphore")
    return True


@library("sem_post", c="sem_post", visible=ALWAYS, writes=(0,), wakes=True)
def sem_post(m: Machine, i: Library, args: list[Value]) -> Value:
    count = field(m, args[0], 0, 4, "semaphore")
    if m.equal(count, LARGEST):
        touch(m, args[0], "semaphore", Mode.READ)
        set_errno(m, EOVERFLOW)
        return FAILED
    m.store_int(args[0], 0, 4, count + 1)
    touch(m, args[0], "semaphore", Mode.POST)
    return 0


def value_by_steps(m: Machine, i: Library, args: list[Value]) -> Value:
    """First event: look at the semaphore. Second one: store the value, where others may look."""
    frame = m.frames[-1]
    if frame.phase == 0:
        frame.scratch = field(m, args[0], 0, 4, "semaphore")
        touch(m, args[0], "semaphore", Mode.READ)
        frame.phase = 1
        return NEXT_PHASE
    m.store_int(args[1], 0, 4, frame.scratch)
    m.touch(Mode.WRITE, args[1], 4, False)
    frame.scratch = None
    return 0


@library(
    "sem_getvalue", c="sem_getvalue", visible=ALWAYS, reads=(0,), writes=(1,),
    stepwise=value_by_steps, stepwise_if_written=True,
    native_steps={"sem_getvalue": "irs_sem_getvalue"},
)  # fmt: skip
def sem_getvalue(m: Machine, i: Library, args: list[Value]) -> Value:
    m.store_int(args[1], 0, 4, field(m, args[0], 0, 4, "semaphore"))
    touch(m, args[0], "semaphore", Mode.READ)
    m.touch(Mode.WRITE, args[1], 4, False)
    return 0
