"""What is known of instructions before they run: whether their value decides about what follows."""

from __future__ import annotations

from imc.explorer.semantics import Semantics
from imc.program.analysis.promotion import LIFETIME
from imc.program.code import FunctionCode, Site
from imc.program.events import Event
from imc.program.instructions import (
    AtomicRmw,
    Binary,
    Cast,
    Compare,
    Fence,
    GetElementPtr,
    Instruction,
    Library,
    Load,
    Reg,
    Store,
)
from imc.program.library import LIBRARY
from imc.program.state import Thread

STRAIGHT = (Binary, Cast, Compare, GetElementPtr, Load, Store)  # what may be in an atomic section
DIVISIONS = ("sdiv", "udiv", "srem", "urem")
ALONE, DECIDES, PLAIN = 0, 1, 2


class SiteKinds:
    """Answers by instruction, each worked out once."""

    def __init__(self, semantics: Semantics) -> None:
        self._image = semantics.image
        self._kinds: dict[Site, int] = {}

    def is_alone(self, thread: Thread) -> bool:
        """Whether the event that a thread stands at will stand alone, whatever it is."""
        frame = thread.frames[-1]
        return self._kind((frame.code.function.name, frame.pc)) == ALONE

    def stands_alone(self, event: Event) -> bool:
        """Whether what the event touches, or whether it can happen, may depend on others."""
        kind = self._kind((event.function, event.pc))
        if kind == DECIDES:  # perhaps that the thread ends, and its own variables with it
            return self._image.has_thread_locals
        counts = bool(event.spawned) and self._image.settings.max_threads is not None
        return kind == ALONE or counts

    def decides(self, event: Event) -> bool:
        """Whether what it reads may decide which events follow, or what they touch."""
        return self._kind((event.function, event.pc)) == DECIDES

    def _kind(self, site: Site) -> int:
        known = self._kinds.get(site)
        if known is None:
            function, pc = site
            known = self._kinds[site] = _kind_of(self._image.code(function), pc)
        return known


def _kind_of(code: FunctionCode, pc: int) -> int:
    instruction = code.function.code[pc]
    if isinstance(instruction, Store | Fence):
        return PLAIN
    if isinstance(instruction, Load | AtomicRmw):
        return DECIDES if _matters(code, instruction.result) else PLAIN
    if isinstance(instruction, Library):
        if instruction.function == "atomic_begin":
            return _kind_of_section(code, pc)
        if LIBRARY[instruction.function].spawns:
            return PLAIN
    return ALONE


def _kind_of_section(code: FunctionCode, pc: int) -> int:
    """An atomic section of loads, stores and arithmetic, whose addresses do not depend on them."""
    instructions = code.function.code
    for at in range(pc + 1, len(instructions)):
        i = instructions[at]
        if isinstance(i, Library) and i.function == "atomic_end":
            return PLAIN
        if not isinstance(i, STRAIGHT):
            return ALONE
        if isinstance(i, Load) and at in code.visible and _matters(code, i.result):
            return ALONE
    return ALONE


def _matters(code: FunctionCode, register: int | None) -> bool:
    """Whether a value may reach a branch, an address, a call, or memory of the thread's own."""
    work = [] if register is None else [register]
    seen = set(work)
    while work:
        wanted = work.pop()
        for pc, i in enumerate(code.function.code):
            if not any(isinstance(o, Reg) and o.index == wanted for o in i.operands()):
                continue
            following = _passes_on(code, pc, i, wanted)
            if following is None:
                return True
            for register in following:
                if register not in seen:
                    seen.add(register)
                    work.append(register)
        if any(
            isinstance(o, Reg) and o.index == wanted
            for block in code.function.blocks
            for phi in block.phis
            for o, _ in phi.incoming
        ):
            return True
    return False


def _passes_on(code: FunctionCode, pc: int, i: Instruction, value: int) -> list[int] | None:
    """Registers that get something of a value; None if it may matter for more than data."""
    if isinstance(i, Library) and i.function in LIFETIME:
        return []
    if isinstance(i, Store):
        own = isinstance(i.pointer, Reg) and i.pointer.index
        if own == value and own not in code.promoted:
            return None
        if isinstance(i.pointer, Reg) and i.pointer.index in code.promoted:
            return [i.pointer.index]
        return [] if pc in code.visible else None
    if isinstance(i, Load):
        return [i.result] if value in code.promoted and i.result is not None else None
    if isinstance(i, Binary) and i.op in DIVISIONS:  # by zero, no further event follows
        return None
    if isinstance(i, Binary | Cast | Compare):
        return [i.result] if i.result is not None else []
    return None
