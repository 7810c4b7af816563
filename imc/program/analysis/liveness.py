"""Which registers may still be read: the others are forgotten when states are compared."""

from __future__ import annotations

from imc.program.analysis.promotion import LIFETIME
from imc.program.instructions import Alloca, Library, Load, Reg, Store
from imc.program.program import Function

RETURNS_TWICE = "setjmp"


def live_registers(function: Function, promoted: frozenset[int]) -> list[tuple[int, ...]]:
    """For each program counter, the registers that are live just before it, in order.

    A promoted local is a variable: its loads read it, its stores define it. Where a function may be
    jumped back into, all of them are live.
    """
    if any(isinstance(i, Library) and i.function == RETURNS_TWICE for i in function.code):
        return [tuple(range(len(function.registers)))] * len(function.code)
    uses: list[int] = []
    defs: list[int] = []
    for i in function.code:
        use = define = 0
        for operand in i.operands():
            if isinstance(operand, Reg):
                use |= 1 << operand.index
        if i.result is not None:
            define |= 1 << i.result
        if isinstance(i, Store) and isinstance(i.pointer, Reg) and i.pointer.index in promoted:
            use &= ~(1 << i.pointer.index)
            if isinstance(i.value, Reg):
                use |= 1 << i.value.index
            define |= 1 << i.pointer.index
        elif isinstance(i, Library) and i.function in LIFETIME and isinstance(i.args[-1], Reg):
            if i.args[-1].index in promoted:
                use, define = 0, 1 << i.args[-1].index
        elif isinstance(i, Alloca) and i.result in promoted:
            define |= 1 << i.result
        elif isinstance(i, Load) and isinstance(i.pointer, Reg) and i.pointer.index in promoted:
            use |= 1 << i.pointer.index
        uses.append(use)
        defs.append(define)

    live_in = [0] * len(function.code)
    starts = function.starts
    changed = True
    while changed:
        changed = False
        for block in reversed(function.blocks):
            out = 0
            for label in block.terminator.targets():
                out |= _live_at_edge(function, label, block.label, live_in[starts[label]])
            start = starts[block.label]
            for pc in range(start + len(block.body) - 1, start - 1, -1):
                out = (out & ~defs[pc]) | uses[pc]
                if live_in[pc] != out:
                    live_in[pc] = out
                    changed = True
    return [_members(bits) for bits in live_in]


def unused(function: Function, promoted: frozenset[int], register: int | None) -> bool:
    """Whether a value goes nowhere, but for promoted locals whose value goes nowhere either."""
    work = [] if register is None else [register]
    seen = set(work)
    while work:
        wanted = work.pop()
        for i in function.code:
            if not any(isinstance(o, Reg) and o.index == wanted for o in i.operands()):
                continue
            if isinstance(i, Library) and i.function in LIFETIME:
                continue
            if isinstance(i, Load) and wanted in promoted and i.result is not None:
                following = i.result
            elif (
                isinstance(i, Store) and isinstance(i.pointer, Reg) and i.pointer.index in promoted
            ):
                following = i.pointer.index
            else:
                return False
            if following not in seen:
                seen.add(following)
                work.append(following)
        if any(
            isinstance(operand, Reg) and operand.index == wanted
            for block in function.blocks
            for phi in block.phis
            for operand, _ in phi.incoming
        ):
            return False
    return True


def _live_at_edge(function: Function, label: str, source: str, live: int) -> int:
    """What must be live at the end of `source` so that `label` finds its phis and its live-ins."""
    for phi in function.by_label[label].phis:
        if phi.result is not None:
            live &= ~(1 << phi.result)
    for phi in function.by_label[label].phis:
        for operand, origin in phi.incoming:
            if origin == source and isinstance(operand, Reg):
                live |= 1 << operand.index
    return live


def _members(bits: int) -> tuple[int, ...]:
    result = []
    while bits:
        low = bits & -bits
        result.append(low.bit_length() - 1)
        bits ^= low
    return tuple(result)
