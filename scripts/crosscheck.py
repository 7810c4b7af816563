"""Compare the exhaustive engine with brute force on many small random programs.

The programs and the brute force are those of tests/explorer/tiny. Run it where imc is installed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "explorer"))

from tiny.compare import compare
from tiny.generator import Profile, random_program
from tiny.interleavings import TooMany
from tiny.language import Program
from tiny.printer import to_c
from tiny.shrink import shrink


@dataclass(frozen=True)
class Task:
    profile: Profile
    seed: int
    number: int
    executions: int

    @property
    def name(self) -> str:
        return f"{self.profile}-{self.seed}-{self.number}"


@dataclass
class Report:
    """What one program has shown."""

    task: Task
    figures: Counter[str] = field(default_factory=Counter)
    disagreements: list[str] = field(default_factory=list)
    source: str = ""


def check(task: Task) -> Report:
    """Compares one program; if the two disagree, also looks for the smallest such program."""
    report = Report(task)
    program = random_program(task.profile, task.seed, task.number)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.c"
        try:
            report.disagreements = differences(program, path, task.executions, report.figures)
        except TooMany:
            report.figures["too large"] += 1
            return report
        if report.disagreements:
            program = shrink(program, lambda p: _still_differs(p, path, task.executions))
            report.disagreements = differences(program, path, task.executions, Counter())
            report.source = to_c(program)
    return report


def differences(program: Program, path: Path, executions: int, figures: Counter[str]) -> list[str]:
    try:
        comparison = compare(program, path, executions)
    except TooMany:
        raise
    except Exception:
        return ["the engine crashes:", *traceback.format_exc().splitlines()[-8:]]
    behaviour = comparison.behaviour
    figures["compared"] += 1
    figures["executions"] += behaviour.runs
    figures["traces"] += len(behaviour.traces)
    figures["states"] += len(behaviour.states)
    figures.update(f"with {kind}" for kind in behaviour.faults)
    figures["with race"] += behaviour.has_race
    figures["with blocked executions"] += behaviour.blocked > 0
    figures["safe"] += not behaviour.faults
    return comparison.disagreements


def _still_differs(program: Program, path: Path, executions: int) -> bool:
    try:
        return bool(differences(program, path, executions, Counter()))
    except TooMany:
        return False


def tasks(options: argparse.Namespace) -> Iterator[Task]:
    profiles = [Profile(p) for p in options.profile or Profile]
    for n in range(options.programs):
        profile = profiles[n % len(profiles)]
        yield Task(profile, options.seed, n // len(profiles), options.executions)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=1000, help="how many (default 1000)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--profile", action="append", choices=list(Profile), help="default: all")
    parser.add_argument(
        "--executions", type=int, default=800, help="skip larger programs (default 800)"
    )
    parser.add_argument("--minutes", type=float, default=60, help="stop after this time")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(
        "--output", type=Path, default=Path("crosscheck"), help="folder for disagreements"
    )
    options = parser.parse_args()

    started = time.monotonic()
    total: Counter[str] = Counter()
    with ProcessPoolExecutor(options.jobs) as pool:
        reports = pool.map(check, tasks(options))
        try:
            for report in reports:
                total.update(report.figures)
                if report.disagreements:
                    total["disagreements"] += 1
                    save(report, options.output)
                if time.monotonic() - started > 60 * options.minutes:
                    print(f"stopped after {options.minutes:g} minutes")
                    break
        finally:
            pool.shutdown(cancel_futures=True)
    figures = ", ".join(f"{count} {what}" for what, count in total.items() if what != "compared")
    print(f"{total['compared']} programs compared in {time.monotonic() - started:.0f} s: {figures}")
    return 1 if total["disagreements"] else 0


def save(report: Report, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{report.task.name}.c"
    comment = "\n".join(f"// {line}" for line in report.disagreements)
    path.write_text(f"{comment}\n{report.source}")
    print(f"{path}: " + "; ".join(report.disagreements[:3]), flush=True)


if __name__ == "__main__":
    sys.exit(main())
