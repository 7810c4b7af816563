"""Names of places and variables that mean the same in every run.

Objects and functions are numbered in the order in which a run meets them; a certificate names them
by what they are instead.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from pysmt.fnode import FNode

from imc.errors import SourceLoc
from imc.program.code import Image
from imc.schedule.formulas import Inexpressible
from imc.symbolic.places import Places, Variable

Json = Any


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
            case ("site", name, loc, *rest):
                place = [loc.file, loc.line, loc.column] if isinstance(loc, SourceLoc) else None
                return ["site", name, place, *rest]
        raise Inexpressible(f"the variable {variable}")

    def object(self, number: int) -> Json:
        return self.image.objects.identities[number]

    def _function(self, code: int) -> str:
        return self.image.code_number(code).function.name

    # ------------------------------------------------------------------ inwards

    def symbol(self, named: Json) -> FNode:
        """The symbol of a place, once the run has met it."""
        match named:
            case ["a", identity, int(width)]:
                return self.places.array_symbol(self.number(identity), width)
            case ["m", identity, int(offset), *rest, int(width)]:
                return self.places.symbol(("m", self.number(identity), offset, *rest), width)
            case ["r", int(thread), int(depth), str(function), *rest, int(width)]:
                code = self._code(function)
                return self.places.symbol(("r", thread, depth, code, *rest), width)
            case ["t", int(thread), int(width)]:
                return self.places.symbol(("t", thread), width)
        raise Inexpressible(f"the place {named}")

    def read_variable(self, named: Json) -> Variable:
        match named:
            case ["object", identity, *rest]:
                return ("object", self.number(identity), *rest)
            case ["register", str(function), *rest]:
                return ("register", self._code(function), *rest)
            case ["site", str(name), place, *rest]:
                return ("site", name, SourceLoc(*place) if place is not None else None, *rest)
        raise Inexpressible(f"the variable {named}")

    def number(self, identity: Json) -> int:
        number = self.image.objects.find(_frozen(identity))
        if number is None:
            raise Inexpressible(f"there is no object {identity}")
        return number

    def _code(self, function: str) -> int:
        if function not in self.image.program.functions:
            raise Inexpressible(f"there is no function '{function}'")
        return self.image.code(function).number


def _frozen(value: Json) -> Hashable:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
