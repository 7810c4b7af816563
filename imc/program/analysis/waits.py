"""Which waits on condition variables are in a loop that tests again.

After such a wait a thread does nothing but look: every way leads to a branch on what others can
write, from which it may come to the wait again without having done anything else. There a wake-up
without a signal does no harm by itself. In doubt a wait is not taken for one of these.
"""

from __future__ import annotations

from collections.abc import Mapping

from imc.program.analysis.promotion import LIFETIME, promotable
from imc.program.analysis.sharing import successors
from imc.program.instructions import (
    Address,
    Alloca,
    AtomicRmw,
    Call,
    CompareExchange,
    CondBranch,
    IndirectBranch,
    InlineAsm,
    Instruction,
    Library,
    Load,
    Operand,
    Reg,
    Return,
    Store,
    Switch,
    Unreachable,
    VaArg,
)
from imc.program.library import LIBRARY
from imc.program.library.cancellation import POINTS
from imc.program.library.registry import Ends
from imc.program.program import Function

WAITS = ("cond_wait", "cond_timedwait")
NOTHING = ("copy", "nothing", *LIFETIME, *POINTS)
ACTS = (AtomicRmw, CompareExchange, InlineAsm, VaArg, Return, Unreachable, IndirectBranch)
MOST_CALLS = 4  # deep, in a test


def unguarded_waits(function: Function, functions: Mapping[str, Function]) -> list[int]:
    """The program counters of the waits that are not in a loop that tests again."""
    if function.is_declaration:
        return []
    looks = _Looks(function, functions)
    return [pc for pc in looks.waits if not looks.is_guarded(pc)]


