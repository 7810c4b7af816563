"""By how much commands overrun --time-limit, over the examples and the programs of the tests.

Each command runs in a process of its own. What a run takes that ends before its limit is not looked
at; the time to start Python and to compile the program is measured beforehand and taken off.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMANDS = (
    ("explore",),
    ("explore", "--count"),
    ("explore", "--algorithm", "optimal-await"),
    ("verify", "--emit-schedule"),
    ("verify", "--until", "all"),
)


def programs(every: int) -> list[Path]:
    found = [*ROOT.glob("examples/*.c"), *ROOT.glob("tests/programs/*/*/prog.c")]
    return sorted(found)[::every]


def seconds(*command: str | Path) -> float:
    began = time.monotonic()
    subprocess.run(
        [sys.executable, "-m", "imc", *map(str, command)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    return time.monotonic() - began


def overruns(path: Path, limit: float) -> Iterator[tuple[float, str]]:
    with tempfile.TemporaryDirectory() as folder:
        start = min(seconds("show", path) for _ in range(2))
        for name, *options in COMMANDS:
            words = [f"{o}={folder}/s.json" if o == "--emit-schedule" else o for o in options]
            took = seconds(name, path, *words, "--time-limit", str(limit))
            over = took - start - limit
            if over > 0:
                what = f"{' '.join((name, *options))} {path.relative_to(ROOT)}"
                print(f"{over:8.2f} s  {what}", file=sys.stderr, flush=True)
                yield over, what


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, default=2.0, help="seconds (default 2)")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each Nth program")
    given = parser.parse_args()
    found: list[tuple[float, str]] = []
    for path in programs(given.every):
        found += overruns(path, given.limit)
    found.sort(reverse=True)
    print(f"{len(found)} runs took longer than {given.limit:g} s; by how much:")
    for over, what in found[:20]:
        print(f"{over:8.2f} s  {what}")


if __name__ == "__main__":
    main()
