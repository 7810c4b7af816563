"""Where threads hand something to each other: they wake who waits, or wait for more than a lock."""

from __future__ import annotations

from imc.program.analysis.sharing import Sharing
from imc.program.instructions import Instruction, Library
from imc.program.library import LIBRARY
from imc.program.library.registry import Role

ALONE = (Role.LOCK, Role.HIDE)  # what one thread does there is nothing to the others


def exchanges(sharing: Sharing) -> dict[str, frozenset[int]]:
    """By function: the instructions that do so, calls of functions with such among them."""
    found: dict[str, set[int]] = {
        name: {pc for pc, i in enumerate(sharing.program.functions[name].code) if _is_one(i)}
        for name in sharing.runs
    }
    changed = True
    while changed:
        changed = False
        for (name, pc), callees in sharing.pointers.callees.items():
            inside = found.get(name)
            if inside is None or pc in inside or _spawns(sharing, name, pc):
                continue
            if any(found.get(callee) for callee in callees):
                inside.add(pc)
                changed = True
    return {name: frozenset(inside) for name, inside in found.items()}


def _is_one(i: Instruction) -> bool:
    if not isinstance(i, Library):
        return False
    entry = LIBRARY[i.function]
    return entry.wakes or (entry.waits and entry.role not in ALONE)


def _spawns(sharing: Sharing, name: str, pc: int) -> bool:
    i = sharing.program.functions[name].code[pc]
    return isinstance(i, Library) and LIBRARY[i.function].spawns
