"""Events: one visible operation of one thread, with what it touched."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from imc.errors import SourceLoc
from imc.program.values import Pointer, Value


class Mode(IntEnum):
    """How an event touches a cell. Modes above WRITE change it but commute with themselves."""

    READ = 0
    WRITE = 1
    SHARE = 2  # readers entering or leaving a read-write lock
    POST = 3  # semaphore posts
    ARRIVE = 4  # arrivals at a barrier, but for the last one
    ADD = 5  # atomic additions whose old value nobody looks at


class Access(NamedTuple):
    """One cell touched. `atomic` accesses never race; `value` is what was read or written.

    Where the offset is not known, all of the object is touched, and `unknown` has offset and size.
    """

    mode: Mode
    object: int
    offset: int
    size: int
    atomic: bool
    value: Value
    unknown: tuple[Value, int] | None = None


@dataclass(slots=True, eq=False)
class Event:
    """One step of a thread: a visible operation and the local steps that follow it."""

    thread: int
    index: int  # how many events the thread had before
    function: str
    pc: int
    operation: str  # load, store, lock, wait, …
    accesses: tuple[Access, ...] = ()
    choices: tuple[int, ...] = ()  # what the environment chose
    loc: SourceLoc | None = None
    spawned: tuple[int, ...] = ()  # threads that the event starts
    joined: tuple[int, ...] = ()  # threads whose end the event has waited for
    acquired: tuple[Pointer, ...] = ()  # mutexes and spin locks that the event takes
    wakes: bool = False  # another thread now waits for a mutex instead of a signal
    tries: bool = False  # would not have waited for a lock
    exits: bool = False  # ends the whole program
    serves: bool = False  # begins another round of a loop without an exit
    leaves: bool = False  # calls code outside of the program, which may take long
    invents: str = ""  # a function that nobody defines, whose effect was made up
    note: str = ""  # what a reader should know besides the accesses

    @property
    def identity(self) -> tuple[int, int, tuple[int, ...]]:
        """The same in every interleaving in which the thread has come to this event."""
        return (self.thread, self.index, self.choices)
