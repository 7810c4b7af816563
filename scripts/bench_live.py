"""Live runs: when does a program do its first useful work, and how fast as it is permitted more?

For each program and back end, one run of `imc run --live`: when it began to run, stores per second
under the first schedule and at the end, what was swapped in, and when gates were dropped.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
PROGRAMS: dict[str, tuple[str, tuple[str, ...]]] = {
    "prodcons": ("prodcons.c", ()),
    "4p4c": ("prodcons.c", ("-DPRODUCERS=4", "-DCONSUMERS=4")),
    "unlocked check": ("prodcons_unlocked_check.c", ()),
    "scanner": ("scanner.c", ()),
}
END_S = 1.0  # of a run, that counts as its end


def measured(source: str, defines: tuple[str, ...], backend: str, seconds: float, svg: Path) -> str:
    """The line of one run."""
    with tempfile.TemporaryDirectory(prefix="imc-live-") as folder:
        document = Path(folder) / "run.json"
        command = [sys.executable, "-m", "imc", "run", str(EXAMPLES / source), *defines, "--live"]
        command += ["--backend", backend, "--time-limit", str(seconds), "--chart", str(svg)]
        subprocess.run([*command, "--json", str(document)], capture_output=True, check=True)
        found = json.loads(document.read_text())
    permitted, rates = found["permitted"], found["stores_per_s"]
    changed = permitted[1]["time_s"] if len(permitted) > 1 else float("inf")
    first = [rate for t, rate in rates if t <= changed]
    last = [rate for t, rate in rates if t > rates[-1][0] - END_S] if rates else []
    dropped = [f"{p['time_s']:.2f} s" for p in permitted if p["schedule"] is None]
    return (
        f"{permitted[0]['time_s']:>6.2f} s {_rate(first):>12} {_rate(last):>12} "
        f"{sum(p['schedule'] is not None for p in permitted) - 1:>6}  {''.join(dropped) or '-'}"
    )


def _rate(rates: list[float]) -> str:
    return f"{median(rates):,.0f}" if rates else "-"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=8, help="of each run, at most")
    parser.add_argument("--charts", type=Path, default=Path(), help="folder for the SVG files")
    options = parser.parse_args()
    print("program          backend   starts  schedule 1       at end  swaps  gates dropped")
    for name, (source, defines) in PROGRAMS.items():
        for backend in ("python", "native"):
            svg = options.charts / f"live-{name.replace(' ', '-')}-{backend}.svg"
            line = measured(source, defines, backend, options.seconds, svg)
            print(f"{name:<16} {backend:<7} {line}", flush=True)


if __name__ == "__main__":
    main()
