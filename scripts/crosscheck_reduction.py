"""Compare where the complete tree ends with where all schedules end, on random threaded C programs.

The programs and the comparison are those of tests/verifier/crosscheck: an ending that the tree
does not have is a hole in its reductions. Run it where imc is installed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "verifier"))

from crosscheck.features import FEATURES
from crosscheck.run import add_options, run
from crosscheck.terminal import Task, check


def tasks(options: argparse.Namespace) -> Iterator[Task]:
    features = tuple(options.features)
    for n in range(options.first, options.first + options.count):
        yield Task(options.seed, n, features, options.time, options.states, options.shrink)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    add_options(parser)
    parser.add_argument("--time", type=float, default=10, help="seconds for one (default 10)")
    parser.add_argument(
        "--states", type=int, default=30000, help="skip larger programs (default 30000)"
    )
    parser.add_argument(
        "--features",
        nargs="+",
        choices=list(FEATURES),
        default=[],
        metavar="NAME",
        help=f"what programs use (default: up to three at random): {', '.join(FEATURES)}",
    )
    options = parser.parse_args()
    return run(check, tasks(options), options)


if __name__ == "__main__":
    sys.exit(main())
