"""States of a running program. A finished state is never changed: a step works on a copy."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from imc.errors import SourceLoc
from imc.program.faults import Blocked
from imc.program.memory import MemoryObject
from imc.program.types import Type
from imc.program.values import Value, settled

if TYPE_CHECKING:
    from imc.program.code import FunctionCode


# Why a thread was blocked, and the contents of the object that blocked it.
BlockedOn = tuple[Blocked, MemoryObject | None]


class Status(IntEnum):
    RUNNING = 0
    DONE = 1
    STUCK = 2  # stopped for good: a failed assumption, a loop bound, an endless local loop


class Frame:
    """An activation of a function: where it is and what its registers hold."""

    __slots__ = (
        "code",
        "loops",
        "objects",
        "pc",
        "phase",
        "regs",
        "result",
        "scratch",
        "varargs",
    )

    def __init__(self, code: FunctionCode, regs: list[Value]) -> None:
        self.code = code
        self.pc = 0
        self.regs = regs
        self.result: int | None = None  # register of the caller that waits for the value
        self.objects: list[int] = []  # stack objects to drop on return
        self.phase = 0  # how far it is inside an instruction of several events
        self.scratch: Value = None  # what such an instruction carries along
        self.varargs: tuple[tuple[Type, bool, Value], ...] = ()  # (type, passed by value, argument)
        self.loops: dict[int, int] = {}  # jumps taken back to each loop head, when they are bounded

    def receive(self, register: int, value: Value) -> None:
        """A value from another function."""
        self.regs[register] = value if register in self.code.tolerant else settled(value)

    def copy(self) -> Frame:
        new = Frame.__new__(Frame)
        new.code = self.code
        new.pc = self.pc
        new.regs = self.regs.copy()
        new.result = self.result
        new.objects = self.objects.copy()
        new.phase = self.phase
        new.scratch = self.scratch
        new.varargs = self.varargs
        new.loops = self.loops.copy()
        return new


class Thread:
    """A thread; at rest its last frame stands at a visible instruction."""

    __slots__ = (
        "allocated", "bounded", "detached", "ending", "events", "frames", "id", "inputs", "joined",
        "key", "keys", "obstacle", "paused", "reason", "result", "seen", "spawned", "status",
        "stopped", "way",
    )  # fmt: skip

    def __init__(self, number: int) -> None:
        self.id = number
        self.frames: list[Frame] = []
        self.status = Status.RUNNING
        self.reason = ""  # why a stuck thread is stuck
        self.bounded = False  # stuck by a limit of ours, not by the program
        self.stopped: SourceLoc | None = None  # where it is stuck
        self.result: Value = 0
        self.allocated = 0
        self.spawned = 0
        self.events = 0
        self.inputs = 0
        self.paused = False  # stands at an input: it moves before any other thread
        self.detached = False
        self.joined = False
        self.keys: tuple[Value, ...] = ()  # of data that it has set and that has a destructor
        self.ending = 0  # how far it has come with destructors: see library/specific.py
        # Where it has been since it last had an effect, for those who look for pure iterations.
        self.seen: tuple[tuple[int, tuple[int, ...]], ...] = ()
        # The steps that led from each of these places to the next: a cell, and the thread before.
        self.way: tuple[tuple[tuple[int, int, int] | None, Thread], ...] = ()
        # Caches: of a canonical form, owned by StateKeys, and of what last kept it from moving.
        self.key: tuple[int, tuple[int, ...]] | None = None
        self.obstacle: BlockedOn | None = None

    def copy(self) -> Thread:
        new = Thread.__new__(Thread)
        new.id = self.id
        new.frames = [f.copy() for f in self.frames]
        new.status = self.status
        new.reason = self.reason
        new.bounded = self.bounded
        new.stopped = self.stopped
        new.result = self.result
        new.allocated = self.allocated
        new.spawned = self.spawned
        new.events = self.events
        new.inputs = self.inputs
        new.paused = self.paused
        new.detached = self.detached
        new.joined = self.joined
        new.keys = self.keys
        new.ending = self.ending
        new.seen = self.seen
        new.way = self.way
        new.key = None
        new.obstacle = None
        return new


class State:
    """Threads and memory; `exit_code` is set once the program has ended as a whole.

    `conditions` are the branches taken that the domain could not decide, each with its outcome.
    """

    __slots__ = ("conditions", "exit_code", "memory", "output", "threads")

    def __init__(self) -> None:
        self.threads: dict[int, Thread] = {}
        self.memory: dict[int, MemoryObject] = {}
        self.exit_code: int | None = None
        self.output: tuple[bytes, ...] = ()
        self.conditions: tuple[tuple[Value, bool], ...] = ()

    def copy(self) -> State:
        new = State.__new__(State)
        new.threads = self.threads.copy()
        new.memory = self.memory.copy()
        new.exit_code = self.exit_code
        new.output = self.output
        new.conditions = self.conditions
        return new

    @property
    def ended(self) -> bool:
        return self.exit_code is not None or all(
            t.status is Status.DONE for t in self.threads.values()
        )
