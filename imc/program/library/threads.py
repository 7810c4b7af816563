"""Threads: starting, ending, waiting for them, and their private data."""

from __future__ import annotations

from imc.program.events import Mode
from imc.program.faults import Blocked, Property, StuckForever
from imc.program.instructions import Library
from imc.program.library.locking import EDEADLK, EINVAL, ESRCH
from imc.program.library.registry import Visibility, library
from imc.program.machine import CALLED, Machine
from imc.program.objects import ObjectInfo
from imc.program.state import Status
from imc.program.types import PTR
from imc.program.values import Value

ALWAYS = Visibility.ALWAYS
DESTRUCTOR_ROUNDS = 4  # as in glibc, for a destructor that sets its key again
NEVER_RUNS = 0x7FFF_FFFF  # the handle of a thread that --max-threads leaves out


def _create(m: Machine, handle: Value, routine: Value, argument: Value, detached: bool) -> Value:
    code = m.image.function_at(routine)
    if code is None:
        m.fault(Property.MEMORY, "the start routine of a thread is not a function")
    child = m.spawn(code, [argument])
    number = NEVER_RUNS
    if child is not None:
        child.detached = detached
        number = child.id + 1
        m.note = f"starts {m.image.threads.names[child.id]}"
    size = m.image.layout.pointer_bytes
    m.store_int(handle, 0, size, number)
    m.touch(Mode.WRITE, handle, size, False, number)
    return 0


@library(
    "thread_create",
    visible=ALWAYS,
    reads=(1,),
    writes=(0,),
    calls=2,
    passes=3,
    spawns=True,
    takes_terms=True,
)
def thread_create(m: Machine, i: Library, args: list[Value]) -> Value:
    attributes = m.known(args[1])
    detached = attributes.__class__ is tuple and m.load_int(attributes, 0, 4) == 1
    return _create(m, m.known(args[0]), m.known(args[2]), args[3], detached)


@library(
    "thrd_create", visible=ALWAYS, writes=(0,), calls=1, passes=2, spawns=True, takes_terms=True
)
def thrd_create(m: Machine, i: Library, args: list[Value]) -> Value:
    return _create(m, m.known(args[0]), m.known(args[1]), args[2], False)


@library("thread_join", visible=ALWAYS, writes=(1,), waits=True)
def thread_join(m: Machine, i: Library, args: list[Value]) -> Value:
    return _join(m, args[0], args[1], m.image.layout.pointer_bytes)


@library("thrd_join", visible=ALWAYS, writes=(1,), waits=True)
def thrd_join(m: Machine, i: Library, args: list[Value]) -> Value:
    return _join(m, args[0], args[1], 4)


def _join(m: Machine, handle: Value, destination: Value, size: int) -> Value:
    if handle == NEVER_RUNS:
        raise StuckForever("waiting for a thread beyond --max-threads", True)
    thread = m.thread_of(handle)
    if thread is None:
        return ESRCH
    if thread.id == m.thread.id:
        return EDEADLK
    touch_thread(m, thread.id)
    if thread.detached:
        return EINVAL
    if thread.joined:
        m.fault(Property.LOCK, f"{m.image.threads.names[thread.id]} is joined a second time")
    if thread.status is not Status.DONE:
        raise Blocked("end of thread", None, thread.id)
    m.joined += (thread.id,)
    thread = m.own(thread)
    thread.joined = True
    if destination != 0:
        m.store_int(destination, 0, size, thread.result)
        m.touch(Mode.WRITE, destination, size, False, thread.result)
    m.note = m.image.threads.names[thread.id]
    return 0


def touch_thread(m: Machine, number: int) -> None:
    """Joins and detaches of one thread do not commute."""
    m.touch(Mode.WRITE, m.hidden(("thread", number), m.image.threads.names[number]), 1, True)


@library("thread_exit", visible=Visibility.ALWAYS)
def thread_exit(m: Machine, i: Library, args: list[Value]) -> Value:
    for frame in m.frames:
        for number in frame.objects:
            m.touch(Mode.WRITE, (number, 0), max(m.memory[number].size, 1), False)
            m.release(number)
    if not m.thread.ending:
        m.thread.result = args[0] if args else 0
    m.frames.clear()
    return CALLED


@library("thread_self")
def thread_self(m: Machine, i: Library, args: list[Value]) -> Value:
    return m.thread.id + 1


@library("thread_equal")
def thread_equal(m: Machine, i: Library, args: list[Value]) -> Value:
    return int(args[0] == args[1])


@library("thread_detach", visible=ALWAYS)
def thread_detach(m: Machine, i: Library, args: list[Value]) -> Value:
    thread = m.thread_of(args[0])
    if thread is None:
        return 0 if args[0] == NEVER_RUNS else ESRCH
    thread = m.thread if thread.id == m.thread.id else m.own(thread)
    thread.detached = True
    touch_thread(m, thread.id)
    return 0


@library("attr_init", visible=Visibility.MEMORY, writes=(0,))
def attr_init(m: Machine, i: Library, args: list[Value]) -> Value:
    m.store_int(args[0], 0, 4, 0)
    return 0


@library("attr_setdetachstate", visible=Visibility.MEMORY, writes=(0,))
def attr_setdetachstate(m: Machine, i: Library, args: list[Value]) -> Value:
    m.store_int(args[0], 0, 4, args[1])
    return 0


# ---------------------------------------------------------- thread-private data


def _slot(m: Machine, key: Value) -> Value:
    """Where the running thread keeps its value of a key."""
    owner = m.image.threads.names[m.thread.id]
    return m.hidden(("specific", key, m.thread.id), f"key {key} of {owner}")


@library(
    "thread_key_create", visible=Visibility.MEMORY, writes=(0,), calls=1, calls_with_specific=True
)
def thread_key_create(m: Machine, i: Library, args: list[Value]) -> Value:
    m.thread.allocated += 1
    key = m.image.objects.intern(("key", m.thread.id, m.thread.allocated), ObjectInfo("key", "key"))
    m.store(m.hidden(("destructor", key), f"destructor of key {key}"), PTR, args[1])
    m.store_int(args[0], 0, 4, key)
    m.touch(Mode.WRITE, args[0], 4, False, key)
    return 0


@library("thread_setspecific")
def thread_setspecific(m: Machine, i: Library, args: list[Value]) -> Value:
    m.store(_slot(m, args[0]), PTR, args[1])
    if args[0] not in m.thread.keys:
        m.thread.keys = (*m.thread.keys, args[0])
    return 0


@library("thread_getspecific")
def thread_getspecific(m: Machine, i: Library, args: list[Value]) -> Value:
    return m.load(_slot(m, args[0]), PTR)


def call_destructor(m: Machine) -> bool:
    """As a thread ends, calls the destructor of one of its keys that still has a value."""
    m.thread.ending += 1
    if m.thread.ending > DESTRUCTOR_ROUNDS * len(m.thread.keys):
        return False
    for key in m.thread.keys:
        value = m.load(_slot(m, key), PTR)
        destructor = m.load(m.hidden(("destructor", key), f"destructor of key {key}"), PTR)
        if not m.equal(value, 0, 64) and not m.equal(destructor, 0, 64):
            m.store(_slot(m, key), PTR, 0)
            code = m.image.function_at(destructor)
            if code is None:
                m.fault(Property.MEMORY, "a destructor is not a function")
            m.call(code, [value])
            return True
    return False
