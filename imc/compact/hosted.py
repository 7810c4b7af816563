"""The compact machine as the model's host: it is looked at, and takes over what was performed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imc.compact import opcodes as op
from imc.compact.form import BASE, LINK, ROOT, SHIFT, NotCompact
from imc.compact.host import Asked, Host
from imc.compact.local import RARE
from imc.compact.memory import GONE, LOW
from imc.compact.opcodes import UNDEF
from imc.compact.performed import Comes, Performed
from imc.compact.seen import Contents, Standing, StandingFrame
from imc.compact.visible import ABSENT, AGAIN, ENDS, HANDLERS, TOLD
from imc.program.code import Image
from imc.program.faults import Blocked, FaultRaised, NeedChoice, Property, StuckForever

if TYPE_CHECKING:
    from imc.compact.machine import CompactMachine


class CompactView:
    """The machine's memory and threads, for the model."""

    def __init__(self, machine: CompactMachine) -> None:
        self.machine = machine

    @property
    def image(self) -> Image:
        return self.machine.image

    def contents(self, number: int) -> Contents | None:
        m = self.machine
        size = m.limits_of(number)
        if size == GONE:
            return None
        if number in m.empty:
            return Contents(size, [], [])
        first = m.first[number]
        return Contents(size, m.cells[first : first + size], m.layout[first : first + size])

    def layout(self, number: int, size: int) -> list[int]:
        first = self.machine.region(number, size)
        return [] if first is None else self.machine.layout[first : first + size]

    def threads(self) -> dict[int, Standing]:
        m = self.machine
        return {
            t: Standing(
                m.status[t],
                bool(m.detached[t]),
                bool(m.is_joined[t]),
                m.allocated[t],
                m.extra[t],
                m.results[t],
            )
            for t, status in enumerate(m.status)
            if status != ABSENT
        }

    def frames(self, thread: int) -> list[StandingFrame]:
        m, pc, phase = self.machine, self.machine.at, 0
        regs, found = m.regs[thread], []
        tables = m.form.tables
        words: list[int] = []
        while pc != ROOT - 1:
            function = m.function_at(pc)
            locals = [n for n in m.locals_of(regs, function) if n > 0]
            found.append(StandingFrame(pc, locals, phase, words))
            back = regs[m.form.function(function)[LINK]]
            pc, phase, words = back - 1, 0, []
            if back != ROOT and m.form.record(back)[0] == op.RESUME:
                phase, table = m.form.record(back)[3], m.form.record(pc)[2]
                words = [regs[k] for k in tables[table + 1 : table + 1 + tables[table]]]
        return found[::-1]

    def output(self) -> int:
        return self.machine.output[0]


def _host(m: CompactMachine) -> Host:
    if m.host is None:
        m.host = Host(m.form, CompactView(m))
    return m.host


def perform(m: CompactMachine, r: list[int], d: int, table: int, results: int, back: int) -> int:
    """Lets the model perform an instruction, and takes over what that has done."""
    tables, host, thread = m.form.tables, _host(m), m.thread
    registers = tables[table + 1 : table + 1 + tables[table]]
    done = host.perform(
        Asked(
            thread,
            m.at,
            [r[register] for register in registers],
            m.choices[m.chosen :],
            m.phase[thread],
            m.scratch[thread],
            m.atomic,
        )
    )
    m.chosen += done.chosen
    m.accesses += done.accesses
    if done.comes is Comes.CHOICE:
        raise NeedChoice(done.wanted)
    if done.comes is Comes.WAITS:
        raise _blocked(done)
    _take_memory(m, done)
    _take_thread(m, done, host)
    return _come(m, r, done, d, back)


def go_on_at_end(m: CompactMachine) -> int:
    """What a thread still has to do that has left its last function: a pc, or ENDS."""
    thread, host = m.thread, _host(m)
    done = host.perform(Asked(thread, -1, [], (), 0, 0, m.atomic))
    _take_memory(m, done)
    _take_thread(m, done, host)
    if done.comes is not Comes.CALLS:
        return ENDS
    _, first, _, link, _ = m.form.function(done.called)
    m.put(m.regs[thread], link, ROOT)
    return first


