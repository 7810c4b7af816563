"""What statements do: the definition of the language, as steps from state to state.

A step is one event of a thread and the local steps after it, up to the thread's next event. The
local steps that a thread begins with belong to the event that starts it. An input is an event that
no other thread can notice, so nothing comes between it and the event before it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

from tiny.language import (
    REGISTERS,
    Add,
    Assert,
    Assume,
    Atomic,
    Body,
    Broadcast,
    CompareExchange,
    Condition,
    Exit,
    FetchAdd,
    If,
    Initialise,
    Input,
    Join,
    Load,
    LocalStep,
    Lock,
    Meet,
    Post,
    Program,
    ReadLock,
    Repeat,
    RwUnlock,
    SharedStep,
    Signal,
    Spawn,
    Store,
    Take,
    TryLock,
    Unlock,
    Wait,
    WriteLock,
)

NOBODY: frozenset[int] = frozenset()


# ------------------------------------------------------------------- flat code


@dataclass(frozen=True)
class Unless:
    """Goes to the target unless the condition holds."""

    condition: Condition
    target: int


@dataclass(frozen=True)
class Jump:
    target: int


class Begin:
    """of an atomic section"""


class End:
    """of an atomic section"""


class Sleep(NamedTuple):
    condition: str
    mutex: str


class Wake(NamedTuple):
    condition: str
    mutex: str


class Regain(NamedTuple):
    """Behind a wake-up without a signal."""

    condition: str
    mutex: str


class Arrive(NamedTuple):
    barrier: str
    register: int | None


class Leave(NamedTuple):
    barrier: str


Op = LocalStep | SharedStep | Unless | Jump | Begin | End | Sleep | Wake | Regain | Arrive | Leave
LOCAL = (Add, Assert, Assume, Unless, Jump, End)


def flatten(body: Body, code: list[Op]) -> list[Op]:
    """Appends a body with its loops unrolled, and what takes two events as two operations."""
    for statement in body:
        match statement:
            case If(condition, then, otherwise):
                test = len(code)
                code.append(Jump(-1))
                flatten(then, code)
                leave = len(code)
                code.append(Jump(-1))
                code[test] = Unless(condition, len(code))
                flatten(otherwise, code)
                code[leave] = Jump(len(code))
            case Repeat(count, inner):
                for _ in range(count):
                    flatten(inner, code)
            case Atomic(inner):
                code.append(Begin())
                flatten(inner, code)
                code.append(End())
            case Wait(condition_variable, mutex):
                code += [kind(condition_variable, mutex) for kind in (Sleep, Wake, Regain)]
            case Meet(barrier, register):
                code += [Arrive(barrier, register), Leave(barrier)]
            case _:
                code.append(statement)
    return code


# ---------------------------------------------------------------- states, events


class Status(Enum):
    ABSENT = "absent"
    RUNNING = "running"
    DONE = "done"
    STUCK = "stuck"


class ReadWrite(NamedTuple):
    readers: tuple[int, ...]  # sorted; a thread may be in it more than once
    writer: int | None


FREE = ReadWrite((), None)


class State:
    """Shared memory by name, and for each thread its status, place in the code and registers."""

    __slots__ = ("exited", "memory", "places", "registers", "statuses")

    def __init__(self, program: Program) -> None:
        count = len(program.threads) + 1
        # A variable or semaphore is a number, a mutex its owner, a condition or barrier who waits.
        self.memory: dict[str, Any] = {
            **dict.fromkeys(program.shared, 0),
            **dict.fromkeys(program.mutexes),
            **dict.fromkeys(program.rwlocks, FREE),
            **dict.fromkeys(program.conditions, NOBODY),
            **{name: 0 for name, _ in program.semaphores},
            **{name: NOBODY for name, _ in program.barriers},
        }
        self.statuses = [Status.RUNNING] + [Status.ABSENT] * (count - 1)
        self.places = [0] * count
        self.registers: list[tuple[int, ...]] = [(0,) * REGISTERS] * count
        self.exited = False

    def copy(self) -> State:
        new = State.__new__(State)
        new.memory = self.memory.copy()
        new.statuses = self.statuses.copy()
        new.places = self.places.copy()
        new.registers = self.registers.copy()
        new.exited = self.exited
        return new

    def key(self) -> Hashable:
        """Everything in it."""
        return (
            self.exited,
            tuple(self.memory.values()),
            tuple(self.statuses),
            tuple(self.places),
            tuple(self.registers),
        )

    def set(self, thread: int, register: int | None, value: int) -> None:
        if register is not None:
            old = self.registers[thread]
            self.registers[thread] = (*old[:register], value, *old[register + 1 :])


class Touch(NamedTuple):
    """Touches of one object in the same mode commute, unless the mode is "write"."""

    name: str
    mode: str
    atomic: bool

    def conflicts(self, other: Touch) -> bool:
        return self.name == other.name and (self.mode != other.mode or self.mode == "write")


@dataclass(frozen=True)
class Event:
    thread: int
    choices: tuple[int, ...] = ()  # of the environment: inputs, who wakes up
    touches: tuple[Touch, ...] = ()
    spawned: int | None = None
    joined: int | None = None
    exits: bool = False

    def depends(self, other: Event) -> bool:
        return (
            self.thread == other.thread
            or self.exits
            or other.exits
            or other.thread in (self.spawned, self.joined)
            or self.thread in (other.spawned, other.joined)
            or any(a.conflicts(b) for a in self.touches for b in other.touches)
        )

    def races(self, other: Event) -> bool:
        return self.thread != other.thread and any(
            a.conflicts(b) and not (a.atomic and b.atomic)
            for a in self.touches
            for b in other.touches
        )


class Step(NamedTuple):
    event: Event
    state: State
    fault: str | None = None


class Blocked(NamedTuple):
    """Why a thread cannot take its step, and the thread that alone could change that, if any."""

    thread: int
    by_assumption: bool = False
    holder: int | None = None


# -------------------------------------------------------------------------- steps


class Semantics:
    """The steps of a program; a fault does not end it, but the thread is stuck from then on."""

    def __init__(self, program: Program, spurious_wakeups: bool = False) -> None:
        self.program = program
        self.spurious_wakeups = spurious_wakeups
        self.code = [flatten(body, []) for body in (program.whole_main, *program.threads)]
        self.needed = dict(program.barriers)

    def steps(self, state: State) -> Iterator[Step | Blocked]:
        """The steps that are possible, by the environment's choices, and what stops the others."""
        if state.exited:
            return
        running = [t for t, s in enumerate(state.statuses) if s is Status.RUNNING]
        at_input = [t for t in running if isinstance(self.code[t][state.places[t]], Input)]
        for thread in at_input[:1] or running:
            for result in _Run(self, state.copy(), thread, at_event=True).results():
                if isinstance(result, Step) and result.event.spawned is not None:
                    child = _Run(self, result.state, result.event.spawned, result.event)
                    child.fault = result.fault
                    yield from child.results()
                else:
                    yield result


