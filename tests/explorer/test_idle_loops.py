"""Idle iterations that are seen by what they come to: exact counts, and the ends of brute force.

The programs of tests/programs/idle are those that a careless reduction would get wrong.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from explored import STARTED, explored, written
from prefixes import Size
from reduced import waiting_differences

import imc.api
from imc.explorer import Verdict, explore, explore_exhaustively
from imc.explorer.native import CORES
from imc.program.faults import Property
from imc.program.interpreter import Interpreter

PROGRAMS = Path(__file__).parents[1] / "programs"
WORKERS = """void *one(void *a) { %s return a; }
void *two(void *a) { %s return a; }"""
REFRESHED = "int e = x; while (!atomic_compare_exchange_strong(&x, &e, e + 1));"
COUNTS = {
    "a failed exchange refreshes what it expects": (
        "atomic_int x;" + WORKERS % (REFRESHED, REFRESHED), (2, 2), {"restarts"},
    ),
    "it may give up": (
        "atomic_int x;"
        + WORKERS % ("int e = x; while (e < 2 && !atomic_compare_exchange_strong(&x, &e, 2));",
                     "x = 1; x = 0; x = 1;"),
        (6, 2), {"restarts"},
    ),
    "what was seen first is kept": (
        "atomic_int x; int y;"
        + WORKERS % ("int e = x, f = e; while (e != 2) e = x; y = f;", "x = 1; x = 2;"),
        (3, 0), set(),
    ),
    "a load waits for an assumption": (
        "extern void __VERIFIER_assume(int); atomic_int x;"
        + WORKERS % ("int e = x; __VERIFIER_assume(e == 2);", "x = 1; x = 2;"),
        (1, 0), {"assumptions"},
    ),
    "an exchange does not wait for one": (
        "extern void __VERIFIER_assume(int); atomic_int x;"
        + WORKERS % ("int e = atomic_exchange(&x, 7); __VERIFIER_assume(e == 2);", "x = 1; x = 2;"),
        (1, 2), set(),
    ),
    "addresses that are exchanged lie in registers": (
        "int a, *_Atomic p;" + WORKERS % ("while (!p);", "p = &a; p = 0; p = &a;"), (2, 0), set(),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", COUNTS)
def test_counts_of_both_cores(name: str, tmp_path: Path) -> None:
    text, counts, fired = COUNTS[name]
    program = written(tmp_path, text + STARTED)
    figures: Counter[str] = Counter()
    assert waiting_differences(program, Size(), figures) == []
    assert {what for what in ("restarts", "assumptions") if figures[f"with {what}"]} == fired
    for core in CORES:
        result = explore(Interpreter(program), "optimal-await", core=core)
        assert (result.core, result.verdict) == (core, Verdict.SAFE)
        assert (result.complete, result.blocked) == counts


@pytest.mark.parametrize(
    ("name", "define", "counts"),
    [
        ("mcslock", "THREADS=3", (66, 0)),  # published 336+72; 66 if no idle iteration is left
        ("treiber_stack", "PUSHERS=2", (52, 38)),  # published 274+60
        ("qspinlock", "THREADS=3", (510, 180)),  # published 564+456
    ],
)
def test_fewer_than_published_and_all_ends(name: str, define: str, counts: tuple[int, int]) -> None:
    path = PROGRAMS / "reduction" / name / "prog.c"
    program = imc.api.load(path, define=("THREADS=3", define))
    result = explore(Interpreter(program), "optimal-await")
    every = explore_exhaustively(Interpreter(program), core="native")
    assert (result.complete, result.blocked) == counts
    assert (result.verdict, result.final_states) == (every.verdict, every.final_states)


def test_races_are_looked_for_in_all_steps(tmp_path: Path) -> None:
    """What a restart would leave out may race."""
    program = written(tmp_path, "atomic_int x;" + WORKERS % (REFRESHED, REFRESHED) + STARTED)
    assert explored(program, "optimal-await").blocked == 2
    assert explored(program, "optimal-await", Property.RACE).complete == 4


@pytest.mark.parametrize(
    "name", sorted(folder.name for folder in (PROGRAMS / "idle").iterdir() if folder.is_dir())
)
def test_what_a_careless_reduction_would_miss(name: str) -> None:
    program = imc.api.load(PROGRAMS / "idle" / name / "prog.c")
    if name != "polled_for_ever":  # whose executions do not end
        assert waiting_differences(program, Size(3000, 20_000), Counter()) == []
