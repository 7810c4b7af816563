"""Recomputes the thesis's table 4.1, its eight successive results, and how time grows with threads.

Every figure is a run of `imc verify` as a user would start it, with clang, in a process of its own.
The thesis's own figures (a 4-core i5 at 3.2 GHz) stand beside them.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"


@dataclass(frozen=True)
class Row:
    """A benchmark, and what the thesis reports for it."""

    name: str
    program: str
    defines: tuple[str, ...]
    first: str
    complete: str


def prodcons(threads: int, slots: int) -> tuple[str, ...]:
    return (f"-DPRODUCERS={threads}", f"-DCONSUMERS={threads}", f"-DSLOTS={slots}")


ROWS = (
    Row("prod.-cons. 1p 1c 1000b", "prodcons", prodcons(1, 1000), "2 m 0 s", "> 72 h"),
    Row("prod.-cons. 2p 2c 1000b", "prodcons", prodcons(2, 1000), "23 m 47 s", "> 72 h"),
    Row("prod.-cons. 4p 4c 1000b", "prodcons", prodcons(4, 1000), "4 h 29 m 53 s", "> 72 h"),
    Row("prod.-cons. 1p 1c 5b", "prodcons", prodcons(1, 5), "2 s", "2 m 28 s"),
    Row("prod.-cons. 2p 2c 5b", "prodcons", prodcons(2, 5), "18 s", "1 m 16 s"),
    Row("prod.-cons. 4p 4c 5b", "prodcons", prodcons(4, 5), "2 m 41 s", "9 m 44 s"),
    Row("double lock", "double_lock", (), "0 s", "0 s"),
    Row("file system", "filesystem", (), "0 s", "0 s"),
    Row("barrier", "barrier", (), "1 s", "4 m 14 s"),
)


def run(program: str, defines: tuple[str, ...], *options: str) -> tuple[float, dict[str, Any]]:
    """Wall-clock seconds of a whole process, and its report."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [sys.executable, "-m", "imc", "verify", str(EXAMPLES / f"{program}.c")]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        start = time.perf_counter()
        done = subprocess.run(
            [*command, *defines, *options, "--json", str(report)],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        elapsed = time.perf_counter() - start
        if not report.exists():
            raise SystemExit(done.stderr)
        document: dict[str, Any] = json.loads(report.read_text())
        return elapsed, document


def table(limit: str) -> None:
    print(f"{'benchmark':<26}{'first':>9}  {'thesis':<15}{'all':>9}  {'thesis':<10}verdict")
    for row in ROWS:
        first, _ = run(row.program, row.defines, "--until", "first", "--time-limit", limit)
        every, report = run(row.program, row.defines, "--time-limit", limit)
        verdict = report["verdict"]
        all_text = f"{every:.2f} s" if verdict == "safe" else "-"
        print(
            f"{row.name:<26}{first:>7.2f} s  {row.first:<15}{all_text:>9}  {row.complete:<10}"
            f"{verdict}",
            flush=True,
        )


def successive(limit: str) -> None:
    """Section 4.5.1: eight results for four producers and four consumers."""
    _, report = run("prodcons", prodcons(4, 1000), "--iterations", "8", "--time-limit", limit)
    for result in report["results"]:
        print(f"{result['index']:>3}  {result['time_s']:>6.2f} s  {result['permits']}")


def growth(limit: str) -> None:
    """Time to the first result against the number of threads."""
    print(f"{'threads':>8}{'first':>10}{'nodes':>8}{'solver':>8}{'ms/node':>9}")
    for n in (1, 2, 4, 8, 16):
        first, report = run(
            "prodcons", prodcons(n, 1000), "--until", "first", "--time-limit", limit
        )
        result = report["results"][0]
        each = 1000 * result["time_s"] / result["nodes"]
        print(
            f"{2 * n:>8}{first:>8.2f} s{result['nodes']:>8}{result['solver_calls']:>8}{each:>9.2f}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--time-limit", default="120", help="seconds for each run")
    parser.add_argument("what", nargs="*", default=["table", "successive", "growth"])
    options = parser.parse_args()
    parts = {"table": table, "successive": successive, "growth": growth}
    for name in options.what:
        if name not in parts:
            parser.error(f"'{name}' is none of {', '.join(parts)}")
        print(f"== {name}")
        parts[name](options.time_limit)


if __name__ == "__main__":
    main()
