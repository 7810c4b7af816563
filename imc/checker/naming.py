"""Names of places and variables that mean the same in every run.

Objects and functions are numbered in the order in which a run meets them; a certificate names them
by what they are instead.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from pysmt.fnode import FNode

from imc.checker.formulas import Inexpressible
from imc.checker.refusal import shown
from imc.program.code import Image
from imc.terms.outside import EXTENT, LENGTH
from imc.terms.places import ITEM, OFFSET, SLOT, THREAD_LOCAL, Places, Variable

Json = Any
MOST_BITS, MOST_BYTES = 512, 64  # of a place, of an array's element
LARGEST = 2**53 - 1  # offsets and depths
WORDS = (OFFSET, SLOT, ITEM, "scratch", "va")  # parts of a place that are no numbers


class Naming:
    """Translates between the numbers of one image and names."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self.image: Image = places.image

    # ----------------------------------------------------------------- outwards

    def place(self, symbol: FNode) -> Json:
        """A place as an array: kind, where it is, and its width last."""
        found = self.places.of[symbol]
        match found.key:
            case ("m" | "a" as kind, int(number), *rest):
                named = [kind, self.object(number), *rest]
            case ("r", int(thread), int(depth), int(code), *rest):
                named = ["r", thread, depth, self._function(code), *rest]
            case ("t", int(thread)):
                named = ["t", thread]
            case key:
                raise Inexpressible(f"the place {key}")
        return [*named, found.width]

    def variable(self, variable: Variable) -> Json:
        match variable:
            case ("object", int(number), *rest):
                return ["object", self.object(number), *rest]
            case ("register", int(code), *rest):
                return ["register", self._function(code), *rest]
            case (("site" | "thread-local") as kind, *rest):
                return [kind, *rest]
        raise Inexpressible(f"the variable {variable}")

    def object(self, number: int) -> Json:
        return self.image.objects.identities[number]

    def _function(self, code: int) -> str:
        return self.image.code_number(code).function.name

    # ------------------------------------------------------------------ inwards

    def symbol(self, named: Json) -> FNode:
        """The symbol of a place, once the run has met it."""
        match named:
            case ["a", identity, element] if _within(element, 1, MOST_BYTES):
                return self.places.array_symbol(self.number(identity), element)
            case ["m", identity, offset, *rest, width] if _is_offset(offset) and _fits(rest, width):
                return self.places.symbol(("m", self.number(identity), offset, *rest), width)
            case ["r", thread, depth, str(function), register, *rest, width] if (
                self._is_thread(thread) and _within(depth, 0) and _fits([register, *rest], width)
            ):
                code = self._code(function, register)
                return self.places.symbol(("r", thread, depth, code, register, *rest), width)
            case ["t", thread, width] if self._is_thread(thread) and _fits([], width):
                return self.places.symbol(("t", thread), width)
        raise Inexpressible(f"there is no place {shown(named)}")

    def read_variable(self, named: Json) -> Variable:
        match named:
            case ["object", identity, *rest] if _are_plain(rest):
                return ("object", self.number(identity), *rest)
            case ["register", str(function), *rest] if _are_plain(rest):
                return ("register", self._code(function), *rest)
            case ["site", str(function), int(pc), *rest] if _are_plain([pc, *rest]):
                return ("site", function, pc, *rest)
            case ["thread-local", str(name), *rest] if _are_plain(rest):
                found = self.image.program.globals.get(name)
                if found is not None and found.thread_local:
                    return (THREAD_LOCAL, name, *rest)
        raise Inexpressible(f"there is no variable {shown(named)}")

    def number(self, identity: Json) -> int:
        number = self.image.objects.find(_frozen(identity))
        if number is None:
            raise Inexpressible(f"there is no object {shown(identity)}")
        return number

    def _is_thread(self, number: Json) -> bool:
        return _within(number, 0, len(self.image.threads.names) - 1)

    def _code(self, function: str, register: Json = 0) -> int:
        found = self.image.program.functions.get(function)
        if found is None or found.is_declaration:
            raise Inexpressible(f"there is no function {shown(function)}")
        if register.__class__ is int and register >= len(found.registers):
            raise Inexpressible(f"{shown(function)} has no register {shown(register)}")
        return self.image.code(function).number


def _within(value: Json, low: int, high: int = LARGEST) -> bool:
    return value.__class__ is int and low <= value <= high


def _is_offset(value: Json) -> bool:
    """A byte's, or of what is kept of bytes from outside."""
    return _within(value, 0) or value in (EXTENT, LENGTH)


def _fits(rest: list[Json], width: Json) -> bool:
    """Whether a place has a width, and names that no other place could be taken for."""
    return _within(width, 1, MOST_BITS) and all(_within(r, 0) or r in WORDS for r in rest)


def _are_plain(rest: list[Json]) -> bool:
    return all(part.__class__ in (int, str) for part in rest)


def _frozen(value: Json) -> Hashable:
    if isinstance(value, dict):
        raise Inexpressible("no object is called by an object of JSON")
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
