"""Which waits on condition variables are in a loop that tests again.

After such a wait has ended without a signal, which its result does not tell, a thread does nothing
but look: every way leads to a branch on what others can write, from which it may come to the wait
again without having done anything else. There a wake-up without a signal does no harm by itself.
The loop may be around the calls of a function that does nothing else but wait, if it is so around
all of them. In doubt a wait is not taken for one of these. To end the program is not only to look,
nor is a call of what never comes back: that may be an error, and others see what is done first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from functools import cached_property

from imc.program.analysis.promotion import LIFETIME
from imc.program.analysis.prospect import Prospect, Spot
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
from imc.program.library.cancellation import POINTS
from imc.program.program import Function

WAITS = ("cond_wait", "cond_timedwait")
NOTHING = ("copy", "nothing", *LIFETIME, *POINTS)
ACTS = (AtomicRmw, CompareExchange, InlineAsm, VaArg, Return, Unreachable, IndirectBranch)
MOST_CALLS = 4  # deep, in a test or around a wait
MOST_SPOTS = 10_000  # on the ways from a wait
SIGNALLED = 0  # the result of a wait that has ended, with a signal or without one

Functions = Mapping[str, Function]


def unguarded_waits(functions: Functions, taken: Collection[str]) -> dict[str, set[int]]:
    """The program counters of the waits that are not in a loop that tests again, by function.

    `taken` are the functions that may be called by others than those who name them in a call.
    """
    waits = _Waits(functions, taken)
    return {
        name: {pc for pc in waits.of(name) if not waits.are_guarded(name, pc)} for name in functions
    }


class _Waits:
    """The waits of a program, and the calls that do nothing but wait."""

    def __init__(self, functions: Functions, taken: Collection[str]) -> None:
        self.functions = functions
        self.taken = taken

    def of(self, name: str) -> list[int]:
        code = self.functions[name].code
        return [pc for pc, i in enumerate(code) if isinstance(i, Library) and i.function in WAITS]

    def are_guarded(
        self, name: str, pc: int, answers: bool = True, within: tuple[str, ...] = ()
    ) -> bool:
        """Whether a wait or a call that waits is, or all calls of the function it is in.

        `answers` says whether its result is that of the wait.
        """
        wait = _Wait(self.functions, self.functions[name], pc, answers)
        if wait.is_guarded():
            return True
        callers = self._callers[name]
        if name in within or len(within) == MOST_CALLS or name in self.taken or not callers:
            return False
        result = wait.passed_on()
        return result is not None and all(
            self.are_guarded(caller, at, result, (*within, name)) for caller, at in callers
        )

    @cached_property
    def _callers(self) -> dict[str, list[tuple[str, int]]]:
        found: dict[str, list[tuple[str, int]]] = defaultdict(list)
        for function in self.functions.values():
            for pc, i in enumerate(function.code):
                if isinstance(i, Call) and isinstance(i.callee, Address):
                    found[i.callee.symbol].append((function.name, pc))
        return found


class _Wait:
    """What a function's instructions do besides looking, seen from one of its waits."""

    def __init__(self, functions: Functions, function: Function, pc: int, answers: bool) -> None:
        self.functions = functions
        self.function = function
        self.pc = pc
        self.kept = function.code[pc].result if answers else None
        self.prospect = Prospect(function)
        self.made: dict[int, Instruction] = {
            i.result: i
            for block in function.blocks
            for i in (*block.phis, *block.body)
            if i.result is not None
        }
        self.pure: dict[Spot, bool] = {}  # whether a call does nothing but look
        self.looking: set[int] = set()  # calls that do so with what they are given here

    @property
    def _end(self) -> Spot:
        """Behind the wait, when it has ended without a signal."""
        known = () if self.kept is None else ((self.kept, SIGNALLED),)
        return Spot(self.pc + 1, frozenset(known))

    def is_guarded(self) -> bool:
        """Whether every way on from the wait comes to a test before anything else happens."""
        work, seen = [self._end], set[Spot]()
        tests: set[int] = set()
        while work:
            spot = work.pop()
            if spot in seen:
                continue
            seen.add(spot)
            onward = self.prospect.onward(spot)
            if len(onward) > 1 and self._is_test(spot.pc) and self._comes_back(onward):
                tests.add(spot.pc)
                continue
            if spot.pc == self.pc or not self._only_looks(spot) or len(seen) > MOST_SPOTS:
                return False
            work += onward
        return not (self._is_reached_without(tests) or self._tires())

    def passed_on(self) -> bool | None:
        """Whether the function answers what its wait does; None if it does more than to wait."""
        if not self._is_first():
            return None
        return _answer(self.functions, self.function, self._end, MOST_CALLS)

    def _is_first(self) -> bool:
        """Whether every way through the function comes to the wait, before anything else."""
        work, seen = [Spot(0)], set[Spot]()
        while work:
            spot = work.pop()
            if spot in seen or spot.pc == self.pc:
                continue
            seen.add(spot)
            looks = self._prepares(spot.pc) or self._only_looks(spot)
            if not looks or len(seen) > MOST_SPOTS:
                return False
            work += self.prospect.onward(spot)
        return True

    def _tires(self) -> bool:
        """Whether the loop around the wait may be left for what the thread itself counts in it.

        Then a wake-up without a signal uses up a try.
        """
        around = self._around()
        stores = (self.function.code[pc] for pc in around)
        changed = {
            i.pointer.index
            for i in stores
            if isinstance(i, Store) and isinstance(i.pointer, Reg) and self._is_private(i.pointer)
            if not self._is_kept(i.value)
        }
        branches = (self.function.code[pc] for pc in around)
        return any(
            self._depends(i, changed) for i in branches if isinstance(i, CondBranch | Switch)
        )

    def _around(self) -> set[int]:
        """What lies on ways from the wait back to it on which nothing is done but to look."""
        forward = self._reached(successors(self.function, self.pc))
        return {pc for pc in forward if self.pc in self._reached([pc])}

    def _reached(self, start: list[int]) -> set[int]:
        """Whatever is known: more ways than there are do no harm."""
        work, seen = list(start), set(start)
        while work:
            pc = work.pop()
            looks = self._prepares(pc) or pc in self.looking or self._only_looks(Spot(pc))
            if pc == self.pc or not looks:
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

    def _is_reached_without(self, tests: set[int]) -> bool:
        """Whether a thread comes to the wait past none of the tests that follow it."""
        work, seen = [0], set(tests)
        while work:
            pc = work.pop()
            if pc == self.pc:
                return True
            if pc not in seen:
                seen.add(pc)
                work += successors(self.function, pc)
        return False

    def _comes_back(self, start: list[Spot]) -> bool:
        """Whether a test may lead to the wait, with nothing but looking on the way."""
        work, seen = list(start), set[Spot]()
        while work and len(seen) < MOST_SPOTS:
            spot = work.pop()
            if spot.pc == self.pc:
                return True
            if spot not in seen:
                seen.add(spot)
                if self._prepares(spot.pc) or self._only_looks(spot):
                    work += self.prospect.onward(spot)
        return False

    def _prepares(self, pc: int) -> bool:
        """What only the thread itself can see: a count of tries, the time until which to wait."""
        i = self.function.code[pc]
        return isinstance(i, Store) and self._is_private(i.pointer)

    def _only_looks(self, spot: Spot) -> bool:
        i = self.function.code[spot.pc]
        match i:
            case Store():  # whether the wait has timed out
                return self._is_private(i.pointer) and self._is_kept(i.value)
            case Call():
                if spot not in self.pure:
                    self.pure[spot] = _is_pure(i, spot, self.functions, MOST_CALLS)
                if self.pure[spot]:
                    self.looking.add(spot.pc)
                return self.pure[spot]
            case Library():
                return i.function in NOTHING
        return not isinstance(i, ACTS)

    def _is_kept(self, value: Operand) -> bool:
        return isinstance(value, Reg) and value.index == self.kept

    def _is_private(self, pointer: Operand) -> bool:
        return isinstance(pointer, Reg) and pointer.index in self.prospect.private

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


