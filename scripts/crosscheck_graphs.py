"""Compare execution graphs with exhaustive search on random threaded C programs.

With locks in an order: verdicts, final states and traces, each trace once. With sections unordered:
verdicts, final states, each graph once. Programs are those of the tests, from other seeds. Run it
where imc is installed.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "core"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "explorer"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "verifier"))

from graphs.agreement import compared
from graphs.sections import random_sections, to_c
from random_sources import random_source

from imc.frontend.cache import NO_CACHE
from imc.frontend.load import load_program
from imc.program.settings import Settings

KINDS = ("sections", "nested", "failing", "simple", "rich", "features")


def source(kind: str, number: int, seed: int) -> str:
    if kind not in ("sections", "nested", "failing"):
        return random_source(kind, number, seed)
    rng = random.Random(f"{seed} {number}")
    nested, fails = 0.9 if kind == "nested" else 0.25, 0.3 if kind == "failing" else 0.0
    return to_c(random_sections(rng, nested, fails))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="programs (default 100)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", default=",".join(KINDS), help="which (default all)")
    options = parser.parse_args()
    kinds = options.kinds.split(",")
    done: Counter[str] = Counter()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.c"
        for number in range(options.count):
            kind = kinds[number % len(kinds)]
            text = source(kind, number, options.seed)
            path.write_text(text)
            program = load_program([path], cache=NO_CACHE)
            more = any(word in text for word in ("sem_", "barrier_", "cond_"))
            try:
                for lapor in (False, True):
                    name = f"{kind}, {'unordered' if lapor else 'ordered'}"
                    done[name] += compared(program, Settings(), lapor, not more)
            except AssertionError as why:
                failed += 1
                print(f"{kind} {number} of seed {options.seed}: {why}\n{text}", flush=True)
    told = "; ".join(f"{what}: {count}" for what, count in done.items())
    print(f"{options.count} programs, {failed} failed; compared: {told}")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
