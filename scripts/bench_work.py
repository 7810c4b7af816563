"""Schedules of programs that compute: private work of so many microseconds in each round.

Producer and consumer call `work`, which is linked with them: half a round's time passes where no
thread sees the other. A schedule must not take the second core away. Ratios are to the program
without a schedule, with the C library's locks and with the best of those and of spinning ones.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path
from statistics import median

import imc.api
from imc.execution.native.build import BuildOptions
from imc.frontend.clang import CompilerOptions, find_compiler
from imc.measurement.bench.bench import UNCONSTRAINED, first_schedule
from imc.measurement.bench.native import BASELINE, NativeVariant, Workshop
from imc.measurement.bench.rounds import useful_sites
from imc.measurement.bench.samples import measure

EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "prodcons.c"
LENGTHS_US = (0.2, 1, 5, 10, 100, 1000)
WORK = """
#include <stdint.h>
#include <time.h>
#include <stdio.h>
__attribute__((noinline)) static void turn(long times) {
    uint64_t x = 1;
    for (long i = 0; i < times; i++) { x ^= x << 13; x ^= x >> 7; x ^= x << 17; __asm__ volatile("" : "+r"(x)); }
}
#ifdef TIMES
void work(void) { turn(TIMES); }
#else
int main(void) {
    struct timespec a, b;
    long best = 1l << 62;
    for (int n = 0; n < 9; n++) {
        clock_gettime(CLOCK_MONOTONIC, &a);
        turn(1000000);
        clock_gettime(CLOCK_MONOTONIC, &b);
        long ns = (b.tv_sec - a.tv_sec) * 1000000000l + b.tv_nsec - a.tv_nsec;
        if (ns < best) best = ns;
    }
    printf("%f\\n", 1e6 / best);
}
#endif
"""  # noqa: E501 (C)


def per_ns(folder: Path) -> float:
    """Iterations in a nanosecond, at their fastest."""
    compiler = find_compiler(CompilerOptions())
    driver = list(compiler.command)
    if compiler.library is not None:
        driver[-1] = "cc"  # zig's own, which finds the C library
    source, program = folder / "work.c", folder / "calibrate"
    source.write_text(WORK)
    subprocess.run([*driver, "-O2", str(source), "-o", str(program)], check=True)
    return float(subprocess.check_output([program]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--strategy", default="round-robin")
    parser.add_argument("--pairs", type=int, default=1, help="producers, and as many consumers")
    options = parser.parse_args()
    n = options.pairs
    defines = ("WORK", f"PRODUCERS={n}", f"CONSUMERS={n}")
    program = imc.api.load(EXAMPLE, define=defines)
    schedule = first_schedule(program, 60, lambda _: None, options.strategy)["opt3"]
    useful = frozenset(useful_sites(schedule))
    print(f"{'work':>8}{'rounds/s':>12}{'of plain':>18}{'of strongest':>14}  strongest")
    with tempfile.TemporaryDirectory(prefix="imc-work-") as name:
        folder = Path(name)
        speed = per_ns(folder)
        built = BuildOptions(embed=True, useful=useful)
        for length in LENGTHS_US:
            times = max(1, round(1000 * length * speed))
            link = ("-O2", f"-DTIMES={times}", str(folder / "work.c"))
            shop = Workshop(program, folder, built, options.seconds, 1, 1)
            variants: list[NativeVariant] = [
                shop.variant(UNCONSTRAINED, None, link),
                shop.variant("adaptive locks", None, (*link, str(BASELINE))),
                shop.variant("spin locks", None, (*link, "-DSPIN", str(BASELINE))),
                shop.variant("schedule", schedule, link),
            ]
            samples, _ = measure(variants, options.turns, lambda _: None)
            rates = {
                v.name: [s.rate for s in own] for v, own in zip(variants, samples, strict=True)
            }
            scheduled = rates.pop("schedule")
            middle = median(scheduled)
            plain = median(rates[UNCONSTRAINED])
            strongest = max(rates, key=lambda name: median(rates[name]))
            spread = f"({min(scheduled) / plain:.2f}-{max(scheduled) / plain:.2f})"
            print(
                f"{length:>5g} us{middle:>12,.0f}{middle / plain:>6.2f} {spread:>11}"
                f"{middle / median(rates[strongest]):>14.2f}  {strongest}",
                flush=True,
            )


if __name__ == "__main__":
    main()
