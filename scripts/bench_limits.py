"""By how much commands overrun --time-limit, over the examples and the programs of the tests.

Each command runs in a process of its own. What a run takes that ends before its limit is not looked
at; the time to start Python and to compile the program is measured beforehand and taken off. On a
busy machine the clock tells little: the processor time of a run is told beside it, and what
overruns is measured again, as often as --again says; the shortest run counts.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SCHEDULE = "SCHEDULE"  # stands for the file of a schedule, if verification has found one
COMMANDS = (
    ("explore",),
    ("explore", "--count"),
    ("explore", "--algorithm", "optimal-await"),
    ("explore", "--emit-schedule={}/e.json"),
    ("verify", "--emit-schedule={}/s.json"),
    ("verify", "--until", "all"),
    ("check", SCHEDULE),
    ("run", "--schedule", SCHEDULE),
    ("run", "--schedule", SCHEDULE, "--backend", "native"),
    ("run", "--live"),
    ("run", "--live", "--backend", "native"),
    ("bench",),
    ("tune",),
)


class Took(NamedTuple):
    """What one run took, in seconds."""

    clock: float
    processor: float


def programs(every: int, first: int) -> list[Path]:
    found = [*ROOT.glob("examples/*.c"), *ROOT.glob("tests/programs/*/*/prog.c")]
    return sorted(found)[first::every]


def measure(folder: Path, name: str, path: Path, *words: str) -> Took:
    """One run in the folder; that of children which it has waited for is in its processor time."""
    command = [sys.executable, "-m", "imc", name, str(path), *words]
    began = time.monotonic()
    null = subprocess.DEVNULL
    with subprocess.Popen(command, stdin=null, stdout=null, stderr=null, cwd=folder) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return Took(time.monotonic() - began, used.ru_utime + used.ru_stime)


def overruns(
    path: Path, limit: float, again: int, chosen: list[str]
) -> Iterator[tuple[float, str]]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        start = min(measure(folder, "show", path).clock for _ in range(2))
        for command in COMMANDS:
            if chosen and command[0] not in chosen:
                continue
            schedule = folder / "s.json"
            if SCHEDULE in command and not schedule.exists():
                measure(folder, "verify", path, f"--emit-schedule={schedule}", "--time-limit", "9")
                if not schedule.exists():
                    continue
            words = [
                str(schedule) if word == SCHEDULE else word.format(folder) for word in command[1:]
            ]
            limits = ("--time-limit", str(limit))
            took = measure(folder, command[0], path, *words, *limits)
            for _ in range(again):
                if took.clock - start - limit > 0.1 * limit + 1:
                    took = min(took, measure(folder, command[0], path, *words, *limits))
            over = took.clock - start - limit
            if over > 0:
                what = f"{' '.join(command)} {path.relative_to(ROOT)}".replace("={}/", "=")
                line = f"{over:8.2f} s  {what} ({took.processor:.1f} s of processor time)"
                print(line, file=sys.stderr, flush=True)
                yield over, line


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, default=2.0, help="seconds (default 2)")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each Nth program")
    parser.add_argument("--first", type=int, default=0, metavar="K", help="beginning with the Kth")
    parser.add_argument("--again", type=int, default=1, metavar="N", help="runs after an overrun")
    parser.add_argument("commands", nargs="*", help="only these (default: all)")
    given = parser.parse_args()
    found: list[tuple[float, str]] = []
    for path in programs(given.every, given.first):
        found += overruns(path, given.limit, given.again, given.commands)
    found.sort(reverse=True)
    print(f"{len(found)} runs took longer than {given.limit:g} s; by how much:")
    for _, line in found[:20]:
        print(line)


if __name__ == "__main__":
    main()
