"""Signals: masks and dispositions are data, nobody sends one from outside.

That handlers are not called in between is an assumption. What a process does to itself is
known: `raise` ends the program, does nothing, or is refused where a handler would run.
"""

from __future__ import annotations

from imc.errors import Unsupported
from imc.program.events import Mode
from imc.program.faults import Property, StuckForever
from imc.program.instructions import Library
from imc.program.library.locking import EINVAL, ESRCH
from imc.program.library.process import own_number
from imc.program.library.registry import Visibility, library
from imc.program.library.strings import set_errno
from imc.program.library.verifier import arbitrary
from imc.program.library.world import fails, masked, truth
from imc.program.machine import Machine
from imc.program.types import I32, PTR, IntType
from imc.program.values import UNDEF, Value

ALWAYS, MEMORY = Visibility.ALWAYS, Visibility.MEMORY
MASK = IntType(64)  # what the system knows of a sigset_t
DEFAULT, IGNORE = 0, 1
BLOCK, UNBLOCK, SET = 0, 1, 2
LAST = 64
ABORT, KILL, STOP = 6, 9, 19
HARMLESS = (17, 18, 20, 21, 22, 23, 28)  # they do nothing, or end by themselves
ACTION_BYTES = {8: 152, 4: 140}  # of a struct sigaction, by the size of pointers
EINTR = 4
WAY_OUT = "call the handler itself, or end the thread by a flag"


# ------------------------------------------------------------------------ masks


@library(
    "signal_mask", c="pthread_sigmask sigprocmask", visible=MEMORY, reads=(1,), writes=(2,),
    reads_input=True, tells_threads_apart=True, assumes=("no-signals",),
)  # fmt: skip
def signal_mask(m: Machine, i: Library, args: list[Value]) -> Value:
    """A thread's own affair. At first main blocks nothing, and other threads what they inherit."""
    how, new, old = args
    mask = _mask(m)
    if old != 0:
        mask = _inherited(m) if mask is None else mask
        _set_mask(m, mask)
        m.store(old, MASK, mask)
        m.touch(Mode.WRITE, old, 8, False)
    if new == 0:
        return 0
    given = m.load(new, MASK)
    m.touch_read(new, 8)
    if how == SET:
        _set_mask(m, given)
    elif how in (BLOCK, UNBLOCK):
        if mask is not None:
            _set_mask(m, _changed(m, mask, given, how == BLOCK))
    elif i.name == "pthread_sigmask":
        return EINVAL
    else:
        set_errno(m, EINVAL)
        return masked(-1, I32)
    return 0


def _changed(m: Machine, mask: Value, given: Value, blocks: bool) -> Value:
    if blocks:
        return m.domain.binary("or", MASK)(mask, given)
    rest = m.domain.binary("xor", MASK)(given, masked(-1, MASK))
    return m.domain.binary("and", MASK)(mask, rest)


def _mask_place(m: Machine) -> Value:
    """Where a thread's mask is, and behind it whether it is known."""
    owner = m.image.threads.names[m.thread.id]
    return m.hidden(("signal mask", m.thread.id), f"signal mask of {owner}")


def _mask(m: Machine) -> Value:
    """None where it is not known."""
    place = _mask_place(m)
    if m.fetch(m.domain.add_offset(place, 8), I32) == 1:
        return m.fetch(place, MASK)
    return 0 if m.thread.id == 0 else None


def _set_mask(m: Machine, mask: Value) -> None:
    place = _mask_place(m)
    m.put(place, MASK, mask)
    m.put(m.domain.add_offset(place, 8), I32, 1)


def _inherited(m: Machine) -> Value:
    """Of whoever has started the thread."""
    value = 0 if m.draws else m.input(MASK)
    if value is None:
        m.image.bounds.add("threads inherit no blocked signals")
        return 0
    return value


# ----------------------------------------------------------------- dispositions


