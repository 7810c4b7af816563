"""The machine of a running thread: the one semantics, on memory that all threads share in place.

Nothing is copied, and what a step touched is not written down. A load or store that finds its cell
as it is takes no lock; whatever rebuilds cells does. Performance-critical.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from threading import RLock

from imc.errors import SourceLoc
from imc.execution.python.inputs import Inputs
from imc.program.code import Image
from imc.program.events import Mode
from imc.program.faults import Property
from imc.program.instructions import Library
from imc.program.machine import Machine
from imc.program.memory import MemoryObject
from imc.program.state import Frame, State, Thread
from imc.program.types import IntType, PtrType, Type
from imc.program.values import Pointer, Undefined, Value

QUARANTINE = 1024  # objects of a thread that must have ended before the number of one comes again
JUMPS = 1 << 10  # between two looks whether the run has been stopped


class Everything(set[int]):
    """The objects that a running thread may change in place."""

    def __contains__(self, number: object) -> bool:
        return True

    def add(self, number: int) -> None:
        pass


class InPlaceMachine(Machine):
    """One thread's hands on the program; `touched` is what it changed while somebody waits."""

    draws = True

    def __init__(
        self,
        image: Image,
        state: State,
        inputs: Inputs,
        lock: RLock,
        put_out: Callable[[bytes, str], None],
        check_stop: Callable[[], None],
    ) -> None:
        super().__init__(image, state)
        self.owned = Everything()
        self.inputs = inputs
        self.lock = lock
        self.check_stop = check_stop
        self.settle: Callable[[], None]  # tells the others what an operation has changed
        self.watched: object = ()  # whether anybody waits for what may change
        self.touched: list[Value] = []
        self._put_out = put_out
        self._ended: deque[int] = deque()
        self._undo: dict[int, tuple[MemoryObject | None, MemoryObject | None]] | None = None
        self._frames: list[Frame] = []

    def take(self, thread: Thread) -> None:
        """From now on it is this thread's machine."""
        self.thread, self.frames = thread, thread.frames

    # ------------------------------------------------------------------ operations

    def operate(self, frame: Frame) -> bool:
        self.jumps = 0
        self.forget()
        return super().operate(frame)

    def forget(self) -> None:
        """What an earlier operation has done is not this one's affair."""
        self.acquired = self.spawned = self.joined = ()

    def begin_atomic(self) -> None:
        """Notes how things are, for an atomic section that may have to be begun anew."""
        self._undo = {}
        self._frames = [frame.copy() for frame in self.frames]

    def end_atomic(self) -> None:
        self.atomic = 0
        self._undo = None

    def undo_atomic(self) -> None:
        """The atomic section has not happened."""
        if self._undo is None:
            return
        for number, (contents, before) in self._undo.items():
            if contents is None or before is None:
                self.memory.pop(number, None)
            else:
                contents.cells, contents.fill = before.cells, before.fill
                self.memory[number] = contents
        self.frames[:] = self._frames
        self.atomic = 0
        self._undo = None

    # ------------------------------------------------------------- the environment

    def choose(self, count: int) -> int:
        return self.inputs.source(self._name()).randrange(count)

    def input(self, type: Type) -> Value:
        frame = self.frames[-1]
        call = frame.code.function.code[frame.pc]
        assert isinstance(call, Library)
        return self.inputs.answer(self._name(), call, type)

    def drawn(self, low: int, high: int) -> int | None:
        return self.inputs.between(self._name(), low, high)

    def standard_input(self) -> bytes:
        return self.inputs.standard_input()

    def put_out(self, data: bytes, stream: str) -> None:
        self._put_out(data, stream)

    def own(self, thread: Thread) -> Thread:
        return thread

    def _name(self) -> str:
        return self.image.threads.names[self.thread.id]

    def _jump_back(self, frame: Frame, target: int) -> bool:
        self.jumps += 1
        if self.jumps % JUMPS == 0:
            self.check_stop()
        return False

    # ---------------------------------------------------------------------- memory

    def touch(
        self, mode: Mode, pointer: Value, size: int, atomic: bool, value: Value = None
    ) -> None:
        if self.watched and mode is not Mode.READ and pointer not in self.acquired:
            self.touched.append(pointer)

    def use(self, pointer: Value, size: int, writes: bool) -> None:
        pass

    def account(self, visible: bool, before: int, loc: SourceLoc | None) -> None:
        """What was verified is run: what is in sight has been decided."""
        self.ranges.clear()

    def hide(self, number: int, writes: bool, loc: SourceLoc | None) -> None:
        pass

    def fetch(self, pointer: Value, type: Type, moves: bool = False) -> Value:
        found = self.memory.get(pointer[0]) if pointer.__class__ is tuple else None
        if found is None:  # a constant, or an error
            return super().fetch(pointer, type, moves)
        cell = found.cells.get(pointer[1])
        if (
            cell is not None
            and (cell[1].__class__ is int or cell[1].__class__ is tuple)
            and (type.__class__ is IntType or type.__class__ is PtrType)
            and cell[0] == self.image.layout.store_size(type)
        ):
            return cell[1]
        with self.lock:
            return super().fetch(pointer, type, moves)

    def put(self, pointer: Value, type: Type, value: Value) -> None:
        found = self.memory.get(pointer[0]) if pointer.__class__ is tuple else None
        plain = value.__class__ is int or value.__class__ is tuple
        if found is not None and plain and self._undo is None:
            size = self.image.layout.store_size(type)
            cell = found.cells.get(pointer[1])
            if cell is not None and cell[0] == size:
                found.cells[pointer[1]] = (size, value)
                return
        with self.lock:
            super().put(pointer, type, value)

    def writable(self, pointer: Value, size: int) -> MemoryObject:
        found = self.target(pointer, size)
        number = pointer[0]
        if number in self.image.constants:
            name = self.image.objects[number].name
            self.fault(Property.MEMORY, f"write to the constant '{name}'")
        if self._undo is not None and number not in self._undo:
            self._undo[number] = found, found.copy()
        return found

    def allocate(
        self,
        kind: str,
        size: int,
        fill: int | Undefined,
        name: str,
        site: tuple[str, int],
        loc: SourceLoc | None = None,
        type: Type | None = None,
    ) -> Pointer:
        """As in the model, but numbers come again, so that a program can run for ever."""
        if len(self._ended) <= QUARANTINE:
            pointer = super().allocate(kind, size, fill, name, site, loc, type)
        else:
            pointer = (self._ended.popleft(), 0)
            self.image.objects.infos[pointer[0]] = self.image.told(
                kind, name, site, size, loc, type
            )
            owner = (self.thread.id, len(self.frames)) if kind == "stack" else None
            self.memory[pointer[0]] = MemoryObject(size, fill, owner)
        if self._undo is not None:
            self._undo.setdefault(pointer[0], (None, None))
        return pointer

    def begin_scope(self, number: int, size: int) -> None:
        if self._undo is not None:
            found = self.memory.get(number)
            self._undo.setdefault(number, (found, found))
        super().begin_scope(number, size)

    def end_scope(self, number: int) -> None:
        if self._undo is not None:
            found = self.memory.get(number)
            self._undo.setdefault(number, (found, found))
        super().end_scope(number)

    def release(self, number: int) -> None:
        found = self.memory.get(number)
        super().release(number)
        if self._undo is not None:
            self._undo.setdefault(number, (found, found))
        elif self.image.objects.dynamic[number]:
            self._ended.append(number)
