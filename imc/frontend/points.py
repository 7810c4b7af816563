"""Cancellation points: where threads are cancelled, an instruction before each call that is one."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path

from imc.frontend.ir.module import Module
from imc.frontend.library import meaning
from imc.frontend.link import LIBC
from imc.program.instructions import Call, Instruction, Library
from imc.program.library import LIBRARY
from imc.program.library.cancellation import POSSIBLE_POINT, WRITTEN, point_before
from imc.program.types import VOID

UNKNOWN = "external"  # what a function means that nobody defines


class Points:
    """The points of a module, of which the functions that are reachable count."""

    def __init__(
        self, module: Module, reachable: Collection[str], assume: Callable[[str], None]
    ) -> None:
        self.module = module
        self.assume = assume
        called = (
            meaning(name, not function.is_declaration)
            for name, function in module.functions.items()
            if name in reachable
        )
        self.cancels = any(LIBRARY[known].cancels for known in called if known is not None)

    def before(self, i: Call, name: str, meaning: str = "") -> list[Instruction]:
        """What a thread comes to before it calls a function, which has a meaning in the model."""
        function = point_before(name, meaning != UNKNOWN) if self.cancels else None
        if function is None:
            return []
        called = LIBRARY.get(meaning)
        if function == POSSIBLE_POINT or (called is not None and called.reads_input):
            self.assume("cancelled-at-entry")
        return [
            Library(
                function=function, args=(), type=VOID, name=WRITTEN, loc=i.loc, cancellable=True
            )
        ]

    def before_own(self, i: Call, name: str) -> list[Instruction]:
        """The same for a function that is defined: it may be of the library that is bundled."""
        home = Path(self.module.origins.get(name, ("", ""))[0])
        return self.before(i, name) if home.parent == LIBC else []