class _Run:
    """A thread runs until it stands at its next event; it forks where there is a choice."""

    def __init__(
        self,
        semantics: Semantics,
        state: State,
        thread: int,
        event: Event | None = None,
        at_event: bool = False,
        atomic: bool = False,
    ) -> None:
        event = event or Event(thread)
        self.semantics = semantics
        self.state = state
        self.thread = thread
        self.event = event
        self.choices = event.choices
        self.touches = list(event.touches)
        self.spawned = event.spawned
        self.joined = event.joined
        self.at_event = at_event
        self.atomic = atomic
        self.fault: str | None = None

    def results(self) -> Iterator[Step | Blocked]:
        state, thread = self.state, self.thread
        code = self.semantics.code[thread]
        while not state.exited and state.statuses[thread] is Status.RUNNING:
            if state.places[thread] == len(code):
                state.statuses[thread] = Status.DONE
                break
            op = code[state.places[thread]]
            if not isinstance(op, LOCAL) and not self.atomic:
                if not self.at_event:
                    break
                self.at_event = False
            state.places[thread] += 1
            alternatives = self._alternatives(op)
            if alternatives > 1:
                for choice in range(alternatives):
                    yield from self._fork(op, choice)
                return
            blocked = self._local(op) if isinstance(op, LOCAL) else self._shared(op, 0)
            if blocked is not None:
                yield blocked
                return
        yield Step(self._finished_event(), state, self.fault)

    def _alternatives(self, op: Op) -> int:
        if isinstance(op, Input):
            return 2
        if isinstance(op, Signal):
            return len(self.state.memory[op.condition])
        if isinstance(op, Sleep) and self.semantics.spurious_wakeups:
            return 2 if self.state.memory[op.mutex] == self.thread else 1
        return 1

    def _fork(self, op: Op, choice: int) -> Iterator[Step | Blocked]:
        event = self._finished_event()
        fork = _Run(self.semantics, self.state.copy(), self.thread, event, atomic=self.atomic)
        fork.choices = (*self.choices, choice)
        fork._shared(op, choice)
        return fork.results()

    def _finished_event(self) -> Event:
        return Event(
            self.event.thread,
            self.choices,
            tuple(self.touches),
            self.spawned,
            self.joined,
            self.state.exited,
        )

    def _touch(self, name: str, mode: str, atomic: bool = True) -> None:
        self.touches.append(Touch(name, mode, atomic or self.atomic))

    def _blocked(self, holder: int | None = None) -> Blocked:
        """An atomic section may come to wait for something else, or for nothing."""
        return Blocked(self.thread, holder=None if self.atomic else holder)

    def _stick(self) -> None:
        self.state.statuses[self.thread] = Status.STUCK

    def _fail(self, kind: str, *names: str) -> None:
        """It fails for what it finds in the objects; in an atomic section nobody asks for that."""
        self.fault = kind
        self._stick()
        if not self.atomic:
            for name in names:
                self._touch(name, "write")

    def _local(self, op: Op) -> Blocked | None:
        state, thread = self.state, self.thread
        registers = state.registers[thread]
        match op:
            case Add(register, constant):
                state.set(thread, register, registers[register] + constant)
            case Assert(condition):
                if not condition.holds(registers):
                    self._fail("assertion")
            case Assume(condition):
                if not condition.holds(registers):
                    if self.atomic:
                        return Blocked(thread, by_assumption=True)
                    self._stick()
            case Unless(condition, target):
                if not condition.holds(registers):
                    state.places[thread] = target
            case Jump(target):
                state.places[thread] = target
            case End():
                self.atomic = False
        return None

    def _shared(self, op: Op, choice: int) -> Blocked | None:
        state, thread, memory = self.state, self.thread, self.state.memory
        match op:
            case Begin():
                self.atomic = True
            case Input(register):
                state.set(thread, register, choice)
            case Load(register, name):
                state.set(thread, register, memory[name])
                self._touch(name, "read", name in self.semantics.program.atomics)
            case Store(name, constant, source):
                old = 0 if source is None else state.registers[thread][source]
                memory[name] = old + constant
                self._touch(name, "write", name in self.semantics.program.atomics)
            case FetchAdd(register, name, constant):
                state.set(thread, register, memory[name])
                memory[name] += constant
                self._touch(name, "write")
            case CompareExchange(register, name, expected, new):
                same = memory[name] == expected
                if same:
                    memory[name] = new
                state.set(thread, register, int(same))
                self._touch(name, "write" if same else "read")
            case Initialise(name, value):
                memory[name] = NOBODY if name in self.semantics.needed else value
                self._touch(name, "write")
            case Spawn(child):
                state.statuses[child] = Status.RUNNING
                self.spawned = child
            case Join(child):
                if state.statuses[child] is not Status.DONE:
                    return self._blocked(child)
                self.joined = child
            case Exit():
                state.exited = True
            case Post(name):
                memory[name] += 1
                self._touch(name, "post")
            case Take(name):
                if memory[name] == 0:
                    return self._blocked()
                memory[name] -= 1
                self._touch(name, "write")
            case Lock() | TryLock() | Unlock():
                return self._mutex(op)
            case ReadLock() | WriteLock() | RwUnlock():
                return self._rwlock(op)
            case Sleep() | Wake() | Regain() | Signal() | Broadcast():
                return self._condition(op, choice)
            case Arrive() | Leave():
                return self._barrier(op)
            case _:
                raise TypeError(op)
        return None

    def _mutex(self, op: Lock | TryLock | Unlock) -> Blocked | None:
        memory, name = self.state.memory, op.mutex
        owner = memory[name]
        match op:
            case Lock():
                if owner is not None:
                    return self._blocked(owner)
                memory[name] = self.thread
            case TryLock():
                self.state.set(self.thread, op.register, int(owner is not None))
                if owner is not None:
                    self._touch(name, "read")
                    return None
                memory[name] = self.thread
            case Unlock():
                if owner != self.thread:
                    self._fail("lock", name)
                    return None
                memory[name] = None
        self._touch(name, "write")
        return None

    def _rwlock(self, op: ReadLock | WriteLock | RwUnlock) -> Blocked | None:
        memory, name = self.state.memory, op.rwlock
        readers, writer = memory[name]
        if writer == self.thread and not isinstance(op, RwUnlock):
            self._touch(name, "write")  # it has the lock, and is told so
            return None
        match op:
            case ReadLock():
                if writer is not None:
                    return self._blocked(writer)
                memory[name] = ReadWrite(tuple(sorted((*readers, self.thread))), None)
                self._touch(name, "share")
            case WriteLock():
                if writer is not None or readers:
                    return self._blocked(writer)
                memory[name] = ReadWrite((), self.thread)
                self._touch(name, "write")
            case RwUnlock():
                if writer == self.thread:
                    memory[name] = FREE
                    self._touch(name, "write")
                elif self.thread in readers:
                    at = readers.index(self.thread)
                    memory[name] = ReadWrite(readers[:at] + readers[at + 1 :], None)
                    self._touch(name, "share")
                else:
                    self._fail("lock", name)
        return None

    def _condition(
        self, op: Sleep | Wake | Regain | Signal | Broadcast, choice: int
    ) -> Blocked | None:
        memory, name, thread = self.state.memory, op.condition, self.thread
        sleepers: frozenset[int] = memory[name]
        match op:
            case Sleep():
                if memory[op.mutex] != thread:
                    self._fail("lock", name, op.mutex)
                    return None
                memory[op.mutex] = None
                if choice:  # it is going to wake up without a signal
                    self.state.places[thread] += 1
                else:
                    memory[name] = sleepers | {thread}
                self._touch(op.mutex, "write")
            case Wake() | Regain():
                if thread in sleepers:
                    return self._blocked()
                if memory[op.mutex] is not None:
                    return self._blocked(memory[op.mutex])
                memory[op.mutex] = thread
                self._touch(op.mutex, "write")
                if isinstance(op, Regain):
                    return None
                self.state.places[thread] += 1  # it has the mutex already
            case Signal():
                memory[name] = sleepers - set(sorted(sleepers)[choice : choice + 1])
            case Broadcast():
                memory[name] = NOBODY
        self._touch(name, "write")
        return None

    def _barrier(self, op: Arrive | Leave) -> Blocked | None:
        state, memory, name = self.state, self.state.memory, op.barrier
        waiting: frozenset[int] = memory[name]
        if isinstance(op, Leave):
            if self.thread in waiting:
                return self._blocked()
            self._touch(name, "read")
            return None
        last = len(waiting) + 1 == self.semantics.needed[name]
        memory[name] = NOBODY if last else waiting | {self.thread}
        state.set(self.thread, op.register, int(last))
        self._touch(name, "arrive" if op.register is None and not last else "write")
        return None
