"""Private data of threads, and what becomes of it when they end.

Keys have numbers, of which a new key gets the lowest that is free. A thread that ends calls the
destructors of what it has set, as glibc does: key by key in the order of their numbers, and again
from the first one, four times at most, as long as there is a value left. Whether a key is still
there is looked up at its turn, and somebody may delete it before. So each turn is an event, and so
is the end itself, with which the thread's own variables end: see frontend/libc/threads.c.
"""

from __future__ import annotations

from imc.program.events import Mode
from imc.program.instructions import Library
from imc.program.library.locking import EAGAIN
from imc.program.library.registry import Visibility, library
from imc.program.machine import Machine
from imc.program.objects import ObjectInfo
from imc.program.types import I32, PTR
from imc.program.values import Value

DESTRUCTOR_ROUNDS = 4  # PTHREAD_DESTRUCTOR_ITERATIONS
MOST_KEYS = 1024  # PTHREAD_KEYS_MAX
FAILED = 2  # thrd_error
BEGUN, OVER = 1, -1  # of `Thread.ending`: what lies above is how far it has come
NUMBER, HAS_DESTRUCTOR = 8, 12  # behind a key's destructor


def _slot(m: Machine, key: Value) -> Value:
    """Where the running thread keeps its value of a key."""
    owner = m.image.threads.names[m.thread.id]
    return m.hidden(("specific", key, m.thread.id), f"key {key} of {owner}")


def _destructor(m: Machine, key: Value) -> Value:
    """Where a key's destructor is kept, which only its deletion changes."""
    return m.hidden(("destructor", key), f"destructor of key {key}")


def _fact(m: Machine, key: Value, offset: int) -> int:
    """What never changes about a key: it is written before others can know the key."""
    return int(m.fetch((_destructor(m, key)[0], offset), I32))


def _numbers(m: Machine) -> Value:
    """Which numbers are taken: of each, the key that has it."""
    place = m.hidden("keys", "keys of thread-specific data")
    m.touch(Mode.WRITE, place, 8 * MOST_KEYS, True)
    return place


@library(
    "thread_key_create", c="pthread_key_create tss_create",
    visible=Visibility.ALWAYS, writes=(0,), publishes=(1,),
    calls=1, calls_with_specific=True, calls_at_end=True,
    native=dict.fromkeys(("pthread_key_create", "tss_create"), "irs_key_create"),
)  # fmt: skip
def thread_key_create(m: Machine, i: Library, args: list[Value]) -> Value:
    numbers = _numbers(m)
    number = next((n for n in range(MOST_KEYS) if m.load_int(numbers, 8 * n, 8) == 0), None)
    if number is None:
        return EAGAIN if i.name.startswith("pthread_") else FAILED
    m.thread.allocated += 1
    key = m.image.objects.intern(("key", m.thread.id, m.thread.allocated), ObjectInfo("key", "key"))
    m.store_int(numbers, 8 * number, 8, key)
    place = _destructor(m, key)
    m.put(place, PTR, args[1])
    m.put((place[0], NUMBER), I32, number)
    m.put((place[0], HAS_DESTRUCTOR), I32, int(not m.equal(args[1], 0, 64)))
    m.store_int(args[0], 0, 4, key)
    m.touch(Mode.WRITE, args[0], 4, False, key)
    return 0


@library(
    "thread_key_delete", c="pthread_key_delete tss_delete", visible=Visibility.ALWAYS,
    native=dict.fromkeys(("pthread_key_delete", "tss_delete"), "irs_key_delete"),
)  # fmt: skip
def thread_key_delete(m: Machine, i: Library, args: list[Value]) -> Value:
    """From now on no destructor runs."""
    numbers, number = _numbers(m), _fact(m, args[0], NUMBER)
    if m.load_int(numbers, 8 * number, 8) == args[0]:
        m.store_int(numbers, 8 * number, 8, 0)
    place = _destructor(m, args[0])
    m.put(place, PTR, 0)
    m.touch(Mode.WRITE, place, m.image.layout.pointer_bytes, True)
    return 0


