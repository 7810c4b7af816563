"""A short search for an error, by states and then by traces, before anything is proved."""

from __future__ import annotations

from dataclasses import replace

from imc.errors import Unsupported
from imc.explorer.algorithms import EXHAUSTIVE, explore
from imc.explorer.awaiting import AWAIT
from imc.explorer.result import Limits
from imc.program.analysis.sharing import Sharing
from imc.program.code import reads_input
from imc.program.interpreter import Interpreter
from imc.program.program import Program
from imc.program.settings import Settings
from imc.program.verdict import Verdict
from imc.program.violation import Violation

MORE_INPUTS = (-1, 3, 7, 1 << 30)  # tried where the usual ones have shown nothing


class Hunt:
    """Looks at more of a program each time; `over` when there is nothing left to be found."""

    def __init__(self, program: Program, settings: Settings, sharing: Sharing) -> None:
        self.over = False
        self._program, self._sharing = program, sharing
        self._rounds = [
            (settings, EXHAUSTIVE),
            (replace(settings, independent_adds=True), AWAIT),
        ]
        if any(reads_input(i) for _, _, i in program.instructions()):
            more = (*settings.inputs, *MORE_INPUTS)
            self._rounds.append((replace(settings, inputs=more), EXHAUSTIVE))

    def __call__(
        self, steps: int, time_s: float | None = None, memory_mb: float | None = None
    ) -> Violation | None:
        """An error that was reproduced, after so many steps of each kind at most."""
        for settings, algorithm in self._rounds:
            interpreter = Interpreter(self._program, settings, sharing=self._sharing)
            limits = Limits(time_s, steps=steps, memory_mb=memory_mb)
            try:
                found = explore(interpreter, algorithm, limits=limits)
            except Unsupported:  # those who prove say so
                self.over = True
                return None
            if found.interrupted:  # not the hunt alone was meant
                raise KeyboardInterrupt
            if found.fault is not None and found.reproduced:
                trace = tuple(found.trace)
                return Violation(interpreter.image, found.fault, trace, None, True)
            if found.verdict is Verdict.SAFE:
                self.over = True
                return None
        return None
