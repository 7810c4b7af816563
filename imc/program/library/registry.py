"""The one registry of library functions: an entry says everything that is known of a function.

Front end, points-to analysis, sharing, events, descriptions, schedules and the native run-time all
read it; no other file asks what a function is called. What an entry does not say is the worst: a
pointer argument that it neither reads, writes, calls, passes on nor ignores makes the call one of
an unknown function (see frontend/lower.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING

from imc.program.values import Value

if TYPE_CHECKING:
    from imc.program.instructions import Library
    from imc.program.machine import Machine

Run = Callable[["Machine", "Library", list[Value]], Value]
Arguments = tuple[int, ...]  # numbers of arguments, from 0
MANY = 8  # arguments in an entry, which then means any of them
NO_NAMES: Mapping[str, str] = MappingProxyType({})


class Visibility(Enum):
    """When a call is an event."""

    LOCAL = "local"  # never
    MEMORY = "memory"  # when a pointer it is given may lead to shared memory
    CANCELLABLE = "cancellable"  # when a thread that runs it may be cancelled
    ALWAYS = "always"


class Role(Enum):
    """What a function is to the object that it synchronises by."""

    NONE = "none"
    LOCK = "lock"  # takes or gives back a lock, and tells nobody else of it
    MEET = "meet"  # waits for others at a barrier
    BEGIN = "begin"  # makes the object
    END = "end"  # takes it away; its result tells whether that was possible
    HIDE = "hide"  # makes several events one


class Ends(Enum):
    """What a call does not come back from."""

    NOTHING = "nothing"
    FRAME = "frame"  # the thread goes on elsewhere
    THREAD = "thread"
    PROGRAM = "program"
    ERROR = "error"  # it is a fault to come there


@dataclass(frozen=True, slots=True)
class LibraryFunction:
    """A library function, under its name in the model."""

    name: str
    run: Run
    c: tuple[str, ...] = ()  # its names in C
    intrinsics: tuple[str, ...] = ()  # its names among LLVM's own functions, without "llvm."
    # Events
    visible: Visibility = Visibility.LOCAL
    stepwise: Run | None = None  # used instead of `run` where the call is visible
    stepwise_if_written: bool = False  # only where what it writes to may be shared
    phases: bool = False  # it is several events wherever it is one
    wakes: bool = False  # who waits, and not for a lock, may go on after it
    wakes_one: bool = False  # of those who wait: the environment chooses, or our run-time
    waits: bool = False  # it may be unable to go on until another thread has moved
    reads_input: bool = False  # the environment chooses the result
    told_natively: bool = False  # what is chosen can be given to an executable, as its input
    takes_terms: bool = False  # its arguments may be terms; others are told numbers
    role: Role = Role.NONE
    ends: Ends = Ends.NOTHING
    returns_twice: bool = False  # a jump may lead to behind it once more
    # Memory
    reads: Arguments = ()
    writes: Arguments = ()
    ignores: Arguments = ()  # pointers that it does not follow
    reads_reachable: bool = False  # reads whatever its arguments lead to
    writes_reachable: bool = False  # and writes to it
    copies: tuple[tuple[int, int], ...] = ()  # (to, from): what lies there, addresses as well
    prints: bool = False  # it does nothing but to tell of its arguments
    prints_into: int | None = None  # an argument that text is written to, which may be an address
    returns_heap: bool = False  # a new object
    returns_aligned: bool = False  # that begins at a multiple of a word, natively too
    returns_number: bool = False  # no address that it was given
    returns: int | None = None  # if it is one, the only argument that the result may be
    returns_positive: bool = False  # or zero
    tells_time: bool = False  # of day, in seconds
    stores_heap: int | None = None  # an argument that the address of a new object is stored to
    # Threads
    calls: int | None = None  # argument that is a function it calls, in this thread or a new one
    passes: int | None = None  # argument that it hands to that function
    calls_at_end: bool = False  # the function is called when the thread or the program ends
    calls_with_specific: bool = False  # it hands over thread-specific data
    spawns: bool = False
    publishes: Arguments = ()  # what other threads may get from the library
    delivers: Arguments = ()  # where it stores what was published
    returns_published: bool = False
    tells_threads_apart: bool = False  # its effect depends on which thread calls it
    cancels: bool = False  # it asks another thread to end
    cancellable: bool = False  # its wait is over, too, when its own thread is asked to end
    joins: bool = False  # it waits for the end of another thread
    tells_handle: bool = False  # its result is the handle of the thread that calls it
    sleeps: bool = False  # it may wait for the system, and nobody knows how long
    # Words, assumptions, and the native run-time
    verb: str = ""  # in traces; "" for the function's own name
    assumes: tuple[str, ...] = ()  # codes of assumptions that a call rests on
    assumes_with_arguments: tuple[str, ...] = ()  # if it has more than one argument
    assumes_by_name: tuple[str, ...] = ()  # for each function that is called so
    native: Mapping[str, str] = field(
        default_factory=lambda: NO_NAMES
    )  # by C name: who performs it
    native_always: bool = False  # with and without a schedule
    native_cancellable: Mapping[str, str] = field(
        default_factory=lambda: NO_NAMES
    )  # by C name: who performs it in programs that cancel threads; a wait with its gate
    native_pieces: str = ""  # who performs it piece by piece where others see its steps
    native_steps: Mapping[str, str] = field(
        default_factory=lambda: NO_NAMES
    )  # by C name: who performs it where others see its steps, called as the function is
    refused_natively: Mapping[str, str] = field(default_factory=lambda: NO_NAMES)  # and the way out

    def describes(self, argument: int) -> bool:
        """Whether the entry says what becomes of a pointer that is given as an argument."""
        called = (k for k in (self.calls, self.passes, self.stores_heap) if k is not None)
        copied = (k for pair in self.copies for k in pair)
        told = (*self.reads, *self.writes, *self.ignores, *self.publishes, *self.delivers)
        return self.reads_reachable or argument in (*told, *called, *copied)

    def follows(self) -> set[int]:
        """Arguments that are addresses, as far as the entry names them."""
        named = (self.reads, self.writes, self.delivers, *self.copies)
        told = {k for some in named if len(some) < MANY for k in some}
        return told | ({self.calls} if self.calls is not None else set())


LIBRARY: dict[str, LibraryFunction] = {}
BY_C_NAME: dict[str, str] = {}  # names in the model
BY_INTRINSIC: dict[str, str] = {}


def add(function: LibraryFunction) -> None:
    """Registers an entry; a C name belongs to one entry only."""
    assert function.name not in LIBRARY, function.name
    LIBRARY[function.name] = function
    for name in function.c:
        assert name not in BY_C_NAME, name
        BY_C_NAME[name] = function.name
    for name in function.intrinsics:
        assert name not in BY_INTRINSIC, name
        BY_INTRINSIC[name] = function.name


def library(
    *names: str, c: str = "", intrinsics: str = "", **facts: object
) -> Callable[[Run], Run]:
    """Registers what a Python function does, under a name in the model and names in C.

    The facts are the fields of `LibraryFunction`. Several names share them, but for LLVM's names,
    of which each gets one.
    """

    def register(run: Run) -> Run:
        theirs, own = tuple(c.split()), tuple(intrinsics.split())
        if len(names) == 1:
            add(LibraryFunction(names[0], run, theirs, own, **facts))  # type: ignore[arg-type]
        else:
            for name, intrinsic in zip(names, own, strict=True):
                add(LibraryFunction(name, run, (), (intrinsic,), **facts))  # type: ignore[arg-type]
        return run

    return register


def intrinsic(name: str) -> str | None:
    """The function of the model behind one of LLVM's, which has types as suffixes: llvm.abs.i32."""
    name = name.removeprefix("llvm.")
    while name and name not in BY_INTRINSIC:
        name = name.rpartition(".")[0]
    return BY_INTRINSIC.get(name)


def verb(c_name: str) -> str:
    """The word for a call in traces."""
    own = c_name.startswith("llvm.")
    known = LIBRARY.get((intrinsic(c_name) if own else BY_C_NAME.get(c_name)) or "")
    if known is None or not (known.verb or own):
        return c_name.removeprefix("pthread_")
    return known.verb or known.name