@library(
    "thread_setspecific", c="pthread_setspecific tss_set",
    publishes=(1,), tells_threads_apart=True,
    native=dict.fromkeys(("pthread_setspecific", "tss_set"), "irs_set_specific"),
)  # fmt: skip
def thread_setspecific(m: Machine, i: Library, args: list[Value]) -> Value:
    key, value = args
    m.store(_slot(m, key), PTR, value)
    if _fact(m, key, HAS_DESTRUCTOR) and key not in m.thread.keys:
        # A value that was left under a deleted key of the same number is lost.
        number = _fact(m, key, NUMBER)
        others = tuple(k for k in m.thread.keys if _fact(m, k, NUMBER) != number)
        m.thread.keys = (*others, key)
    return 0


@library(
    "thread_getspecific", c="pthread_getspecific tss_get",
    returns_published=True, tells_threads_apart=True,
    native=dict.fromkeys(("pthread_getspecific", "tss_get"), "irs_get_specific"),
)  # fmt: skip
def thread_getspecific(m: Machine, i: Library, args: list[Value]) -> Value:
    return m.load(_slot(m, args[0]), PTR)


# ------------------------------------------------------------------ ends of threads


def ends_later(m: Machine) -> bool:
    """Whether the end of a thread that has no frame left is still to come, as an event."""
    if m.thread.ending == OVER:
        return False
    return m.image.shares_thread_locals or m.image.sharing.cancelling.ends_matter or bool(_left(m))


def end_of(m: Machine, thread: int) -> Value:
    """Where it is written that a thread has ended, for those who may give up waiting for it."""
    return m.hidden(identity_of_end(thread), m.image.threads.names[thread])


def identity_of_end(thread: int) -> tuple[str, int]:
    return ("end", thread)


@library(
    "thread_end", c="imc_next_destructor", verb="end",
    visible=Visibility.ALWAYS, writes=(0, 1), delivers=(0, 1),
    native={"imc_next_destructor": "irs_next_destructor"}, native_always=True,
)  # fmt: skip
def thread_end(m: Machine, i: Library, args: list[Value]) -> Value:
    """Finds the next destructor and its argument; zero: there is none, and the thread ends."""
    key = _next_key(m)
    if key is None:
        m.thread.ending = OVER
        m.image.drop_thread_locals(m.thread.id, m)
        if m.image.sharing.cancelling.ends_matter:
            m.store_int(end_of(m, m.thread.id), 0, 4, 1)
            m.touch(Mode.WRITE, end_of(m, m.thread.id), 4, True)
        return 0
    size, place = m.image.layout.pointer_bytes, _destructor(m, key)
    value, destructor = m.fetch(_slot(m, key), PTR), m.fetch(place, PTR)
    m.touch(Mode.READ, place, size, True)
    m.put(_slot(m, key), PTR, 0)
    for to, found in zip(args, (destructor, value), strict=True):
        m.store(to, PTR, found)
        m.touch(Mode.WRITE, to, size, False, found)
    return 1


def _left(m: Machine) -> list[tuple[int, Value]]:
    """Keys that the thread has values of and that were made with a destructor, by number."""
    kept = (k for k in m.thread.keys if not m.equal(m.fetch(_slot(m, k), PTR), 0, 64))
    return sorted((_fact(m, key, NUMBER), key) for key in kept)


def _next_key(m: Machine) -> Value | None:
    """The key whose turn it is; what is set meanwhile has its turn in this round or the next."""
    left = _left(m)
    reached = m.thread.ending - BEGUN
    limit = DESTRUCTOR_ROUNDS * MOST_KEYS
    turns = (
        (start + number, key)
        for start in range(reached // MOST_KEYS * MOST_KEYS, limit, MOST_KEYS)
        for number, key in left
    )
    turn, key = next(((t, k) for t, k in turns if t >= reached), (limit, None))
    m.thread.ending = BEGUN + turn + 1
    return key
