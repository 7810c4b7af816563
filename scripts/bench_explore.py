"""Tables of the papers on partial order reduction, computed on this machine.

--paper thesis: tables 3.1 to 3.3 of Metzler's dissertation (executions, checks, time); --paper
godot: tables I and II of Awaiting for Godot (Jonsson, Lång, Sagonas), complete+blocked executions
without idle iterations, with awaits, and with additions that commute; --paper speed: executions and
states per second, in Python and in the native core. The published figures stand beside ours. The
programs are our own, written after descriptions: only where the same program is meant can the
counts be the same.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

import imc.api
from imc.explorer import Exploration, Limits, Reduction, explore
from imc.explorer.native import NATIVE, PYTHON
from imc.program.interpreter import Interpreter
from imc.program.program import Program
from imc.program.settings import Settings

PROGRAMS = Path(__file__).resolve().parent.parent / "tests" / "programs" / "reduction"
THESIS_ALGORITHMS = ("source", "epor", "epor-sh", "epor+", "optimal")


@dataclass(frozen=True, slots=True)
class Row:
    program: str
    size: int
    published: tuple[str, ...] = ()  # one for all columns, or one for each
    defines: tuple[str, ...] = ()  # what the program is told besides its size
    parameter: str = "THREADS"

    @property
    def name(self) -> str:
        return f"{self.program.replace('_', ' ')}({self.size})"

    def load(self) -> Program:
        defines = (*self.defines, f"{self.parameter}={self.size}")
        return imc.api.load(PROGRAMS / self.program / "prog.c", define=defines)

    def run(
        self,
        algorithm: str,
        reduction: Reduction,
        adds: bool,
        seconds: float,
        core: str = NATIVE,
    ) -> Exploration:
        interpreter = Interpreter(self.load(), Settings(independent_adds=adds))
        return explore(interpreter, algorithm, reduction, Limits(time_s=seconds), core=core)


def rows(program: str, counts: dict[int, int], *defines: str, name: str = "THREADS") -> list[Row]:
    return [Row(program, n, (str(count),), defines, name) for n, count in counts.items()]


def operations(harness: int) -> tuple[str, ...]:
    """How many operations each thread of safestack performs: 21 is two threads, with 2 and 1."""
    digits = str(harness).ljust(3, "0")
    return tuple(f"OPS{n}={digit}" for n, digit in enumerate(digits, 1))


THESIS = [
    *rows("readers_writers", {n: 2 ** (n - 1) for n in (9, 12, 14)}),
    *rows("indexer", {11: 1, 12: 8, 13: 64, 14: 512, 15: 4096}),
    *rows("last_zero", {n: n * 2 ** (n - 2) for n in (2, 4, 6, 8, 10)}, "UPWARDS"),
    *rows("shared_pointer", {n: 2 * n + 1 for n in (10, 50)}, name="N"),
    *rows("ring", {n: 2**n - 2 for n in (5, 8, 11, 14)}),
    *rows("branching", {2: 11, 3: 28, 4: 103, 5: 311, 6: 1010, 7: 3165}),
    *rows("ring_extended", {2: 6, 3: 90, 4: 786, 5: 5730}),
]
GODOT = [
    Row("qspinlock", 2, ("6+2", "6+2", "6+2")),
    Row("qspinlock", 3, ("564+462", "564+456", "564+456")),
    Row("mcslock", 3, ("336+426", "336+72", "336+72")),
    Row("twalock", 3, ("96+90", "96+0", "96+0")),
    Row("twalock", 4, ("6144+7224", "6144+0", "6144+0")),
    Row("mutex_musl", 2, ("20+2", "20+0", "20+0")),
    Row("mutex", 2, ("12+2", "12+0", "10+0")),
    Row("mutex", 3, ("6582+1188", "6582+336", "3618+312")),
    Row("ms_queue", 3, ("901+374", "901+374", "901+374")),
    Row("linuxrwlocks", 3, ("38033+31993", "38033+0", "3840+0")),
    Row("ttaslock", 3, ("36+81", "36+0", "36+0")),
    Row("ttaslock", 4, ("576+2308", "576+0", "576+0")),
    Row("seqlock", 3, ("9+83", "9+36", "9+36")),
    Row("seqlock", 4, ("88+2769", "88+729", "88+729")),
    Row("mpmc_queue", 3, ("166+840", "166+517", "76+421")),
    Row("treiber_stack", 3, ("274+80", "274+60", "274+60"), ("PUSHERS=2",)),
    Row("ticketlock", 4),
    Row("sortnet", 4, ("1+312", "1+0", "1+0")),
    Row("sortnet", 5, ("1+4517", "1+0", "1+0")),
    Row("sortnet", 6, ("1+38285", "1+0", "1+0")),
    *(
        Row("safestack", harness, published, operations(harness), "HARNESS")
        for harness, published in (
            (21, ("34+2", "34+1", "19+1")),
            (31, ("103+27", "103+25", "56+25")),
            (32, ("1073+27", "1073+12", "463+12")),
            (33, ("6434+1636", "6434+1584", "2600+1160")),
            (211, ("2690+1126", "2690+928", "962+686")),
            (311, ("0+26536", "0+24078", "0+14960")),
        )
    ),
]
SPEED = [
    Row("readers_writers", 14, ("Nidhugg 3400, GenMC 27000",)),
    Row("indexer", 15, ("Nidhugg 650, GenMC 1100",)),
    Row("last_zero", 13, ("Nidhugg 2200, GenMC 5700",)),
    Row("reads_lock", 8, ("Nidhugg 6300, GenMC 7900",)),
    Row("mcslock", 3),
    Row("treiber_stack", 3),
    Row("ms_queue", 3),
    Row("sortnet", 6),
    *(Row("safestack", n, (), operations(n), "HARNESS") for n in (31, 32, 33)),
    Row("../classic/fib", 5, (), ("BOUND=144",), "N"),
]
STATES = [
    Row("../classic/philosophers", 7, (), ("ORDERED",), "SEATS"),
    Row("../classic/philosophers", 8, (), ("ORDERED", "ROUNDS=1"), "SEATS"),
    Row("readers_writers", 14),
    Row("../classic/fib", 8, (), ("BOUND=6765",), "N"),
]


def thesis(seconds: float, only: str) -> None:
    print(
        f"{'program':<20}{'algorithm':<10}{'traces':>8}{'published':>10}{'cut':>7}"
        f"{'dep. checks':>12}{'race checks':>12}{'unsat':>8}{'s':>8}"
    )
    for row in THESIS:
        if only not in row.name:
            continue
        for algorithm in THESIS_ALGORITHMS:
            r = row.run(algorithm, Reduction(), False, seconds)
            total = "-" if r.bounds else str((r.complete or 0) + (r.blocked or 0))
            print(
                f"{row.name:<20}{algorithm:<10}{total:>8}{row.published[0]:>10}{r.redundant:>7}"
                f"{r.dependency_checks:>12}{r.race_checks:>12}{r.unsatisfiable:>8}{r.time_s:>8.2f}",
                flush=True,
            )


def godot(seconds: float, only: str) -> None:
    columns = (
        ("pure", Reduction(awaits=False), False),
        ("and await", Reduction(), False),
        ("and additions", Reduction(), True),
    )
    heads = "".join(f"{name:>14}{'published':>12}{'s':>7}" for name, _, _ in columns)
    print(f"{'program':<18}{heads}")
    for row in GODOT:
        if only not in row.name:
            continue
        line = f"{row.name:<18}"
        for n, (_, reduction, adds) in enumerate(columns):
            r = row.run("optimal-await", reduction, adds, seconds)
            count = f"{r.complete}+{r.blocked}" + "…" * bool(r.bounds)
            published = row.published[n] if row.published else ""
            line += f"{count:>14}{published:>12}{r.time_s:>7.2f}"
        print(line, flush=True)


def speed(seconds: float, only: str) -> None:
    """Both cores in one run; the clock of a search runs from the loaded program on."""
    print(
        f"{'program':<18}{'of':<11}{'number':>9}{'python s':>10}{'a second':>10}"
        f"{'native s':>10}{'a second':>10}{'ratio':>7}  peers on two cores, a second"
    )
    for row, algorithm, of in (
        *((row, "optimal-await", "executions") for row in SPEED),
        *((row, "exhaustive", "states") for row in STATES),
    ):
        if only not in row.name:
            continue
        line = ""
        rates = []
        for core in (PYTHON, NATIVE):
            began = time.perf_counter()
            r = row.run(algorithm, Reduction(), False, seconds, core)
            took = time.perf_counter() - began
            total = r.states if of == "states" else (r.complete or 0) + (r.blocked or 0)
            rates.append((total or 0) / took)
            mark = "…" * bool(r.bounds) + "?" * (r.core != core)
            line += f"{took:>9.2f}{mark:<1}{rates[-1]:>10.0f}"
        name = row.name.removeprefix("../classic/")
        peers = "".join(row.published)
        ratio = rates[1] / max(rates[0], 0.001)
        print(f"{name:<18}{of:<11}{total:>9}{line}{ratio:>7.0f}  {peers}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--paper", choices=["thesis", "godot", "speed"], default="thesis")
    parser.add_argument("--time-limit", type=float, default=60, help="seconds for one cell")
    parser.add_argument("--only", default="", help="programs whose names contain this")
    options = parser.parse_args()
    tables = {"thesis": thesis, "godot": godot, "speed": speed}
    tables[options.paper](options.time_limit, options.only)


if __name__ == "__main__":
    main()
