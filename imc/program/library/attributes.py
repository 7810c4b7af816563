"""Attributes of threads and of what they synchronise by.

Kinds of mutexes and whether a thread is detached are kept where they matter, in mutexes.py and
threads.py. The rest is here: what makes no difference in the model, and what is refused.
"""

from __future__ import annotations

from imc.errors import Unsupported
from imc.program.events import Mode
from imc.program.instructions import Library
from imc.program.library.locking import EINVAL, ENOTSUP, check
from imc.program.library.registry import Visibility, library
from imc.program.machine import Machine
from imc.program.values import Value
from imc.records import record

MEMORY = Visibility.MEMORY
KINDS = {  # by the names of functions that have them as their first argument
    "pthread_attr_": "attributes of threads",
    "pthread_mutexattr_": "attributes of mutexes",
    "pthread_condattr_": "attributes of condition variables",
    "pthread_rwlockattr_": "attributes of read-write locks",
    "pthread_barrierattr_": "attributes of barriers",
}
ATTRIBUTE_BYTES = 4  # of attributes, which stand for all of them in accesses
SMALLEST_STACK = 16384  # PTHREAD_STACK_MIN
WRITERS_FIRST = 2  # PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP


@record
class Setting:
    """The values that an attribute can have, all of which mean the same here but one."""

    values: range
    otherwise: int = EINVAL  # what is returned for other values
    refused: int | None = None
    why: str = ""
    way_out: str = ""


SETTINGS = {
    # There is no limit of the stack in the model but the number of nested calls, nor guards.
    "pthread_attr_setstacksize": Setting(range(SMALLEST_STACK, 1 << 63)),
    "pthread_attr_setguardsize": Setting(range(1 << 64)),
    # Who runs when is open: all orders are explored, whatever priorities would prefer.
    "pthread_attr_setscope": Setting(range(1), ENOTSUP),
    "pthread_attr_setschedpolicy": Setting(range(3)),
    "pthread_attr_setinheritsched": Setting(range(2)),
    "pthread_mutexattr_setprioceiling": Setting(range(1, 100)),
    "pthread_mutexattr_setprotocol": Setting(
        range(3),
        refused=2,
        why="PTHREAD_PRIO_PROTECT (locking may fail with it)",
        way_out="use PTHREAD_PRIO_NONE or PTHREAD_PRIO_INHERIT",
    ),
    # There is one process.
    "pthread_mutexattr_setpshared": Setting(range(2)),
    "pthread_condattr_setpshared": Setting(range(2)),
    "pthread_rwlockattr_setpshared": Setting(range(2)),
    "pthread_barrierattr_setpshared": Setting(range(2)),
    # A limit may pass at any time, by whatever clock.
    "pthread_condattr_setclock": Setting(range(2)),
    # Of an owner that ends without unlocking nobody is told: whoever wants the lock is stuck.
    "pthread_mutexattr_setrobust": Setting(
        range(2),
        refused=1,
        why="a robust mutex (it tells that its owner has ended)",
        way_out="unlock before the thread ends",
    ),
    # Preferring writers (1) is what glibc does not do: it has a look at this one only.
    "pthread_rwlockattr_setkind_np": Setting(
        range(3),
        refused=WRITERS_FIRST,
        why="a read-write lock whose waiting writers keep readers out",
        way_out="use the default kind",
    ),
}


@library(
    "attributes",
    c="pthread_attr_destroy pthread_mutexattr_destroy pthread_condattr_init "
    "pthread_condattr_destroy pthread_rwlockattr_init pthread_rwlockattr_destroy "
    "pthread_barrierattr_init pthread_barrierattr_destroy "
    + " ".join(name for name in SETTINGS if name != "pthread_mutexattr_setrobust"),
    visible=MEMORY,
    writes=(0,),
)
def attributes(m: Machine, i: Library, args: list[Value]) -> Value:
    """They are written, and others may read them."""
    check(m, args[0], next(what for start, what in KINDS.items() if i.name.startswith(start)))
    m.touch(Mode.WRITE, args[0], ATTRIBUTE_BYTES, False)
    setting = SETTINGS.get(i.name)
    if setting is None:
        return 0
    if args[1] == setting.refused:
        raise Unsupported(f"{setting.why} is not modelled", m.place(), setting.way_out)
    return 0 if args[1].__class__ is not int or args[1] in setting.values else setting.otherwise


@library(
    "robustness", c="pthread_mutexattr_setrobust",
    visible=MEMORY, writes=(0,), tells_threads_apart=True,
)  # fmt: skip
def robustness(m: Machine, i: Library, args: list[Value]) -> Value:
    return attributes(m, i, args)


@library(
    "attr_setschedparam", c="pthread_attr_setschedparam", visible=MEMORY, writes=(0,), reads=(1,)
)
def attr_setschedparam(m: Machine, i: Library, args: list[Value]) -> Value:
    m.touch_read(args[1], 4)
    return attributes(m, i, args)


def refuse_kind(m: Machine, kind: Value) -> None:
    """A kind of read-write locks that a static initialiser may bring."""
    if kind == WRITERS_FIRST:
        setting = SETTINGS["pthread_rwlockattr_setkind_np"]
        raise Unsupported(f"{setting.why} is not modelled", m.place(), setting.way_out)


def read_attributes(m: Machine, args: list[Value], nth: int, of: str) -> None:
    """Whoever makes an object reads its attributes, if it is given any."""
    if nth < len(args) and args[nth] != 0:
        check(m, args[nth], f"attributes of {of}")
        m.touch_read(args[nth], ATTRIBUTE_BYTES)
