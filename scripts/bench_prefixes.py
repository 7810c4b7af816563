"""Figures 5.3 and 5.4 of the thesis: what trace prefixes of finite programs cost natively.

A program's first trace is cut to fewer and fewer constraints. All variants of a program take turns
and are compared with the same program without gates: once by the time that the program itself takes
from its start to its end, and once by the time of the whole process.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import imc.api
from imc.execution.native.build import BuildOptions, build
from imc.execution.native.process import NativeOptions
from imc.program.words.sites import site_text
from imc.report.curves import Curve, line_chart
from irs.schedule import Schedule

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "tests" / "programs"
FEW = {
    "bigshot": (PROGRAMS / "classic/bigshot/prog.c", ()),
    "dekker": (ROOT / "examples/dekker.c", ()),
    "fibonacci": (PROGRAMS / "classic/fib/prog.c", ("N=20", "BOUND=267914296")),
    "lamport": (PROGRAMS / "classic/lamport_fast/prog.c", ("ROUNDS=1",)),
    "peterson": (ROOT / "examples/peterson.c", ()),
    "shared pointer": (PROGRAMS / "reduction/shared_pointer/prog.c", ("N=10",)),
}
MANY = {
    "indexer (15)": (PROGRAMS / "reduction/indexer/prog.c", ("THREADS=15",)),
    "last zero (16)": (PROGRAMS / "reduction/last_zero/prog.c", ("THREADS=16",)),
}
STEPS = 4
# From before the schedule is loaded until the program ends.
CLOCK = """
#include <stdio.h>
#include <time.h>
static struct timespec began;
__attribute__((constructor(100))) static void begin(void)
{
    clock_gettime(CLOCK_MONOTONIC, &began);
}
__attribute__((destructor(100))) static void end(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    dprintf(1, "%lld", (now.tv_sec - began.tv_sec) * 1000000000LL + now.tv_nsec - began.tv_nsec);
}
"""


@dataclass(slots=True)
class Variant:
    """An executable with a number of constraints (none: without gates), and its times in s."""

    executable: Path
    constraints: int | None
    own: list[float] = field(default_factory=list)
    process: list[float] = field(default_factory=list)

    def sample(self) -> None:
        reading, writing = os.pipe()
        actions = [(os.POSIX_SPAWN_DUP2, writing, 1)]
        environment = NativeOptions().environment()
        began = time.perf_counter()
        child = os.posix_spawn(
            self.executable, [str(self.executable)], environment, file_actions=actions
        )
        _, status = os.waitpid(child, 0)
        self.process.append(time.perf_counter() - began)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            told = pipe.read()
        if status:
            raise SystemExit(f"{self.executable.name} failed: {os.waitstatus_to_exitcode(status)}")
        self.own.append(int(told) / 1e9)


def variants(path: Path, defines: tuple[str, ...], folder: Path) -> list[Variant]:
    """The program without gates first, then the whole trace, then less and less of it."""
    program = imc.api.load(path, define=defines)
    prefixes = imc.api.trace_prefixes(program)
    whole = next(iter(prefixes))
    found: dict[int | None, Schedule | None] = {None: None}
    for step in range(STEPS, -1, -1):
        cut = prefixes.cut(whole.statistics.waits * step // STEPS)
        found[cut.statistics.waits] = cut.schedule
    made = []
    clock = folder / "clock.c"
    clock.write_text(CLOCK)
    options = BuildOptions(embed=True, link=(str(clock),))
    for constraints, schedule in found.items():
        executable = folder / f"with-{constraints}"
        build(program, schedule, executable, site_text, options)
        made.append(Variant(executable, constraints))
    return made


def measure(name: str, path: Path, defines: tuple[str, ...], runs: int) -> Curve:
    """Prints a program's rows of the table."""
    with tempfile.TemporaryDirectory(prefix="imc-bench-") as folder:
        plain, *constrained = variants(path, defines, Path(folder))
        for _ in range(runs):
            for variant in (plain, *constrained):
                variant.sample()
    own, process = statistics.median(plain.own), statistics.median(plain.process)
    print(f"{name:<16}{'none':>11}{1e6 * own:>9.0f}{'':>8}{1e6 * process:>13.0f}")
    points = []
    most = constrained[0].constraints or 1
    for variant in constrained:
        mine, whole = statistics.median(variant.own), statistics.median(variant.process)
        points.append(((variant.constraints or 0) / most, mine / own))
        print(
            f"{'':<16}{variant.constraints:>11}{1e6 * mine:>9.0f}{mine / own:>8.2f}"
            f"{1e6 * whole:>13.0f}{whole / process:>8.2f}",
            flush=True,
        )
    return Curve(name, points)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--only", default="", help="programs whose names contain this")
    parser.add_argument("--svg", type=Path, help="write the figures")
    options = parser.parse_args()
    print(
        f"{'program':<16}{'constraints':>11}{'own us':>9}{'ratio':>8}{'process us':>13}{'ratio':>8}"
    )
    groups = []
    for title, programs in (("two threads", FEW), ("many threads", MANY)):
        lines = [
            measure(name, path, defines, options.runs)
            for name, (path, defines) in programs.items()
            if options.only in name
        ]
        groups.append((f"time relative to the program without gates, {title}", lines))
    if options.svg is not None:
        options.svg.write_text(line_chart([g for g in groups if g[1]], "constraints"))


if __name__ == "__main__":
    main()