class _Looks:
    """What a function's instructions do besides looking."""

    def __init__(self, function: Function, functions: Mapping[str, Function]) -> None:
        self.function = function
        self.functions = functions
        self.waits = [
            pc
            for pc, i in enumerate(function.code)
            if isinstance(i, Library) and i.function in WAITS
        ]
        self.private = promotable(function) if self.waits else frozenset()
        self.made: dict[int, Instruction] = {
            i.result: i
            for block in function.blocks
            for i in (*block.phis, *block.body)
            if i.result is not None and self.waits
        }

    def is_guarded(self, wait: int) -> bool:
        """Whether every way on from a wait comes to a test before anything else happens."""
        work, seen = successors(self.function, wait), set()
        tests: set[int] = set()
        while work:
            pc = work.pop()
            if pc in seen:
                continue
            seen.add(pc)
            if self._is_test(pc) and self._comes_back(pc, wait):
                tests.add(pc)
                continue
            if self._gives_up(pc):
                continue
            if pc == wait or not self._only_looks(pc, wait):
                return False
            work += successors(self.function, pc)
        return not (self._is_reached_without(tests, wait) or self._tires(wait))

    def _gives_up(self, pc: int) -> bool:
        """Whether the whole program ends here, as it does when an assertion fails."""
        i = self.function.code[pc]
        return isinstance(i, Library) and LIBRARY[i.function].ends in (Ends.PROGRAM, Ends.ERROR)

    def _tires(self, wait: int) -> bool:
        """Whether the loop around a wait may be left for what the thread itself counts in it.

        Then a wake-up without a signal uses up a try.
        """
        around = self._around(wait)
        stores = (self.function.code[pc] for pc in around)
        kept = self.function.code[wait].result
        changed = {
            i.pointer.index
            for i in stores
            if isinstance(i, Store) and isinstance(i.pointer, Reg) and self._is_private(i.pointer)
            if not (isinstance(i.value, Reg) and i.value.index == kept)
        }
        branches = (self.function.code[pc] for pc in around)
        return any(
            self._depends(i, changed) for i in branches if isinstance(i, CondBranch | Switch)
        )

    def _around(self, wait: int) -> set[int]:
        """What lies on ways from a wait back to it on which nothing is done but to look."""
        forward = self._reached(successors(self.function, wait), wait)
        return {pc for pc in forward if wait in self._reached([pc], wait)}

    def _reached(self, start: list[int], wait: int) -> set[int]:
        work, seen = list(start), set(start)
        while work:
            pc = work.pop()
            if pc == wait or not (self._prepares(pc) or self._only_looks(pc, wait)):
                continue
            new = set(successors(self.function, pc)) - seen
            seen |= new
            work += new
        return seen

    def _depends(self, i: Instruction, changed: set[int]) -> bool:
        """Whether an instruction looks at one of the thread's own variables."""
        work, seen = list(i.operands()), set()
        while work:
            operand = work.pop()
            if not isinstance(operand, Reg) or operand.index in seen:
                continue
            seen.add(operand.index)
            match self.made.get(operand.index):
                case Load(pointer=Reg(index=index)) if index in changed:
                    return True
                case None:
                    continue
                case made:
                    work += made.operands()
        return False

    def _is_reached_without(self, tests: set[int], wait: int) -> bool:
        """Whether a thread comes to a wait past none of the tests that follow it."""
        work, seen = [0], set(tests)
        while work:
            pc = work.pop()
            if pc == wait:
                return True
            if pc not in seen:
                seen.add(pc)
                work += successors(self.function, pc)
        return False

    def _comes_back(self, test: int, wait: int) -> bool:
        """Whether a test may lead to the wait, with nothing but looking on the way."""
        work, seen = successors(self.function, test), set()
        while work:
            pc = work.pop()
            if pc == wait:
                return True
            if pc not in seen:
                seen.add(pc)
                if self._prepares(pc) or self._only_looks(pc, wait):
                    work += successors(self.function, pc)
        return False

    def _prepares(self, pc: int) -> bool:
        """What only the thread itself can see: a count of tries, the time until which to wait."""
        i = self.function.code[pc]
        return isinstance(i, Store) and self._is_private(i.pointer)

    def _only_looks(self, pc: int, wait: int) -> bool:
        i = self.function.code[pc]
        match i:
            case Store():  # whether the wait has timed out
                kept = self.function.code[wait].result
                value = i.value
                return (
                    self._is_private(i.pointer) and isinstance(value, Reg) and value.index == kept
                )
            case Call():
                return _is_pure(i, self.functions, MOST_CALLS)
            case Library():
                return i.function in NOTHING
        return not isinstance(i, ACTS)

    def _is_private(self, pointer: Operand) -> bool:
        return isinstance(pointer, Reg) and pointer.index in self.private

    def _is_test(self, pc: int) -> bool:
        """Whether an instruction branches on what others may have written."""
        i = self.function.code[pc]
        if not isinstance(i, CondBranch | Switch):
            return False
        work: list[Operand] = list(i.operands())
        seen: set[int] = set()
        while work:
            operand = work.pop()
            if not isinstance(operand, Reg) or operand.index in seen:
                continue
            seen.add(operand.index)
            match self.made.get(operand.index):
                case Load(pointer=pointer) if not self._is_private(pointer):
                    return True
                case Call() as call if _looks_at_others(call, self.functions, MOST_CALLS):
                    return True
                case Load() | Library() | Call() | None:
                    continue
                case made:
                    work += made.operands()
        return False


def _looks_at_others(call: Call, functions: Mapping[str, Function], depth: int) -> bool:
    """Whether a function may read more than its own locals."""
    callee = functions.get(call.callee.symbol) if isinstance(call.callee, Address) else None
    if callee is None or callee.is_declaration or not depth:
        return True
    own = {i.result for i in callee.code if isinstance(i, Alloca)}
    return any(
        (isinstance(i, Load) and not (isinstance(i.pointer, Reg) and i.pointer.index in own))
        or (isinstance(i, Call) and _looks_at_others(i, functions, depth - 1))
        for i in callee.code
    )


def _is_pure(call: Call, functions: Mapping[str, Function], depth: int) -> bool:
    """Whether a call does nothing but look: it writes to its own locals at most."""
    callee = functions.get(call.callee.symbol) if isinstance(call.callee, Address) else None
    if callee is None or callee.is_declaration or not depth:
        return False
    own = {i.result for i in callee.code if isinstance(i, Alloca)}
    for i in callee.code:
        match i:
            case Return():
                continue
            case Store(pointer=Reg(index=index)) if index in own:
                continue
            case Call() if _is_pure(i, functions, depth - 1):
                continue
            case Library() if i.function in NOTHING:
                continue
            case Store() | Call() | Library():
                return False
        if isinstance(i, ACTS):
            return False
    return True
