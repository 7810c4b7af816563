"""By how much commands overrun --time-limit, over the examples and the programs of the tests.

Each command runs in a process of its own; its time counts from its start. A run that ends before
its limit is not looked at. On a busy machine the clock tells little: what counts is the processor
time that a run and its children use after the limit.
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
NINE = ("--time-limit", "9")
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


TICKS_PER_S = os.sysconf("SC_CLK_TCK")


class Took(NamedTuple):
    """What one run took after its limit, in seconds."""

    clock: float
    processor: float


def programs(every: int, first: int) -> list[Path]:
    found = [*ROOT.glob("examples/*.c"), *ROOT.glob("tests/programs/*/*/prog.c")]
    return sorted(found)[first::every]


def measure(folder: Path, limit: float, name: str, path: Path, *words: str) -> Took:
    """One run in the folder; nothing, if it ends in time."""
    command = [sys.executable, "-m", "imc", name, str(path), *words]
    null = subprocess.DEVNULL
    with subprocess.Popen(
        command, stdin=null, stdout=null, stderr=null, cwd=folder, start_new_session=True
    ) as process:
        began = time.monotonic()
        try:
            process.wait(limit)
            return Took(0.0, 0.0)
        except subprocess.TimeoutExpired:
            pass
        before = now = computed_s(process.pid)
        while process.poll() is None:
            now = max(now, computed_s(process.pid))
            time.sleep(0.01)
        return Took(time.monotonic() - began - limit, now - before)


def computed_s(session: int) -> float:
    """What the processes of a session have computed, with their children that have ended."""
    total = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        if int(fields[3]) == session:
            total += sum(map(int, fields[11:15]))
    return total / TICKS_PER_S


def overruns(path: Path, limit: float, chosen: list[str]) -> Iterator[tuple[float, str]]:
    with tempfile.TemporaryDirectory() as name:
        folder, schedule = Path(name), Path(name) / "s.json"
        measure(folder, 9, "show", path)  # so that it is compiled
        for command in COMMANDS:
            if chosen and command[0] not in chosen:
                continue
            if SCHEDULE in command and not schedule.exists():
                measure(folder, 9, "verify", path, f"--emit-schedule={schedule}", *NINE)
                if not schedule.exists():
                    continue
            words = [
                str(schedule) if word == SCHEDULE else word.format(folder) for word in command[1:]
            ]
            took = measure(folder, limit, command[0], path, *words, "--time-limit", str(limit))
            if took.clock > 0:
                what = f"{' '.join(command)} {path.relative_to(ROOT)}".replace("={}/", "=")
                line = f"{took.processor:6.2f} s  {what} ({took.clock:.2f} s by the clock)"
                print(line, file=sys.stderr, flush=True)
                yield took.processor, line


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, default=2.0, help="seconds (default 2)")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each Nth program")
    parser.add_argument("--first", type=int, default=0, metavar="K", help="beginning with the Kth")
    parser.add_argument("commands", nargs="*", help="only these (default: all)")
    given = parser.parse_args()
    found: list[tuple[float, str]] = []
    for path in programs(given.every, given.first):
        found += overruns(path, given.limit, given.commands)
    found.sort(reverse=True)
    print(f"{len(found)} runs took longer than {given.limit:g} s; processor time after it:")
    for _, line in found[:20]:
        print(line)


if __name__ == "__main__":
    main()
