"""A program, executed as it is asked for: on Python threads or natively, once or often, or live."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from imc.errors import UserError
from imc.execution.live.session import LiveSession
from imc.execution.mode import Chosen, ThreadMode, choose_mode
from imc.execution.native.occasion import run_natively
from imc.execution.native.process import NativeOptions
from imc.execution.python.inputs import Inputs
from imc.execution.python.run import PythonOptions, Runner
from imc.execution.run_result import RunResult
from imc.execution.surroundings import Output, pinned, recording, terminable
from imc.program.assumptions import Assumption, described_input
from imc.program.program import Program
from imc.schedule.files import prefix_of
from irs.gate import Choose
from irs.plan import Plan
from irs.schedule import Schedule


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What is asked for: a run under a schedule, an unconstrained one, or a live one.

    Raises `UserError` where one wish rules out another.
    """

    schedule: Schedule | None = None
    unconstrained: bool = False  # threads run as they like
    prefix: int | None = None  # events after which the schedule orders nothing
    live: bool = False  # verified while it runs
    native: bool = False
    mode: ThreadMode = ThreadMode.AUTO
    arguments: tuple[str, ...] = ()
    inputs: Path | None = None  # numbers that are read one after the other
    seed: int | None = None  # of random inputs
    stdin: Path | None = None  # instead of this process's
    trace: Path | None = None  # where the run is recorded
    time_limit: float | None = None  # in seconds
    stall_limit: float = 10.0  # seconds after which it is told who waits for whom; 0: never
    runs: int = 1  # at most: a failure is the last one
    pin: bool = False  # to one core
    sample: bool = False  # how much a live run does over time
    output_to_errors: bool = False  # standard output is for something else
    cc: str | None = None  # the clang of native runs

    def __post_init__(self) -> None:
        if (self.schedule is not None, self.unconstrained, self.live).count(True) != 1:
            raise UserError("either --schedule FILE, --unconstrained or --live is needed")
        if self.live and (self.runs > 1 or self.prefix is not None):
            raise UserError("--live is one run, and has no prefix of a schedule")
        if self.inputs is not None and self.seed is not None:
            raise UserError("inputs come from --input or from --seed, not from both")
        if self.trace is not None and self.unconstrained:
            raise UserError("only a run under a schedule can be recorded")


def broken_assumptions(request: RunRequest) -> Iterator[Assumption]:
    """Which surroundings that a schedule was proved for are others in this run."""
    stdin = request.stdin.read_bytes() if request.stdin is not None else None
    for a in request.schedule.assumptions if request.schedule is not None else ():
        match a.code:
            case "no-arguments":
                holds = not request.arguments
            case "arguments":
                holds = a.subject == shlex.join(request.arguments)
            case "no-stdin":
                holds = not stdin
            case "stdin":
                holds = stdin is not None and a.subject == described_input(stdin)
            case _:
                continue
        if not holds:
            yield Assumption(a.code, a.subject or "")


class Runs:
    """The runs of one request. `say` is given lines for the user while they go on.

    Raises `UserError` where the request cannot be met. `results` has every run that has ended, also
    when an exception ends `run`: KeyboardInterrupt, `Terminated`, or `NotVerified` of a live run.
    """

    def __init__(self, program: Program, request: RunRequest, say: Callable[[str], None]) -> None:
        self.program = program
        self.request = request
        self.schedule = request.schedule
        if self.schedule is not None and request.prefix is not None:
            self.schedule = prefix_of(self.schedule, request.prefix)
        self.mode: Chosen = choose_mode(program, self.schedule, request.mode, request.native)
        self.results: list[RunResult] = []
        self.live: LiveSession | None = None
        self._say = say
        self._output = Output(request.output_to_errors)

    @property
    def last(self) -> RunResult:
        """The run that failed, or else the last one."""
        return self.results[-1]

    def run(self) -> list[RunResult]:
        """Runs until one fails, or there were enough."""
        request = self.request
        for assumption in broken_assumptions(request):
            self._say(f"the schedule rests on an assumption that does not hold: {assumption.text}")
        try:
            with pinned(request.pin), terminable():
                if request.live:
                    self._run_live()
                elif request.native:
                    self.results = run_natively(
                        self.program,
                        self.schedule,
                        request.cc,
                        self._native_options(),
                        request.runs,
                        self.mode,
                    )
                else:
                    self._run_on_threads()
        finally:
            self._output.flush()
        if self.mode.fibers and not self.results[-1].fibers:
            self.mode = replace(self.mode, fibers=False, why="this machine cannot do fibers")
        return self.results

    def _run_on_threads(self) -> None:
        schedule = self.schedule
        plan = Plan(schedule) if schedule is not None else None
        runner = Runner(self.program, plan, self._python_options())
        while not self.results or (
            len(self.results) < self.request.runs and self.results[-1].succeeded
        ):
            with recording(self.request.trace, schedule) as recorder:
                self.results.append(runner.run(self._inputs(), self._output.write, recorder))

    def _run_live(self) -> None:
        request = self.request
        stdin = request.stdin.read_bytes() if request.stdin is not None else b""
        self.live = LiveSession(
            self.program,
            request.arguments,
            stdin,
            self._say,
            request.sample,
            request.time_limit,
        )
        if request.native:
            result = self.live.natively(request.cc, self._native_options())
        else:
            result = self.live.on_threads(
                self._python_options(), self._inputs(), self._output.write, request.trace
            )
        self.results = [result]

    def _inputs(self) -> Inputs:
        request = self.request
        stdin = request.stdin.read_bytes() if request.stdin is not None else None
        return Inputs(request.seed, request.inputs, stdin)

    def _python_options(self) -> PythonOptions:
        request = self.request
        return PythonOptions(
            arguments=request.arguments,
            time_limit=request.time_limit,
            stall_s=request.stall_limit,
            choose=None if request.seed is None else _random_choice(request.seed),
            on_stall=lambda lines: self._say("nothing has moved for a while: " + "; ".join(lines)),
            fibers=self.mode.fibers,
        )

    def _native_options(self) -> NativeOptions:
        request = self.request
        return NativeOptions(
            arguments=request.arguments,
            inputs=request.inputs,
            seed=request.seed,
            seconds=request.time_limit,
            trace=request.trace,
            watchdog_s=request.stall_limit,
            stdin=request.stdin,
            output_to_errors=request.output_to_errors,
        )


def _random_choice(seed: int) -> Choose:
    """Where a schedule leaves the choice to us, with a seed it is made at random."""
    source = Random(seed)
    return lambda thread, site, sections: source.choice(sections)
