"""What threads do between their gates that matters if all of them share one core.

A thread that waits for the system, or never comes to a gate again, would keep all others from going
on. One that computes for long would be worth a core of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from imc.errors import SourceLoc
from imc.program.analysis.sharing import Sharing, Site, successors
from imc.program.instructions import (
    AggregateConst,
    Instruction,
    Library,
    Operand,
    Return,
    Unreachable,
    is_null,
)
from imc.program.library import LIBRARY, Ends
from imc.program.program import Function, Program
from imc.program.types import StructType


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why threads cannot share one core."""

    what: str
    loc: SourceLoc | None = None


def waits(sharing: Sharing) -> Iterator[Obstacle]:
    """Calls that may wait for the system while other threads run."""
    for function, i in _while_threads_run(sharing):
        if isinstance(i, Library) and LIBRARY[i.function].sleeps:
            loc = i.loc or function.loc
            called = i.name or i.function
            if i.function == "external":
                yield Obstacle(f"nobody knows how long '{called}' takes", loc)
            else:
                yield Obstacle(f"'{called}' waits for the system, and all threads with it", loc)


def destructors(sharing: Sharing) -> Iterator[Obstacle]:
    """Keys whose values the C library destroys as their threads end."""
    for function, _, i in sharing.program.instructions():
        if not (isinstance(i, Library) and LIBRARY[i.function].calls_with_specific):
            continue
        if not is_null(i.args[1]):
            yield Obstacle(
                f"the destructor of '{i.name}' runs when its thread has ended",
                i.loc or function.loc,
            )


def endless(sharing: Sharing, gates: Collection[Site]) -> Iterator[Obstacle]:
    """Loops that a thread never leaves and that have no gate."""
    passing = _functions_with(sharing, gates)
    for function in _functions(sharing):
        ends = {
            pc
            for pc, i in enumerate(function.code)
            if isinstance(i, (Return, Unreachable))
            or (isinstance(i, Library) and LIBRARY[i.function].ends is not Ends.NOTHING)
            or _passes(sharing, (function.name, pc), gates, passing)
        }
        before: dict[int, list[int]] = {}
        for pc in range(len(function.code)):
            for to in successors(function, pc):
                before.setdefault(to, []).append(pc)
        work = list(ends)
        while work:
            for pc in before.get(work.pop(), ()):
                if pc not in ends:
                    ends.add(pc)
                    work.append(pc)
        for pc, i in enumerate(function.code):
            if pc not in ends and (function.name, pc) in sharing.concurrent:
                yield Obstacle("a loop that never ends has no gate", i.loc or function.loc)
                break


def computations(sharing: Sharing, gates: Collection[Site]) -> Iterator[Obstacle]:
    """Loops and recursive calls between two gates."""
    passing = _functions_with(sharing, gates)
    for function in _functions(sharing):
        silent = {
            pc
            for pc in range(len(function.code))
            if (function.name, pc) in sharing.concurrent
            and not _passes(sharing, (function.name, pc), gates, passing)
        }
        at = _cycle(function, silent)
        if at is not None:
            loc = next((i.loc for i in function.code[at:] if i.loc), function.loc)
            yield Obstacle("a loop computes between two gates", loc)
        elif _calls_itself(sharing, function.name) and function.name not in passing:
            yield Obstacle(f"'{function.name}' calls itself between two gates", function.loc)


def asks_who_it_is(program: Program) -> bool:
    """Whether a thread can tell itself from another one: by thread locals, errno, handles, or a
    lock that knows its owner."""
    variables = program.globals.values()
    return any(v.thread_local or _has_owned_lock(v.initializer) for v in variables) or any(
        isinstance(i, Library) and LIBRARY[i.function].tells_threads_apart
        for _, _, i in program.instructions()
    )


def _has_owned_lock(value: Operand | None) -> bool:
    """Whether an initial value has a mutex of another kind than the ordinary one, which is zero."""
    if not isinstance(value, AggregateConst):
        return False
    if isinstance(value.type, StructType) and value.type.name.endswith("pthread_mutex_t"):
        return True
    return any(map(_has_owned_lock, value.elements))


def _functions(sharing: Sharing) -> list[Function]:
    return [sharing.program.functions[name] for name in sharing.runs]


def _while_threads_run(sharing: Sharing) -> Iterator[tuple[Function, Instruction]]:
    for function, pc, i in sharing.program.instructions():
        if function.name in sharing.runs and (function.name, pc) in sharing.concurrent:
            yield function, i


def _passes(sharing: Sharing, site: Site, gates: Collection[Site], passing: set[str]) -> bool:
    """Whether a thread passes a gate there, by itself or in a function that it calls."""
    return site in gates or not passing.isdisjoint(_callees(sharing, site))


def _callees(sharing: Sharing, site: Site) -> set[str]:
    """Functions that the same thread goes on with."""
    i = sharing.program.functions[site[0]].code[site[1]]
    if isinstance(i, Library) and LIBRARY[i.function].spawns:
        return set()
    return sharing.pointers.callees.get(site, set())


def _functions_with(sharing: Sharing, gates: Collection[Site]) -> set[str]:
    """Functions that have a gate, or call one that has."""
    found = {name for name, _ in gates}
    changed = True
    while changed:
        changed = False
        for site in sharing.pointers.callees:
            if site[0] not in found and not found.isdisjoint(_callees(sharing, site)):
                found.add(site[0])
                changed = True
    return found


def _calls_itself(sharing: Sharing, name: str) -> bool:
    work, seen = [name], set[str]()
    while work:
        caller = work.pop()
        for site in sharing.pointers.callees:
            if site[0] == caller:
                callees = _callees(sharing, site)
                if name in callees:
                    return True
                work += callees - seen
                seen |= callees
    return False


def _cycle(function: Function, pcs: set[int]) -> int | None:
    """Where a cycle of these program counters begins, if there is one."""
    done: set[int] = set()
    for start in sorted(pcs):
        path: dict[int, Iterator[int]] = {}
        at: int | None = start if start not in done else None
        while at is not None:
            after = path.setdefault(at, iter(successors(function, at)))
            to = next((pc for pc in after if pc in pcs and pc not in done), None)
            if to is not None and to in path:
                return to
            if to is None:
                del path[at]
                done.add(at)
                to = next(reversed(path), None)
            at = to
    return None
