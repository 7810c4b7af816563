"""Words for the instructions that are events: "read queue->head", "lock mutex"."""

from __future__ import annotations

from dataclasses import dataclass

from imc.program.analysis.loops import loops
from imc.program.analysis.sharing import Sharing
from imc.program.instructions import (
    AtomicRmw,
    Call,
    CompareExchange,
    Instruction,
    Library,
    Load,
    Return,
    Store,
)
from imc.program.library import LIBRARY, verb
from imc.program.program import Function
from imc.program.words.expressions import Expressions

# How the model's functions for locks and their like begin: their first argument is the object.
SYNCHRONISATION = ("mutex", "rwlock", "spin", "cond", "barrier", "sem", "mtx", "once")


@dataclass(frozen=True, slots=True)
class EventSite:
    """A visible instruction of the code."""

    pc: int
    line: int
    text: str
    in_loop: bool


def event_sites(sharing: Sharing, function: Function) -> list[EventSite]:
    """The visible instructions of a function, and its calls of others that have some, in order."""
    expressions = Expressions(sharing.program, function)
    looping = {pc for loop in loops(function) for pc in loop}
    return [
        EventSite(
            pc, i.loc.line if i.loc else 0, _text(i, expressions, sharing, function), pc in looping
        )
        for pc, i in enumerate(function.code)
        if pc in sharing.visible_in(function.name) or _calls_events(sharing, function, pc)
    ]


def site_text(sharing: Sharing, function: str, pc: int) -> str:
    """An instruction in the program's own words."""
    found = sharing.program.functions[function]
    return _text(found.code[pc], Expressions(sharing.program, found), sharing, found)


def _calls_events(sharing: Sharing, function: Function, pc: int) -> bool:
    """Whether an instruction calls a function that has events of its own."""
    if not isinstance(function.code[pc], Call):
        return False
    callees = sharing.pointers.callees.get((function.name, pc), set())
    return any(sharing.visible_in(callee) for callee in callees)


def _text(i: Instruction, e: Expressions, sharing: Sharing, function: Function) -> str:
    match i:
        case Load():
            return f"read {e.place(i.pointer)}" + (" (atomic)" if i.ordering else "")
        case Store():
            return f"write {e.place(i.pointer)}" + (" (atomic)" if i.ordering else "")
        case AtomicRmw():
            return f"atomic {i.op} {e.place(i.pointer)}"
        case CompareExchange():
            return f"compare-exchange {e.place(i.pointer)}"
        case Return():
            return "exit the program" if function.name == sharing.program.entry else "return"
        case Call() if any(i.byval or ()):
            passed = [a for a, b in zip(i.args, i.byval, strict=True) if b is not None]
            return f"copy {', '.join(e.place(a) for a in passed)}"
        case Call():
            return f"call {e.value(i.callee).removeprefix('&')}"
        case Library():
            spec = LIBRARY[i.function]
            if spec.spawns and spec.calls is not None:
                return f"create {e.value(i.args[spec.calls])}"
            what = (
                e.value(i.args[0]).removeprefix("&")
                if i.args and i.function.startswith(SYNCHRONISATION)
                else ""
            )
            return f"{verb(i.name or i.function)} {what}".rstrip()
    return type(i).__name__.lower()
