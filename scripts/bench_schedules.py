"""The first schedule of every example: sections, events, waits, size, and the time to check it."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import imc.api
import imc.schedule
from imc.checker.refusal import Rejected
from imc.schedule.beliefs import Ambiguous
from imc.schedule.optimise import LEVELS
from irs.format import dumps

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
LARGE = ("PRODUCERS=4", "CONSUMERS=4", "SLOTS=1000")  # of the thesis's largest row


def row(path: Path, defines: tuple[str, ...], limit: float) -> str:
    """One line of the table."""
    program = imc.api.load(path, define=defines)
    verification = imc.api.verify(program, until="first", time_limit=limit)
    result = next((r for r in verification if r.schedule is not None), None)
    if result is None:
        return verification.outcome.reason
    columns = []
    try:
        for level in LEVELS:
            began = time.perf_counter()
            compiled = imc.schedule.compile(verification, result, level)
            elapsed = time.perf_counter() - began
            s = compiled.statistics
            columns.append(f"{s.gates:>5}{s.waits:>5}")
    except Ambiguous as problem:
        return str(problem)
    size = len(dumps(compiled.schedule).encode())
    try:
        accepted = imc.api.check(program, compiled.schedule)
        verdict = f"{accepted.time_s:>7.2f} s{accepted.questions:>6}"
    except Rejected as problem:
        verdict = f"  rejected: {problem}"
    figures = f"{s.nodes:>5}{s.sections:>5}{s.events:>6} {''.join(columns)}"
    return f"{figures}{size / 1000:>7.1f}{1000 * elapsed:>5.0f}{verdict}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--time-limit", type=float, default=20, help="seconds to verify one")
    options = parser.parse_args()
    levels = "".join(f"{level:>10}" for level in LEVELS)
    print(f"{'gates and waits of':<41}{levels}{'(opt3)':>12}")
    gates = f"{'gate':>5}{'wait':>5}" * len(LEVELS)
    print(
        f"{'example':<24}{'nodes':>5}{'sect':>5}{'event':>6} {gates}{'kB':>7}{'ms':>5}"
        f"{'check':>9}{'cvc5':>6}"
    )
    for path in sorted(EXAMPLES.glob("*.c")):
        print(f"{path.stem:<24}{row(path, (), options.time_limit)}", flush=True)
    path = EXAMPLES / "prodcons.c"
    print(f"{'prodcons 4p 4c 1000':<24}{row(path, LARGE, options.time_limit)}")


if __name__ == "__main__":
    main()
