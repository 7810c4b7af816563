"""Compares verification of one random program with what brute force knows of it.

Wherever the two disagree, the report has the smallest program found on which they still do.
"""

from __future__ import annotations

import signal
import time
import traceback
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType

from game import TooLarge, check_schedule

from crosscheck.brute_force import BruteForce
from crosscheck.generator import Generator
from crosscheck.run import Report
from crosscheck.shrink import report_on
from crosscheck.source import Source, to_c
from imc.explorer import Limits, explore_exhaustively
from imc.frontend.cache import NO_CACHE
from imc.frontend.load import load_program
from imc.program.faults import OutOfTime, Property
from imc.program.interpreter import Interpreter
from imc.program.program import Program
from imc.program.settings import Settings
from imc.program.verdict import Verdict
from imc.verifier.iteration import Verification
from imc.verifier.options import Until, VerifyOptions
from imc.verifier.result import VerifiedTree
from imc.verifier.search.strategies import PLAIN

# Inputs are assumed to lie in 0..2; 3 stands for all that violate the assumption.
SETTINGS = Settings(inputs=(0, 1, 2, 3))
WITH_RACES = replace(SETTINGS, properties=SETTINGS.properties | {Property.RACE})
GRACE_S = 5.0
GROUND_TRUTH_S = 10.0


@dataclass(frozen=True)
class Task:
    seed: int
    number: int
    time_s: float
    states: int
    shrink_s: float
    results: int
    races: bool  # count as errors; then only what is said of all schedules is compared

    @property
    def settings(self) -> Settings:
        return WITH_RACES if self.races else SETTINGS

    @property
    def name(self) -> str:
        return f"{self.seed}-{self.number}"

    @property
    def strategy(self) -> str:
        """Mostly the first one, which is the default."""
        names = [*PLAIN, "long-runs:3", "long-runs:2,repeats=2"]
        return names[self.number % 8 if self.number % 8 < len(names) else 0]


class Hang(Exception):
    """Verification goes on long after its time limit."""


def _alarm(signum: int, frame: FrameType | None) -> None:
    raise Hang


def check(task: Task) -> Report:
    """Compares one program; if there is a disagreement, also looks for a smaller program."""
    source = Generator(task.seed, task.number).source()
    return report_on(
        task.name,
        source,
        lambda less, path, figures: differences(less, path, task, figures),
        task.shrink_s,
    )


def differences(source: Source, path: Path, task: Task, figures: Counter[str]) -> list[str]:
    path.write_text(to_c(source))
    program = load_program([path], cache=NO_CACHE)
    try:
        unsafe = _is_unsafe(program, task)
        game = BruteForce(program, task.settings, 4 * task.states, GROUND_TRUTH_S)
    except (TooLarge, OutOfTime):
        figures["too large"] += 1
        return []
    figures["compared"] += 1
    figures["exhaustively unsafe" if unsafe else "exhaustively safe"] += 1
    wrong = []
    if game.has_fault != unsafe:
        wrong.append(f"ground truth is unclear: engine {unsafe}, game {game.has_fault}")
    comparer = Comparer(program, task, figures)
    wrong += comparer.verdict(unsafe, game)
    if not wrong and not unsafe and not task.races:
        wrong += comparer.schedules()
    return wrong


def _is_unsafe(program: Program, task: Task) -> bool:
    """What the exhaustive engine says; raises TooLarge or OutOfTime where that is nothing."""
    limits = Limits(time_s=GROUND_TRUTH_S, states=task.states)
    result = explore_exhaustively(Interpreter(program, task.settings), True, limits)
    stopped = [b for b in result.bounds if not b.startswith("inputs of")]
    if result.verdict is not Verdict.UNSAFE and stopped:
        raise TooLarge(stopped[0])
    return result.fault is not None


