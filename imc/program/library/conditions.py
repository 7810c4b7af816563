"""Condition variables: a set of waiters, one bit per thread.

Whom a signal wakes is open. Where `irs` does the waiting, it is the waiter that comes next after
the one that was woken last, in the order of their numbers, so that everybody has a turn.

A wait is several events: giving the mutex up and waiting; being woken by the time limit, after
which no signal is meant for the thread any more; and having the mutex again. Between any two of
them others can move. A thread that is cancelled while it waits has the mutex again, too, before it
ends. If it had been signalled before, it is open which of the two counts; if it is cancelled, the
signal is for somebody else who waits.
"""

from __future__ import annotations

from imc.program.events import Mode
from imc.program.faults import Blocked, Property
from imc.program.instructions import Library
from imc.program.library import mutexes
from imc.program.library.attributes import read_attributes
from imc.program.library.cancellation import act, is_possible, is_requested
from imc.program.library.locking import (
    ETIMEDOUT,
    bit_of,
    check,
    field,
    holder,
    me,
    name_of,
    overwritten,
    read_time,
    status,
    touch,
)
from imc.program.library.registry import Role, Visibility, library
from imc.program.machine import NEXT_PHASE, Machine
from imc.program.settings import Wakeups
from imc.program.values import Value

WAITERS, BYTES = 0, 16
MOST_WAITERS = 120  # bits; in those above is the number of the thread after the last one woken
WAITING, WOKEN, CANCELLED = 1, 2, 3  # phases of a wait
ALL = (1 << MOST_WAITERS) - 1
ALWAYS = Visibility.ALWAYS
WHAT = "condition variable"


def _contents(m: Machine, condition: Value) -> int:
    return int(field(m, condition, WAITERS, BYTES, WHAT))


def _waiters(m: Machine, condition: Value) -> int:
    waiters = _contents(m, condition) & ALL
    known = m.state.threads
    if any(waiters >> t & 1 and t not in known for t in range(waiters.bit_length())):
        overwritten(m, condition, WHAT)
    return waiters


def _put(m: Machine, condition: Value, waiters: int) -> None:
    """Changes who waits, and not whose turn it is."""
    turn = _contents(m, condition) & ~ALL
    m.store_int(condition, WAITERS, BYTES, turn | waiters)


def _bit(m: Machine) -> int:
    return bit_of(m, MOST_WAITERS)


@library(
    "cond_init", c="pthread_cond_init cnd_init",
    visible=ALWAYS, role=Role.BEGIN, writes=(0,), reads=(1,),
    native={"pthread_cond_init": "irs_pthread_cond_init", "cnd_init": "irs_cnd_init"},
)  # fmt: skip
def cond_init(m: Machine, i: Library, args: list[Value]) -> Value:
    read_attributes(m, args, 1, "condition variables")
    check(m, args[0], WHAT)
    m.store_int(args[0], WAITERS, BYTES, 0)
    touch(m, args[0], WHAT)
    return 0


@library(
    "cond_wait", c="pthread_cond_wait cnd_wait", verb="wait",
    visible=ALWAYS, phases=True, writes=(0, 1), waits=True, cancellable=True,
    native=dict.fromkeys(("pthread_cond_wait", "cnd_wait"), "irs_pthread_cond_wait"),
)  # fmt: skip
def cond_wait(m: Machine, i: Library, args: list[Value]) -> Value:
    return _wait(m, i, args, timed=False)


@library(
    "cond_timedwait", c="pthread_cond_timedwait pthread_cond_clockwait cnd_timedwait",
    visible=ALWAYS, phases=True, writes=(0, 1), reads=(2, 3), waits=True, cancellable=True,
    native={
        "pthread_cond_timedwait": "irs_pthread_cond_timedwait",
        "pthread_cond_clockwait": "irs_pthread_cond_clockwait",
        "cnd_timedwait": "irs_cnd_timedwait",
    },
)  # fmt: skip
def cond_timedwait(m: Machine, i: Library, args: list[Value]) -> Value:
    if m.frames[-1].phase == 0:
        read_time(m, args[-1])
    return _wait(m, i, args, timed=True)


def _wait(m: Machine, i: Library, args: list[Value], timed: bool) -> Value:
    condition, mutex = args[:2]
    frame = m.frames[-1]
    if frame.phase == 0:
        return _begin(m, i, condition, mutex)
    if frame.phase == WAITING:
        bit, waiters = _bit(m), _waiters(m, condition)
        if waiters & bit:
            if is_requested(m, i):
                return _give_up(m, condition, waiters & ~bit)
            if not timed:
                touch(m, mutex, "mutex")
                why = Blocked("signal on condition variable", condition)
                why.stable = not is_possible(m, i)
                raise why
            _put(m, condition, waiters & ~bit)
            touch(m, condition, WHAT)
            m.note = "times out"
            frame.phase, frame.scratch = WOKEN, status(i, ETIMEDOUT)
            return NEXT_PHASE
        touch(m, condition, WHAT)
        if is_requested(m, i) and not m.settings.in_turn:
            return _go_either_way(m, condition, waiters)
    result = _take_again(m, i, mutex)
    if frame.phase == CANCELLED:
        return act(m, i)
    if frame.phase == WAITING:
        _was_signalled(m)
    return result


def _go_either_way(m: Machine, condition: Value, waiters: int) -> Value:
    """The wait was over, and then the thread was cancelled.

    That is an event of its own, since it is possible whether or not the mutex is free.
    """
    signalled = _was_signalled(m)
    if not m.choose(2):
        m.note = "is not cancelled yet"
        m.frames[-1].phase = WOKEN
        return NEXT_PHASE
    if signalled and waiters:
        _wake_one(m, condition, waiters)
    return _give_up(m, condition, _waiters(m, condition))


