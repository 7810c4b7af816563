"""What exploration has to show: times, executions and states per second, and the papers' tables.

Without --paper, all that follows but the tables of the papers. start: whole processes; speed:
executions and states per second and bytes per state, in Python and in the native core, beside what
peers do; reach: rows of the papers that Python does not come to the end of; epor: why sections save
no time. thesis: tables 3.1 to 3.3 of Metzler's dissertation (executions, checks, time); godot:
tables I and II of Awaiting for Godot (Jonsson, Lång, Sagonas), complete+blocked executions without
idle iterations, with awaits, and with additions that commute. Published figures stand beside ours;
a cell that its time was too short for has three dots, one that Python had to do a question mark.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

from explore_rows import GODOT, REACH, ROOT, SECTIONS, SPEED, START, STATES, THESIS
from imc.explorer import Exploration, Reduction
from imc.explorer.native import NATIVE, PYTHON

THESIS_ALGORITHMS = ("source", "epor", "epor-sh", "epor+", "optimal")
KINDS = {  # what optimal-await leaves out, and whether additions commute
    "pure": (Reduction(awaits=False), False),
    "await": (Reduction(), False),
    "adds": (Reduction(), True),
}
TURNS = 5  # of what is short, the fastest of which counts


def counts(r: Exploration) -> str:
    return f"{r.complete}+{r.blocked}" + "…" * bool(r.bounds)


def thesis(seconds: float, only: str) -> None:
    """In Python, all of them, and in seconds of the processor: they are compared to each other."""
    print(
        f"{'program':<20}{'algorithm':<10}{'traces':>8}{'published':>10}{'cut':>7}"
        f"{'dep. checks':>12}{'race checks':>12}{'unsat':>8}{'s':>8}"
    )
    for row in THESIS:
        if only not in row.name:
            continue
        for algorithm in THESIS_ALGORITHMS:
            began = time.process_time()
            r = row.run(algorithm, Reduction(), False, seconds, PYTHON)
            took = time.process_time() - began
            total = "-" if r.bounds else str((r.complete or 0) + (r.blocked or 0))
            print(
                f"{row.name:<20}{algorithm:<10}{total:>8}{row.published[0]:>10}{r.redundant:>7}"
                f"{r.dependency_checks:>12}{r.race_checks:>12}{r.unsatisfiable:>8}{took:>8.2f}",
                flush=True,
            )


def godot(seconds: float, only: str) -> None:
    heads = "".join(f"{name:>14}{'published':>12}{'s':>7}" for name in KINDS)
    print(f"{'program':<18}{heads}")
    for row in GODOT:
        if only not in row.name:
            continue
        line = f"{row.name:<18}"
        for n, (reduction, adds) in enumerate(KINDS.values()):
            r = row.run("optimal-await", reduction, adds, seconds)
            published = row.published[n] if row.published else ""
            line += f"{counts(r):>14}{published:>12}{r.time_s:>7.2f}"
        print(line, flush=True)


def start(seconds: float, only: str) -> None:
    """Whole processes, with clang's IR and Python's own bytecode in their caches."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    print(f"{'program':<22}{'whole process s':>16}{'processor s':>13}{'aim':>6}")
    for row, aim in START:
        if only not in row.name:
            continue
        defines = [f"-D{macro}" for macro in row.macros]
        command = [sys.executable, "-m", "imc", "explore", str(row.source), *defines]
        best = used = seconds
        for _ in range(TURNS + 1):
            before, began = os.times(), time.perf_counter()
            subprocess.run(
                command, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL
            )
            best = min(best, time.perf_counter() - began)
            after = os.times()
            child = after.children_user + after.children_system
            used = min(used, child - before.children_user - before.children_system)
        print(f"{row.name:<22}{best:>16.2f}{used:>13.2f}{aim:>6.1f}", flush=True)


