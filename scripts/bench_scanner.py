"""The scanner on real files, under a schedule for so many files, against itself without one.

How files are read cannot be verified: for `imc`, `fread` returns any number, more than was asked
for included. So the example's `scan_file` becomes a file of its own, which is linked with the
program, and the proof assumes of it what it assumes of every function that nobody defines: any
result, nothing else. The number of files and their names are those of the proof.

In the proof scanning takes no time. Of the example as it is, the first schedule gives every file to
the same worker: it is back before main has put the next one. So there are two changed forms of it.
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
from imc.native.build import BuildOptions, build
from imc.native.run import RunOptions
from imc.program.settings import Settings
from imc.report.show import site_text
from imc.symbolic.verify import Until, VerifyOptions

EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "scanner.c"
DEFINITION, NEXT = "/* Reads in chunks", "static void *worker"
HEAD = "static long scan_file(const char *name)"
PATTERN = "an"  # the example's own; the part with scan_file knows no other
PUT = """        for (int i = 2; i < argc; i++)
            put(argv[i]);
"""
PUT_PAIRS = """        for (int i = 2; i < argc; i += 2) {
            put(argv[i]);
            if (i + 1 < argc)
                put(argv[i + 1]);
        }
"""
ADD = """        if (found < 0)
            failed = 1;
        else
            total += found;
"""
FORMS = {
    "as it is": {},
    "files in pairs": {PUT: PUT_PAIRS},
    "and no failures": {PUT: PUT_PAIRS, ADD: "        total += found;\n"},
}


def part(text: str, mark: str) -> tuple[str, str]:
    before, found, after = text.partition(mark)
    if not found:
        raise SystemExit(f"{EXAMPLE.name} is not what it was: no {mark!r}")
    return before, after


def halves(folder: Path, changes: dict[str, str]) -> tuple[Path, Path]:
    """The example without `scan_file`, and `scan_file` with what comes before it."""
    before, rest = part(EXAMPLE.read_text(), DEFINITION)
    body, after = part(rest, NEXT)
    for old, new in changes.items():
        after = new.join(part(after, old))
    program, scan = folder / "scanner.c", folder / "scan.c"
    program.write_text(f"{before}long scan_file(const char *name);\n\n{NEXT}{after}")
    scan.write_text(before + DEFINITION + HEAD.removeprefix("static ").join(part(body, HEAD)))
    return program, scan


def build_form(name: str, folder: Path, arguments: tuple[str, ...]) -> tuple[Path, Path]:
    """The executables without and with the form's first schedule."""
    source, scan = halves(folder, FORMS[name])
    program = imc.api.load(source)
    chosen = VerifyOptions(until=Until.FIRST, time_s=120)
    verification = imc.api.verify(program, Settings(arguments=arguments), chosen)
    result = next((r for r in verification if r.schedule is not None), None)
    if result is None:
        raise SystemExit(f"no schedule: {verification.outcome.reason}")
    compiled = imc.schedule.compile(verification, result, "opt3")
    s = compiled.statistics
    print(f"{name}: {s.sections} sections, {s.gates} gates, {s.waits} waits", flush=True)
    options = BuildOptions(embed=True, link=("-O2", "-w", str(scan)))
    free, constrained = folder / f"{name}, free", folder / f"{name}, schedule"
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
    environment = RunOptions(stats=stats).environment()
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
        pairs = {form: build_form(form, folder, arguments) for form in FORMS}
        times: dict[Path, list[float]] = {e: [] for pair in pairs.values() for e in pair}
        for _ in range(options.turns):
            for executable, own in times.items():
                own.append(seconds(executable, arguments, outputs))
        waits = {form: waiting(pair[1], arguments) for form, pair in pairs.items()}
    if len(outputs) != 1:
        raise SystemExit(f"the counts differ: {outputs}")
    head = f"{'free ms':>9}{'least':>7}{'schedule ms':>13}{'least':>7}{'ratio':>8}{'least':>7}"
    print(f"{'':<18}{head}  waiting")
    for form, (free, constrained) in pairs.items():
        a, b = statistics.median(times[free]), statistics.median(times[constrained])
        c, d = min(times[free]), min(times[constrained])
        figures = f"{1e3 * a:>9.1f}{1e3 * c:>7.1f}{1e3 * b:>13.1f}{1e3 * d:>7.1f}"
        print(f"{form:<18}{figures}{b / a:>8.3f}{d / c:>7.3f}  {waits[form]}")


if __name__ == "__main__":
    main()