def _give_up(m: Machine, condition: Value, waiters: int) -> Value:
    """The wait ends because the thread is cancelled."""
    _put(m, condition, waiters)
    touch(m, condition, WHAT)
    m.note = "is cancelled"
    m.frames[-1].phase = CANCELLED
    return NEXT_PHASE


def _signal_of(m: Machine, thread: int) -> Value:
    """Where it is kept that a signal was for a thread which may be cancelled before it goes on."""
    place = m.hidden(("signalled", thread), f"signal for {m.image.threads.names[thread]}")
    m.touch(Mode.WRITE, place, 4, True)
    return place


def _was_signalled(m: Machine) -> bool:
    """Whether it was one signal that ended the wait, not one for all; that is then forgotten."""
    if m.settings.in_turn or not m.image.sharing.cancelling.cancels:
        return False
    place = _signal_of(m, m.thread.id)
    signalled = not m.equal(m.load_int(place, 0, 4), 0)
    m.store_int(place, 0, 4, 0)
    return signalled


def _begin(m: Machine, i: Library, condition: Value, mutex: Value) -> Value:
    """Gives the mutex up and waits.

    A wait that is going to end without a signal is not among the waiters: no signal is meant for
    it. That it may end so does not mean that it does, so the environment chooses. It does not end
    so where the thread is to be cancelled.
    """
    if not m.equal(mutexes.owner(m, mutex), me(m)):
        m.fault(Property.LOCK, f"wait without holding mutex '{name_of(m, mutex)}'")
    if not m.equal(mutexes.depth(m, mutex), 0):
        m.fault(Property.LOCK, f"wait with mutex '{name_of(m, mutex)}' locked more than once")
    wakes = may_wake(i, m.settings.wakeups) and not is_requested(m, i)
    unsignalled = wakes and m.choose(2)
    mutexes.release(m, mutex)
    m.note = "gives the mutex back"
    if unsignalled:
        m.note = "wakes up without a signal"
    else:
        _put(m, condition, _waiters(m, condition) | _bit(m))
    touch(m, condition, WHAT)
    touch(m, mutex, "mutex")
    m.frames[-1].phase = WOKEN if unsignalled else WAITING
    return NEXT_PHASE


def may_wake(i: Library, wakeups: Wakeups) -> bool:
    """Whether a wait may end without a signal."""
    return wakeups is Wakeups.EVERYWHERE or (wakeups is Wakeups.UNGUARDED and i.unguarded)


def _take_again(m: Machine, i: Library, mutex: Value) -> Value:
    held, frame = mutexes.owner(m, mutex), m.frames[-1]
    if not m.equal(held, 0):
        why = Blocked("mutex", mutex, holder(held))
        why.stable = frame.phase != WAITING or not is_possible(m, i)
        raise why
    mutexes.acquire(m, mutex)
    touch(m, mutex, "mutex")
    m.note = "has the mutex again"
    result, frame.scratch = frame.scratch or 0, None
    return result


@library(
    "cond_signal", c="pthread_cond_signal cnd_signal", verb="signal", visible=ALWAYS, writes=(0,),
    wakes=True, wakes_one=True,
    native=dict.fromkeys(("pthread_cond_signal", "cnd_signal"), "irs_pthread_cond_signal"),
)  # fmt: skip
def cond_signal(m: Machine, i: Library, args: list[Value]) -> Value:
    waiters = _waiters(m, args[0])
    m.wakes = True
    touch(m, args[0], WHAT)
    if waiters:
        woken = _wake_one(m, args[0], waiters)
        m.note = f"wakes {m.image.threads.names[woken]}"
    else:
        m.note = "nobody waits"
    return 0


def _wake_one(m: Machine, condition: Value, waiters: int) -> int:
    """One of those who wait goes on; answers who."""
    waiting = [t for t in range(waiters.bit_length()) if waiters >> t & 1]
    woken, turn = _woken(m, condition, waiting)
    m.wakes = True
    m.store_int(condition, WAITERS, BYTES, turn << MOST_WAITERS | waiters & ~(1 << woken))
    if m.image.sharing.cancelling.cancels and not m.settings.in_turn:
        m.store_int(_signal_of(m, woken), 0, 4, 1)
    return woken


def _woken(m: Machine, condition: Value, waiting: list[int]) -> tuple[int, int]:
    """The thread that a signal wakes, and whose turn it is afterwards."""
    if not m.settings.in_turn:
        return waiting[m.choose(len(waiting))], 0
    turn = _contents(m, condition) >> MOST_WAITERS
    woken = next((t for t in waiting if t >= turn), waiting[0])
    return woken, woken + 1


@library(
    "cond_broadcast", c="pthread_cond_broadcast cnd_broadcast", verb="broadcast",
    visible=ALWAYS, writes=(0,), wakes=True,
    native=dict.fromkeys(
        ("pthread_cond_broadcast", "cnd_broadcast"), "irs_pthread_cond_broadcast"
    ),
)  # fmt: skip
def cond_broadcast(m: Machine, i: Library, args: list[Value]) -> Value:
    waiters = _waiters(m, args[0])
    m.wakes = True
    touch(m, args[0], WHAT)
    m.store_int(args[0], WAITERS, BYTES, 0)
    m.note = f"wakes {waiters.bit_count()}" if waiters else "nobody waits"
    return 0
