"""Estimates of how many executions there will be, where the number is known."""

from __future__ import annotations

from pathlib import Path

import pytest
from explored import HEAD, STARTED

import imc.api
from imc.explorer import Exploration, Limits, explore
from imc.explorer.levels import Level, expected_executions
from imc.explorer.native import NATIVE, PYTHON
from imc.explorer.wakeup import WakeupBranch
from imc.program.events import Event
from imc.program.interpreter import Interpreter
from imc.report.progress import _so_far

REDUCTION = Path(__file__).parent.parent / "programs" / "reduction"


def level(done: int, executions: int, branches: int) -> Level:
    event = Event(0, 0, "main", 0, "store", ())
    return Level({}, [WakeupBranch(event) for _ in range(branches)], True, done, executions)


def test_branches_to_come_are_like_their_siblings() -> None:
    leaf = level(0, 0, 0)
    assert expected_executions([leaf]) == 1
    assert expected_executions([level(0, 0, 3), leaf]) == 3
    assert expected_executions([level(1, 5, 2), leaf]) == 5 + 1 + 3
    assert expected_executions([level(0, 0, 2), level(1, 5, 2), leaf]) == 18


def test_what_has_been_explored_counts_as_it_is() -> None:
    above, below = level(1, 7, 1), level(2, 4, 1)
    above.leave(below)
    assert (above.done, above.executions, above.branches) == (2, 11, [])
    assert expected_executions([above]) == 1  # all is done: only where it is stands for itself


@pytest.mark.parametrize(
    ("name", "defines", "count"),
    [
        ("readers_writers", ("THREADS=10",), 512),
        ("indexer", ("THREADS=14",), 512),
        ("last_zero", ("THREADS=8", "UPWARDS"), 512),
        ("branching", ("THREADS=6",), 1010),
        ("ring", ("THREADS=9",), 510),
    ],
)
def test_the_estimate_is_near_before_half_is_done(
    name: str, defines: tuple[str, ...], count: int
) -> None:
    estimates: dict[int, int] = {}

    def note(so_far: Exploration) -> None:
        if so_far.expected is not None:
            estimates[so_far.complete or 0] = so_far.expected

    program = imc.api.load(REDUCTION / name / "prog.c", define=defines)
    result = explore(Interpreter(program), "optimal", progress=note, core=PYTHON)
    assert result.complete == count
    early = [expected for done, expected in estimates.items() if done <= count // 2]
    assert any(count / 3 <= expected <= 3 * count for expected in early)


def test_all_starts_count(tmp_path: Path) -> None:
    """Inputs before the first event: each is a search of its own."""
    path = tmp_path / "program.c"
    text = """extern _Bool __VERIFIER_nondet_bool(void);
    int x[8];
    void *one(void *a) { for (int i = 0; i < 8; i++) x[i] = 1; return a; }
    void *two(void *a) { for (int i = 0; i < 8; i++) x[i] = 2; return a; }"""
    path.write_text(
        HEAD + text + STARTED.replace("pthread_t", "__VERIFIER_nondet_bool(); pthread_t")
    )
    estimates = []
    explore(
        Interpreter(imc.api.load(path)),
        "optimal",
        limits=Limits(executions=200),
        progress=lambda so_far: estimates.append(so_far.expected),
        core=PYTHON,
    )
    assert any(expected is not None and expected >= 256 for expected in estimates)


def test_the_native_core_estimates_as_well() -> None:
    program = imc.api.load(REDUCTION / "readers_writers" / "prog.c", define=("THREADS=10",))
    result = explore(Interpreter(program), "optimal", limits=Limits(executions=100))
    assert result.core == NATIVE and result.expected is not None
    assert 512 / 3 <= result.expected <= 512 * 3


def test_the_progress_line_tells_both() -> None:
    so_far = Exploration("optimal", stateful=False, complete=3, blocked=1, events=99)
    assert _so_far(so_far) == "4 executions, 99 events"
    so_far.expected, so_far.rest_s = 40, 12.3
    assert _so_far(so_far) == "4 of about 40 executions, 12 s to go"
