"""Compare the engines that reduce with brute force on many random programs.

Every trace once (the optimal ones), or at least once, the same ends, the same verdict. The programs
are those of tests/symbolic/crosscheck and of tests/explore/tiny. Run it where imc is installed.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "symbolic"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "explore"))

from crosscheck.features import FeatureGenerator
from crosscheck.run import Report, add_options, run
from crosscheck.shrink import report_on
from crosscheck.source import Source, to_c
from reduced import TooLarge, differences


@dataclass(frozen=True)
class Task:
    seed: int
    number: int
    executions: int
    seeds: int
    shrink_s: float


def check(task: Task) -> Report:
    source = FeatureGenerator(task.seed, task.number).source()
    return report_on(
        f"{task.seed}-{task.number}",
        source,
        lambda less, path, figures: compared(less, path, task, figures),
        task.shrink_s,
    )


def compared(source: Source, path: Path, task: Task, figures: Counter[str]) -> list[str]:
    path.write_text(to_c(source))
    try:
        return differences(path, task.executions, figures, task.seeds)
    except TooLarge:
        figures["too large"] += 1
        return []
    except Exception:
        lines = traceback.format_exc().splitlines()
        return [f"crash {lines[-1]}: " + " | ".join(lines[-9:-1])]


def tasks(options: argparse.Namespace) -> Iterator[Task]:
    for n in range(options.first, options.first + options.count):
        yield Task(options.seed, n, options.executions, options.seeds, options.shrink)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    add_options(parser)
    parser.add_argument("--executions", type=int, default=3000, help="skip larger programs")
    parser.add_argument("--seeds", type=int, default=1, help="orders of threads to try")
    options = parser.parse_args()
    return run(check, tasks(options), options)


if __name__ == "__main__":
    sys.exit(main())
