"""What the machine's last step was, in the model's words: events, accesses, states of threads."""

from __future__ import annotations

from imc.compact import locks, visible
from imc.compact.form import BASE, SHIFT
from imc.compact.machine import CompactMachine
from imc.compact.memory import LOW, NO_VALUE
from imc.compact.opcodes import UNDEF
from imc.program.events import Access, Event, Mode
from imc.program.faults import Blocked
from imc.program.values import UNDEF as UNDEFINED
from imc.program.values import Pointer, Value

MODES = tuple(Mode)
NOTES = {
    0: "",
    locks.ARRIVES: "arrives",
    locks.ARRIVES_LAST: "arrives last",
    locks.LEAVES: "leaves",
    locks.WAKES_NOBODY: "nobody waits",
    locks.UNSIGNALLED: "wakes up without a signal",
    locks.GIVES_BACK: "gives the mutex back",
    locks.HAS_AGAIN: "has the mutex again",
}


def event_of(m: CompactMachine) -> Event:
    """The event of the step that has just been taken."""
    site = m.form.where[m.form.sites[m.origin]]
    return Event(
        m.mover,
        m.events[m.mover] - 1,
        site.function,
        site.pc,
        site.operation,
        accesses_of(m),
        m.choices[: m.chosen],
        m.origin_place,
        m.spawned,
        m.joined,
        tuple(pointer_of(p) for p in m.acquired),
        m.wakes,
        m.tries,
        m.exits,
        leaves=m.leaves,
        invents=m.invents,
        note=_note(m),
    )


def blocked_of(m: CompactMachine) -> Blocked:
    """Why the last step was not possible."""
    m.blocked.accesses = accesses_of(m)
    return m.blocked


def accesses_of(m: CompactMachine) -> tuple[Access, ...]:
    return tuple(
        Access(MODES[mode], number, offset, size, bool(atomic), _value(value))
        for mode, number, offset, size, atomic, value in m.accesses
    )


def _value(value: int) -> Value:
    """A value that was read or written; an address stays the number that it is here."""
    return None if value == NO_VALUE else UNDEFINED if value == UNDEF else value


def pointer_of(number: int) -> Pointer:
    return number >> SHIFT, (number & LOW) - BASE


def _note(m: CompactMachine) -> str:
    kind, number = m.note
    if kind in NOTES:
        return NOTES[kind]
    if kind == visible.TOLD:
        assert m.host is not None
        return str(m.host.texts.all[number])
    if kind == visible.INPUT_OF:
        return f"input {number}"
    if kind == locks.WAKES_ALL:
        return f"wakes {number}"
    name = m.image.threads.names[number]
    return {visible.STARTS: f"starts {name}", locks.WAKES: f"wakes {name}"}.get(kind, name)
