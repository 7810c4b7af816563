"""Functions that call themselves: copies of them, so that each activation has registers of its own.

A function of a circle of calls is there several times, one for each depth of the circle: a call
leads to the copy at the next depth, and behind the last one there is no form. What a copy is
called says which function it is of; the first one has the function's own name.
"""

from __future__ import annotations

from collections.abc import Callable

from imc.compact.form import NotCompact
from imc.compact.performing import comes_back
from imc.program.instructions import Call, Instruction
from imc.program.program import Function

MOST_COPIES = 8
MOST_INSTRUCTIONS = 20000  # of all copies of a circle
Callees = Callable[[str, int, Instruction], list[str]]


class Circles:
    """Which functions call themselves, and how often there are copies of them."""

    def __init__(self, functions: dict[str, Function], names: list[str], callees: Callees) -> None:
        self._functions = functions
        self._callees = callees
        self._edges = {name: self._called(name) for name in names}
        reached = {name: self._reached(name) for name in names}
        self._circles = {
            name: frozenset(n for n in reached[name] if name in reached[n])
            for name in names
            if name in reached[name]
        }
        self.copies = {name: self._copies(name) for name in self._circles}

    def together(self, one: str, other: str) -> bool:
        """Whether a call of one function by the other is part of a circle."""
        return other in self._circles.get(one, ())

    def _called(self, name: str) -> set[str]:
        found: set[str] = set()
        for pc, i in enumerate(self._functions[name].code):
            if isinstance(i, Call) or comes_back(i):
                found.update(self._callees(name, pc, i))
        return found

    def _reached(self, start: str) -> set[str]:
        work, seen = [start], set[str]()
        while work:
            for callee in self._edges[work.pop()]:
                if callee not in seen:
                    seen.add(callee)
                    work.append(callee)
        return seen

    def _copies(self, name: str) -> int:
        circle, size = self._circles[name], 0
        for member in circle:
            code = self._functions[member].code
            size += len(code)
            for pc, i in enumerate(code):
                if comes_back(i) and not circle.isdisjoint(self._callees(member, pc, i)):
                    raise NotCompact(f"'{member}' calls itself through the library", i.loc)
        copies = min(MOST_COPIES, MOST_INSTRUCTIONS // size)
        if copies < 2:
            raise NotCompact(f"'{name}' calls itself", self._functions[name].loc)
        return copies


def copy_of(name: str, depth: int) -> str:
    return f"{name}\0{depth}" if depth else name


def depth_of(copy: str) -> int:
    _, _, depth = copy.partition("\0")
    return int(depth or 0)
