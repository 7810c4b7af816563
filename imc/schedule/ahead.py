"""Where a thread that only computes may come to, by its code alone.

A tree says where computations lead, but for those that the end of the program cuts short. A thread
that runs does not know of that, and may come to its next event while the end is still ahead.
"""

from __future__ import annotations

from collections.abc import Hashable

from imc.program.analysis.sharing import END_OF_THREAD, successors
from imc.program.code import Image, Site
from imc.program.instructions import Library, Return
from imc.program.state import Thread
from imc.schedule.automaton import is_event

ANYWHERE = "anywhere"
STOPPED = "stopped"  # by an assumption that does not hold
MOST = 10_000  # stacks that are gone through

Stack = tuple[Site, ...]


def ahead(image: Image, thread: Thread) -> set[Hashable]:
    """Sites of next events, None (there is none), `STOPPED`; `ANYWHERE`: that cannot be told."""
    start = tuple((frame.code.function.name, frame.pc) for frame in thread.frames)
    found: set[Hashable] = set()
    work, seen = [start], {start}
    while work:
        stack = work.pop()
        if len(seen) > MOST:
            return {ANYWHERE}
        if not stack:
            found.add(None)
            end: Stack = ((END_OF_THREAD, 0),)
            if image.ends_visibly and end not in seen:
                seen.add(end)
                work.append(end)
        elif is_event(image, stack[-1]):
            found.add(stack[-1])
        else:
            function, pc = stack[-1]
            instruction = image.program.functions[function].code[pc]
            if isinstance(instruction, Library) and instruction.function == "assume":
                found.add(STOPPED)
            new = set(_after(image, stack)) - seen
            seen |= new
            work += new
    return found


def _after(image: Image, stack: Stack) -> list[Stack]:
    """A step on: a call may lead into a function, or be over already."""
    *below, (name, pc) = stack
    function = image.program.functions[name]
    if isinstance(function.code[pc], Return):
        return [tuple(below)]
    after: list[Stack] = [(*below, (name, to)) for to in successors(function, pc)]
    callees = image.sharing.pointers.callees.get((name, pc), ())
    bodies = [c for c in callees if not image.program.functions[c].is_declaration]
    return after + [(*back, (callee, 0)) for back in after for callee in bodies]