class Comparer:
    """Verification of one program against what is known of it."""

    def __init__(self, program: Program, task: Task, figures: Counter[str]) -> None:
        self.program = program
        self.task = task
        self.figures = figures
        self.wrong: list[str] = []

    def _run(self, options: VerifyOptions) -> Verification | None:
        """Verification, with the check of schedules if they are compared; None when it fails."""
        verification = Verification(self.program, self.task.settings, options)
        seconds = self.task.time_s + GRACE_S
        previous = signal.signal(signal.SIGALRM, _alarm)
        spent = 0.0
        try:
            results = iter(verification)
            while len(verification.outcome.results) < self.task.results:
                started = time.monotonic()
                # Again and again: an exception in a destructor is swallowed.
                signal.setitimer(signal.ITIMER_REAL, max(0.1, seconds - spent), 0.5)
                result = next(results, None)
                signal.setitimer(signal.ITIMER_REAL, 0)
                spent += time.monotonic() - started
                if spent > seconds:
                    raise Hang
                if result is None:
                    break
                if result.schedule is not None and not self.task.races:
                    self._game(result.schedule, result.index)
            results.close()  # type: ignore[attr-defined]
        except Hang:
            self.wrong.append(f"hang for more than {seconds:g} s")
            return None
        except Exception:
            lines = traceback.format_exc().splitlines()
            self.wrong.append(f"crash {lines[-1]}: " + " | ".join(lines[-9:-1]))
            return None
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, previous)
        return verification

    def _game(self, schedule: VerifiedTree, index: int) -> None:
        try:
            complaints = check_schedule(self.program, SETTINGS, schedule)
        except TooLarge:
            self.figures["schedules too large"] += 1
            return
        self.figures["schedules checked"] += 1
        self.wrong += [f"schedule {index} is wrong: {c}" for c in complaints]

    def verdict(self, unsafe: bool, game: BruteForce) -> list[str]:
        """All results, and the verdict."""
        strategy = game.has_safe_strategy()
        until = Until.VERDICT if self.task.races else Until.ALL
        options = VerifyOptions(until=until, time_s=self.task.time_s, strategy=self.task.strategy)
        started = time.monotonic()
        verification = self._run(options)
        if verification is None:
            return self.wrong
        outcome = verification.outcome
        self.figures[f"verdict {outcome.verdict}"] += 1
        self.figures["milliseconds"] += int(1000 * (time.monotonic() - started))
        reproduced = outcome.violation is not None and outcome.violation.reproduced
        if outcome.verdict is Verdict.SAFE and unsafe:
            self.wrong.append("verdict safe, but there is an error")
        if reproduced and not unsafe:
            assert outcome.violation is not None
            self.wrong.append(f"verdict is wrong: {outcome.violation.fault.message}, not so")
        if outcome.violation is not None and not reproduced:
            self.figures[f"not reproduced: {outcome.violation.fault.kind}"] += 1
        if outcome.verdict is Verdict.UNSAFE and not unsafe:
            self.wrong.append("verdict unsafe, but there is no error")
        if outcome.verdict is Verdict.UNSAFE and strategy:
            self._avoidable(game)
        if outcome.schedule is not None and not strategy:
            self.wrong.append("schedule found, but there is no safe strategy")
        if outcome.verdict is Verdict.UNKNOWN:
            reasons = [outcome.reason, *outcome.bounds]
            truth = "safe" if not unsafe else "avoidable" if strategy else "unsafe"
            self.figures[f"unknown, {truth}: {'; '.join(r for r in reasons if r)}"] += 1
        if outcome.verdict is Verdict.PARTIALLY_SAFE and not unsafe:
            reasons = outcome.bounds or ["more results"]
            self.figures[f"not proved safe: {'; '.join(reasons)}"] += 1
        if outcome.verdict is Verdict.PARTIALLY_SAFE and unsafe and not reproduced:
            self.figures["error not found"] += 1
        return self.wrong

    def _avoidable(self, game: BruteForce) -> None:
        """Errors can be avoided, perhaps only by one who sees values that no branch has shown.

        Fairness is left out: the verdict is wrong even if only unfair schedules are safe.
        """
        try:
            if game.has_blind_strategy():
                self.wrong.append("verdict unsafe, but there is a safe strategy (fair or not)")
            else:
                self.figures["unsafe, unless one sees values"] += 1
        except TooLarge:
            self.figures["unsafe, perhaps unless one sees values"] += 1

    def schedules(self) -> list[str]:
        """Schedule after schedule, without the attempt at all of them."""
        task = self.task
        options = VerifyOptions(iterations=task.results, time_s=task.time_s, strategy=task.strategy)
        self._run(options)
        return self.wrong
