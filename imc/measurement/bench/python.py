"""Variants that run on Python threads, in this process."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from imc.errors import UserError
from imc.execution.python.inputs import Inputs
from imc.execution.python.run import PythonOptions, Runner
from imc.execution.run_result import RunResult
from imc.measurement.bench.patience import LONGEST_S, Patience
from imc.measurement.bench.samples import Sample
from imc.program.code import Site
from imc.program.program import Program
from irs.errors import Stalled
from irs.plan import Plan
from irs.schedule import Schedule


@dataclass(slots=True)
class PythonVariant:
    """A program under a schedule, or under none."""

    name: str
    runner: Runner
    seconds: float | None
    runs: int
    seed: int
    patience: Patience = field(default_factory=Patience)

    def sample(self) -> Sample:
        """One run of so many seconds, or several to their ends."""
        last, seconds, completed = Sample(0.0), 0.0, 0
        failures: list[str] = []
        for _ in range(self.runs):
            if not self.patience.tries_again:
                break
            result = self._run()
            why, hung = self._failure(result)
            if why:
                if self.runner.plan is not None:
                    raise UserError(f"{self.name} on Python threads: the program fails: {why}")
                failures.append(why)
            else:
                last, seconds, completed = _sample(result), seconds + result.time_s, completed + 1
            self.patience.note(None if why else result.time_s, hung)
        return replace(last, seconds=seconds, runs=completed, failures=tuple(failures))

    def _run(self) -> RunResult:
        limit = self.patience.limit(None) if self.runner.plan is None else LONGEST_S
        self.runner.options.time_limit = limit if self.seconds is None else self.seconds
        return self.runner.run(Inputs(seed=self.seed), lambda _data, _stream: None)

    def _failure(self, result: RunResult) -> tuple[str, bool]:
        """Why a run has not completed, if it has not, and whether it hung."""
        match result.problem:
            case None:
                pass
            case Stalled(lines=lines) if self.runner.plan is None:
                return f"hung ({'; '.join(lines)})", True
            case problem:
                raise UserError(f"{self.name} on Python threads: {problem}")
        if result.error:
            return result.error, False
        if self.seconds is None and result.out_of_time:
            return f"hung (it did not end in {result.time_s:.3g} s)", True
        counts = bool(self.runner.options.useful)
        if self.seconds is not None and self.runner.plan is None and counts and not result.rounds:
            return f"hung (no round for {self.seconds:g} s)", True
        return "", False


def _sample(result: RunResult) -> Sample:
    threads = 1 if result.fibers else len(result.rounds) or 1
    return Sample(result.time_s, result.rounds, result.gated, threads * result.time_s)


def python_variant(
    name: str,
    program: Program,
    schedule: Schedule | None,
    useful: frozenset[Site],
    seconds: float | None,
    runs: int,
    seed: int,
    fibers: bool = False,
    patience: Patience | None = None,
) -> PythonVariant:
    plan = Plan(schedule) if schedule is not None else None
    options = PythonOptions(time_limit=seconds, useful=useful, fibers=fibers)
    runner = Runner(program, plan, options)
    return PythonVariant(name, runner, seconds, runs, seed, patience or Patience())
