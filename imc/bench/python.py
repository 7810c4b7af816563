"""Variants that run on Python threads, in this process."""

from __future__ import annotations

from dataclasses import dataclass, replace

from imc.bench.samples import Sample
from imc.errors import UserError
from imc.program.code import Site
from imc.program.program import Program
from imc.run.inputs import Inputs
from imc.run.run import Runner, RunOptions
from irs.plan import Plan
from irs.schedule import Schedule


@dataclass(slots=True)
class PythonVariant:
    """A program under a schedule, or under none."""

    name: str
    runner: Runner
    runs: int
    seed: int

    def sample(self) -> Sample:
        """One run of so many seconds, or several to their ends."""
        samples = [self._sample() for _ in range(self.runs)]
        return replace(samples[-1], seconds=sum(sample.seconds for sample in samples))

    def _sample(self) -> Sample:
        result = self.runner.run(Inputs(seed=self.seed), lambda _data, _stream: None)
        if result.problem is not None:
            raise UserError(f"{self.name} on Python threads: {result.problem}")
        if result.error:
            raise UserError(f"{self.name} on Python threads: the program fails: {result.error}")
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
) -> PythonVariant:
    plan = Plan(schedule) if schedule is not None else None
    options = RunOptions(time_limit=seconds, useful=useful, fibers=fibers)
    return PythonVariant(name, Runner(program, plan, options), runs, seed)
