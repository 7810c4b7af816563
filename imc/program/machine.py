"""The machine: runs one step of one thread on a copy of a state.

A step is the visible operation the thread stands at and the local instructions up to the next one.
Performance-critical: see scripts/bench_interpreter.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from imc.errors import SourceLoc
from imc.program.concrete import address_pointer
from imc.program.domain import Domain
from imc.program.events import Access, Event, Mode
from imc.program.faults import Fault, FaultRaised, NeedChoice, Property, StuckForever
from imc.program.memory import MemoryObject
from imc.program.objects import ObjectInfo
from imc.program.program import SourceType
from imc.program.state import Frame, State, Status, Thread
from imc.program.types import IntType, Type, is_aggregate
from imc.program.values import UNDEF, Aggregate, Pointer, Undefined, Value

if TYPE_CHECKING:
    from imc.program.code import FunctionCode, Image

# What an instruction answers instead of a program counter (None: the next one).
STOP = -1  # a visible instruction: the step ends before it
RELOAD = -2  # the frames have changed
AGAIN = -3  # the instruction has a further phase, which is an event of its own


class Control:
    """What a library function returns when it has no value yet."""

    __slots__ = ("code",)

    def __init__(self, code: int) -> None:
        self.code = code


CALLED = Control(RELOAD)
NEXT_PHASE = Control(AGAIN)
EXITED = Control(STOP)


@dataclass(slots=True, eq=False)
class Outcome:
    """What a step leads to. With a fault, `state` is how far the step came."""

    event: Event
    state: State
    fault: Fault | None = None


class Machine:
    """One step in the making."""

    def __init__(self, image: Image, state: State, choices: tuple[int, ...] = ()) -> None:
        self.image = image
        self.domain: Domain = image.domain
        self.settings = image.settings
        self.state = state
        self.memory = state.memory
        self.choices = choices
        self.chosen = 0
        self.owned: set[int] = set()
        self.accesses: list[Access] = []
        self.started: list[Thread] = []
        self.spawned: int | None = None
        self.joined: int | None = None
        self.exits = False
        self.note = ""
        self.atomic = 0
        self.jumps = 0
        self.writes = 0
        self._snapshot: object = None
        self.thread: Thread
        self.frames: list[Frame]

    # ---------------------------------------------------------------- a step

    def step(self, number: int) -> Outcome:
        """Lets a thread take its next step; Blocked if it cannot, NeedChoice if it must be told more."""
        self._enter(number)
        thread = self.thread
        frame = self.frames[-1]
        pc = frame.pc
        code = frame.code
        event = Event(number, thread.events, code.function.name, pc, code.names[pc], loc=code.locs[pc])
        thread.events += 1
        fault = None
        try:
            after = code.full[pc](self, frame.regs)
            if after is None:
                frame.pc = pc + 1
            elif after >= 0:
                frame.pc = after
            if after != AGAIN and not self.exits:
                self.run()
            while self.started:
                self._start(self.started.pop())
        except FaultRaised as raised:
            fault = self.fault_at_current(raised)
        except StuckForever as stuck:
            self._stick(stuck)
            while self.started:
                self._start(self.started.pop())
        event.accesses = tuple(self.accesses)
        event.choices = self.choices[: self.chosen]
        event.joined = self.joined
        event.exits = self.exits
        event.note = self.note
        event.spawned = self.spawned
        return Outcome(event, self.state, fault)

    def start(self) -> Outcome:
        """Starts the main thread and runs it up to its first visible operation."""
        thread = Thread(0)
        self.state.threads[0] = thread
        main = self.image.code(self.image.program.entry)
        args = self.image.main_arguments(self)
        thread.frames.append(main.frame(args[: len(main.function.params)]))
        event = Event(0, 0, main.function.name, 0, "start", loc=main.function.loc)
        thread.events = 1
        fault = None
        try:
            self._start(thread)
        except FaultRaised as raised:
            fault = self.fault_at_current(raised)
        event.choices = self.choices[: self.chosen]
        return Outcome(event, self.state, fault)

    def _enter(self, number: int) -> None:
        self.thread = self.state.threads[number].copy()
        self.state.threads[number] = self.thread
        self.frames = self.thread.frames

    def _start(self, thread: Thread) -> None:
        """Runs a new thread's first local instructions: nobody can see when they happen."""
        self.thread, self.frames = thread, thread.frames
        try:
            self.run()
        except StuckForever as stuck:
            self._stick(stuck)

    def _stick(self, stuck: StuckForever) -> None:
        thread = self.thread
        thread.status, thread.reason, thread.bounded = Status.STUCK, stuck.reason, stuck.bounded
        thread.frames.clear()
        if stuck.bounded:
            self.image.bounds.add(stuck.reason)

    def fault_at_current(self, raised: FaultRaised) -> Fault:
        loc = None
        for frame in reversed(self.frames):
            loc = frame.code.locs[frame.pc]
            if loc is not None:
                break
        return Fault(raised.kind, raised.message, loc, self.thread.id)

    def run(self) -> None:
        """Runs local instructions until the thread stands at a visible one or has ended."""
        while self.frames:
            frame = self.frames[-1]
            code = frame.code.full if self.atomic else frame.code.local
            regs = frame.regs
            pc = frame.pc
            try:
                while True:
                    after = code[pc](self, regs)
                    if after is None:
                        pc += 1
                    elif after >= 0:
                        if after <= pc:
                            frame.pc = pc
                            self._jump_back(frame, after)
                        pc = after
                    else:
                        break
            except (FaultRaised, StuckForever):
                frame.pc = pc
                raise
            if after == STOP or after == AGAIN:
                frame.pc = pc
                if after == STOP or not self.atomic:
                    return
        if self.thread.status is Status.RUNNING:
            self.finish()

    def finish(self) -> None:
        """The thread has returned from its first function."""
        self.frames.clear()
        self.thread.status = Status.DONE

    def _jump_back(self, frame: Frame, target: int) -> None:
        """Counts loop iterations: for the user's bound, and to notice a loop that never ends."""
        bound = self.settings.loop_bound
        if bound is not None:
            loops = frame.loops
            count = loops.get(target, 0) + 1
            if count > bound:
                loc = frame.code.locs[target]
                raise StuckForever(f"loop bound {bound}" + (f" at line {loc.line}" if loc else ""), True)
            for inner in [head for head in loops if head > target]:
                del loops[inner]
            loops[target] = count
        self.jumps += 1
        if self.jumps & (self.jumps - 1) == 0 and self.jumps >= 1024:
            self._snapshot = self._local_state(target)
        elif self.jumps > 1024 and self._snapshot == self._local_state(target):
            raise StuckForever("endless loop without a visible operation")
        if self.jumps > self.settings.local_limit:
            raise StuckForever(f"local step limit {self.settings.local_limit}", True)

    def _local_state(self, target: int) -> object:
        return (self.writes, target, [(f.pc, f.regs.copy()) for f in self.frames])

    # -------------------------------------------------------- the environment

    def choose(self, count: int) -> int:
        """One of `count` alternatives, which the environment picks and not the scheduler."""
        if count <= 1:
            return 0
        if self.chosen == len(self.choices):
            raise NeedChoice(count)
        self.chosen += 1
        return self.choices[self.chosen - 1]

    def decide(self, value: Value) -> bool:
        """Whether an i1 holds; where the domain cannot tell, both answers are tried."""
        if value is UNDEF:
            if Property.UNINITIALISED in self.settings.properties:
                raise FaultRaised(Property.UNINITIALISED, "an uninitialised value decides a branch")
            return bool(self.choose(2))
        known = self.domain.truth(value)
        return bool(self.choose(2)) if known is None else known

    def equal(self, left: Value, right: Value, width: int = 32) -> bool:
        return self.decide(self.image.equality(width)(left, right))

    def fault(self, kind: Property, message: str) -> NoReturn:
        """Reports a violation, or stops the thread quietly when the property is not asked for."""
        if kind in self.settings.properties:
            raise FaultRaised(kind, message)
        raise StuckForever(f"unchecked {kind}: {message}")

    # ----------------------------------------------------------------- memory

    def touch(self, mode: Mode, pointer: Value, size: int, atomic: bool, value: Value = None) -> None:
        """Notes that the event in the making touches a cell."""
        if pointer.__class__ is int:
            pointer = self.pointer(pointer)
        if pointer.__class__ is tuple:
            self.accesses.append(
                Access(mode, pointer[0], pointer[1], size, atomic or self.atomic > 0, value)
            )

    def target(self, pointer: Value, size: int) -> MemoryObject:
        """The object that `size` bytes at a pointer lie in, or a fault that says why they do not."""
        if pointer.__class__ is not tuple:
            if pointer is UNDEF:
                raise FaultRaised(Property.UNINITIALISED, "an uninitialised pointer is dereferenced")
            if pointer == 0 or pointer < 4096:
                self.fault(Property.MEMORY, "null pointer dereference")
            self.fault(Property.MEMORY, f"dereference of the invalid pointer {pointer:#x}")
        number, offset = pointer
        found = self.memory.get(number) or self.image.constants.get(number)
        info = self.image.objects[number]
        if found is None:
            if info.kind == "heap":
                self.fault(Property.MEMORY, f"use after free of {info.name}")
            if info.kind == "stack":
                self.fault(Property.MEMORY, f"use of '{info.name}' after its function has returned")
            self.fault(Property.MEMORY, f"data access to the function '{info.name}'")
        if not (0 <= offset and offset + size <= found.size):
            self.fault(
                Property.MEMORY,
                f"access of {size} byte{'s' * (size != 1)} at offset {offset} of '{info.name}', "
                f"which has {found.size}",
            )
        return found

    def writable(self, pointer: Value, size: int) -> MemoryObject:
        """The object behind a pointer, made this step's own."""
        found = self.target(pointer, size)
        number = pointer[0]
        self.writes += 1
        if number not in self.owned:
            if number in self.image.constants:
                self.fault(Property.MEMORY, f"write to the constant '{self.image.objects[number].name}'")
            found = self.memory[number] = found.copy()
            self.owned.add(number)
        return found

    def load(self, pointer: Value, type: Type) -> Value:
        if pointer.__class__ is int:
            pointer = self.pointer(pointer)
        if is_aggregate(type):
            base = pointer
            add = self.domain.add_offset
            return Aggregate(self.load(add(base, at), t) for at, t in self.image.layout.elements(type))
        size = self.image.layout.store_size(type)
        return self.target(pointer, size).read(pointer[1], size, type, self.domain)

    def pointer(self, number: int) -> Value:
        """The pointer that an integer stands for, if it was made from one."""
        pointer = address_pointer(number)
        known = pointer.__class__ is tuple and pointer[0] < len(self.image.objects.infos)
        return pointer if known else number

    def store(self, pointer: Value, type: Type, value: Value) -> None:
        if pointer.__class__ is int:
            pointer = self.pointer(pointer)
        if is_aggregate(type):
            add = self.domain.add_offset
            parts = self.image.layout.elements(type)
            values = [UNDEF] * len(parts) if value is UNDEF else value
            for (at, t), part in zip(parts, values, strict=True):
                self.store(add(pointer, at), t, part)
            return
        size = self.image.layout.store_size(type)
        self.writable(pointer, size).write(pointer[1], size, value, self.domain)

    def load_int(self, pointer: Value, offset: int, size: int) -> Value:
        """An integer field of a library object."""
        return self.load(self.domain.add_offset(pointer, offset), IntType(8 * size))

    def store_int(self, pointer: Value, offset: int, size: int, value: Value) -> None:
        self.store(self.domain.add_offset(pointer, offset), IntType(8 * size), value)

    def copy(self, to: Value, source: Value, size: int) -> None:
        """memmove."""
        if size == 0:
            return
        origin = self.target(source, size)
        self.writable(to, size).copy_range(to[1], origin, source[1], size, self.domain)

    def read_string(self, pointer: Value, limit: int | None = None) -> bytes:
        """The bytes of a C string, without the final zero."""
        data = bytearray()
        offset = 0
        while limit is None or len(data) < limit:
            byte = self.load(self.domain.add_offset(pointer, offset), IntType(8))
            if byte.__class__ is not int:
                raise FaultRaised(Property.UNINITIALISED, "an uninitialised byte is read from a string")
            if byte == 0:
                break
            data.append(byte)
            offset += 1
        return bytes(data)

    def write_bytes(self, pointer: Value, data: bytes) -> None:
        for i, byte in enumerate(data):
            self.store(self.domain.add_offset(pointer, i), IntType(8), byte)

    def allocate(
        self,
        kind: str,
        size: int,
        fill: int | Undefined,
        name: str,
        site: tuple[str, int],
        loc: SourceLoc | None = None,
        source_type: SourceType | None = None,
    ) -> Pointer:
        """A new object; its identity is the thread's own affair, whatever the others do."""
        thread = self.thread
        thread.allocated += 1
        number = self.image.objects.intern(
            (kind, thread.id, thread.allocated, site), ObjectInfo(kind, name, loc, source_type)
        )
        self.memory[number] = MemoryObject(size, fill)
        self.owned.add(number)
        return (number, 0)

    def release(self, number: int) -> None:
        self.memory.pop(number, None)
        self.writes += 1

    # ---------------------------------------------------------------- threads

    def call(
        self,
        code: FunctionCode,
        args: list[Value],
        result: int | None = None,
        types: tuple[tuple[Type, bool], ...] = (),
    ) -> None:
        """Pushes a frame; the caller's program counter has been set to where it goes on."""
        if len(self.frames) >= self.settings.stack_limit:
            raise StuckForever(f"recursion limit {self.settings.stack_limit}", True)
        frame = code.frame(args)
        frame.result = result
        fixed = len(code.function.params)
        if len(args) > fixed:
            frame.varargs = tuple((*t, a) for t, a in zip(types[fixed:], args[fixed:], strict=True))
        self.frames.append(frame)
        code.copy_byval(self, frame)

    def spawn(self, code: FunctionCode, args: list[Value]) -> Thread:
        parent = self.thread
        parent.spawned += 1
        number = self.image.threads.child(parent.id, parent.spawned)
        if len(self.state.threads) >= self.settings.thread_limit:
            raise StuckForever(f"thread limit {self.settings.thread_limit}", True)
        child = Thread(number)
        child.frames.append(code.frame(args))
        self.state.threads[number] = child
        self.started.append(child)
        self.spawned = number
        return child

    def thread_of(self, handle: Value) -> Thread | None:
        """The thread that a pthread_t stands for."""
        return self.state.threads.get(handle - 1) if handle.__class__ is int else None

    def exit(self, code: int) -> Control:
        """Ends the whole program."""
        self.state.exit_code = code
        self.exits = True
        return EXITED
