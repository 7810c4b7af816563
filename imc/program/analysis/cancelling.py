"""Which threads may be cancelled, and what that makes visible."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from imc.program.instructions import Instruction, Library
from imc.program.library import LIBRARY
from imc.program.program import Program

MAIN = 0  # the class of the main thread, and its number


class Cancelling:
    """`runs` has, for each function, the classes of threads that may run it."""

    def __init__(self, program: Program, runs: Mapping[str, set[int]], classes: int) -> None:
        self.program = program
        self._runs = runs
        self.cancels = any(_is(i, "cancels") for _, _, i in program.instructions())
        first = MAIN if self.cancels and self._knows_main() else MAIN + 1
        self.classes = frozenset(range(first, classes) if self.cancels else ())

    def _knows_main(self) -> bool:
        """Whether somebody may have the handle of the main thread."""
        return any(
            _is(i, "tells_handle") and MAIN in self._runs.get(function.name, ())
            for function, _, i in self.program.instructions()
        )

    def may_be_cancelled(self, thread: int) -> bool:
        """Whether somebody may cancel a thread, by its number."""
        return self.cancels and (thread != MAIN or MAIN in self.classes)

    def may_act_in(self, function: str) -> bool:
        """Whether a thread may be cancelled in a function."""
        return not self.classes.isdisjoint(self._runs.get(function, ()))

    @cached_property
    def ends_matter(self) -> bool:
        """Whether a thread may be cancelled while it waits for another one's end.

        Then it matters which comes first, so the end is an event.
        """
        return any(
            _is(i, "joins") and self.may_act_in(function.name)
            for function, _, i in self.program.instructions()
        )


def _is(i: Instruction, fact: str) -> bool:
    return isinstance(i, Library) and bool(getattr(LIBRARY[i.function], fact))
