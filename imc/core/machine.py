"""The core's machine, one step at a time: for tests, and to say why a program is left to Python."""

from __future__ import annotations

import ctypes

from imc.compact.form import CompactProgram, NotCompact
from imc.compact.opcodes import UNDEF
from imc.core.hosting import NativeHost, performs
from imc.core.interface import NOTHING, Step
from imc.core.library import library
from imc.core.packed import Packed
from imc.program.code import Image
from imc.records import record

WORD = (1 << 64) - 1
ROOM = 1 << 16
TEXTS = 100  # what a thread waits for in the model's words begins here
# What a thread waits for, by the core's numbers.
WAITS_FOR = (
    "", "end of thread", "assumption", "mutex", "spin lock", "signal on condition variable",
    "semaphore", "barrier", "value to change",
)  # fmt: skip
# Why the core leaves a program to Python, by its numbers.
REFUSALS = (
    "", "memory is cut into scalars in several ways", "a scalar that is filled in parts",
    "an address far outside of its object", "a large index, which may be an address",
    "a large memory", "a long loop between two events", "a part of a lock is not initialised",
    "threads with attributes", "a thread starts in an unknown function", "too many threads",
    "a number that is partly undefined", "whether a number is an address matters",
    "a copy that goes wrong", "a part of a scalar is copied or filled",
    "a part of an object is filled", "memset with an undefined value",
    "attributes at no address", "a semaphore of no count", "a semaphore that is full",
    "a step that does too much at once", "a form that is not sound",
    "a number that looks like an address", "a loop over inputs that lets nobody else move",
    "an address of a dynamic object is left in a global", "an error that is not checked",
    "a call of something else than was expected", "an instruction that the model cannot perform",
    "a step that execution graphs do not know",
)  # fmt: skip
# Parts of a state, by the core's numbers.
PARTS = (
    "cells", "registers", "results", "exit_code", "limits", "room", "first", "depth", "pcs",
    "status", "events", "spawns", "allocated", "phase", "scratch", "paused", "detached", "joined",
    "reason", "extra", "seen",
)  # fmt: skip


@record
class NativeEvent:
    """What the core's last step was; the numbers mean what they do in the compact machine."""

    mover: int
    origin: int
    at: int
    fault: int
    fault_thread: int
    tries: int
    wakes: int
    exits: int
    note: tuple[int, int]
    wanted: int
    blocked: tuple[str, int | None, int | None, bool]  # what, pointer, holder, stable
    choices: tuple[int, ...]
    spawned: tuple[int, ...]
    joined: tuple[int, ...]
    acquired: tuple[int, ...]
    accesses: tuple[tuple[int, int, int, int, int, int], ...]


class NativeMachine:
    """A context of the core; raises NotCompact where it does not take the program."""

    def __init__(self, form: CompactProgram, image: Image, core: ctypes.CDLL | None = None) -> None:
        self.context = None
        self._library = core or library()
        packed = Packed(form, image)
        self.context = self._library.core_new(ctypes.byref(packed.form))
        if not self.context:
            raise NotCompact("the core does not take the form")
        self._buffer = (ctypes.c_int64 * ROOM)()
        self.host: NativeHost | None = None
        if performs(form):
            objects = packed.form.kinds.length
            self.host = NativeHost(form, image, self._library, self.context, objects)

    def close(self) -> None:
        if self.context:
            self._library.core_free(self.context)
            self.context = None

    def __del__(self) -> None:
        self.close()

    # ------------------------------------------------------------------ steps

    def start(self, choices: tuple[int, ...] = ()) -> Step:
        found = self._library.core_start(self.context, _numbers(choices), len(choices))
        return Step(found)

    def step(self, thread: int, choices: tuple[int, ...] = ()) -> Step:
        given = _numbers(choices)
        return Step(self._library.core_step(self.context, thread, given, len(choices)))

    def mark(self) -> int:
        return int(self._library.core_mark(self.context))

    def undo(self, mark: int) -> None:
        self._library.core_undo(self.context, mark)

    def running(self) -> list[int]:
        count = self._library.core_running(self.context, self._buffer)
        return list(self._buffer[:count])

    def state(self) -> int:
        """A number that the same state has whenever it comes again; -1 if it has none."""
        return int(self._library.core_state(self.context))

    def refusal(self) -> tuple[str, int]:
        """Why the last step was refused, and at which record."""
        pc = (ctypes.c_int64 * 1)()
        number = self._library.core_refusal(self.context, pc)
        told = self.host.reason if self.host is not None else ""
        return told or REFUSALS[number], pc[0]

    def event(self) -> NativeEvent:
        count = self._library.core_event(self.context, self._buffer, ROOM)
        words = iter(self._buffer[:count])

        def take(n: int) -> list[int]:
            return [next(words) for _ in range(n)]

        mover, origin, at, fault, thread, tries, wakes, exits, note, noted, wanted = take(11)
        what, stable, has_pointer, pointer, holder = take(5)
        choices = tuple(take(next(words)))
        spawned, joined = tuple(take(next(words))), tuple(take(next(words)))
        acquired = tuple(p & WORD for p in take(next(words)))
        accesses = []
        for _ in range(next(words)):
            mode, number, offset, size, atomic, tells, value = take(7)
            value = -2 if tells == 0 else UNDEF if tells == 1 else value & WORD
            accesses.append((mode, number, offset, size, atomic, value))
        return NativeEvent(
            mover, origin, at, fault, thread, tries, wakes, exits, (note, noted), wanted,
            (self._awaited(what), pointer & WORD if has_pointer else None,
             holder if holder >= 0 else None, bool(stable)),
            choices, spawned, joined, acquired, tuple(accesses),
        )  # fmt: skip

    def _awaited(self, number: int) -> str:
        if number >= TEXTS and self.host is not None:
            return str(self.host.texts[number - TEXTS])
        return WAITS_FOR[number]

    def part(self, name: str) -> list[int]:
        """A part of the state as the compact machine has it."""
        number = PARTS.index(name)
        count = self._library.core_part(self.context, number, NOTHING, NOTHING, 0)
        values, defined = (ctypes.c_int64 * count)(), (ctypes.c_int64 * count)()
        self._library.core_part(self.context, number, values, defined, count)
        words = number < PARTS.index("limits")
        return [
            (v & WORD if words else v) if d else UNDEF for v, d in zip(values, defined, strict=True)
        ]


def _numbers(choices: tuple[int, ...]) -> ctypes.Array[ctypes.c_int64]:
    return (ctypes.c_int64 * max(len(choices), 1))(*choices)
