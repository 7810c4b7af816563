"""Schedules on disk as soon as there is one, each replaced by the next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from imc.errors import UserError
from imc.explorer.algorithms import Progress
from imc.explorer.result import Exploration, Limits
from imc.program.faults import OutOfTime
from imc.program.interpreter import Interpreter
from imc.program.program import Program
from imc.program.settings import Settings
from imc.program.verdict import Verdict, exit_code
from imc.schedule import compile
from imc.schedule.beliefs import Ambiguous
from imc.schedule.compiler import Compiled
from imc.schedule.files import write_schedule
from imc.schedule.optimise import passes
from imc.schedule.prefix import trace_prefixes
from imc.verifier.iteration import Verification
from imc.verifier.options import Until, VerifyOptions
from imc.verifier.result import Result
from imc.verifier.search.strategies import PLAIN

WRITE_EVERY_S = 0.5  # at most, while a program is explored
LONGER = "a longer --time-limit"
OTHERS_S = 60.0  # for each of the other strategies


class EmittingVerification(Verification):
    """Writes each schedule before it is yielded; `written` is the last one in the file.

    Where what is found cannot be written, other strategies are tried for a schedule that can. If
    nothing was written in the end, no earlier schedule is left in the file.
    """

    def __init__(
        self,
        program: Program,
        settings: Settings,
        options: VerifyOptions,
        path: Path,
        optimisation: str,
    ) -> None:
        passes(optimisation)  # which is refused before anything takes time
        super().__init__(program, settings, options)
        self.path = path
        self.optimisation = optimisation
        self.written: Compiled | None = None
        self.problem: UserError | None = None  # why the last one was not written

    def __iter__(self) -> Iterator[Result]:
        for result in super().__iter__():
            if result.safe:
                self._emit(self, result)
            yield result
        for name in () if self.written is not None or self.problem is None else PLAIN:
            if name != self.strategy.name:
                yield from self._tried_with(name)
            if self.written is not None:
                return
        if self.written is None:
            self.path.unlink(missing_ok=True)

    @property
    def exit_code(self) -> int:
        """That a schedule was asked for, and the ones found cannot be written, is no success."""
        failed = self.written is None and self.problem is not None
        return exit_code(Verdict.UNKNOWN) if failed else super().exit_code

    def _tried_with(self, strategy: str) -> Iterator[Result]:
        """The first schedule that another strategy finds, if it can be written."""
        left = self.budget.remaining(OTHERS_S)
        if left <= 0 or "interrupted" in self.outcome.bounds:
            return
        options = replace(
            self.options,
            strategy=strategy,
            until=Until.FIRST,
            time_s=left,
            spent_s=0.0,
            hunt=None,
        )
        other = Verification(self.engine.program, self.settings, options)
        for result in other:
            if result.safe:
                self._emit(other, result)
                if self.written is not None:
                    words = f"a first schedule, by {strategy}"
                    result = replace(result, index=len(self.outcome.results) + 1, permits=words)
                    self.outcome.results.append(result)
                    yield result

    def _emit(self, verification: Verification, result: Result) -> None:
        if self.options.progress is not None:
            self.options.progress(f"compiling a schedule of {result.nodes} nodes")
        try:
            compiled = compile(verification, result, self.optimisation)
        except Ambiguous as problem:
            self.problem = problem
            return
        except OutOfTime:  # what was written before stays
            if self.written is None:
                self.problem = UserError("there was no time to compile it", hint=LONGER)
            return
        self.problem = None
        write_schedule(compiled.schedule, self.path)
        self.written = compiled


class PrefixEmission:
    """Writes the trace prefixes of one exploration; `written` is the last one in the file."""

    def __init__(
        self,
        interpreter: Interpreter,
        path: Path,
        optimisation: str,
        limits: Limits,
        progress: Progress | None = None,
    ) -> None:
        self.path = path
        self.prefixes = trace_prefixes(
            interpreter, optimisation, limits, progress, interval_s=WRITE_EVERY_S
        )
        self.written: Compiled | None = None

    def explore(self) -> Exploration:
        """Replaces the file as more turns out to be safe."""
        for compiled in self.prefixes:
            write_schedule(compiled.schedule, self.path)
            self.written = compiled
        self.prefixes.result.image = self.prefixes.search.interpreter.image
        return self.prefixes.result
