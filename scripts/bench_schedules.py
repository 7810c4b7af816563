"""The first schedule of every example: sections, events, waits, size, and the time to check it."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import imc.api
from imc.frontend import FrontendOptions
from imc.frontend.clang import CompilerOptions
from imc.schedule.beliefs import Ambiguous
from imc.schedule.checker import Rejected
from imc.symbolic.verify import Until, VerifyOptions
from irs.format import dumps

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
LARGE = ("PRODUCERS=4", "CONSUMERS=4", "SLOTS=1000")  # of the thesis's largest row


def row(path: Path, defines: tuple[str, ...], limit: float) -> str:
    """One line of the table."""
    program = imc.api.load(path, FrontendOptions(CompilerOptions(define=defines)))
    verification = imc.api.verify(program, None, VerifyOptions(until=Until.FIRST, time_s=limit))
    result = next((r for r in verification if r.schedule is not None), None)
    if result is None:
        return verification.outcome.reason
    waits = []
    try:
        for level in ("opt0", "opt1"):
            began = time.perf_counter()
            compiled = imc.api.compile_schedule(verification, result, level)
            elapsed = time.perf_counter() - began
            waits.append(compiled.statistics.waits)
    except Ambiguous as problem:
        return str(problem)
    s = compiled.statistics
    size = len(dumps(compiled.schedule).encode())
    try:
        accepted = imc.api.check(program, compiled.schedule)
        verdict = f"{accepted.time_s:>8.2f} s{accepted.questions:>7}"
    except Rejected as problem:
        verdict = f"  rejected: {problem}"
    return (
        f"{s.nodes:>6}{s.sections:>5}{s.events:>7}{waits[0]:>6}{s.dependences:>6}{waits[1]:>6}"
        f"{size / 1000:>8.1f}{1000 * elapsed:>8.0f}{verdict}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--time-limit", type=float, default=20, help="seconds to verify one")
    options = parser.parse_args()
    print(
        f"{'example':<26}{'nodes':>6}{'sect':>5}{'events':>7}{'opt0':>6}{'deps':>6}{'opt1':>6}"
        f"{'kB':>8}{'ms':>8}{'check':>10}{'cvc5':>7}"
    )
    for path in sorted(EXAMPLES.glob("*.c")):
        print(f"{path.stem:<26}{row(path, (), options.time_limit)}", flush=True)
    path = EXAMPLES / "prodcons.c"
    print(f"{'prodcons 4p 4c 1000':<26}{row(path, LARGE, options.time_limit)}")


if __name__ == "__main__":
    main()
