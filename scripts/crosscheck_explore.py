"""Compare the engines that reduce with brute force on many random programs.

Every trace once (the optimal ones), or at least once, the same ends, the same verdict. Half of the
programs use few features of threads in every way, half wait in loops of their own making. Run it
where imc is installed; `--count 6000` compares more than 5000 programs.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "verifier"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "explorer"))

from crosscheck.features import FeatureGenerator
from crosscheck.run import Report, add_options, run
from crosscheck.shrink import report_on
from crosscheck.source import Source, to_c
from prefixes import Size, TooLarge
from reduced import differences, waiting_differences
from spinning import spinning_program
from verified import verdict_differences

from imc.frontend.cache import NO_CACHE
from imc.frontend.load import load_program

FEATURES, SPINNING = "features", "spinning"


@dataclass(frozen=True)
class Task:
    kind: str
    seed: int
    number: int
    size: Size
    seeds: int
    verify_s: float | None  # None: is not verified
    shrink_s: float

    def source(self) -> Source:
        if self.kind == SPINNING:
            return spinning_program(self.seed, self.number)
        return FeatureGenerator(self.seed, self.number, small=True).source()


def check(task: Task) -> Report:
    return report_on(
        f"{task.kind} {task.seed}-{task.number}",
        task.source(),
        lambda less, path, figures: compared(less, path, task, figures),
        task.shrink_s,
    )


def compared(source: Source, path: Path, task: Task, figures: Counter[str]) -> list[str]:
    path.write_text(to_c(source))
    try:
        program = load_program([path], cache=NO_CACHE)
        if task.kind == SPINNING:
            found = waiting_differences(program, task.size, figures)
        else:
            found = differences(program, task.size, figures, task.seeds)
        figures[f"compared: {task.kind}, {len(source.threads)} threads"] += 1
        if task.verify_s is not None:
            found += verdict_differences(program, task.verify_s, figures)
    except TooLarge:
        figures[f"too large: {task.kind}"] += 1
        return []
    except Exception:
        lines = traceback.format_exc().splitlines()
        return [f"crash {lines[-1]}: " + " | ".join(lines[-9:-1])]
    return found


def tasks(options: argparse.Namespace) -> Iterator[Task]:
    kinds = options.programs
    size = Size(options.executions, options.prefixes)
    for n in range(options.first, options.first + options.count):
        kind, number = kinds[n % len(kinds)], n // len(kinds)
        verified = options.verify_every and number % options.verify_every == 0
        verify_s = options.verify_time if verified else None
        yield Task(kind, options.seed, number, size, options.seeds, verify_s, options.shrink)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    add_options(parser)
    parser.add_argument(
        "--programs",
        nargs="+",
        choices=[FEATURES, SPINNING],
        default=[FEATURES, SPINNING],
        help="which kinds, in turns (default: both)",
    )
    parser.add_argument(
        "--executions",
        type=int,
        default=Size.executions,
        help=f"execute all of them up to so many (default {Size.executions})",
    )
    parser.add_argument(
        "--prefixes",
        type=int,
        default=Size.prefixes,
        help="where executions are more, go on once from equivalent prefixes; skip programs with"
        f" more of these (default {Size.prefixes})",
    )
    parser.add_argument("--seeds", type=int, default=1, help="orders of threads to try")
    parser.add_argument(
        "--verify-every",
        type=int,
        default=0,
        metavar="N",
        help="compare with the verdict of imc verify too, on every Nth program of a kind",
    )
    parser.add_argument(
        "--verify-time", type=float, default=5, help="seconds to verify one (default 5)"
    )
    options = parser.parse_args()
    return run(check, tasks(options), options)


if __name__ == "__main__":
    sys.exit(main())
