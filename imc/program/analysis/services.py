"""Loops without an exit: what they do is what their threads are there for.

A loop that can be left waits for something as long as its rounds have no effect. A loop that cannot
be left waits for nothing. Ways out that end the program (a failed assertion, abort, exit) are none.
"""

from __future__ import annotations

from imc.program.analysis.sharing import successors
from imc.program.instructions import Library, Unreachable
from imc.program.program import Function

THREAD_EXIT = "thread_exit"


def services(function: Function) -> frozenset[int]:
    """The first instructions of loops that nothing leads out of."""
    after = [successors(function, pc) for pc in range(len(function.code))]
    before: list[list[int]] = [[] for _ in after]
    for pc, targets in enumerate(after):
        for target in targets:
            before[target].append(pc)
    dead = _dead(function, after, before)
    return frozenset(
        head
        for head, comings in enumerate(before)
        if (ends := [pc for pc in comings if pc >= head])
        and not _leaves(head, ends, after, before, dead)
    )


def _leaves(
    head: int, ends: list[int], after: list[list[int]], before: list[list[int]], dead: set[int]
) -> bool:
    """Whether a way leads out of the loop that begins at `head` and goes back from `ends`."""
    body = {head}
    work = list(ends)
    while work:
        pc = work.pop()
        if pc not in body:
            body.add(pc)
            work += before[pc]
    return any(to not in body and to not in dead for pc in body for to in after[pc])


def _dead(function: Function, after: list[list[int]], before: list[list[int]]) -> set[int]:
    """Instructions from which every way ends the whole program."""
    left = [len(targets) for targets in after]
    work = [pc for pc, i in enumerate(function.code) if isinstance(i, Unreachable)]
    dead: set[int] = set()
    while work:
        pc = work.pop()
        i = function.code[pc]
        if pc in dead or (isinstance(i, Library) and i.function == THREAD_EXIT):
            continue
        dead.add(pc)
        for earlier in before[pc]:
            left[earlier] -= 1
            if left[earlier] == 0:
                work.append(earlier)
    return dead
