"""Threads: starting, ending, and waiting for them."""

from __future__ import annotations

from imc.program.calling import misfit_of_start
from imc.program.events import Mode
from imc.program.faults import Blocked, Property, StuckForever
from imc.program.instructions import Library
from imc.program.library.cancellation import (
    act,
    give_up,
    is_possible,
    is_requested,
    leave,
    request,
)
from imc.program.library.locking import EDEADLK, ESRCH, check
from imc.program.library.registry import Ends, Visibility, library
from imc.program.library.specific import end_of
from imc.program.machine import Machine
from imc.program.state import Status
from imc.program.values import Value

ALWAYS = Visibility.ALWAYS
ATTRIBUTES = "attributes of threads"
NEVER_RUNS = 0x7FFF_FFFF  # the handle of a thread that --max-threads leaves out


def _create(m: Machine, handle: Value, routine: Value, argument: Value, detached: bool) -> Value:
    code = m.image.function_at(routine)
    if code is None:
        m.fault(Property.MEMORY, "the start routine of a thread is not a function")
    problem = misfit_of_start(code.function, m.image.layout)
    if problem:
        m.fault(Property.MEMORY, f"'{code.function.source_name}' is started {problem}")
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
    "thread_create", c="pthread_create",
    visible=ALWAYS, reads=(1,), writes=(0,), calls=2, passes=3, spawns=True, takes_terms=True,
    native={"pthread_create": "irs_pthread_create"}, native_always=True,
)  # fmt: skip
def thread_create(m: Machine, i: Library, args: list[Value]) -> Value:
    attributes = m.known(args[1])
    detached = False
    if attributes != 0:
        check(m, attributes, ATTRIBUTES)
        detached = m.load_int(attributes, 0, 4) == 1
        m.touch_read(attributes, 4)
    return _create(m, m.known(args[0]), m.known(args[2]), args[3], detached)


@library(
    "thrd_create", c="thrd_create",
    visible=ALWAYS, writes=(0,), calls=1, passes=2, spawns=True, takes_terms=True,
    native={"thrd_create": "irs_thrd_create"}, native_always=True,
)  # fmt: skip
def thrd_create(m: Machine, i: Library, args: list[Value]) -> Value:
    return _create(m, m.known(args[0]), m.known(args[1]), args[2], False)


@library(
    "thread_join", c="pthread_join", visible=ALWAYS, writes=(1,), delivers=(1,), waits=True,
    joins=True, cancellable=True,
    native={"pthread_join": "irs_pthread_join"}, native_always=True,
    native_cancellable={"pthread_join": "irs_cancellable_join"},
)  # fmt: skip
def thread_join(m: Machine, i: Library, args: list[Value]) -> Value:
    return _join(m, i, args[0], args[1], m.image.layout.pointer_bytes)


@library(
    "thrd_join", c="thrd_join", verb="join",
    visible=ALWAYS, writes=(1,), delivers=(1,), waits=True, joins=True, cancellable=True,
    native={"thrd_join": "irs_thrd_join"}, native_always=True,
    native_cancellable={"thrd_join": "irs_cancellable_thrd_join"},
)  # fmt: skip
def thrd_join(m: Machine, i: Library, args: list[Value]) -> Value:
    return _join(m, i, args[0], args[1], 4)


def _join(m: Machine, i: Library, handle: Value, destination: Value, size: int) -> Value:
    if handle == NEVER_RUNS:
        raise StuckForever("waiting for a thread beyond --max-threads", True)
    thread = m.thread_of(handle)
    if thread is None:
        return ESRCH
    if thread.id == m.thread.id:
        return EDEADLK
    touch_thread(m, thread.id)
    if thread.detached or thread.joined:  # undefined: what there was to wait for may be gone
        again = "although it is detached" if thread.detached else "a second time"
        m.fault(Property.LOCK, f"{m.image.threads.names[thread.id]} is joined {again}")
    if is_possible(m, i):
        place = end_of(m, thread.id)
        m.touch(Mode.READ, place, 4, True)
        if m.equal(m.load_int(place, 0, 4), 0):
            return give_up(m, i, Blocked("the end of thread", place))
        if is_requested(m, i) and not m.settings.in_turn and m.choose(2):
            return act(m, i)
    elif thread.status is not Status.DONE:
        raise Blocked("end of thread", None, thread.id)
    m.joined += (thread.id,)
    thread = m.own(thread)
    thread.joined = True
    if destination != 0:
        result = thread.result
        if result.__class__ is int:
            result &= (1 << 8 * size) - 1
        m.store_int(destination, 0, size, result)
        m.touch(Mode.WRITE, destination, size, False, result)
    m.note = m.image.threads.names[thread.id]
    return 0