def speed(seconds: float, only: str) -> None:
    """Both cores in one run; the clock of a search runs from the loaded program on."""
    print(
        f"{'program':<22}{'of':<11}{'number':>9}{'python s':>10}{'a second':>10}"
        f"{'native s':>10}{'a second':>10}{'ratio':>7}{'bytes':>7}  peers on two cores, a second"
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
        bytes_each = (
            f"{r.core_bytes / total:.0f}" if of == "states" and r.core_bytes and total else ""
        )
        peers = "".join(row.published)
        ratio = rates[1] / max(rates[0], 0.001)
        print(
            f"{row.name:<22}{of:<11}{total:>9}{line}{ratio:>7.0f}{bytes_each:>7}  {peers}",
            flush=True,
        )


def reach(seconds: float, only: str) -> None:
    """Nobody asks for livelocks here: the tools of the papers do not."""
    print(f"{'program':<22}{'kind':<7}{'native':>18}{'s':>9}{'a second':>10}  published")
    for row, kind in REACH:
        if only not in row.name:
            continue
        reduction, adds = KINDS[kind]
        r = row.run("optimal-await", reduction, adds, seconds, livelocks=False)
        total = (r.complete or 0) + (r.blocked or 0)
        found = f"{counts(r)} {r.verdict}" if r.fault else counts(r)
        mark = "?" * (r.core != NATIVE)
        print(
            f"{row.name:<22}{kind:<7}{found + mark:>18}{r.time_s:>9.2f}"
            f"{total / max(r.time_s, 0.001):>10.0f}  {row.published[0]}",
            flush=True,
        )


# ------------------------------------------------------------------------------------- Eager POR

# Whose work a file of the explorer does, as far as the three parts of the comparison go.
PARTS = {
    "epor.py": "sections", "sites.py": "sections", "reversals.py": "races", "cells.py": "races",
    "dependence.py": "races", "execution.py": "races",
}  # fmt: skip


def shares(call: Callable[[], object]) -> tuple[dict[str, float], int]:
    """Of the time in our files, what goes into what; and how often a thread's step was run."""
    profile = cProfile.Profile()
    profile.runcall(call)
    spent: Counter[str] = Counter()
    steps = 0
    for (file, _, name), (_, count, own, _, _) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
        path = Path(file)
        if path.parent.name == "explorer":
            spent[PARTS.get(path.name, "search")] += own
            steps += count if (path.name, name) == ("semantics.py", "successors") else 0
        else:
            spent["steps"] += own  # of the program
    total = sum(spent.values())
    return {part: own / total for part, own in spent.items()}, steps


def epor(seconds: float, only: str) -> None:
    """What sections save, in Python: checks for dependence; and what that is a share of."""
    print(
        f"{'program':<22}{'algorithm':<9}{'s':>7}{'traces':>8}{'steps run':>11}{'dep. checks':>13}"
        f"{'published':>11}{'steps':>7}{'races':>7}{'sections':>10}"
    )
    for row, source, sections, saved in SECTIONS:
        if only not in row.name:
            continue
        for algorithm, published in (("source", source), ("epor", sections)):
            took = seconds
            for _ in range(TURNS):
                began = time.process_time()
                r = row.run(algorithm, Reduction(), False, seconds, PYTHON)
                took = min(took, time.process_time() - began)
            again = partial(row.run, algorithm, Reduction(), False, seconds, PYTHON)
            part, steps = shares(again)
            told = "".join(
                f"{100 * part.get(p, 0):>{w}.0f} %"
                for p, w in (("steps", 5), ("races", 5), ("sections", 8))
            )
            print(
                f"{row.name:<22}{algorithm:<9}{took:>7.2f}{r.complete:>8}{steps:>11}"
                f"{r.dependency_checks:>13}{published:>11}{told}",
                flush=True,
            )
        print(f"{'':<22}the thesis's EPOR saves {saved}")


def main() -> None:
    tables = {
        "start": start, "speed": speed, "reach": reach, "epor": epor, "thesis": thesis,
        "godot": godot,
    }  # fmt: skip
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--paper", "--table", dest="table", choices=[*tables], help="one table")
    parser.add_argument("--time-limit", type=float, default=60, help="seconds for one cell")
    parser.add_argument("--only", default="", help="programs whose names contain this")
    options = parser.parse_args()
    for name in [options.table] if options.table else ("start", "speed", "reach", "epor"):
        print(f"# {name}", flush=True)
        tables[name](options.time_limit, options.only)


if __name__ == "__main__":
    main()
