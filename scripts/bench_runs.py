"""Table 5.1 of the thesis on this machine: rounds per second under schedules from `imc verify`.

Each cell has two ratios: to the C library's mutexes and barriers, and to the strongest of these and
of adaptive and spinning ones. The loops do nothing else, so this is the worst case for enforcement.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import imc.api
from imc.measurement.bench.bench import AS_FIBERS, Bench, first_schedule
from imc.measurement.bench.samples import SampleSummary
from imc.schedule.optimise import LEVELS

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
ROWS = {
    **{
        f"{n}p{n}c {slots}": ("prodcons", (f"PRODUCERS={n}", f"CONSUMERS={n}", f"SLOTS={slots}"))
        for slots in (1000, 5)
        for n in (1, 2, 4)
    },
    "double lock": ("double_lock", ()),
    "file system": ("filesystem", ()),
    "barrier": ("barrier", ()),
}


COLUMNS = (*LEVELS, AS_FIBERS)


def cells(summaries: list[SampleSummary]) -> str:
    found = {s.name: s for s in summaries}
    plain = summaries[0].rate
    strongest = max(s.rate for s in summaries if s.name not in COLUMNS)
    ratios = (
        f"{found[name].rate / plain:>8.3g} {found[name].rate / strongest:>5.3g}"
        for name in COLUMNS
        if name in found
    )
    return f"{plain:>12,.0f}{strongest:>12,.0f}" + "".join(ratios)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--backend", choices=["native", "python"], default="native")
    parser.add_argument("--only", default="", help="rows whose names contain this")
    options = parser.parse_args()
    columns = "".join(f"{name:>14}" for name in COLUMNS)
    print(f"{'rounds per second':<14}{'plain':>10}{'strongest':>12}{columns}")
    for name, (example, defines) in ROWS.items():
        if options.only not in name:
            continue
        path = EXAMPLES / f"{example}.c"
        program = imc.api.load(path, define=defines)
        schedules = first_schedule(program, 60, lambda _: None)
        one = Bench(program, schedules, options.turns, options.seconds, 1, 1, lambda _: None)
        summaries = one.native() if options.backend == "native" else one.python()
        print(f"{name:<14}{cells(summaries)}", flush=True)


if __name__ == "__main__":
    main()
