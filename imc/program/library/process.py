"""What a process is told about itself and its machine: its environment, numbers, names.

What POSIX says does not change while a process runs is asked once, and stays as it was.
"""

from __future__ import annotations

from imc.program.events import Mode
from imc.program.instructions import Library
from imc.program.library.heap import OWN
from imc.program.library.locking import EINVAL
from imc.program.library.registry import Visibility, library
from imc.program.library.strings import set_errno
from imc.program.library.verifier import arbitrary
from imc.program.library.world import (
    OUTSIDE_BYTES,
    PROCESSORS,
    between,
    fails,
    fill_string,
    masked,
    new_string,
    remembered,
    truth,
)
from imc.program.machine import Machine
from imc.program.types import I32, PTR, IntType, Type
from imc.program.values import Value

ALWAYS, MEMORY = Visibility.ALWAYS, Visibility.MEMORY
CLOCK_TICKS, PAGE_SIZE = 2, 30  # names that sysconf takes, as in glibc
PROCESSOR_NAMES = (83, 84)
FIXED = {CLOCK_TICKS: 100, PAGE_SIZE: 4096}
LARGEST_PID = 1 << 22  # of Linux
NAME_BYTES = 65  # of each part of a utsname
NAME_PARTS = 6
ENAMETOOLONG = 36


# ---------------------------------------------------------------- the environment


@library(
    "getenv", c="getenv secure_getenv",
    visible=ALWAYS, reads=(0,), returns_heap=True, returns_number=True, reads_input=True,
    assumes=("short-environment",),
    native={"getenv": "irs_getenv", "secure_getenv": "irs_getenv"},
)  # fmt: skip
def getenv(m: Machine, i: Library, args: list[Value]) -> Value:
    """Null, or some string: the same one for a name, until the program sets another."""
    return _variable(m, i, m.read_string(args[0]))


def _variable(m: Machine, i: Library, name: bytes) -> Value:
    text = name.decode(errors="replace")

    def find() -> Value:
        return new_string(m, i, f"value of {text}") if truth(m, i) else 0

    return remembered(m, ("variable", name), f"variable {text} of the environment", PTR, find)


def _set_variable(m: Machine, name: bytes, value: Value) -> None:
    place = m.hidden(("world", ("variable", name)), "a variable of the environment")
    m.store_int(place, 0, 1, 1)
    m.store(m.domain.add_offset(place, 8), PTR, value)
    m.touch(Mode.WRITE, place, 16, True)


@library(
    "setenv", c="setenv", visible=ALWAYS, reads=(0, 1), reads_input=True,
    assumes=("short-environment",),
)  # fmt: skip
def setenv(m: Machine, i: Library, args: list[Value]) -> Value:
    name, value = m.read_string(args[0]), m.read_string(args[1])
    if not name or b"=" in name:
        set_errno(m, EINVAL)
        return masked(-1, I32)
    if args[2] == 0 and _variable(m, i, name) != 0:
        return 0
    place = m.allocate("heap", len(value) + 1, 0, "value of a variable", (i.name, OWN), i.loc)
    m.write_bytes(place, value + b"\0")
    m.touch(Mode.WRITE, place, len(value) + 1, False)
    _set_variable(m, name, place)
    return 0


@library("unsetenv", c="unsetenv", visible=ALWAYS, reads=(0,))
def unsetenv(m: Machine, i: Library, args: list[Value]) -> Value:
    _set_variable(m, m.read_string(args[0]), 0)
    return 0


# ----------------------------------------------------------------------- numbers


@library(
    "sysconf", c="sysconf", visible=ALWAYS, reads_input=True, assumes=("few-processors",),
    native={"sysconf": "irs_sysconf"},
)  # fmt: skip
def sysconf(m: Machine, i: Library, args: list[Value]) -> Value:
    name = args[0]
    if name in FIXED:
        return FIXED[name]
    if name in PROCESSOR_NAMES:
        return _processors(m, i, name - PROCESSOR_NAMES[0])
    type = i.type
    assert isinstance(type, IntType)
    most = (1 << (type.width - 1)) - 1
    return remembered(
        m, ("sysconf", name), f"sysconf({name})", type, lambda: between(m, i, -1, most, type)
    )