def _blocked(done: Performed) -> Blocked:
    pointer = done.pointer
    pair = None if pointer is None else (pointer >> SHIFT, (pointer & LOW) - BASE)
    why = Blocked(done.what, pair, done.holder)
    why.stable = done.stable
    return why


def _take_memory(m: CompactMachine, done: Performed) -> None:
    for number, size, zero, _ in done.made:
        m.meet(number)
        m.begin_object(number, size, 0 if zero else UNDEF)
    for number, offset, size, word in done.written:
        m.set_scalar(number, offset, size, word)
    for number, offset, size, word in done.filled:
        m.give_cells(number)
        first = m.first[number] + offset
        for at in range(first, first + size) if first < m.form.statics else ():
            m.discover(at, 1)
        m.fill(first, size, word)
    for number in done.ended:
        m.log += (m.LIMITS, number, m.limits[number], m.ROOM, number, m.room[number])
        m.limits[number] = m.room[number] = GONE
    m.unseen_reads.update(done.hidden_reads)
    m.unseen_writes.update(done.hidden_writes)


def _take_thread(m: CompactMachine, done: Performed, host: Host) -> None:
    thread = m.thread
    for part, values, now in (
        (m.ALLOCATED, m.allocated, done.allocated),
        (m.EXTRA, m.extra, done.extra),
    ):
        m.log += (part, thread, values[thread])
        values[thread] = now
    m.log += (m.OUTPUT, 0, m.output[0])
    m.output[0] = done.output
    for joined in done.joined:
        m.joined += (joined,)
        m.log += (m.JOINED, joined, m.is_joined[joined])
        m.is_joined[joined] = 1
    m.acquired += tuple(done.acquired)
    m.tries, m.wakes = m.tries or done.tries, m.wakes or done.wakes
    m.leaves, m.invents = m.leaves or done.leaves, done.invents or m.invents
    if done.note:
        m.note = (TOLD, done.note)
    if done.result is not None:
        m.log += (m.RESULTS, thread, m.results[thread])
        m.results[thread] = done.result


def _come(m: CompactMachine, r: list[int], done: Performed, d: int, back: int) -> int:
    """The pc that follows, or how the thread or the program ends."""
    thread = m.thread
    match done.comes:
        case Comes.FAULT:
            raise FaultRaised(Property(done.kind), done.what)
        case Comes.STICKS:
            raise StuckForever(done.what, done.sticks_at_bound)
        case Comes.EXITS:
            return m.exit_with(done.code)
        case Comes.AGAIN:
            m.set_phase(done.phase, done.scratch)
            return AGAIN
        case Comes.ENDS:
            return ENDS
        case Comes.CALLS | Comes.CALLS_BACK:
            return _call(m, r, done)
    for k, word in enumerate(done.results):
        m.put(r, d + k, word)
    if m.phase[thread]:
        m.set_phase(0)
    return m.at + 1 + (back != 0)


def _call(m: CompactMachine, r: list[int], done: Performed) -> int:
    """The record behind this one leads back to it, in the phase that was left."""
    goes_on = done.comes is Comes.CALLS
    if not goes_on and (m.code[m.at + 1][2] != done.phase or done.scratch):
        raise NotCompact("a call that has no form", m.place(m.thread, m.at))
    _, first, _, link, _ = m.form.function(done.called)
    m.put(r, link, m.at + 1 + goes_on)
    for register, word in done.arguments:
        m.put(r, register, word)
    if m.phase[m.thread]:
        m.set_phase(0)
    return first


def performed_locally(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    after = perform(m, r, d, a, b, c)
    if after < 0:
        raise NotCompact("an instruction of several events that is none", m.place(m.thread, m.at))
    return after


def resume(m: CompactMachine, r: list[int], d: int, a: int, b: int, c: int) -> int:
    if b:
        m.set_phase(b)
    return a


RARE.update({op.PERFORM: performed_locally, op.RESUME: resume})
HANDLERS[op.VISIBLE_PERFORM] = perform
