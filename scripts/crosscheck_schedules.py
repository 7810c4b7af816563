"""Play the schedules of random threaded C programs in all orders they permit, and check them.

Each compiled schedule must be safe, deadlock-free and fair for all inputs when it is played, and
`imc check` must accept it, but none of its mutants that does harm. Run it where imc is installed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "verifier"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "schedule"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "checker"))

from crosscheck.run import add_options, run
from crosschecked import Task, check


def tasks(options: argparse.Namespace) -> Iterator[Task]:
    for n in range(options.first, options.first + options.count):
        yield Task(
            options.seed, n, options.results, options.mutants, options.time, options.products
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    add_options(parser)
    parser.add_argument("--time", type=float, default=3, help="seconds to verify one (default 3)")
    parser.add_argument("--results", type=int, default=2, help="schedules of one (default 2)")
    parser.add_argument("--mutants", type=int, default=8, help="of one schedule (default 8)")
    parser.add_argument("--products", action="store_true", help="programs that multiply unknowns")
    options = parser.parse_args()
    return run(check, tasks(options), options)


if __name__ == "__main__":
    sys.exit(main())
