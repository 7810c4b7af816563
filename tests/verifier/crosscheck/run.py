"""Runs checks of many programs in several processes, and tells what they have shown."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from multiprocessing import Pool
from typing import TypeVar


@dataclass
class Report:
    """What one program has shown."""

    name: str
    figures: Counter[str] = field(default_factory=Counter)
    disagreements: list[str] = field(default_factory=list)
    source: str = ""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Which programs, and how they are run: the options that all crosschecks have."""
    parser.add_argument("--count", type=int, default=200, help="how many (default 200)")
    parser.add_argument("--first", type=int, default=0, help="number of the first program")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--shrink", type=float, default=60, help="seconds to make one smaller (default 60)"
    )
    parser.add_argument("--minutes", type=float, default=60, help="stop after this time")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--show", default="", help="also print programs counted under this word")


T = TypeVar("T")


def run(check: Callable[[T], Report], tasks: Iterable[T], options: argparse.Namespace) -> int:
    """Checks one program after another; answers an exit code."""
    started = time.monotonic()
    total: Counter[str] = Counter()
    with Pool(options.jobs, maxtasksperchild=40) as pool:
        for report in pool.imap(check, tasks):
            total.update(report.figures)
            total["generated"] += 1
            if total["generated"] % 100 == 0:
                elapsed = time.monotonic() - started
                print(f"{total['generated']} programs in {elapsed:.0f} s", file=sys.stderr)
            if report.disagreements:
                total["disagreements"] += 1
                _tell(report)
            elif options.show and any(options.show in what for what in report.figures):
                _tell(report)
            if time.monotonic() - started > 60 * options.minutes:
                print(f"stopped after {options.minutes:g} minutes")
                break
    print(f"{total['compared']} programs compared in {time.monotonic() - started:.0f} s")
    for what, count in sorted(total.items()):
        if what != "compared":
            print(f"{count:8} {what}")
    return 1 if total["disagreements"] else 0


def _tell(report: Report) -> None:
    print(f"==== {report.name}")
    for line in report.disagreements[:5] or sorted(report.figures):
        print(f"  {line}")
    print(report.source, flush=True)
