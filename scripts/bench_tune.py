"""Table 5.1 of the thesis with schedules that `imc tune` finds, as threads and as fibers.

Two ratios each: to the C library's mutexes and barriers, and to the strongest of these and of
adaptive and spinning ones. The loops do nothing else: with private work, see bench_work.py.
"""

from __future__ import annotations

import argparse
import gc
import tempfile
from pathlib import Path

from bench_runs import EXAMPLES, ROWS

import imc.api
from imc.cli import RARELY
from imc.errors import UserError
from imc.execution.mode import ThreadMode
from imc.measurement.tune.arena import Arena, NativeStand, PythonStand, Stand
from imc.measurement.tune.tuner import Tuner, Tuning, Wishes
from imc.program.code import Site
from imc.program.program import Program


def tuned(program: Program, mode: ThreadMode, seconds: float, native: bool) -> Tuning:
    with tempfile.TemporaryDirectory(prefix="imc-tune-") as folder:

        def arena(useful: frozenset[Site], endless: bool) -> Arena:
            stand: Stand = (
                NativeStand(program, useful, endless, 1, Path(folder), None)
                if native
                else PythonStand(program, useful, endless, 1)
            )
            return Arena(stand, endless, lambda _: None)

        return Tuner(
            program, Wishes(seconds, mode=mode, native=native), arena, lambda _: None
        ).run()


def row(name: str, mode: ThreadMode, tuning: Tuning) -> str:
    best = tuning.best
    assert best is not None and tuning.strongest is not None
    wait = f"{best.features.longest_wait}"
    if best.longest_wait_s:
        wait += f" / {1e3 * best.longest_wait_s:.2g} ms"
    spread = f"({min(best.ratios):.2f}-{max(best.ratios):.2f})"
    return (
        f"{name:<12}{mode:<8}{tuning.plain_rate:>12,.0f}{best.ratio:>8.2f} {spread:<15}"
        f"{best.rate / tuning.strongest[1]:>6.2f}  {best.candidate.name}, {wait}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--time-limit", type=float, default=60, help="for each row and mode")
    parser.add_argument("--backend", choices=["native", "python"], default="native")
    parser.add_argument("--only", default="", help="rows whose names contain this")
    options = parser.parse_args()
    gc.set_threshold(*RARELY)
    print(f"{'':<20}{'plain/s':>12}{'of plain':>9}{'':<15}{'strong':>6}  schedule, longest wait")
    for name, (example, defines) in ROWS.items():
        if options.only not in name:
            continue
        program = imc.api.load(EXAMPLES / f"{example}.c", define=defines)
        for mode in (ThreadMode.THREADS, ThreadMode.FIBERS):
            try:
                tuning = tuned(program, mode, options.time_limit, options.backend == "native")
                print(row(name, mode, tuning), flush=True)
            except UserError as problem:
                print(f"{name:<12}{mode:<8}{problem}", flush=True)


if __name__ == "__main__":
    main()
