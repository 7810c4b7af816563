"""Compare symbolic verification with brute force on many small random threaded C programs.

The programs and the brute force are those of tests/symbolic/crosscheck. Run it where imc is
installed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from multiprocessing import Pool
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "symbolic"))

from crosscheck.compare import Report, Task, check

from imc.program.faults import Property


def tasks(options: argparse.Namespace) -> Iterator[Task]:
    for n in range(options.first, options.first + options.count):
        yield Task(
            options.seed,
            n,
            options.time,
            options.states,
            options.shrink,
            options.results,
            options.check == Property.RACE,
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200, help="how many (default 200)")
    parser.add_argument("--first", type=int, default=0, help="number of the first program")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--time", type=float, default=5, help="seconds to verify one (default 5)")
    parser.add_argument(
        "--states", type=int, default=3000, help="skip larger programs (default 3000)"
    )
    parser.add_argument(
        "--shrink", type=float, default=60, help="seconds to make one smaller (default 60)"
    )
    parser.add_argument(
        "--results", type=int, default=6, help="schedules and errors of one (default 6)"
    )
    parser.add_argument(
        "--check",
        choices=[Property.RACE],
        help="also count data races as errors, and compare only what is said of all schedules",
    )
    parser.add_argument("--minutes", type=float, default=60, help="stop after this time")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--show", default="", help="also print programs counted under this word")
    options = parser.parse_args()

    started = time.monotonic()
    total: Counter[str] = Counter()
    with Pool(options.jobs, maxtasksperchild=40) as pool:
        for report in pool.imap(check, tasks(options)):
            total.update(report.figures)
            total["generated"] += 1
            if total["generated"] % 100 == 0:
                elapsed = time.monotonic() - started
                print(f"{total['generated']} programs in {elapsed:.0f} s", file=sys.stderr)
            if report.disagreements:
                total["disagreements"] += 1
                tell(report)
            elif options.show and any(options.show in what for what in report.figures):
                tell(report)
            if time.monotonic() - started > 60 * options.minutes:
                print(f"stopped after {options.minutes:g} minutes")
                break
    print(f"{total['compared']} programs compared in {time.monotonic() - started:.0f} s")
    for what, count in sorted(total.items()):
        if what != "compared":
            print(f"{count:8} {what}")
    return 1 if total["disagreements"] else 0


def tell(report: Report) -> None:
    print(f"==== {report.task.name}")
    for line in report.disagreements[:5] or sorted(report.figures):
        print(f"  {line}")
    print(report.source, flush=True)


if __name__ == "__main__":
    sys.exit(main())
