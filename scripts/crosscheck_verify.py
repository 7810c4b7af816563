"""Compare symbolic verification with brute force on many small random threaded C programs.

The programs and the brute force are those of tests/verifier/crosscheck. Run it where imc is
installed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "verifier"))

from crosscheck.compare import Task, check
from crosscheck.run import add_options, run

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
    add_options(parser)
    parser.add_argument("--time", type=float, default=5, help="seconds to verify one (default 5)")
    parser.add_argument(
        "--states", type=int, default=3000, help="skip larger programs (default 3000)"
    )
    parser.add_argument(
        "--results", type=int, default=6, help="schedules and errors of one (default 6)"
    )
    parser.add_argument(
        "--check",
        choices=[Property.RACE],
        help="also count data races as errors, and compare only what is said of all schedules",
    )
    options = parser.parse_args()
    return run(check, tasks(options), options)


if __name__ == "__main__":
    sys.exit(main())
