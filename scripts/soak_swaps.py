"""Schedules that take each other's place thousands of times under load: is a run ever wrong?

Wrong programs run on Python threads and natively. A thread gives them verified schedules at random
times, beside processes that compute. Each run is recorded, and the record is checked piece by piece
against the schedule of the time; a lost wake-up or a deadlock is a run that does not end.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import imc.api
from imc.execution.live.rehearsal import Rehearsal, Rehearsed, Unexpected
from irs.errors import BadRecord

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
IN_A_RUN = 250
BUSY = "while True: pass"


def soak_swaps(
    name: str, source: str, defines: tuple[str, ...], swaps: int, load: int, seed: int
) -> int:
    """So many swaps of one program, at least, with each back end; the failures."""
    program = imc.api.load(EXAMPLES / f"{source}.c", define=defines)
    rehearsal = Rehearsal(program, IN_A_RUN, seed)
    runs = -(-swaps // IN_A_RUN)
    busy = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(load)]
    failures = 0
    try:
        with tempfile.TemporaryDirectory(prefix="imc-swaps-") as folder:
            for backend in ("Python threads", "native"):
                began, done = time.perf_counter(), list[Rehearsed]()
                for _ in range(runs):
                    try:
                        if backend == "native":
                            done += rehearsal.natively(Path(folder), 1)
                        else:
                            done.append(rehearsal.on_threads(Path(folder) / "trace"))
                    except (Unexpected, BadRecord, subprocess.TimeoutExpired) as problem:
                        failures += 1
                        print(f"{name}, {backend}: {problem}", flush=True)
                swapped, events = sum(r.swaps for r in done), sum(r.events for r in done)
                text = f"{swapped:,} swaps in {len(done)} runs, {events:,} events checked"
                seconds = time.perf_counter() - began
                print(f"{name}, {backend}: {text} in {seconds:.0f} s, {failures} failures")
    finally:
        for process in busy:
            process.kill()
            process.wait()
    return failures