def touch_thread(m: Machine, number: int) -> None:
    """Joins and detaches of one thread do not commute."""
    m.touch(Mode.WRITE, place_of_thread(m, number), 1, True)


def place_of_thread(m: Machine, number: int) -> Value:
    """A place that stands for what is known of a thread by its handle."""
    return m.hidden(("thread", number), m.image.threads.names[number])


@library(
    "thread_exit", c="pthread_exit thrd_exit", visible=ALWAYS, publishes=(0,), ends=Ends.THREAD,
    native={"pthread_exit": "irs_pthread_exit", "thrd_exit": "irs_thrd_exit"},
)  # fmt: skip
def thread_exit(m: Machine, i: Library, args: list[Value]) -> Value:
    if not m.thread.ending:
        m.thread.result = args[0] if args else 0
    return leave(m, i)


@library(
    "thread_unwind", c="__pthread_unwind_next", visible=ALWAYS, ignores=(0,), ends=Ends.THREAD,
    native={"__pthread_unwind_next": "irs_unwind_next"},
)  # fmt: skip
def thread_unwind(m: Machine, i: Library, args: list[Value]) -> Value:
    """A handler of pthread_cleanup_push is done."""
    return leave(m, i)


@library(
    "thread_cancel", c="pthread_cancel", visible=ALWAYS, cancels=True,
    native={"pthread_cancel": "irs_pthread_cancel"},
)  # fmt: skip
def thread_cancel(m: Machine, i: Library, args: list[Value]) -> Value:
    """The request stays, and has no effect on a thread that has ended."""
    thread = m.thread_of(args[0])
    if thread is None:
        return 0 if args[0] == NEVER_RUNS else ESRCH
    request(m, i, thread.id)
    m.touch(Mode.READ, place_of_thread(m, thread.id), 1, True)
    if thread.joined:  # undefined, as it is to join it
        name = m.image.threads.names[thread.id]
        m.fault(Property.LOCK, f"{name} is cancelled after it was joined")
    return 0


@library("thread_self", c="pthread_self thrd_current", tells_threads_apart=True, tells_handle=True)
def thread_self(m: Machine, i: Library, args: list[Value]) -> Value:
    return m.thread.id + 1


@library("thread_equal", c="pthread_equal thrd_equal")
def thread_equal(m: Machine, i: Library, args: list[Value]) -> Value:
    return int(args[0] == args[1])


@library("thread_detach", c="pthread_detach thrd_detach", visible=ALWAYS)
def thread_detach(m: Machine, i: Library, args: list[Value]) -> Value:
    thread = m.thread_of(args[0])
    if thread is None:
        return 0 if args[0] == NEVER_RUNS else ESRCH
    thread = m.thread if thread.id == m.thread.id else m.own(thread)
    thread.detached = True
    touch_thread(m, thread.id)
    return 0


@library("attr_init", c="pthread_attr_init", visible=Visibility.MEMORY, writes=(0,))
def attr_init(m: Machine, i: Library, args: list[Value]) -> Value:
    return _set_detached(m, args[0], 0)


@library(
    "attr_setdetachstate", c="pthread_attr_setdetachstate", visible=Visibility.MEMORY, writes=(0,)
)
def attr_setdetachstate(m: Machine, i: Library, args: list[Value]) -> Value:
    return _set_detached(m, args[0], args[1])


def _set_detached(m: Machine, attributes: Value, state: Value) -> Value:
    check(m, attributes, ATTRIBUTES)
    m.store_int(attributes, 0, 4, state)
    m.touch(Mode.WRITE, attributes, 4, False, state)
    return 0


@library(
    "attr_getdetachstate", c="pthread_attr_getdetachstate",
    visible=Visibility.MEMORY, reads=(0,), writes=(1,),
)  # fmt: skip
def attr_getdetachstate(m: Machine, i: Library, args: list[Value]) -> Value:
    check(m, args[0], ATTRIBUTES)
    state = m.load_int(args[0], 0, 4)
    m.touch_read(args[0], 4)
    m.store_int(args[1], 0, 4, state)
    m.touch(Mode.WRITE, args[1], 4, False, state)
    return 0
