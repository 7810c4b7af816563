"""Compare the model with the real machine on many small random threaded C programs.

Programs are compiled without optimisation and stepped through instruction by instruction, in random
interleavings; every outcome has to be among those that the model predicts over all interleavings of
its events. Needs Linux on x86-64, and imc installed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from multiprocessing import Pool
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "machine"))

from native_semantics.compare import Options, Report, check_generated, compare
from native_semantics.generator import FEATURES
from native_semantics.stepper import TARGETS, build_stepper, why_not

# In which order bytes are copied, and whether one is read twice, is up to compilers and C libraries
# where nothing orders the accesses: a limit that is documented.
UNORDERED = ("int128", "moving", "strings")
MODEL_S = 20.0  # a program that the model takes longer for is left out
Task = tuple[int, int, tuple[str, ...]] | Path


def main() -> int:
    arguments = _parser().parse_args()
    reason = why_not()
    if reason:
        print(f"programs cannot be stepped through here: {reason}")
        return 2
    with tempfile.TemporaryDirectory(prefix="imc-native-") as folder:
        options = Options(
            build_stepper(Path(folder), arguments.library),
            runs=arguments.runs,
            states=arguments.states,
            model_s=MODEL_S,
            ordered=not arguments.unordered,
            all_visible=arguments.all_visible,
            shrink_s=arguments.shrink,
        )
        return _run(arguments, options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "files", nargs="*", type=Path, metavar="FILE", help="programs instead of random ones"
    )
    parser.add_argument("--programs", type=int, default=100, help="how many (default 100)")
    parser.add_argument("--first", type=int, default=0, help="number of the first program")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--runs", type=int, default=60, help="of each program (default 60)")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(
        "--feature",
        action="append",
        choices=sorted(FEATURES),
        metavar="NAME",
        help="that all programs use, and may be given again; without it all take turns",
    )
    parser.add_argument(
        "--without",
        action="append",
        default=[],
        metavar="NAME",
        help=f"a feature that none uses; {', '.join(UNORDERED)} only where they are asked for",
    )
    parser.add_argument(
        "--all-visible",
        action="store_true",
        help="also compare with a model in which every access is an event, and the engines",
    )
    parser.add_argument(
        "--states", type=int, default=20_000, help="skip larger programs (default 20000)"
    )
    parser.add_argument("--library", choices=sorted(TARGETS), default="musl")
    parser.add_argument(
        "--unordered", action="store_true", help="let the compiler copy structs in its own order"
    )
    parser.add_argument(
        "--shrink", type=float, default=0, help="seconds to make one smaller (default 0)"
    )
    parser.add_argument("--keep", type=Path, help="folder for programs that are not explained")
    return parser


def _tasks(arguments: argparse.Namespace) -> Iterator[Task]:
    """Every feature in turns, alone or with another one."""
    if arguments.files:
        yield from arguments.files
        return
    names = tuple(arguments.feature or ())
    each = [name for name in sorted(FEATURES) if name not in (*arguments.without, *UNORDERED)]
    for number in range(arguments.first, arguments.first + arguments.programs):
        if names:
            yield arguments.seed, number, names
            continue
        name, other = each[number % len(each)], each[number * 7 // len(each) % len(each)]
        both = (name, other) if number // len(each) % 2 and name != other else (name,)
        yield arguments.seed, number, both


def _check(task: Task, options: Options) -> Report:
    if isinstance(task, Path):
        return compare(task.stem, task.read_text(), options)
    return check_generated(*task, options)


def _run(arguments: argparse.Namespace, options: Options) -> int:
    total: Counter[str] = Counter()
    notes: Counter[str] = Counter()
    found: list[Report] = []
    started = time.monotonic()
    with Pool(arguments.jobs, maxtasksperchild=50) as pool:
        for report in pool.imap(partial(_check, options=options), _tasks(arguments)):
            total["generated"] += 1
            total += report.figures
            notes.update(report.notes)
            if report.unexplained:
                found.append(report)
                _tell(report, arguments.keep)
            if sys.stderr.isatty() or total["generated"] % 50 == 0:
                _progress(total, len(found), time.monotonic() - started)
    _summarise(total, notes, found)
    return 1 if found else 0


def _progress(total: Counter[str], found: int, seconds: float) -> None:
    text = (
        f"{total['generated']} programs, {total['runs']} runs, {found} unexplained, {seconds:.0f} s"
    )
    print(text, end="\r" if sys.stderr.isatty() else "\n", file=sys.stderr, flush=True)


def _tell(report: Report, keep: Path | None) -> None:
    print(f"==== {report.name}")
    for line in report.unexplained[:5]:
        print(f"  {line}", flush=True)
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        comment = "".join(f"// {line}\n" for line in report.unexplained)
        (keep / f"{report.name}.c").write_text(comment + report.text)


def _summarise(total: Counter[str], notes: Counter[str], found: list[Report]) -> None:
    print(f"{total['generated']} programs generated, {total['programs']} compared")
    for what, count in sorted(total.items()):
        if what not in ("generated", "programs"):
            print(f"{count:10} {what}")
    if total["outcomes predicted"]:
        share = total["predicted outcomes seen"] / total["outcomes predicted"]
        print(f"{share:10.0%} of the outcomes predicted were seen")
    for what, count in notes.most_common():
        print(f"{count:10} {what}")
    print(f"{len(found)} programs with outcomes that are not explained")
    for report in found:
        print(f"  {report.name}: {report.unexplained[0]}")


if __name__ == "__main__":
    sys.exit(main())
