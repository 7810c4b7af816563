"""Variables that only count: what they hold decides nothing, so nobody has to know it.

An accumulator is a global number whose value goes nowhere but into sums that end in itself, or in
another one, and into what is printed. Its value never keeps a loop from being the same loop.
"""

from __future__ import annotations

from collections import defaultdict

from imc.program.instructions import (
    Address,
    Binary,
    Cast,
    Instruction,
    Library,
    Load,
    Reg,
    Store,
)
from imc.program.library import LIBRARY
from imc.program.program import Function, Program
from imc.program.types import IntType

COUNTING = frozenset({"add", "sub"})  # with other operations, numbers may come back


def accumulators(program: Program) -> frozenset[str]:
    """The names of global variables that only count."""
    numbers = {
        name
        for name, variable in program.globals.items()
        if isinstance(variable.type, IntType) and not variable.constant
    }
    goes_to: dict[str, set[str]] = {}  # variables that a variable's value is put into
    for function in program.functions.values():
        numbers -= _used_otherwise(function, numbers)
        for name, targets in _flows(function, numbers):
            if targets is None:
                numbers.discard(name)
            else:
                goes_to.setdefault(name, set()).update(targets)
    numbers &= goes_to.keys()  # what nobody reads counts nothing
    while True:  # whatever goes into something that matters matters
        matters = {name for name in numbers if not goes_to[name] <= numbers}
        if not matters:
            return frozenset(numbers)
        numbers -= matters


def _used_otherwise(function: Function, names: set[str]) -> set[str]:
    """Those whose address is used in another way than to load and store all of them."""
    found = set()
    for i in function.code:
        direct = i.pointer if isinstance(i, (Load, Store)) else None
        for operand in i.operands():
            if operand is direct and isinstance(operand, Address) and operand.offset == 0:
                continue
            found |= _symbols(operand) & names
    return found


def _symbols(operand: object) -> set[str]:
    if isinstance(operand, Address):
        return {operand.symbol}
    parts = (*getattr(operand, "operands", ()), *getattr(operand, "elements", ()))
    return set().union(*map(_symbols, parts)) if parts else set()


def _flows(function: Function, names: set[str]) -> list[tuple[str, set[str] | None]]:
    """What each value of these variables goes into; None if it is used for anything else."""
    users: dict[int, list[Instruction]] = defaultdict(list)
    for i in function.code:
        for operand in i.operands():
            if isinstance(operand, Reg):
                users[operand.index].append(i)
    return [
        (i.pointer.symbol, _targets(i.result, users))
        for i in function.code
        if isinstance(i, Load) and isinstance(i.pointer, Address) and i.pointer.symbol in names
    ]


def _targets(register: int | None, users: dict[int, list[Instruction]]) -> set[str] | None:
    targets: set[str] = set()
    registers = [register] if register is not None else []
    for register in registers:  # grows while we walk it
        for i in users[register]:
            if isinstance(i, Store) and isinstance(i.pointer, Address):
                targets.add(i.pointer.symbol)
            elif _computes(i):
                if i.result is not None and i.result not in registers:
                    registers.append(i.result)
            elif not (isinstance(i, Library) and LIBRARY[i.function].prints):
                return None
    return targets


def _computes(i: Instruction) -> bool:
    """Arithmetic that counts."""
    if isinstance(i, Binary):
        return i.op in COUNTING
    return isinstance(i, Cast) and isinstance(i.source, IntType) and isinstance(i.target, IntType)
