"""What all lock-like objects share: reading their fields, naming them, marking the access."""

from __future__ import annotations

from imc.program.events import Mode
from imc.program.faults import Property
from imc.program.instructions import Library
from imc.program.library.registry import Visibility, library
from imc.program.machine import Machine
from imc.program.values import UNDEF, Value

EPERM, EAGAIN, EBUSY, EINVAL, EDEADLK, ETIMEDOUT, ESRCH = 1, 11, 16, 22, 35, 110, 3
SYNC_BYTES = 4  # the part of a synchronisation object that stands for the whole in accesses


THREADS_H = {EBUSY: 1, ETIMEDOUT: 4}  # thrd_busy, thrd_timedout


def status(i: Library, code: int) -> int:
    """An error number of POSIX, or what <threads.h> has in its place."""
    return THREADS_H[code] if i.name.startswith(("mtx_", "cnd_")) else code


def field(m: Machine, pointer: Value, offset: int, size: int, what: str) -> Value:
    """A field of a synchronisation object, which must have been initialised."""
    value = m.load_int(pointer, offset, size)
    if value is UNDEF:
        m.fault(
            Property.LOCK,
            f"{what} '{name_of(m, pointer)}' is used while not initialised",
        )
    return value


def name_of(m: Machine, pointer: Value) -> str:
    if pointer.__class__ is not tuple:
        return "null"
    return m.image.objects[pointer[0]].cell(pointer[1], outermost=True)


def touch(m: Machine, pointer: Value, mode: Mode = Mode.WRITE) -> None:
    m.touch(mode, pointer, SYNC_BYTES, True)


def me(m: Machine) -> int:
    """How the running thread is written into the objects that it holds."""
    return m.thread.id + 1


def holder(owner: Value) -> int | None:
    return owner - 1 if owner.__class__ is int and owner else None


@library("destroy", visible=Visibility.ALWAYS, writes=(0,))
def destroy(m: Machine, i: Library, args: list[Value]) -> Value:
    """What is destroyed may not be used until it is initialised again."""
    m.store_int(args[0], 0, 4, UNDEF)
    touch(m, args[0])
    return 0
