"""Limits, bounds and repeatability of the exhaustive engine."""

from __future__ import annotations

from pathlib import Path

import pytest

import imc.api
from imc.explorer import Limits, Verdict, explore_exhaustively
from imc.program.faults import Property
from imc.program.interpreter import Interpreter

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


@pytest.fixture
def spin(tmp_path: Path) -> Path:
    source = tmp_path / "spin.c"
    source.write_text(
        "#include <pthread.h>\n#include <stdatomic.h>\natomic_int go;\n"
        "void *f(void *a) { while (!go) ; return 0; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); go = 1;\n"
        "  pthread_join(t, 0); return 0; }\n"
    )
    return source


def test_endless_executions_are_cut_and_counted(spin: Path) -> None:
    result = imc.api.explore(spin, count=True)
    assert (result.verdict, result.endless) == (Verdict.SAFE, 1)


def test_a_loop_bound_is_never_safe(spin: Path) -> None:
    result = imc.api.explore(spin, bound_loops=2, count=True)
    assert result.verdict is Verdict.UNKNOWN
    assert result.bounds == ["loop bound 2 at line 4"]
    assert result.blocked


@pytest.mark.parametrize("stateful", [True, False])
def test_limits_are_named(stateful: bool) -> None:
    limits = Limits(states=10) if stateful else Limits(executions=3)
    interpreter = Interpreter(imc.api.load(EXAMPLES / "peterson.c"))
    result = explore_exhaustively(interpreter, stateful, limits)
    assert result.verdict is Verdict.UNKNOWN
    assert result.bounds == [
        f"stopped after {10 if stateful else 3} {'states' if stateful else 'executions'}"
    ]


def test_the_time_limit_strikes_inside_a_step(tmp_path: Path) -> None:
    source = tmp_path / "long.c"
    source.write_text("int main(void) { volatile long n = 0; while (n >= 0) n++; return 0; }\n")
    result = imc.api.explore(source, time_limit=0.3)
    assert result.verdict is Verdict.UNKNOWN
    assert result.bounds == ["stopped after 0.3 s"]


def test_an_endless_local_loop_is_noticed(tmp_path: Path) -> None:
    source = tmp_path / "idle.c"
    source.write_text("int main(void) { for (;;) ; }\n")
    result = imc.api.explore(source, count=True)
    assert (result.verdict, result.blocked) == (Verdict.UNSAFE, 1)
    assert result.fault is not None and result.fault.kind is Property.LIVELOCK


def test_exploring_twice_gives_the_same(tmp_path: Path) -> None:
    program = imc.api.load(EXAMPLES / "cond_queue.c")
    first, second = (imc.api.explore(program) for _ in range(2))
    assert (first.states, first.events) == (second.states, second.events)


def test_thread_order_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """The counts are those of the program, not of the order in which threads are tried."""
    program = imc.api.load(EXAMPLES / "double_lock.c", define=["ROUNDS=1"])
    forward = imc.api.explore(program, count=True)
    moves = Interpreter.moves

    def backward(self: Interpreter, state: object) -> object:
        found = moves(self, state)  # type: ignore[arg-type]
        found.outcomes.reverse()
        return found

    monkeypatch.setattr(Interpreter, "moves", backward)
    result = imc.api.explore(program, count=True)
    for figure in ("complete", "blocked", "traces", "final_states", "events"):
        assert getattr(result, figure) == getattr(forward, figure), figure
