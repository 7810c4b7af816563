"""Steps that may come to an assumption: those that a thread may have to postpone for it."""

from __future__ import annotations

from imc.program.analysis.loops import ends_steps
from imc.program.analysis.sharing import Sharing, Site, successors
from imc.program.instructions import Library, Return
from imc.program.library import LIBRARY

ASSUME = "assume"


def before_assumptions(sharing: Sharing) -> frozenset[Site]:
    """Where steps begin whose local code may come to an assumption, in whatever function."""
    functions = sharing.program.functions
    assumptions = {
        (name, pc)
        for name in sharing.runs
        for pc, i in enumerate(functions[name].code)
        if isinstance(i, Library) and i.function == ASSUME
    }
    if not assumptions:
        return frozenset()
    ends = {(name, pc) for name in sharing.runs for pc in ends_steps(sharing, name)}
    if sharing.jumps:
        return frozenset(ends)  # a jump to where a function was left may lead anywhere
    before = _predecessors(sharing)
    found: set[Site] = set()
    seen = set(assumptions)
    work = list(assumptions)
    while work:
        for site in before.get(work.pop(), ()):
            if site in ends:
                found.add(site)
            elif site not in seen:
                seen.add(site)
                work.append(site)
    later = _called_by_library(sharing)
    return frozenset(ends if any((name, 0) in seen for name in later) else found)


def _called_by_library(sharing: Sharing) -> set[str]:
    """Functions that a thread may come to where no call stands, as destructors."""
    functions = sharing.program.functions
    found: set[str] = set()
    for (name, pc), callees in sharing.pointers.callees.items():
        i = functions[name].code[pc]
        if isinstance(i, Library) and not LIBRARY[i.function].spawns:
            found |= callees
    return found


def _predecessors(sharing: Sharing) -> dict[Site, set[Site]]:
    """From where a thread may come to an instruction, calls and returns included."""
    functions = sharing.program.functions
    before: dict[Site, set[Site]] = {}
    for name in sharing.runs:
        for pc in range(len(functions[name].code)):
            for to in successors(functions[name], pc):
                before.setdefault((name, to), set()).add((name, pc))
            for callee in sharing.pointers.callees.get((name, pc), ()):
                if callee not in functions or functions[callee].is_declaration:
                    continue
                before.setdefault((callee, 0), set()).add((name, pc))
                returns = (n for n, i in enumerate(functions[callee].code) if isinstance(i, Return))
                after = before.setdefault((name, pc + 1), set())
                after.update((callee, n) for n in returns)
    return before
