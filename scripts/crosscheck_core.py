"""Compare the native core with Python on random threaded C programs: every engine, every figure.

The programs are those of the tests, from other seeds; a walk in lockstep comes first. Run it where
imc is installed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "core"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "explorer"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "verifier"))

from both_cores import ADDING, PLAIN, QUIET, SEARCHES, same
from native_lockstep import walk_both
from random_sources import LENIENT, random_source

from imc.frontend.cache import NO_CACHE
from imc.frontend.load import load_program
from imc.program.interpreter import Interpreter

KINDS = ("simple", "rich", "spinning", "features")
WALKS, STEPS = 2, 60


def check(kind: str, number: int, seed: int, folder: Path) -> Counter[str]:
    """What was compared; raises AssertionError where the cores differ."""
    path = folder / "program.c"
    path.write_text(random_source(kind, number, seed))
    program = load_program([path], cache=NO_CACHE)
    done: Counter[str] = Counter()
    for settings in (PLAIN, LENIENT):
        found = walk_both(Interpreter(program, settings), WALKS, STEPS)
        if not isinstance(found, str):
            done["walks"] += WALKS
            done["steps"] += found.steps
    for search in SEARCHES:
        for settings in (PLAIN, QUIET, ADDING):
            done[search] += same(program, settings, search)
    return done


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="programs (default 100)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    total: Counter[str] = Counter()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.count):
            kind = KINDS[number % len(KINDS)]
            try:
                total += check(kind, number, options.seed, Path(folder))
            except AssertionError as why:
                failed += 1
                text = (Path(folder) / "program.c").read_text()
                print(f"{kind} {number} of seed {options.seed}: {why}\n{text}", flush=True)
    told = ", ".join(f"{what} {count}" for what, count in total.items())
    print(f"{options.count} programs, {failed} failed; compared: {told}")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
