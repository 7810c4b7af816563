"""The scanner on real files, under a schedule for so many files, against itself without one.

How files are read cannot be verified: for `imc`, `fread` returns any number, more than was asked
for included. So the example's `scan_file` becomes a file of its own, which is linked with the
program, and the proof assumes of it what it assumes of every function that nobody defines: any
result, nothing else. The number of files and their names are those of the proof.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import imc.api
import imc.schedule
from imc.execution.native.build import BuildOptions, build
from imc.execution.native.process import NativeOptions
from imc.program.words.sites import site_text

EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "scanner.c"
DEFINITION, NEXT = "/* Reads in chunks", "static void *worker"
HEAD = "static long scan_file(const char *name)"
PATTERN = "an"  # the example's own; the part with scan_file knows no other
# The example sets them from its arguments: a compiler must not take them for constants.
VARIABLES = ("static const char *pattern", "static size_t pattern_length")


def part(text: str, mark: str) -> tuple[str, str]:
    before, found, after = text.partition(mark)
    if not found:
        raise SystemExit(f"{EXAMPLE.name} is not what it was: no {mark!r}")
    return before, after


def global_(text: str, mark: str) -> str:
    return mark.removeprefix("static ").join(part(text, mark))


def halves(folder: Path) -> tuple[Path, Path]:
    """The example without `scan_file`, and `scan_file` with what comes before it."""
    before, rest = part(EXAMPLE.read_text(), DEFINITION)
    body, after = part(rest, NEXT)
    program, scan = folder / "scanner.c", folder / "scan.c"
    program.write_text(f"{before}long scan_file(const char *name);\n\n{NEXT}{after}")
    for variable in VARIABLES:
        before = global_(before, variable)
    scan.write_text(before + DEFINITION + global_(body, HEAD))
    return program, scan


def build_both(folder: Path, arguments: tuple[str, ...]) -> tuple[Path, Path]:
    """The executables without and with the first schedule."""
    source, scan = halves(folder)
    program = imc.api.load(source)
    verification = imc.api.verify(program, until="first", time_limit=120, arguments=arguments)
    result = next((r for r in verification if r.schedule is not None), None)
    if result is None:
        raise SystemExit(f"no schedule: {verification.outcome.reason}")
    compiled = imc.schedule.compile(verification, result, "opt3")
    s = compiled.statistics
    print(f"{s.sections} sections, {s.gates} gates, {s.waits} waits", flush=True)
    options = BuildOptions(embed=True, link=("-O2", "-w", "-falign-functions=64", str(scan)))
    free, constrained = folder / "free", folder / "schedule"
    build(program, None, free, site_text, options)
    build(program, compiled.schedule, constrained, site_text, options)
    return free, constrained


def seconds(executable: Path, arguments: tuple[str, ...], outputs: set[bytes]) -> float:
    began = time.perf_counter()
    outputs.add(subprocess.check_output([executable, *arguments], cwd=executable.parent))
    return time.perf_counter() - began


def waiting(executable: Path, arguments: tuple[str, ...]) -> str:
    """Which share of a run each worker waits for the others."""
    stats = executable.parent / "stats"
    environment = NativeOptions(stats=stats).environment()
    subprocess.check_output([executable, *arguments], cwd=executable.parent, env=environment)
    threads = [json.loads(line) for line in stats.read_text().splitlines()]
    shares = {t["thread"]: t["waited_ns"] / t["run_ns"] for t in threads if t["thread"] != "main"}
    return ", ".join(f"{name} {share:.0%}" for name, share in sorted(shares.items()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=8)
    parser.add_argument("--megabytes", type=int, default=100, help="of all files together")
    parser.add_argument("--turns", type=int, default=51)
    options = parser.parse_args()
    names = [f"file{n}" for n in range(options.files)]
    arguments = (PATTERN, *names)
    words = bytes(random.Random(1).choices(b"an \nbcde", k=1 << 16))
    size = options.megabytes * 1_000_000 // options.files
    outputs: set[bytes] = set()
    with tempfile.TemporaryDirectory(prefix="imc-bench-") as name:
        folder = Path(name)
        for file in names:
            (folder / file).write_bytes((words * (size // len(words) + 1))[:size])
        both = build_both(folder, arguments)
        times: dict[Path, list[float]] = {executable: [] for executable in both}
        for _ in range(options.turns):
            for executable, own in times.items():
                own.append(seconds(executable, arguments, outputs))
        waits = waiting(both[1], arguments)
    if len(outputs) != 1:
        raise SystemExit(f"the counts differ: {outputs}")
    print(f"{'':<10}{'median ms':>10}{'least':>8}{'most':>8}")
    for executable, own in times.items():
        figures = (statistics.median(own), min(own), max(own))
        print(f"{executable.name:<10}{1e3 * figures[0]:>10.1f}", end="")
        print("".join(f"{1e3 * figure:>8.1f}" for figure in figures[1:]))
    free, constrained = times.values()
    print(f"{'ratio':<10}{statistics.median(constrained) / statistics.median(free):>10.3f}", end="")
    print(f"{min(constrained) / min(free):>8.3f}  waiting: {waits}")


if __name__ == "__main__":
    main()
