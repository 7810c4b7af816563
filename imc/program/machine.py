"""The machine: runs one step of one thread on a copy of a state.

A step is the visible operation the thread stands at and the local instructions up to the next one.
Performance-critical: see scripts/bench.py.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from imc.errors import SourceLoc
from imc.program.events import Event, Mode
from imc.program.faults import (
    Blocked,
    Fault,
    FaultRaised,
    OutOfTime,
    Property,
    StuckForever,
    TooManyThreads,
)
from imc.program.missing import may_start
from imc.program.state import Frame, State, Status, Thread
from imc.program.texts import Texts
from imc.program.types import Type
from imc.program.values import UNDEF, Pointer, Value, settled

if TYPE_CHECKING:
    from imc.program.code import FunctionCode, Image

# What an instruction answers instead of a program counter (None: the next one).
STOP = -1  # a visible instruction: the step ends before it
RELOAD = -2  # the frames have changed
AGAIN = -3  # the instruction has a further phase, which is an event of its own
PAUSE = -4  # an input is read: the step ends, but the thread goes on before any other

ENDLESS = "endless loop without a visible operation"
REFUTED = "failed assumption"
SERVING = "endless loop that changes what nobody else looks at"  # it goes on having effects
COMPARED_CELLS = 256  # that a loop may write and still be noticed to be endless
FIRST_LOOK = 1 << 10  # local jumps before a loop may be an endless one
DEADLINE_CHECK = 1 << 14  # local jumps between two looks at the clock


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
    written: set[int] = field(default_factory=set)  # objects that the step may have changed


class Machine(Texts):
    """One step in the making."""

    def __init__(self, image: Image, state: State, choices: tuple[int, ...] = ()) -> None:
        super().__init__(image, state, choices)
        self.started: list[Thread] = []
        self.spawned: tuple[int, ...] = ()
        self.joined: tuple[int, ...] = ()
        self.acquired: tuple[Pointer, ...] = ()
        self.tries = False
        self.wakes = False
        self.exits = False
        self.leaves = False
        self.serves = False
        self.note = ""
        self.jumps = 0
        self._snapshot: object = None
        self._written = 0  # how often the step had written when that was taken
        self._served = False  # a loop without an exit has begun another round since then
        self.frames: list[Frame]

    # ---------------------------------------------------------------- a step

    def step(self, number: int) -> Outcome:
        """A thread's next step; raises Blocked when it cannot move, NeedChoice to be told more."""
        thread = self.state.threads[number] = self.state.threads[number].copy()
        self.thread, self.frames = thread, thread.frames
        frame = self.frames[-1]
        code, pc = frame.code, frame.pc
        event = Event(
            number, thread.events, code.function.name, pc, code.names[pc], loc=self.place()
        )
        thread.events += 1
        thread.paused = False
        fault = None
        try:
            self._perform(frame)
        except Blocked as blocked:
            blocked.accesses = tuple(self.accesses)
            if self.atomic:  # the section starts anew, and may then take another way
                blocked.holder, blocked.stable = None, False
            raise
        except FaultRaised as raised:
            fault = self._fault_here(raised)
        if not self.accesses and (fault is not None or thread.status is Status.STUCK):
            self._touch_operands(frame, pc)
        event.accesses = tuple(self.accesses)
        event.choices = self.choices[: self.chosen]
        event.spawned, event.joined, event.exits = self.spawned, self.joined, self.exits
        event.acquired, event.tries, event.note = self.acquired, self.tries, self.note
        event.wakes, event.leaves, event.invents = self.wakes, self.leaves, self.invents
        event.serves = self.serves
        return Outcome(event, self.state, fault, self.owned)

    def attempt(self, number: int) -> None:
        """Only the visible operation of a thread's next step; raises Blocked if it cannot move."""
        thread = self.state.threads[number] = self.state.threads[number].copy()
        self.thread, self.frames = thread, thread.frames
        with suppress(FaultRaised, StuckForever):
            self.operate(self.frames[-1])

    def _perform(self, frame: Frame) -> None:
        """The visible operation, the local instructions behind it, and those of new threads."""
        try:
            if self.operate(frame):
                self.run()
        except StuckForever as stuck:
            self._stick(stuck)
        self.reveal(self.accesses)
        for child in self.started:
            self._start(child)

    def operate(self, frame: Frame) -> bool:
        """Only the visible operation; whether local instructions follow it."""
        pc = frame.pc
        after = frame.code.full[pc](self, frame.regs)
        if after is None:
            frame.pc = pc + 1
        elif after >= 0:
            frame.pc = after
        return after != AGAIN and not self.exits

    def start(self) -> Outcome:
        """Starts the main thread and runs it up to its first visible operation."""
        thread = self.main_thread()
        main = thread.frames[0].code
        event = Event(0, 0, main.function.name, 0, "start", loc=main.function.loc)
        thread.events = 1
        fault = None
        try:
            self._start(thread)
        except FaultRaised as raised:
            fault = self._fault_here(raised)
        event.choices = self.choices[: self.chosen]
        return Outcome(event, self.state, fault)

    def main_thread(self) -> Thread:
        """The first thread, which has not done anything yet."""
        thread = self.state.threads[0] = Thread(0)
        main = self.image.code(self.image.program.entry)
        args = self.image.main_arguments(self)
        thread.frames.append(main.frame(args[: len(main.function.params)]))
        return thread

    def _start(self, thread: Thread) -> None:
        """Runs a new thread's first local instructions: nobody can see when they happen."""
        self.atomic = 0
        self.thread, self.frames = thread, thread.frames
        try:
            self.run()
        except StuckForever as stuck:
            self._stick(stuck)
        self.reveal(())

    def _stick(self, stuck: StuckForever) -> None:
        thread = self.thread
        thread.status, thread.reason, thread.bounded = Status.STUCK, stuck.reason, stuck.bounded
        thread.stopped = self.place()
        thread.frames.clear()
        if stuck.bounded:
            self.image.bounds.add(stuck.reason)

    def _touch_operands(self, frame: Frame, pc: int) -> None:
        """A step that went wrong before it touched anything may have done so for what it found."""
        if pc not in frame.code.visible:
            return
        for operand in frame.code.function.code[pc].operands():
            value = frame.regs[frame.code.operand(operand)]
            if value.__class__ is tuple and (value[0] in self.memory or self._was_there(value)):
                self.touch(Mode.WRITE, value, 1, True)

    def _was_there(self, pointer: Pointer) -> bool:
        """Whether a pointer leads to an object that has ended, as somebody has brought about."""
        kind = self.image.objects[pointer[0]].kind
        return kind in ("heap", "stack", "tls") and pointer[1].__class__ is int

    def _fault_here(self, raised: FaultRaised) -> Fault:
        return Fault(raised.kind, raised.message, self.place(), self.thread.id)

    def place(self) -> SourceLoc | None:
        """Where the program is: the bundled library's code has no place, its caller has."""
        locs = (frame.code.locs[frame.pc] for frame in reversed(self.frames))
        return next((loc for loc in locs if loc is not None), None)

    def run(self) -> None:
        """Runs local instructions until the thread stands at a visible one or has ended."""
        while self.frames or self.image.thread_end(self):
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
                            if self._jump_back(frame, after):
                                frame.pc = after
                                self.thread.paused = after not in frame.code.visible
                                return
                        pc = after
                    else:
                        break
            except Exception:  # whatever happens, it happens here
                frame.pc = pc
                raise
            if after in (STOP, PAUSE, AGAIN):
                frame.pc = pc
                self.thread.paused = after == PAUSE
                if after != AGAIN or not self.atomic:
                    return
        self.thread.status = Status.DONE
        if self.image.has_thread_locals:
            self.image.drop_thread_locals(self.thread.id, self)
            self.account(False, len(self.accesses), None)

    def _jump_back(self, frame: Frame, target: int) -> bool:
        """Counts loop iterations: for the user's bound, and to notice a loop that never ends.

        Answers whether the step should end here, because the loop depends on what is not known.
        """
        if target in frame.code.services:
            self.serves = True
        bound = self.settings.loop_bound
        if bound is not None:
            loops = frame.loops
            count = loops.get(target, 0) + 1
            if count > bound:
                loc = frame.code.locs[target]
                raise StuckForever(
                    f"loop bound {bound}" + (f" at line {loc.line}" if loc else ""),
                    True,
                )
            for inner in [head for head in loops if head > target]:
                del loops[inner]
            loops[target] = count
        self.jumps += 1
        if self.jumps >= FIRST_LOOK:
            self._look_for_circles(frame, target)
        if self.jumps % DEADLINE_CHECK == 0 and self.image.out_of_time():
            raise OutOfTime
        if self.jumps > self.settings.local_limit:
            raise StuckForever(f"local step limit {self.settings.local_limit}", True)
        return False

    def _look_for_circles(self, frame: Frame, target: int) -> None:
        """Ends a thread that comes back to the same local state again and again."""
        if self.jumps & (self.jumps - 1) == 0:
            self._snapshot, self._written = self._local_state(target), self.writes
            self._served = False
            return
        self._served = self._served or target in frame.code.services
        if self._snapshot == self._local_state(target):
            if Property.TERMINATION in self.settings.properties:
                raise FaultRaised(Property.TERMINATION, ENDLESS)
            raise StuckForever(SERVING if self._has_effect() else ENDLESS)

    def _has_effect(self) -> bool:
        """Whether a loop that comes back to the same state is what its thread is there for.

        It cannot be left, and writes to memory that outlives it. From one that can be left, but
        never is, nobody has anything: nobody else looks at what it writes.
        """
        infos = self.image.objects
        lasting = any(infos[number].kind != "stack" for number in self.owned)
        return self._served and self.writes > self._written and lasting

    def _local_state(self, target: int) -> object:
        frames = [(f.pc, f.regs.copy()) for f in self.frames]
        if len(self.owned) > COMPARED_CELLS:
            return (target, frames, self.writes)
        own = [self.memory[n] for n in self.owned if n in self.memory]
        if sum(len(contents.cells) for contents in own) > COMPARED_CELLS:
            return (target, frames, self.writes)
        return (target, frames, [contents.cells.copy() for contents in own])

    # ---------------------------------------------------------------- threads

    def call(
        self,
        code: FunctionCode,
        args: list[Value],
        result: int | None = None,
        types: tuple[tuple[Type, bool], ...] = (),
        taken: tuple[Value, ...] = (),
    ) -> None:
        """Pushes a frame; the caller's program counter has been set to where it goes on.

        Of structs that are passed by value the callee gets copies, made of what was `taken`: the
        argument's number, an offset, a size and the contents.
        """
        if len(self.frames) >= self.settings.stack_limit:
            raise StuckForever(f"recursion limit {self.settings.stack_limit}", True)
        frame = code.frame(args)
        self.frames.append(frame)
        if taken:
            args = self._with_copies(code, frame, args, types, taken)
        frame.result = result
        fixed = len(code.function.params)
        if len(args) > fixed:
            more = map(settled, args[fixed:])
            frame.varargs = tuple((*t, a) for t, a in zip(types[fixed:], more, strict=True))

    def _with_copies(
        self,
        code: FunctionCode,
        frame: Frame,
        args: list[Value],
        types: tuple[tuple[Type, bool], ...],
        taken: tuple[Value, ...],
    ) -> list[Value]:
        """The arguments, with pointers to the callee's own copies of structs."""
        args = list(args)
        for nth, at, _, cells in taken:
            if at == 0:
                size = self.image.layout.size(types[nth][0])
                name, site = code.copy_site(nth)
                args[nth] = self.allocate("stack", size, UNDEF, name, site)
                frame.objects.append(args[nth][0])
            contents = self.memory[args[nth][0]].cells
            contents.update({at + k: (n, v) for k, n, v in cells})
        for register, value in zip((p.register for p in code.function.params), args, strict=False):
            frame.regs[register] = value
        return args

    def spawn(self, code: FunctionCode, args: list[Value]) -> Thread | None:
        """A new thread; None where the settings leave it out, so that it never runs."""
        limit = self.settings.max_threads
        if limit is not None and not may_start(self, limit):
            return None
        parent = self.thread
        parent.spawned += 1
        if len(self.state.threads) >= self.settings.thread_limit:
            raise TooManyThreads(
                f"more than {self.settings.thread_limit} threads (--max-threads N leaves out "
                "those beyond the first N)"
            )
        number = self.image.threads.child(parent.id, parent.spawned)
        child = Thread(number)
        child.frames.append(code.frame(args))
        self.state.threads[number] = child
        self.started.append(child)
        self.spawned += (number,)
        return child

    def thread_of(self, handle: Value) -> Thread | None:
        """The thread that a pthread_t stands for."""
        return self.state.threads.get(handle - 1) if handle.__class__ is int else None

    def exit(self, code: int) -> Control:
        """Ends the whole program."""
        self.state.exit_code = code
        self.exits = True
        return EXITED
