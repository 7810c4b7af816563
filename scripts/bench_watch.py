"""What the tripwire costs: events per second with it and without, on the same explorations.

Both take turns in one process, so that a busy machine slows down both. The watch can only be left
out here: analyses always have it.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

from imc.api import load
from imc.explorer import explore_exhaustively
from imc.program.interpreter import Interpreter
from imc.program.program import Program
from imc.program.watch import Watch

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = {
    "peterson": "examples/peterson.c",
    "cond_queue": "examples/cond_queue.c",
    "treiber_stack": "examples/treiber_stack.c",
    "work in private memory": "tests/programs/regress/sorted_under_a_lock/prog.c",
}


class Blind(Watch):
    """Sees nothing."""

    def seen(self, number: int, thread: int, writes: bool) -> bool:
        return False

    def unseen(self, number: int, thread: int, writes: bool, loc: object) -> bool:
        return False


def rate(program: Program, watch: Watch) -> float:
    interpreter = Interpreter(program)
    interpreter.image.watch = watch
    began = time.perf_counter()
    result = explore_exhaustively(interpreter)
    return result.events / (time.perf_counter() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=7)
    turns = parser.parse_args().turns
    print(f"{'program':24} {'events/s':>10} {'without':>10} {'ratio':>6}")
    for name, path in PROGRAMS.items():
        program = load(ROOT / path)
        rates: tuple[list[float], list[float]] = ([], [])
        for _ in range(turns):
            for found, watch in zip(rates, (Watch(), Blind()), strict=True):
                found.append(rate(program, watch))
        watched, blind = map(statistics.median, rates)
        print(f"{name:24} {watched:10.0f} {blind:10.0f} {watched / blind:6.2f}", flush=True)


if __name__ == "__main__":
    main()
