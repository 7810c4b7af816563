"""The machine: runs the compact form one step at a time, and takes steps back.

Everything that a step changes is written to a log of ints first, as (part, index, old value);
`undo` puts it back. Registers that hold nothing between two steps are not logged. What a step did
is left in the machine's fields until the next one. Performance-critical: see
scripts/bench_compact.py.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import NoReturn

from imc.compact import hosted, locks  # noqa: F401 (they add their operations to the others)
from imc.compact.form import (
    FIRST_PC,
    FUNCTION_WIDTH,
    LINK,
    LOCALS,
    OBJECT,
    ROOT,
    SHIFT,
    CompactProgram,
    NotCompact,
)
from imc.compact.host import Host
from imc.compact.opcodes import INPUT, RESUME, VISIBLE, WIDTH
from imc.compact.threads import FlatThreads
from imc.compact.translate import Translator, Unit
from imc.compact.visible import DONE, ENDS, EXITS, HANDLERS, READ, RUNNING, STUCK
from imc.errors import SourceLoc
from imc.program.code import Image
from imc.program.events import Mode
from imc.program.faults import (
    Blocked,
    Fault,
    FaultRaised,
    NeedChoice,
    Property,
    StuckForever,
)
from imc.program.watch import OutOfSight

MOST_JUMPS = 1000  # between two events; the model looks whether longer loops end

# How a step ends.
MOVED, BLOCKED, FAULTY = 0, 1, 2


class CompactMachine(FlatThreads):
    """A program at one point of its execution; `image` has the names and numbers of objects."""

    def __init__(self, form: CompactProgram, image: Image) -> None:
        super().__init__(form, image)
        self.settings = image.settings
        self.code = [form.record(pc)[1:] for pc in range(len(form.sites))]
        self._opcodes = form.code[::WIDTH]
        self._translator = Translator(form)
        self._units: list[Unit | None] = [None] * len(form.sites)
        count = len(form.functions) // FUNCTION_WIDTH
        # By their objects, the first copy of each.
        self.functions = {form.function(n)[OBJECT]: n for n in range(count)[::-1]}
        self._first_pcs = form.functions[FIRST_PC::FUNCTION_WIDTH]
        self._locs = [form.where[site].loc for site in form.sites]
        self.origin_place: SourceLoc | None = None
        self.host: Host | None = None  # made when the model has to perform something
        self.reasons: list[str] = [""]
        self.mover = self.origin = 0
        self.begin_step(0, ())

    # ------------------------------------------------------------------ a step

    def start(self, choices: tuple[int, ...] = ()) -> int:
        """The main thread runs up to its first visible operation."""
        mark = self.mark()
        self.begin_step(0, choices)
        form = self.form
        self.new_thread(0)
        self.log += (self.EVENTS, 0, 0, self.ALLOCATED, 0, 0)
        self.events[0], self.allocated[0] = 1, form.allocated
        for k in range(0, len(form.arguments), 2):
            self.regs[0][form.arguments[k]] = form.arguments[k + 1]
        self.pcs[0] = self.origin = form.function(form.entry)[FIRST_PC]
        self.fault = None
        try:
            self._start(0)
        except FaultRaised as raised:
            self.fault = self._fault_here(raised)
            return FAULTY
        except NeedChoice:
            self.undo(mark)
            raise
        finally:
            self.accesses = []
        return MOVED

    def begin_step(self, thread: int, choices: tuple[int, ...]) -> None:
        self.thread = thread
        self.choices, self.chosen = choices, 0
        self.accesses: list[tuple[int, int, int, int, int, int]] = []
        self.started: list[int] = []
        self.spawned: tuple[int, ...] = ()
        self.joined: tuple[int, ...] = ()
        self.acquired: tuple[int, ...] = ()
        self.tries = self.wakes = self.exits = self.leaves = False
        self.invents = ""
        self.note: tuple[int, int] = (0, 0)
        self.atomic = self.jumps = 0
        self.unseen_reads.clear()
        self.unseen_writes.clear()

    def step(self, thread: int, choices: tuple[int, ...] = ()) -> int:
        """A running thread's next step: MOVED, FAULTY, or BLOCKED and nothing has changed.

        Raises NeedChoice, and then nothing has changed either.
        """
        log = self.log
        mark = len(log)
        self.begin_step(thread, choices)
        self.mover = thread
        pc = self.at = self.origin = self.pcs[thread]
        log += (self.PCS, thread, pc, self.EVENTS, thread, self.events[thread])
        self.events[thread] += 1
        if self.paused[thread]:
            log += (self.PAUSED, thread, 1)
            self.paused[thread] = 0
        self.origin_place = self._locs[pc] or self.place(thread, pc)
        regs = self.regs[thread]
        result = MOVED
        self.fault = None
        try:
            try:
                after = HANDLERS[self._opcodes[pc]](self, regs, *self.code[pc])
                if after == ENDS:
                    after = self._end(thread)
                if after >= 0:
                    self._run(thread, regs, after)
            except StuckForever as stuck:
                self._stick(stuck)
            self._reveal()
            for child in self.started:
                self._start(child)
        except Blocked as blocked:
            if self.atomic:  # the section starts anew, and may then take another way
                blocked.holder, blocked.stable = None, False
            self.blocked = blocked.with_traceback(None)
            self.undo(mark)
            return BLOCKED
        except NeedChoice:
            self.undo(mark)
            raise
        except FaultRaised as raised:
            self.fault = self._fault_here(raised)
            result = FAULTY
        if not self.accesses and (result == FAULTY or self.status[thread] == STUCK):
            self._touch_operands(regs, pc)
        return result

    # ----------------------------------------------------------------- threads

    def opcode_of(self, thread: int) -> int:
        """The operation that a thread stands at."""
        return self._opcodes[self.pcs[thread]]

    def awaited(self, thread: int) -> int | None:
        """The thread that one which stands at a join has to wait for."""
        other = self.regs[thread][self.code[self.pcs[thread]][1]] - 1
        if not 0 <= other < len(self.status) or other == thread or self.detached[other]:
            return None
        waits = self.status[other] in (RUNNING, STUCK) and not self.is_joined[other]
        return other if waits else None

    def _start(self, thread: int) -> None:
        """Runs a new thread's first local instructions: nobody can see when they happen."""
        self.atomic = 0
        self.thread = thread
        try:
            self._run(thread, self.regs[thread], self.pcs[thread])
        except StuckForever as stuck:
            self._stick(stuck)
        self._reveal()

    def _reveal(self) -> None:
        """Compares what the running thread has done with what the others do; see `Watch`."""
        if any(self.spawns):
            thread, watch = self.thread, self.image.watch
            for access in self.accesses if thread == self.mover else ():
                if watch.seen(access[1], thread, access[0] != READ):
                    self._out_of_sight(access[1])
            for number in self.unseen_reads:
                if watch.unseen(number, thread, False, self.origin_place):
                    self._out_of_sight(number)
            for number in self.unseen_writes:
                if watch.unseen(number, thread, True, self.origin_place):
                    self._out_of_sight(number)
        self.unseen_reads.clear()
        self.unseen_writes.clear()

    def _out_of_sight(self, number: int) -> NoReturn:
        raise OutOfSight(self.image.objects[number].name, self.image.watch.place(number))

    def _end(self, thread: int) -> int:
        """The thread ends, or goes on with what it has to do then: where."""
        if self.form.end_of_thread >= 0:
            after = hosted.go_on_at_end(self)
            if after >= 0:
                return after
        self.log += (self.STATUS, thread, self.status[thread])
        self.status[thread] = DONE
        for number in self.kept if self.image.has_thread_locals else ():
            identity = self.image.objects.identities[number]
            if identity[0] == "tls" and identity[2] == thread:  # type: ignore[index]
                self.release(number)
        return ENDS

    def exit_with(self, code: int) -> int:
        """The program ends."""
        self.log += (self.EXIT_CODE, 0, self.exit_code[0])
        self.exit_code[0] = code
        self.exits = True
        return EXITS

    def _stick(self, stuck: StuckForever) -> None:
        thread = self.thread
        if stuck.reason not in self.reasons:
            self.reasons.append(stuck.reason)
        self.log += (self.STATUS, thread, self.status[thread], self.REASON, thread, 0)
        self.status[thread] = STUCK
        self.reason[thread] = self.reasons.index(stuck.reason)
        if stuck.bounded:
            self.image.bounds.add(stuck.reason)

    def function_at(self, pc: int) -> int:
        """The number of the function that a record belongs to."""
        return bisect_right(self._first_pcs, pc) - 1

    def locals_of(self, regs: list[int], function: int) -> list[int]:
        """The objects that a function has made for its locals, in order."""
        tables, at = self.form.tables, self.form.function(function)[LOCALS]
        held = [regs[register] for register in tables[at + 1 : at + 1 + tables[at]]]
        return [pointer >> SHIFT for pointer in held if pointer >= 0]

    def leave(self, regs: list[int], value: int, link: int, function: int, result: int) -> int:
        """Returns from a function, whose locals end; where the thread goes on, or ENDS."""
        for number in self.locals_of(regs, function):
            self.release(number)
        back = regs[link]
        if back == ROOT:
            if function != self.form.end_of_thread:
                self.log += (self.RESULTS, self.thread, self.results[self.thread])
                self.results[self.thread] = value
            return ENDS
        regs[result] = value
        return back

    # ------------------------------------------------------------------ errors

    def known_number(self, value: int) -> int:
        if value < 0:
            raise NotCompact(
                "a part of a lock is not initialised", self.place(self.thread, self.at)
            )
        return value

    def decide(self, value: int) -> bool:
        if value < 0:
            self.raise_fault(Property.UNINITIALISED, "an uninitialised value decides a branch")
        return value != 0

    def choose(self, count: int) -> int:
        """One of `count` alternatives, which the environment picks and not the scheduler."""
        if count <= 1:
            return 0
        if self.chosen == len(self.choices):
            raise NeedChoice(count)
        self.chosen += 1
        return self.choices[self.chosen - 1]

    def _fault_here(self, raised: FaultRaised) -> Fault:
        if self.pcs[self.thread] != self.at:
            self.log += (self.PCS, self.thread, self.pcs[self.thread])
            self.pcs[self.thread] = self.at
        return Fault(raised.kind, raised.message, self.place(self.thread, self.at), self.thread)

    def place(self, thread: int, pc: int) -> SourceLoc | None:
        """Where a thread is: the bundled library's code has no place, its caller has."""
        form = self.form
        site = form.sites[pc]
        while form.where[site].loc is None:
            back = self.regs[thread][form.function(self.function_at(pc))[LINK]]
            if back == ROOT:
                return None
            pc = back - 1
            site = form.sites[pc]
            if form.record(back)[0] != RESUME or form.sites[back] != site:
                site += 1  # the model's caller stands behind its call
        return form.where[site].loc

    def _touch_operands(self, regs: list[int], pc: int) -> None:
        """A step that went wrong before it touched anything may have done so for what it found."""
        at = self.form.operands[self.form.sites[pc]]
        if at < 0:
            return
        tables = self.form.tables
        for operand in tables[at + 1 : at + 1 + tables[at]]:
            value = regs[operand >> 1]
            number = value >> SHIFT
            if not 0 < number < len(self.image.objects.infos):
                continue
            if operand & 1 or self.at != pc:
                raise NotCompact("whether a number is an address matters", self.place(0, pc))
            kind = self.image.objects[number].kind
            there = self.limits_of(number) >= 0 and kind != "constant"
            if there or kind in ("heap", "stack", "tls"):
                self.touch(int(Mode.WRITE), value, 1, 1)

    # ----------------------------------------------------------- instructions

    def _run(self, thread: int, regs: list[int], pc: int) -> None:
        """Runs local instructions until the thread stands at a visible one or has ended."""
        log, part = self.log, self.first_register_part + thread
        opcodes, units = self._opcodes, self._units
        while True:
            opcode = opcodes[pc]
            if opcode < VISIBLE:
                unit = units[pc]
                if unit is None:
                    unit = units[pc] = self._translator.unit(pc)
                pc = unit(self, regs, log, part)
                if pc < 0:
                    pc = self._end(thread)
                    if pc < 0:
                        return
            elif not self.atomic:
                self.pcs[thread] = pc
                if opcode == INPUT:
                    log += (self.PAUSED, thread, 0)
                    self.paused[thread] = 1
                return
            else:
                self.at = pc
                after = HANDLERS[opcode](self, regs, *self.code[pc])
                if after >= 0:
                    pc = after
                elif after == ENDS:
                    pc = self._end(thread)
                    if pc < 0:
                        return
                elif after == EXITS:
                    self.pcs[thread] = pc
                    return

    def jump_back(self, pc: int) -> None:
        self.jumps += 1
        if self.jumps > MOST_JUMPS:
            raise NotCompact("a long loop between two events", self._locs[pc])
