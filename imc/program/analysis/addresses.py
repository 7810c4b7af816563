"""Addresses as analyses follow them: whole, in pieces, and distances, which are none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set

from imc.program.instructions import Address, Binary, Cast, Instruction, Operand, Reg
from imc.program.program import Function
from imc.records import record


@record
class AbstractObject:
    """A global, a function, or all objects made at one place of the code."""

    kind: str  # global, function, stack, heap
    function: str
    pc: int = -1

    def __str__(self) -> str:
        return (
            self.function if self.kind in ("global", "function") else f"{self.function}@{self.pc}"
        )


@record
class Piece:
    """What is left of an address in a number of fewer bits, widened again."""

    of: AbstractObject


Held = AbstractObject | Piece  # what a register or object may hold
Change = Callable[[Set[Held]], Set[Held]]


def pieces(things: Set[Held]) -> set[Held]:
    return {thing if isinstance(thing, Piece) else Piece(thing) for thing in things}


def wholes(things: Iterable[Held]) -> set[AbstractObject]:
    return {thing.of if isinstance(thing, Piece) else thing for thing in things}


def without_pieces(things: Set[Held]) -> set[Held]:
    return {thing for thing in things if not isinstance(thing, Piece)}


def casts(functions: Iterable[Function]) -> dict[tuple[str, int], Cast]:
    """Which registers are casts of others, by function and register."""
    return {
        (function.name, i.result): i
        for function in functions
        for i in function.code
        if isinstance(i, Cast) and i.result is not None
    }


def is_distance(i: Instruction, casts: Mapping[tuple[str, int], Cast], function: str) -> bool:
    """Whether an instruction takes one pointer from another: the result is no address.

    The semantics refuses it where it would be, as it is if the other one is null.
    """
    if not (isinstance(i, Binary) and i.op == "sub"):
        return False

    def is_pointer(operand: Operand) -> bool:
        if isinstance(operand, Reg):
            cast = casts.get((function, operand.index))
            return cast is not None and cast.op == "ptrtoint"
        return isinstance(operand, Address)

    return is_pointer(i.left) and is_pointer(i.right)
