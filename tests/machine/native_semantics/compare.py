"""One program on the machine and in the model, and what does not fit together."""

from __future__ import annotations

import re
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from native_semantics.generator import Generator
from native_semantics.model import (
    HANG_S,
    AllVisible,
    Prediction,
    Program,
    Refused,
    load,
    predict,
    verdicts,
)
from native_semantics.outcomes import ABORT, ASSERTION, DEADLOCK, EXIT, Outcome
from native_semantics.source import Source, smaller, to_c
from native_semantics.stepper import CannotBuild, Run, Stepper, run_many

VISIBLE_STATES = 5  # so many times more of them, when all is visible
ENGINE_S = 3.0


@dataclass(frozen=True)
class Options:
    """How a program is compared; `all_visible`: the model also with itself, in other ways."""

    stepper: Stepper
    runs: int = 100
    states: int = 20_000
    model_s: float = HANG_S
    ordered: bool = True
    all_visible: bool = False
    shrink_s: float = 0


@dataclass
class Report:
    """What one program has shown; `unexplained` are lines, each with a kind in front."""

    name: str
    text: str
    unexplained: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    figures: Counter[str] = field(default_factory=Counter)


def check(name: str, source: Source, options: Options) -> Report:
    """Compares a random program; what is unexplained is shown by one as small as can be."""
    report = compare(name, to_c(source), options)
    if report.unexplained and options.shrink_s:
        less = _shrunk(source, report, options)
        report.text, report.unexplained = less.text, less.unexplained
    return report


def check_generated(seed: int, number: int, names: tuple[str, ...], options: Options) -> Report:
    generator = Generator(seed, number, names)
    used = "+".join(f.name for f in generator.features)
    return check(f"{seed}-{number}-{used}", generator.source(), options)


def compare(name: str, text: str, options: Options) -> Report:
    """Compares a program given as C."""
    report = Report(name, text)
    with tempfile.TemporaryDirectory(prefix="imc-native-") as folder:
        path = Path(folder) / "program.c"
        path.write_text(text)
        try:
            _compare(path, options, report)
        except Refused as reason:
            where = re.sub(r"^\S*program\.c:[\d:]* ", "", str(reason))
            report.notes.append(f"not modelled: {where}")
        except CannotBuild as reason:
            report.notes.append(f"not built: {reason}")
    return report


def _compare(path: Path, options: Options, report: Report) -> None:
    program = load(path)
    started = time.monotonic()
    predicted = predict(program, None, options.states, options.model_s)
    report.figures["model ms"] += round(1000 * (time.monotonic() - started))
    known = {ASSERTION, ABORT, DEADLOCK}
    faults = sorted(o.kind for o in predicted.outcomes if o.kind != EXIT and o not in known)
    report.notes += [f"fault of the model: {kind}" for kind in faults]
    report.notes += [f"cut by the model: {reason}" for reason in sorted(predicted.stuck)]
    if not faults:
        started = time.monotonic()
        binary = options.stepper.build(path, options.ordered)
        report.figures["build ms"] += round(1000 * (time.monotonic() - started))
        started = time.monotonic()
        _compare_runs(run_many(binary, 0, options.runs), predicted, report)
        report.figures["machine ms"] += round(1000 * (time.monotonic() - started))
    if options.all_visible:
        _compare_models(program, predicted, options, report)


def seen_in(runs: list[Run]) -> dict[Outcome, list[int]]:
    """The outcomes, with the numbers of the runs that had them."""
    seen: dict[Outcome, list[int]] = {}
    for run in runs:
        if run.outcome is not None:
            seen.setdefault(run.outcome, []).append(run.number)
    return seen


def _compare_runs(runs: list[Run], predicted: Prediction, report: Report) -> None:
    seen = seen_in(runs)
    report.figures.update(
        {
            "programs": 1,
            "runs": len(runs),
            "runs given up": sum(run.outcome is None for run in runs),
            "steps": sum(run.steps for run in runs),
            "outcomes predicted": len(predicted.outcomes),
            "outcomes seen": len(seen),
            "predicted outcomes seen": len(seen.keys() & predicted.outcomes),
        }
    )
    for outcome, numbers in seen.items():
        if outcome in predicted.outcomes:
            continue
        if predicted.invented:  # these are not all that such functions may do
            report.notes.append(f"not modelled: {predicted.invented[0]}")
        else:
            report.unexplained.append(
                f"machine: {outcome} ({len(numbers)} of {len(runs)} runs, first {numbers[0]})"
            )


def _compare_models(
    program: Program, predicted: Prediction, options: Options, report: Report
) -> None:
    """The model with itself: when all is visible, and by the engines that leave things out."""
    try:
        visible = predict(
            program, AllVisible(program), options.states * VISIBLE_STATES, options.model_s
        )
    except Refused as reason:
        report.notes.append(f"all visible: {reason}")
    else:
        report.figures["compared with all visible"] += 1
        report.figures["states"] += predicted.states
        report.figures["states with all visible"] += visible.states
        for outcome in sorted(visible.outcomes ^ predicted.outcomes):
            how = "only with" if outcome in visible.outcomes else "not with"
            report.unexplained.append(f"visibility: {how} all visible: {outcome}")
    found = verdicts(program, ENGINE_S)
    report.figures["verdicts"] += len(found)
    if len(set(found.values())) > 1:
        report.unexplained.append(f"engines: {found}")


# --------------------------------------------------------------------- shrinking


def _kinds(report: Report) -> set[str]:
    return {line.split(":")[0] for line in report.unexplained}


def _shrunk(source: Source, report: Report, options: Options) -> Report:
    """The report on the smallest program found that shows something of the same kind."""
    deadline = time.monotonic() + options.shrink_s
    changed = True
    while changed:
        changed = False
        for less in smaller(source):
            if time.monotonic() > deadline:
                return report
            attempt = compare(report.name, to_c(less), options)
            if _kinds(attempt) & _kinds(report):
                source, report, changed = less, attempt, True
                break
    return report
