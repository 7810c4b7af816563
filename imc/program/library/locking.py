"""What all lock-like objects share: reading their fields, naming them, marking the access."""

from __future__ import annotations

from typing import NoReturn

from imc.program.events import Mode
from imc.program.faults import Property, StuckForever
from imc.program.instructions import Library
from imc.program.library.registry import Role, Run, Visibility, library
from imc.program.machine import Machine
from imc.program.values import UNDEF, Value

EPERM, ESRCH, EAGAIN, EBUSY, EINVAL, EDEADLK, EOVERFLOW = 1, 3, 11, 16, 22, 35, 75
ENOTSUP, ETIMEDOUT = 95, 110
THREADS_H = {EBUSY: 1, ETIMEDOUT: 4}  # thrd_busy, thrd_timedout


def status(i: Library, code: int) -> int:
    """An error number of POSIX, or what <threads.h> has in its place."""
    return THREADS_H[code] if i.name.startswith(("mtx_", "cnd_")) else code


def field(m: Machine, pointer: Value, offset: int, size: int, what: str) -> Value:
    """A field of a synchronisation object, which must have been initialised and left alone."""
    check(m, pointer, what)
    value = m.load_int(pointer, offset, size)
    if value is UNDEF:
        m.fault(
            Property.LOCK,
            f"{what} '{name_of(m, pointer)}' is used while not initialised",
        )
    if value.__class__ is not int:
        overwritten(m, pointer, what)
    return value


def owner(m: Machine, pointer: Value, offset: int, what: str) -> Value:
    """Who holds a lock, as `me` has written it; 0: nobody."""
    number = field(m, pointer, offset, 4, what)
    if number and number - 1 not in m.state.threads:
        overwritten(m, pointer, what)
    return number


def overwritten(m: Machine, pointer: Value, what: str) -> NoReturn:
    m.fault(Property.LOCK, f"{what} '{name_of(m, pointer)}' is used after it was overwritten")


def name_of(m: Machine, pointer: Value) -> str:
    if pointer.__class__ is not tuple:
        return "null"
    return m.image.objects[pointer[0]].cell(pointer[1], outermost=True)


# How many bytes of a synchronisation object its state takes up, by the size of pointers. An event
# touches all of them, whichever it looks at: nobody but the library knows what they mean.
EXTENTS = {
    "mutex": {8: 20, 4: 16},
    "spin lock": {8: 4, 4: 4},
    "condition variable": {8: 16, 4: 16},
    "read-write lock": {8: 40, 4: 24},
    "barrier": {8: 20, 4: 20},
    "semaphore": {8: 4, 4: 4},
    "once control": {8: 4, 4: 4},
}


FIRST_SCALARS = {"condition variable": 16}  # bytes: the set of who waits; others' have 4
# Bytes of their types in C: a smaller object is none of them, however little is made of it here.
SIZES = {
    "mutex": {8: 40, 4: 24},
    "spin lock": {8: 4, 4: 4},
    "condition variable": {8: 48, 4: 48},
    "read-write lock": {8: 56, 4: 32},
    "barrier": {8: 32, 4: 20},
    "semaphore": {8: 32, 4: 16},
    "once control": {8: 4, 4: 4},
    "attributes of threads": {8: 56, 4: 36},
    "attributes of mutexes": {8: 4, 4: 4},
    "attributes of condition variables": {8: 4, 4: 4},
    "attributes of read-write locks": {8: 8, 4: 8},
    "attributes of barriers": {8: 4, 4: 4},
}


def check(m: Machine, pointer: Value, what: str) -> None:
    """A pointer must lead to an object that is as large as C says."""
    m.place_of(pointer, SIZES[what][m.image.layout.pointer_bytes])


def touch(m: Machine, pointer: Value, what: str, mode: Mode = Mode.WRITE) -> None:
    m.touch(mode, pointer, EXTENTS[what][m.image.layout.pointer_bytes], True)


def bit_of(m: Machine, bits: int) -> int:
    """The running thread's bit in a set of waiters of so many bits."""
    if m.thread.id >= bits:
        raise StuckForever(f"more than {bits} threads that wait for each other", True)
    return 1 << m.thread.id


def me(m: Machine) -> int:
    """How the running thread is written into the objects that it holds."""
    return m.thread.id + 1


def name_of_thread(m: Machine, owner: Value) -> str:
    """The thread behind what `me` has written; where that is not known, it is another one."""
    return m.image.threads.names[owner - 1] if owner.__class__ is int else "another thread"


def read_time(m: Machine, limit: Value) -> None:
    """A point in time is read; what it says decides nothing, since a limit may always pass."""
    m.touch_read(limit, 2 * m.image.layout.pointer_bytes)


def holder(owner: Value) -> int | None:
    """The thread that an owner's number stands for."""
    return owner - 1 if owner else None


def _destroyer(what: str) -> Run:
    def destroy(m: Machine, i: Library, args: list[Value]) -> Value:
        """What is destroyed may not be used until it is initialised again."""
        check(m, args[0], what)
        m.store_int(args[0], 0, FIRST_SCALARS.get(what, 4), UNDEF)
        touch(m, args[0], what)
        return 0

    return destroy


DESTROYERS = {
    "condition variable": ("cond_destroy", "pthread_cond_destroy cnd_destroy"),
    "read-write lock": ("rwlock_destroy", "pthread_rwlock_destroy"),
    "spin lock": ("spin_destroy", "pthread_spin_destroy"),
    "barrier": ("barrier_destroy", "pthread_barrier_destroy"),
    "semaphore": ("sem_destroy", "sem_destroy"),
}
RUNTIME_DESTROYS = ("cond_destroy", "barrier_destroy")
for _what, (_name, _names) in DESTROYERS.items():
    _native = dict.fromkeys(_names.split(), "irs_destroy") if _name in RUNTIME_DESTROYS else {}
    library(_name, c=_names, visible=Visibility.ALWAYS, writes=(0,), role=Role.END, native=_native)(
        _destroyer(_what)
    )
