"""Where the locals of blocks begin and end, before their function returns."""

from __future__ import annotations

from dataclasses import replace

from imc.program.analysis.promotion import LIFETIME, SCOPE_END, promotable
from imc.program.instructions import Alloca, Cast, Instruction, Library, Load, Operand, Reg, Return
from imc.program.program import Block, Function


def local_of(function: Function, pointer: Operand) -> Alloca | None:
    """The local that a mark of its life is about."""
    while isinstance(pointer, Reg):
        made = next((i for i in function.code if i.result == pointer.index), None)
        if isinstance(made, Alloca):
            return made
        if not isinstance(made, Cast):
            return None
        pointer = made.value
    return None


def without_needless_ends(function: Function) -> Function:
    """The function without ends of locals that its return follows at once: that ends them, too."""
    promoted = promotable(function)
    blocks = tuple(_without(block, promoted) for block in function.blocks)
    if blocks == function.blocks:
        return function
    return replace(function, blocks=blocks)


def _without(block: Block, promoted: frozenset[int]) -> Block:
    first = len(block.body)
    while first and _leads_to_return(block.body[first - 1], promoted):
        first -= 1
    if not isinstance(block.body[-1], Return):
        return block
    kept = [n for n, i in enumerate(block.body) if n < first or not _ends_a_local(i)]
    if len(kept) == len(block.body):
        return block
    return replace(
        block,
        body=tuple(block.body[n] for n in kept),
        lines=tuple(block.lines[n] for n in kept),
    )


def _leads_to_return(i: Instruction, promoted: frozenset[int]) -> bool:
    """Whether nobody can tell that an instruction stands between an end and the return."""
    if isinstance(i, Load):
        return isinstance(i.pointer, Reg) and i.pointer.index in promoted
    return isinstance(i, Return) or (isinstance(i, Library) and i.function in LIFETIME)


def _ends_a_local(i: Instruction) -> bool:
    return isinstance(i, Library) and i.function == SCOPE_END