@library(
    "get_nprocs", c="get_nprocs get_nprocs_conf", visible=ALWAYS, reads_input=True,
    assumes=("few-processors",),
    native={"get_nprocs": "irs_get_nprocs", "get_nprocs_conf": "irs_get_nprocs_conf"},
)  # fmt: skip
def get_nprocs(m: Machine, i: Library, args: list[Value]) -> Value:
    return _processors(m, i, int(i.name == "get_nprocs"))


def _processors(m: Machine, i: Library, online: int) -> Value:
    """As many are online as there are."""
    return remembered(
        m, "processors", "number of processors", i.type,
        lambda: between(m, i, 1, PROCESSORS, _integer(i.type)),
    )  # fmt: skip


def _integer(type: Type) -> IntType:
    assert isinstance(type, IntType)
    return type


@library("getpagesize", c="getpagesize")
def getpagesize(m: Machine, i: Library, args: list[Value]) -> Value:
    return FIXED[PAGE_SIZE]


@library("getpid", c="getpid", visible=ALWAYS, reads_input=True)
def getpid(m: Machine, i: Library, args: list[Value]) -> Value:
    return own_number(m, i)


def own_number(m: Machine, i: Library) -> Value:
    """The process's own; numbers of its threads come behind it."""
    most = LARGEST_PID - m.settings.thread_limit
    return remembered(m, "pid", "number of the process", I32, lambda: between(m, i, 1, most))


@library(
    "gettid", c="gettid", visible=ALWAYS, reads_input=True, tells_threads_apart=True,
    assumes=("thread-numbers",),
)  # fmt: skip
def gettid(m: Machine, i: Library, args: list[Value]) -> Value:
    return m.domain.binary("add", I32)(own_number(m, i), m.thread.id)


@library("getppid", c="getppid", reads_input=True)
def getppid(m: Machine, i: Library, args: list[Value]) -> Value:
    """It changes when the parent ends."""
    return between(m, i, 0, LARGEST_PID)


@library(
    "user", c="getuid geteuid getgid getegid", visible=ALWAYS, reads_input=True, takes_terms=True
)
def user(m: Machine, i: Library, args: list[Value]) -> Value:
    return remembered(m, i.name, f"result of {i.name}", I32, lambda: arbitrary(m, i))


@library("isatty", c="isatty", reads_input=True, takes_terms=True)
def isatty(m: Machine, i: Library, args: list[Value]) -> Value:
    return 0 if fails(m, i) else 1


@library("sched_getcpu", c="sched_getcpu", reads_input=True, assumes=("few-processors",))
def sched_getcpu(m: Machine, i: Library, args: list[Value]) -> Value:
    return between(m, i, 0, PROCESSORS - 1)


# ------------------------------------------------------------------------- names


@library(
    "uname", c="uname", visible=MEMORY, writes=(0,), reads_input=True,
    assumes=("short-environment",), native={"uname": "irs_uname"},
)  # fmt: skip
def uname(m: Machine, i: Library, args: list[Value]) -> Value:
    """Six names, each of which is some short string."""
    for nth in range(NAME_PARTS):
        fill_string(m, i, m.domain.add_offset(args[0], nth * NAME_BYTES), OUTSIDE_BYTES)
    return 0


@library(
    "gethostname", c="gethostname", visible=MEMORY, writes=(0,), reads_input=True,
    assumes=("short-environment",), native={"gethostname": "irs_gethostname"},
)  # fmt: skip
def gethostname(m: Machine, i: Library, args: list[Value]) -> Value:
    """A name that does not fit is cut, and may be left without an end."""
    room = args[1]
    if room > OUTSIDE_BYTES:
        fill_string(m, i, args[0], OUTSIDE_BYTES)
        return 0
    if fails(m, i):
        return masked(-1, I32)
    set_errno(m, ENAMETOOLONG)
    return masked(-1, I32)
