"""The native machine and the Python machine on one path of the compact form, step by step."""

from __future__ import annotations

import random
from dataclasses import dataclass

from imc.compact.flatten import flatten
from imc.compact.form import NotCompact
from imc.compact.machine import BLOCKED, FAULTY, CompactMachine
from imc.compact.visible import ABSENT, TOLD
from imc.core.interface import Step
from imc.core.machine import NativeEvent, NativeMachine
from imc.core.packed import PROPERTIES
from imc.program.faults import NeedChoice
from imc.program.interpreter import Interpreter
from imc.program.watch import OutOfSight

LONGEST = 300
OF_THREADS = {
    "pcs": "pcs", "status": "status", "events": "events", "spawns": "spawns",
    "allocated": "allocated", "phase": "phase", "scratch": "scratch", "paused": "paused",
    "detached": "detached", "is_joined": "joined", "results": "results",
}  # fmt: skip


@dataclass
class Walked:
    steps: int = 0
    blocked: int = 0
    faults: int = 0
    choices: int = 0
    refused: int = 0


class Refused(Exception):
    """Both machines leave the program to the model, or the native one alone does."""


class NativeLockstep:
    """Both machines; every step is taken by both, and what they come to is compared."""

    def __init__(self, interpreter: Interpreter) -> None:
        form = flatten(interpreter.image)
        self.native = NativeMachine(form, interpreter.image)
        self.python = CompactMachine(form, interpreter.image)

    def walk(self, seed: int, longest: int = LONGEST) -> Walked:
        """One random execution, up to its end or a fault."""
        rng = random.Random(seed)
        walked = Walked()
        fresh = self.snapshot()
        ways = self.ways(None)
        self.take(None, rng.choice(ways))
        for _ in range(longest):
            self.compare()
            running = self.python.running()
            assert self.native.running() == running
            if self.python.fault is not None or not running:
                walked.faults += self.python.fault is not None
                break
            found = []
            before = self.snapshot()
            marks = self.python.mark(), self.native.mark()
            for thread in running:
                for choices in self.ways(thread):
                    result = self.take(thread, choices)
                    self.compare()
                    walked.steps += 1
                    walked.choices += bool(choices)
                    if result == BLOCKED:
                        walked.blocked += 1
                    else:
                        found.append((thread, choices))
                        self.python.undo(marks[0])
                        self.native.undo(marks[1])
                    assert self.snapshot() == before
            if not found:
                break
            self.take(*rng.choice(found))
        self.python.undo(0)
        self.native.undo(0)
        assert self.snapshot() == fresh
        return walked

    def ways(self, thread: int | None) -> list[tuple[int, ...]]:
        """All choices that a step asks for; both ask for the same."""
        found: list[tuple[int, ...]] = []
        work: list[tuple[int, ...]] = [()]
        marks = self.python.mark(), self.native.mark()
        while work:
            choices = work.pop()
            try:
                self._python(thread, choices)
            except NeedChoice as need:
                assert self._native(thread, choices) is Step.NEEDS_CHOICE
                assert self.native.event().wanted == need.count
                work.extend((*choices, k) for k in reversed(range(need.count)))
                continue
            except (NotCompact, OutOfSight):
                self._refused(thread, choices)
            self.python.undo(marks[0])
            result = self._native(thread, choices)
            if result is Step.NOT_COMPACT:
                raise Refused(self.native.refusal()[0])
            assert result is not Step.NEEDS_CHOICE
            self.native.undo(marks[1])
            found.append(choices)
        return found

    def _refused(self, thread: int | None, choices: tuple[int, ...]) -> None:
        result = self._native(thread, choices)
        assert result in (Step.NOT_COMPACT, Step.OUT_OF_SIGHT), result
        raise Refused(str(result))

    def _python(self, thread: int | None, choices: tuple[int, ...]) -> int:
        if thread is None:
            return self.python.start(choices)
        return self.python.step(thread, choices)

    def _native(self, thread: int | None, choices: tuple[int, ...]) -> Step:
        if thread is None:
            return self.native.start(choices)
        return self.native.step(thread, choices)

    def take(self, thread: int | None, choices: tuple[int, ...]) -> int:
        result = self._python(thread, choices)
        native = self._native(thread, choices)
        if native is Step.NOT_COMPACT:
            raise Refused(self.native.refusal()[0])
        assert native == result, (native, result)
        event = self.native.event()
        if result == BLOCKED:
            self._compare_blocked(event)
        elif thread is not None:
            self._compare_event(event)
        if result == FAULTY:
            fault = self.python.fault
            assert fault is not None
            assert event.fault == PROPERTIES[fault.kind]
            assert event.fault_thread == fault.thread
            assert event.at == self.python.at
        return result

    def _compare_blocked(self, event: NativeEvent) -> None:
        why = self.python.blocked
        what, pointer, holder, stable = event.blocked
        pair = None if pointer is None else (pointer >> 32, (pointer & 0xFFFFFFFF) - (1 << 16))
        assert (what, pair, holder, stable) == (why.what, why.pointer, why.holder, why.stable)
        assert event.accesses == tuple(self.python.accesses)

    def _compare_event(self, event: NativeEvent) -> None:
        m = self.python
        assert (event.mover, event.origin) == (m.mover, m.origin)
        assert event.accesses == tuple(m.accesses)
        assert event.choices == m.choices[: m.chosen]
        assert (event.spawned, event.joined) == (m.spawned, m.joined)
        assert event.acquired == m.acquired
        assert (event.tries, event.wakes, event.exits) == (m.tries, m.wakes, m.exits)
        kind, told = event.note
        if kind == TOLD:  # both number the model's texts as they come
            assert m.note[0] == TOLD and m.host is not None and self.native.host is not None
            assert self.native.host.texts[told] == m.host.texts.all[m.note[1]]
        else:
            assert event.note == m.note

    # ------------------------------------------------------------------- states

    def snapshot(self) -> object:
        """All that is part of a state, as the native machine has it."""
        n = self.native
        limits, room, first, cells = (n.part(p) for p in ("limits", "room", "first", "cells"))
        objects = [(k, limits[k], room[k]) for k in range(len(limits)) if limits[k] != -1]
        contents = [
            [word for word in cells[first[k] : first[k] + size] if word]
            for k, size, _ in objects
            if first[k]
        ]
        contents = [found for found in contents if found]
        width, persistent = len(self.python.form.registers), self.python.persistent
        status, registers = n.part("status"), n.part("registers")
        threads = [
            (t, *(n.part(name)[t] for name in OF_THREADS.values()),
             registers[t * width : t * width + persistent])
            for t in range(len(status))
            if status[t] != ABSENT
        ]  # fmt: skip
        return objects, contents, threads, n.part("exit_code")

    def compare(self) -> None:
        n, m = self.native, self.python
        limits, room, first, cells = (n.part(p) for p in ("limits", "room", "first", "cells"))
        assert limits == m.limits + [-1] * (len(limits) - len(m.limits))
        for k, size in enumerate(m.limits):
            if size < 0:
                continue
            assert room[k] == m.room[k]
            if k not in m.empty:
                mine = cells[first[k] : first[k] + size]
                assert mine == m.cells[m.first[k] : m.first[k] + size], k
        assert n.part("exit_code") == m.exit_code
        status = n.part("status")
        assert [s for s in status if s != ABSENT] == [s for s in m.status if s != ABSENT]
        for mine, theirs in OF_THREADS.items():
            found, part = n.part(theirs), getattr(m, mine)
            for t in m.present():
                assert found[t] == part[t], (theirs, t)
        registers, width = n.part("registers"), len(m.form.registers)
        for t in m.present():
            start = t * width
            assert registers[start : start + m.persistent] == m.regs[t][: m.persistent]


def walk_both(interpreter: Interpreter, seeds: int, longest: int = LONGEST) -> Walked | str:
    """Some random executions; a text says why there are none."""
    total = Walked()
    try:
        both = NativeLockstep(interpreter)
        for seed in range(seeds):
            walked = both.walk(seed, longest)
            total.steps += walked.steps
            total.blocked += walked.blocked
            total.faults += walked.faults
            total.choices += walked.choices
    except (NotCompact, Refused) as why:
        return str(why)
    return total
