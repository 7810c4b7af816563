"""Schedules of one random program: played in every order, checked, and changed for the worse."""

from __future__ import annotations

import json
import random
import tempfile
import traceback
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from compiled import SETTINGS, compiled
from crosscheck.generator import Generator
from crosscheck.run import Report
from crosscheck.source import to_c
from enforcement import Enforcement, Stage, TooLarge
from mutations import mutate
from rounds import rounds
from walks import walk

from imc.checker.check import check_schedule
from imc.checker.formulas import Inexpressible
from imc.checker.refusal import Rejected, Undecided
from imc.frontend.cache import NO_CACHE
from imc.frontend.load import load_program
from imc.program.program import Program
from imc.schedule.beliefs import Ambiguous
from imc.schedule.optimise import LEVELS
from irs import BadSchedule
from irs.format import dumps, loads
from irs.schedule import Schedule


@dataclass(frozen=True)
class Task:
    seed: int
    number: int
    results: int
    mutants: int
    time_s: float
    products: bool = False


def check(task: Task) -> Report:
    """Everything that is wrong with the first schedules of a program, and with their mutants."""
    report = Report(f"{task.seed}-{task.number}")
    report.source = to_c(Generator(task.seed, task.number, task.products).source())
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.c"
        path.write_text(report.source)
        program = load_program([path], cache=NO_CACHE)
    try:
        last = _schedules(program, task, report)
        if last is not None:
            _mutants(program, last, task, report)
    except (Ambiguous, Inexpressible) as why:
        report.figures[f"not compiled: {type(why).__name__}"] += 1
    except Exception:
        report.disagreements.append(f"crash: {traceback.format_exc()}")
    return report


def _schedules(program: Program, task: Task, report: Report) -> Schedule | None:
    """Plays and checks schedules; answers the last one."""
    last = None
    for levels in compiled(program, task.results, tuple(LEVELS), task.time_s):
        for schedule in levels:
            level = schedule.made.optimisation
            report.figures["compared"] += 1
            report.disagreements += [f"{level}: {c}" for c in _play(program, schedule, report)]
            try:
                check_schedule(program, schedule, SETTINGS)
                report.figures["accepted"] += 1
            except Rejected as problem:
                report.disagreements.append(f"{level} is rejected: {problem}")
            except Undecided as problem:
                report.disagreements.append(f"{level} is not decided: {problem}")
            last = schedule
    return last


def _play(program: Program, schedule: Schedule, report: Report) -> list[str]:
    enforcement = Enforcement(Stage(program, SETTINGS, schedule), schedule)
    walked = walk(enforcement, report.name)
    try:
        return enforcement.check() + rounds(enforcement) + walked
    except TooLarge:
        report.figures["too large to be played"] += 1
        return walked


def _mutants(program: Program, schedule: Schedule, task: Task, report: Report) -> None:
    """A mutant is refused, or rejected, or means no harm."""
    rng = random.Random(f"mutants {task.seed} {task.number}")
    document = json.loads(dumps(schedule))
    figures: Counter[str] = report.figures
    for _ in range(task.mutants):
        found = mutate(document, rng)
        if found is None:
            continue
        name, changed = found
        figures["mutants"] += 1
        try:
            mutant = loads(json.dumps(changed), "a mutant")
            check_schedule(program, mutant, SETTINGS)
        except BadSchedule:
            figures["mutants refused by the format"] += 1
        except Rejected:
            figures["mutants rejected by the checker"] += 1
        except Undecided:
            figures["mutants that the checker cannot decide"] += 1
        else:
            figures[f"mutants accepted: {name}"] += 1
            harm = _play(program, mutant, report)
            report.disagreements += [f"{name} slipped through: {h}" for h in harm]