def _is_pure(call: Call, spot: Spot, functions: Functions, depth: int) -> bool:
    """Whether a call does nothing but look: it writes to its own locals at most."""
    callee = functions.get(call.callee.symbol) if isinstance(call.callee, Address) else None
    if callee is None or callee.is_declaration or not depth:
        return False
    given = ((p.register, spot.value(a)) for p, a in zip(callee.params, call.args, strict=False))
    known = frozenset((register, value) for register, value in given if value is not None)
    return _answer(functions, callee, Spot(0, known), depth) is not None


def _answer(functions: Functions, function: Function, start: Spot, depth: int) -> bool | None:
    """Whether a function's result is that of a wait; None if it does more than to look."""
    own = {i.result for i in function.code if isinstance(i, Alloca)}
    prospect, work, seen = Prospect(function), [start], set[Spot]()
    answers = True
    while work:
        spot = work.pop()
        if spot in seen:
            continue
        seen.add(spot)
        if len(seen) > MOST_SPOTS:
            return None
        i = function.code[spot.pc]
        match i:
            case Return(value=value):
                answers &= value is None or spot.value(value) == SIGNALLED
                continue
            case Store(pointer=Reg(index=index)) if index in own:
                pass
            case Call() if _is_pure(i, spot, functions, depth - 1):
                pass
            case Library() if i.function in NOTHING:
                pass
            case Store() | Call() | Library():
                return None
            case _ if isinstance(i, ACTS):
                return None
        work += prospect.onward(spot)
    return answers