@library(
    "signal", c="signal bsd_signal sysv_signal __sysv_signal ssignal", visible=ALWAYS,
    publishes=(1,), returns_published=True, reads_input=True, assumes=("no-signals",),
)  # fmt: skip
def signal(m: Machine, i: Library, args: list[Value]) -> Value:
    """Its names differ in what happens when a signal comes, and none does."""
    number, handler = args
    if not _can_be_set(number):
        set_errno(m, EINVAL)
        return masked(-1, IntType(8 * m.image.layout.pointer_bytes))
    place = _disposition(m, i, number, i.result is not None)
    old = m.load(place, PTR)
    m.fill(place, _action_bytes(m), 0)
    m.store(place, PTR, handler)
    m.touch(Mode.WRITE, place, _action_bytes(m), True)
    return old


@library(
    "sigaction", c="sigaction", visible=ALWAYS, reads=(1,), writes=(2,), publishes=(1,),
    delivers=(2,), copies=((2, 1),), reads_input=True, assumes=("no-signals",),
)  # fmt: skip
def sigaction(m: Machine, i: Library, args: list[Value]) -> Value:
    number, new, old = args
    if not _can_be_set(number) and not (new == 0 and 0 < number <= LAST):
        set_errno(m, EINVAL)
        return masked(-1, I32)
    size = _action_bytes(m)
    place = _disposition(m, i, number, old != 0)
    before = m.gather(place, size)
    m.touch(Mode.READ if new == 0 else Mode.WRITE, place, size, True)
    if new != 0:
        m.copy(place, new, size)
        m.touch_read(new, size)
    if old != 0:
        m.give(old, size, before)
        m.touch(Mode.WRITE, old, size, False)
    return 0


def _action_bytes(m: Machine) -> int:
    return ACTION_BYTES[m.image.layout.pointer_bytes]


def _can_be_set(number: Value) -> bool:
    return number.__class__ is int and 0 < number <= LAST and number not in (KILL, STOP)


def _disposition(m: Machine, i: Library, number: int, asked: bool) -> Value:
    """Where it is kept: a struct sigaction. At first a signal may be ignored, if anybody asks."""
    place = m.hidden(("signal", number), f"disposition of signal {number}")
    known = m.domain.add_offset(place, 256)
    if m.load_int(known, 0, 1) == 0 and asked:
        m.store_int(place, 0, m.image.layout.pointer_bytes, IGNORE if truth(m, i) else DEFAULT)
    m.store_int(known, 0, 1, 1)
    m.touch(Mode.WRITE, known, 1, True)
    return place


# ---------------------------------------------------------------------- sending


@library("raise", c="raise", visible=ALWAYS, assumes=("no-signals",))
def raise_signal(m: Machine, i: Library, args: list[Value]) -> Value:
    return _sent(m, i, args[0])


@library("kill", c="kill killpg", visible=ALWAYS, reads_input=True, takes_terms=True)
def kill(m: Machine, i: Library, args: list[Value]) -> Value:
    """To another process, whose affair it is; to this one, or a group, as by `raise`."""
    number = m.known(args[1], 32)
    if number == 0:
        return masked(-1, I32) if fails(m, i) else 0
    to_one = i.name == "kill" and m.decide(m.domain.compare("sgt", I32)(args[0], 0))
    if to_one and not m.equal(args[0], own_number(m, i)):
        return masked(-1, I32) if fails(m, i) else 0
    return _sent(m, i, number)


@library("pthread_kill", c="pthread_kill", visible=ALWAYS)
def pthread_kill(m: Machine, i: Library, args: list[Value]) -> Value:
    thread = m.thread_of(args[0])
    if thread is None:
        return ESRCH
    return 0 if args[1] == 0 else _sent(m, i, args[1])


