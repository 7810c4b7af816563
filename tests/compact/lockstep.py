"""The compact machine and the model's interpreter on one path, step by step."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from imc.compact.events import blocked_of, event_of
from imc.compact.flatten import Flattening, flatten
from imc.compact.form import NotCompact
from imc.compact.machine import BLOCKED, CompactMachine
from imc.compact.memory import GONE
from imc.compact.opcodes import UNDEF as UNDEFINED
from imc.compact.visible import ABSENT
from imc.program.code import FunctionCode
from imc.program.concrete.integers import address_number
from imc.program.events import Access, Event
from imc.program.faults import Blocked, NeedChoice
from imc.program.interpreter import Interpreter
from imc.program.machine import Outcome
from imc.program.memory import MemoryObject
from imc.program.state import State, Status
from imc.program.types import FloatType, IntType
from imc.program.values import UNDEF, Aggregate, Value, float_to_bytes

LONGEST = 300  # steps of a walk


@dataclass
class Walked:
    steps: int = 0
    blocked: int = 0
    faults: int = 0
    choices: int = 0


def number(value: Value, size: int = 8) -> int:
    """A value of the model as the compact form has it."""
    if isinstance(value, float):
        kind = {2: "half", 4: "float"}.get(size, "double")
        return int.from_bytes(float_to_bytes(value, kind), "little")
    return UNDEFINED if value is UNDEF else address_number(value, 64)


def told(access: Access) -> int:
    """Of what is larger than a word only that it is told."""
    plain = access.value is UNDEF or isinstance(access.value, int | float)
    plain = plain or access.value.__class__ is tuple
    large = access.size > 8 or not plain
    return 0 if large else number(access.value, access.size)


def comparable(event: Event) -> tuple[object, ...]:
    accesses = tuple(a._replace(value=None if a.value is None else told(a)) for a in event.accesses)
    # Only whoever looks for livelocks asks for rounds without an exit, and does so on the model.
    event = replace(event, accesses=accesses, serves=False)
    return tuple(getattr(event, name) for name in Event.__slots__)


class Lockstep:
    """Both machines; every step is taken by both, and what they come to is compared."""

    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter = interpreter
        self.image = interpreter.image
        self.machine = CompactMachine(flatten(self.image), self.image)
        self.flattening = Flattening(interpreter.image)
        self.flattening.run()

    def walk(self, seed: int, longest: int = LONGEST) -> Walked:
        """One random execution, up to its end or a fault."""
        rng = random.Random(seed)
        walked = Walked()
        fresh = self.snapshot()
        starts = self.interpreter.initial()
        outcome = rng.choice(starts)
        self.machine.start(outcome.event.choices)
        assert self.machine.fault == outcome.fault
        for _ in range(longest):
            self.compare(outcome.state, outcome.fault is not None)
            if outcome.fault is not None or outcome.state.exit_code is not None:
                walked.faults += outcome.fault is not None
                break
            found = self.all_steps(outcome.state, walked)
            if not found:
                break
            outcome = rng.choice(found)
            self.machine.step(outcome.event.thread, outcome.event.choices)
        self.machine.undo(0)
        assert self.snapshot() == fresh
        return walked

    def all_steps(self, state: State, walked: Walked) -> list[Outcome]:
        """Every thread's next step, taken and undone."""
        found: list[Outcome] = []
        before = self.snapshot()
        running = [t.id for t in state.threads.values() if t.status is Status.RUNNING]
        for thread in running:
            try:
                outcomes = self.interpreter.successors(state, thread)
            except Blocked as why:
                self.blocked(thread, why)
                assert self.snapshot() == before
                walked.blocked += 1
                continue
            found += outcomes
            for outcome in outcomes:
                walked.steps += 1
                walked.choices += bool(outcome.event.choices)
                mark = self.machine.mark()
                self.step(thread, outcome)
                self.compare(outcome.state, outcome.fault is not None)
                self.machine.undo(mark)
                assert self.snapshot() == before
        return found

    def blocked(self, thread: int, why: Blocked) -> None:
        try:
            result = self.machine.step(thread)
        except NeedChoice:
            return  # the model has tried them all, and so will the other steps
        assert result == BLOCKED, why
        found = blocked_of(self.machine)
        names = ("what", "pointer", "holder", "stable", "accesses")
        assert [getattr(found, n) for n in names] == [getattr(why, n) for n in names]

    def step(self, thread: int, outcome: Outcome) -> None:
        event = outcome.event
        for length in range(len(event.choices)):  # it asks for just these
            try:
                self.machine.step(thread, event.choices[:length])
                raise AssertionError("no choice was asked for")
            except NeedChoice as need:
                assert event.choices[length] < need.count
        self.machine.step(thread, event.choices)
        assert self.machine.fault == outcome.fault
        found = event_of(self.machine)
        assert comparable(found) == comparable(event), (found, event)

    # ------------------------------------------------------------------- states

    def snapshot(self) -> object:
        """All that is part of a state, as the machine has it."""
        m = self.machine
        objects = [(n, m.limits[n], m.room[n]) for n in range(len(m.limits)) if m.limits[n] != GONE]
        cells = [
            m.cells[m.first[n] : m.first[n] + size] for n, size, _ in objects if n not in m.places
        ]
        for n in sorted(set(m.places) - m.empty):  # places begin to have cells some time, for good
            found = m.cells[m.first[n] : m.first[n] + m.limits[n]] if m.limits[n] != GONE else []
            cells += [[n, at, word] for at, word in enumerate(found) if word]
        threads = [
            (t, *(part[t] for part in m._of_threads), m.regs[t][: m.persistent])
            for t in range(len(m.pcs))
            if m.status[t] != ABSENT
        ]
        return objects, cells, threads, m.exit_code[0]

    def compare(self, state: State, faulty: bool = False) -> None:
        m = self.machine
        code = m.exit_code[0]
        assert state.exit_code == (None if code == UNDEFINED else code)
        assert set(state.threads) == {t for t, s in enumerate(m.status) if s != ABSENT}
        for thread in state.threads.values():
            self._compare_thread(thread.id, state, faulty)
        alive = {n for n, size in enumerate(m.limits) if size != GONE}
        assert alive == state.memory.keys() | self.image.constants.keys()
        for number, contents in state.memory.items():
            self._compare_object(number, contents)

    def _compare_thread(self, t: int, state: State, faulty: bool) -> None:
        m, thread = self.machine, state.threads[t]
        assert (m.status[t], m.reasons[m.reason[t]]) == (thread.status, thread.reason)
        figures = (m.events[t], m.spawns[t], m.allocated[t], m.paused[t], m.detached[t])
        assert figures == (
            thread.events,
            thread.spawned,
            thread.allocated,
            thread.paused,
            thread.detached,
        )
        assert m.is_joined[t] == thread.joined
        if thread.status is Status.DONE:
            assert m.results[t] == number(thread.result)
        if thread.status is Status.RUNNING and not faulty:
            site = m.form.where[m.form.sites[m.pcs[t]]]
            frame = thread.frames[-1]
            assert (site.function, site.pc) == (frame.code.function.name, frame.pc)
            assert m.phase[t] == frame.phase
            copy = ""
            for frame in thread.frames:
                name = frame.code.function.name
                copy = self.flattening.callee(copy, name) or ""
                assert copy, "a call that is too deep has no form"
                self._compare_registers(
                    t, copy, frame.code, frame.pc, frame.regs, frame is thread.frames[-1]
                )

    def _compare_registers(
        self, t: int, copy: str, code: FunctionCode, pc: int, regs: list[Value], last: bool
    ) -> None:
        waits_for = None if last else code.function.code[pc - 1].result
        for register in code.live[pc]:
            value = regs[register]
            if register == waits_for or isinstance(value, Aggregate):
                continue
            at = self.flattening.registers[copy, register]
            size = 4 if code.function.registers[register].type == FloatType("float") else 8
            assert at < self.machine.persistent
            assert self.machine.regs[t][at] == number(value, size), (code.function.name, register)

    def _compare_object(self, n: int, contents: MemoryObject) -> None:
        m, domain = self.machine, self.image.domain
        assert m.limits[n] == contents.size
        if n in m.empty:
            assert not any(v for _, v in contents.cells.values())
            return
        at = 0
        while at < contents.size:
            size = max(m.layout[m.first[n] + at], 1)
            value = contents.read(at, size, IntType(8 * size), domain)
            assert m.cells[m.first[n] + at] == number(value), (self.image.objects[n], at, size)
            at += size


def walk_both(interpreter: Interpreter, seeds: int, longest: int = LONGEST) -> Walked | NotCompact:
    """Some random executions; what has no compact form, or none that can be followed, says why."""
    total = Walked()
    try:
        both = Lockstep(interpreter)
        for seed in range(seeds):
            walked = both.walk(seed, longest)
            total.steps += walked.steps
            total.blocked += walked.blocked
            total.faults += walked.faults
            total.choices += walked.choices
    except NotCompact as why:
        return why
    return total
