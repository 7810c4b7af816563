"""The language: statements of threads, and programs made of them.

Variables, mutexes and the like are global and named by strings; registers are local, numbered from
0 and start as 0. A thread's body is a tuple of statements.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

REGISTERS = 2


@dataclass(frozen=True)
class Condition:
    register: int
    relation: str  # as in C
    constant: int

    def holds(self, registers: tuple[int, ...]) -> bool:
        value = registers[self.register]
        match self.relation:
            case "==":
                return value == self.constant
            case "!=":
                return value != self.constant
            case "<":
                return value < self.constant
            case ">":
                return value > self.constant
        raise ValueError(self.relation)


# ------------------------------------------------------------------ local steps


@dataclass(frozen=True)
class Add:
    """r = r + constant"""

    register: int
    constant: int


@dataclass(frozen=True)
class Assert:
    condition: Condition


@dataclass(frozen=True)
class Assume:
    """Outside atomic sections a false one stops the thread; inside it waits until it is true."""

    condition: Condition


# ----------------------------------------------------------------------- events


@dataclass(frozen=True)
class Input:
    """r = 0 or 1, as the environment pleases."""

    register: int


@dataclass(frozen=True)
class Load:
    register: int
    variable: str


@dataclass(frozen=True)
class Store:
    """x = constant, or x = r + constant"""

    variable: str
    constant: int
    register: int | None = None


@dataclass(frozen=True)
class FetchAdd:
    register: int
    variable: str
    constant: int


@dataclass(frozen=True)
class CompareExchange:
    """r = whether the variable was `expected`; then it is `new`."""

    register: int
    variable: str
    expected: int
    new: int


@dataclass(frozen=True)
class Lock:
    mutex: str


@dataclass(frozen=True)
class TryLock:
    """r = whether it has failed."""

    register: int
    mutex: str


@dataclass(frozen=True)
class Unlock:
    mutex: str


@dataclass(frozen=True)
class ReadLock:
    rwlock: str


@dataclass(frozen=True)
class WriteLock:
    rwlock: str


@dataclass(frozen=True)
class RwUnlock:
    rwlock: str


@dataclass(frozen=True)
class Post:
    semaphore: str


@dataclass(frozen=True)
class Take:
    semaphore: str


@dataclass(frozen=True)
class Wait:
    """Two events: give up the mutex and sleep; awake, take the mutex again."""

    condition: str
    mutex: str


@dataclass(frozen=True)
class Signal:
    condition: str


@dataclass(frozen=True)
class Broadcast:
    condition: str


@dataclass(frozen=True)
class Meet:
    """Two events at a barrier: arrive; leave. The register learns whether the thread came last."""

    barrier: str
    register: int | None = None


# ---------------------------------------------------------- only in main, by itself


@dataclass(frozen=True)
class Initialise:
    """sem_init or pthread_barrier_init"""

    name: str
    value: int


@dataclass(frozen=True)
class Spawn:
    thread: int


@dataclass(frozen=True)
class Join:
    thread: int


@dataclass(frozen=True)
class Exit:
    """main's return"""


# -------------------------------------------------------------------- structure


@dataclass(frozen=True)
class If:
    condition: Condition
    then: Body
    otherwise: Body = ()


@dataclass(frozen=True)
class Repeat:
    count: int
    body: Body


@dataclass(frozen=True)
class Atomic:
    """One event; disabled where something in it would block."""

    body: Body


LocalStep = Add | Assert | Assume
SharedStep = (
    Input | Load | Store | FetchAdd | CompareExchange
    | Lock | TryLock | Unlock | ReadLock | WriteLock | RwUnlock
    | Post | Take | Wait | Signal | Broadcast | Meet
    | Initialise | Spawn | Join | Exit
)  # fmt: skip
Statement = LocalStep | SharedStep | If | Repeat | Atomic
Body = tuple[Statement, ...]


@dataclass(frozen=True)
class Program:
    """Threads are numbered from 1; main (0) runs its own body between starting and joining them."""

    threads: tuple[Body, ...]
    main: Body = ()
    variables: tuple[str, ...] = ("x", "y")
    atomics: tuple[str, ...] = ()
    mutexes: tuple[str, ...] = ()
    rwlocks: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    semaphores: tuple[tuple[str, int], ...] = ()  # with their first values
    barriers: tuple[tuple[str, int], ...] = ()  # with how many must come

    @property
    def shared(self) -> tuple[str, ...]:
        return self.variables + self.atomics

    @property
    def whole_main(self) -> Body:
        """What main does: the reads at its end make every variable shared with it."""
        numbers = range(1, len(self.threads) + 1)
        return (
            *(Initialise(name, value) for name, value in self.semaphores + self.barriers),
            *(Spawn(n) for n in numbers),
            *self.main,
            *(Join(n) for n in numbers),
            *(Load(0, name) for name in self.shared),
            Exit(),
        )

    def all_shared(self) -> bool:
        """Whether a started thread writes each variable: then each access to one is an event."""
        written = {
            s.variable
            for body in self.threads
            for s in walk(body)
            if isinstance(s, (Store, FetchAdd, CompareExchange))
        }
        return written >= set(self.shared)


def walk(body: Body) -> Iterator[Statement]:
    """All statements, nested ones too."""
    for statement in body:
        yield statement
        for inner in nested(statement):
            yield from walk(inner)


def nested(statement: Statement) -> tuple[Body, ...]:
    match statement:
        case If():
            return (statement.then, statement.otherwise)
        case Repeat() | Atomic():
            return (statement.body,)
    return ()


def with_nested(statement: Statement, bodies: tuple[Body, ...]) -> Statement:
    match statement:
        case If():
            return replace(statement, then=bodies[0], otherwise=bodies[1])
        case Repeat() | Atomic():
            return replace(statement, body=bodies[0])
    return statement