def _sent(m: Machine, i: Library, number: Value) -> Value:
    """What a signal does to the process that sends it."""
    if number.__class__ is not int or not 0 <= number <= LAST:
        if i.name == "pthread_kill":
            return EINVAL
        set_errno(m, EINVAL)
        return masked(-1, I32)
    if number == 0:
        return 0
    place = m.hidden(("signal", number), f"disposition of signal {number}")
    m.touch(Mode.READ, place, m.image.layout.pointer_bytes, True)
    handler = m.load(place, PTR)
    if handler not in (DEFAULT, IGNORE):
        raise Unsupported(f"{i.name} would call a handler, which is not modelled", i.loc, WAY_OUT)
    if number not in (KILL, STOP) and _may_be_blocked(m, number):
        raise Unsupported(f"{i.name} sends a signal that is blocked", i.loc, WAY_OUT)
    if handler == IGNORE or number in HARMLESS or number == STOP:
        return 0
    if number == ABORT and Property.ABORT in m.settings.properties:
        m.fault(Property.ABORT, f"{i.name}(SIGABRT) is called")
    return m.exit(128 + number)


def _may_be_blocked(m: Machine, number: int) -> bool:
    mask = _mask(m)
    if mask is None:
        return any(
            isinstance(i, Library) and i.function == "signal_mask"
            for _, _, i in m.image.program.instructions()
        )
    return mask.__class__ is not int or bool(mask >> (number - 1) & 1)


# --------------------------------------------------------------------- waiting


@library(
    "sigwait", c="sigwait", visible=ALWAYS, reads=(0,), writes=(1,), reads_input=True,
    sleeps=True, assumes=("signals-arrive",),
)  # fmt: skip
def sigwait(m: Machine, i: Library, args: list[Value]) -> Value:
    """Any signal of the set comes, some time."""
    number = _arriving(m, i, args[0])
    m.store(args[1], I32, number)
    m.touch(Mode.WRITE, args[1], 4, False, number)
    return 0


def _arriving(m: Machine, i: Library, place: Value) -> int:
    mask = m.known(m.load(place, MASK), 64)
    m.touch_read(place, 8)
    if mask is UNDEF:
        m.fault(Property.UNINITIALISED, "an uninitialised set of signals is waited for")
    members = [n for n in range(1, LAST + 1) if mask >> (n - 1) & 1]
    if not members:
        raise StuckForever("waiting for no signal at all")
    if len(members) == LAST:
        m.image.bounds.add("signals that arrive are SIGINT or SIGTERM")
        members = [2, 15]
    m.thread.inputs += 1
    number = members[m.choose(len(members))]
    m.note = f"signal {number}"
    return number


@library(
    "pause", c="pause sigsuspend", visible=MEMORY, reads=(0,), reads_input=True, sleeps=True,
    assumes=("no-signals",), native_cancellable={"pause": "irs_pause"},
)  # fmt: skip
def pause(m: Machine, i: Library, args: list[Value]) -> Value:
    """Some signal ends it, whose handler does nothing that is known here."""
    if args and args[0] != 0:
        m.touch_read(args[0], 8)
    m.thread.inputs += 1
    set_errno(m, EINTR)
    return masked(-1, I32)


@library("alarm", c="alarm", reads_input=True, takes_terms=True, assumes=("no-signals",))
def alarm(m: Machine, i: Library, args: list[Value]) -> Value:
    """What was left of an earlier one."""
    return arbitrary(m, i)


@library("siginterrupt", c="siginterrupt", takes_terms=True, assumes=("no-signals",))
def siginterrupt(m: Machine, i: Library, args: list[Value]) -> Value:
    return 0


@library(
    "sigpending", c="sigpending", visible=MEMORY, writes=(0,), reads_input=True,
    assumes=("no-signals",),
)  # fmt: skip
def sigpending(m: Machine, i: Library, args: list[Value]) -> Value:
    m.store(args[0], MASK, 0)
    m.touch(Mode.WRITE, args[0], 8, False)
    return 0
