"""Loops of the control flow, as strongly connected components."""

from __future__ import annotations

from collections.abc import Iterable

from imc.program.analysis.sharing import Sharing, Site, successors
from imc.program.instructions import (
    Binary,
    Cast,
    GetElementPtr,
    Instruction,
    Library,
    Load,
    Operand,
    Reg,
    Store,
)
from imc.program.library import LIBRARY
from imc.program.parts import components
from imc.program.program import Function


def loops(function: Function) -> list[frozenset[int]]:
    """The outermost loops of a function, as sets of program counters."""
    after = [list(successors(function, pc)) for pc in range(len(function.code))]
    return [
        frozenset(component)
        for component in components(
            set(range(len(after))), lambda pc: ((0, to) for to in after[pc])
        )
        if len(component) > 1 or any(pc in after[pc] for pc in component)
    ]


def stepping(function: Function, promoted: Iterable[int]) -> list[tuple[frozenset[int], set[int]]]:
    """The loops with the locals that each of their rounds moves on from where they were."""
    made = {i.result: i for i in function.code if i.result is not None}
    found = []
    for loop in loops(function):
        code = [function.code[pc] for pc in loop]
        moved = {
            i.pointer.index
            for i in code
            if isinstance(i, Store)
            and isinstance(i.pointer, Reg)
            and i.pointer.index in promoted
            and _moves_on(i.value, i.pointer.index, made)
        }
        found.append((loop, moved))
    return found


def _moves_on(value: Operand, local: int, made: dict[int, Instruction]) -> bool:
    """Whether a value is that of a local, and something added to it."""
    i = made.get(value.index) if isinstance(value, Reg) else None
    match i:
        case Load(pointer=Reg(index=index)):
            return index == local
        case Binary(op="add" | "sub", left=left, right=right):
            return _moves_on(left, local, made) or _moves_on(right, local, made)
        case GetElementPtr(pointer=base):
            return _moves_on(base, local, made)
        case Cast(value=inner):
            return _moves_on(inner, local, made)
    return False


def has_visible_loop(sharing: Sharing) -> bool:
    """Whether a loop may contain an event, so that an execution may be endless."""
    if sharing.jumps:
        return True  # a jump to where a function was left may close a loop anywhere
    visible = {name for name in sharing.runs if ends_steps(sharing, name)}
    changed = True
    while changed:  # a function that calls one with events has events
        changed = False
        for (name, _), callees in sharing.pointers.callees.items():
            if name not in visible and callees & visible:
                visible.add(name)
                changed = True
    for name in sharing.runs:
        function = sharing.program.functions[name]
        for loop in loops(function):
            events = loop & ends_steps(sharing, name)
            calls = any(sharing.pointers.callees.get((name, pc), set()) & visible for pc in loop)
            if events or calls:
                return True
    return any(component & visible for component in recursive(sharing))


def ends_steps(sharing: Sharing, name: str) -> frozenset[int]:
    """Where steps end: at visible instructions and at inputs."""
    code = sharing.program.functions[name].code
    inputs = {
        pc
        for pc, i in enumerate(code)
        if isinstance(i, Library) and LIBRARY[i.function].reads_input
    }
    return sharing.visible_in(name) | inputs


def recursive(sharing: Sharing) -> list[set[str]]:
    """Functions that may call themselves, together with those they do it by."""
    after: dict[str, set[str]] = {}
    for (name, _), callees in sharing.pointers.callees.items():
        after.setdefault(name, set()).update(callees)
    names = set(after).union(*after.values())
    return [
        component
        for component in components(names, lambda n: ((0, to) for to in after.get(n, ())))
        if len(component) > 1 or any(n in after.get(n, ()) for n in component)
    ]


def inside_loops(sharing: Sharing) -> frozenset[Site]:
    """Instructions that a thread may come back to: in a loop, or in what is called from one."""
    functions = sharing.program.functions
    called: set[str] = set().union(*recursive(sharing))
    sites: set[Site] = set()
    for name in sharing.runs:
        for loop in loops(functions[name]):
            sites.update((name, pc) for pc in loop)
            for pc in loop:
                called |= _calls(sharing, (name, pc))
    work = list(called)
    while work:
        name = work.pop()
        function = functions.get(name)
        for pc in range(len(function.code) if function is not None else 0):
            sites.add((name, pc))
            for callee in _calls(sharing, (name, pc)) - called:
                called.add(callee)
                work.append(callee)
    return frozenset(sites)


def _calls(sharing: Sharing, site: Site) -> set[str]:
    """Functions that the same thread may go on with; new threads have loops of their own."""
    name, pc = site
    i = sharing.program.functions[name].code[pc]
    if isinstance(i, Library) and LIBRARY[i.function].spawns:
        return set()
    return sharing.pointers.callees.get(site, set())
