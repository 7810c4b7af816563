"""Ways of a step that lead to the same: one way, under either condition.

What a thread computes by itself often branches and comes together again: a character is a digit, a
letter or a blank, and the next one is looked at. Such ways are one edge of a tree.
"""

from __future__ import annotations

from pysmt.fnode import FNode

from imc.program.events import Event
from imc.program.memory import MemoryObject
from imc.program.state import Frame, State, Thread
from imc.terms.terms import Terms

Guard = tuple[FNode, ...]


def same_event(a: Event, b: Event) -> bool:
    """Whether nobody else can tell two events of a step apart."""
    return (
        a.accesses == b.accesses
        and (a.spawned, a.joined, a.acquired) == (b.spawned, b.joined, b.acquired)
        and (a.tries, a.wakes, a.exits, a.leaves) == (b.tries, b.wakes, b.exits, b.leaves)
        and (a.serves, a.invents, a.note) == (b.serves, b.invents, b.note)
    )


def same_state(a: State, b: State) -> bool:
    """Whether two skeletons are the same, but for registers that nobody reads any more."""
    return (
        a.exit_code == b.exit_code
        and a.output == b.output
        and a.memory.keys() == b.memory.keys()
        and a.threads.keys() == b.threads.keys()
        and all(_same_object(one, b.memory[number]) for number, one in a.memory.items())
        and all(_same_thread(one, b.threads[number]) for number, one in a.threads.items())
    )


def _same_object(a: MemoryObject, b: MemoryObject) -> bool:
    if a is b:
        return True
    return (
        a.__class__ is b.__class__
        and (a.size, a.owner) == (b.size, b.owner)
        and a.fill is b.fill
        and a.cells == b.cells
    )


OWN = ("status", "reason", "bounded", "stopped", "result", "allocated", "spawned", "events",
       "inputs", "paused", "detached", "joined", "keys", "ending", "seen")  # fmt: skip


def _same_thread(a: Thread, b: Thread) -> bool:
    if a is b:
        return True
    return (
        len(a.frames) == len(b.frames)
        and all(getattr(a, name) == getattr(b, name) for name in OWN)
        and all(map(_same_frame, a.frames, b.frames))
    )


def _same_frame(a: Frame, b: Frame) -> bool:
    if (a.code, a.pc, a.phase, a.result) != (b.code, b.pc, b.phase, b.result):
        return False
    live = a.code.live[a.pc]
    return (
        all(a.regs[register] == b.regs[register] for register in live)
        and (a.scratch, a.varargs, a.objects, a.loops) == (b.scratch, b.varargs, b.objects, b.loops)
    )


def either(terms: Terms, a: Guard, b: Guard) -> Guard:
    """What both guards demand, and what one or the other does."""
    shared = [conjunct for conjunct in a if conjunct in b]
    rests = [[c for c in guard if c not in shared] for guard in (a, b)]
    if not all(rests):
        return tuple(shared)
    return (*shared, terms.disjunction([terms.conjunction(rest) for rest in rests]))
