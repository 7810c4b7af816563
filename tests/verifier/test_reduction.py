"""The reductions of the complete tree lose no ending of a program, and a hole would be noticed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from crosscheck.features import FeatureGenerator
from crosscheck.source import Line, Source
from crosscheck.terminal import Task, differences
from patience import HANG_S

from imc.verifier.tree.movers import Discipline


def compare(source: Source, folder: Path, figures: Counter[str]) -> list[str]:
    task = Task(seed=1, number=0, features=(), time_s=HANG_S, states=1500, shrink_s=0)
    return differences(source, folder / "program.c", task, figures)


def program(number: int) -> Source:
    return FeatureGenerator(1, number).source()


def test_no_ending_is_lost(tmp_path: Path) -> None:
    figures: Counter[str] = Counter()
    for number in range(25):
        assert compare(program(number), tmp_path, figures) == [], f"program {number}"
    assert figures["compared"] >= 20


def test_a_hole_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Discipline, "observe", lambda *args: [])
    found = (compare(program(number), tmp_path, Counter()) for number in range(40))
    assert any(lines and lines[0].startswith("missing endings") for lines in found)


def test_threads_that_are_met_in_another_order(tmp_path: Path) -> None:
    """The tree lets main go on first, so that the last two threads change their numbers."""
    declarations = (
        "static int g0;",
        "static pthread_t h[3];",
        "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;",
        "static void *thread2(void *);",
    )
    create = [Line(f"pthread_create(&h[{n}], 0, thread{n}, 0);") for n in range(3)]
    write, lock = Line("g0 = 1;"), Line("pthread_mutex_lock(&m);")
    threads = ((create[2],), (write, lock, lock), ())
    main = (create[0], write, create[1])
    source = Source(declarations, threads, main, "exit", (), spawns=False)
    figures: Counter[str] = Counter()
    assert compare(source, tmp_path, figures) == []
    assert figures["endings"] == 1
