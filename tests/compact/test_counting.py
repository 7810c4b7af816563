"""Counting on the compact form gives the figures of the model, or leaves it to the model."""

from __future__ import annotations

from pathlib import Path

import pytest
from crosscheck.source import to_c as source_to_c
from spinning import spinning_program
from tiny.generator import Profile, random_program
from tiny.printer import to_c

from imc.explorer import Exploration, Limits, explore_exhaustively
from imc.explorer.counting import count_executions
from imc.explorer.exhaustive import ExhaustiveSearch
from imc.explorer.result import Clock
from imc.frontend.cache import NO_CACHE
from imc.frontend.load import load_program
from imc.program.faults import Property
from imc.program.interpreter import Interpreter
from imc.program.program import Program
from imc.program.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
FIGURES = (
    "verdict", "complete", "blocked", "endless", "traces", "final_states", "events", "bounds",
    "fault", "reproduced",
)  # fmt: skip
STEPS = 600
QUIET = Settings(properties=frozenset([Property.UNINITIALISED]))


def clock() -> Clock:
    found = Clock(Limits(), None)
    found.allow_steps(STEPS)
    return found


def figures(result: Exploration) -> list[object]:
    return [*(getattr(result, name) for name in FIGURES), [e.identity for e in result.trace]]


def same_as_model(program: Program, settings: Settings) -> bool:
    """Whether the compact form has counted; then the figures are the same."""
    counted = count_executions(Interpreter(program, settings), clock())
    if counted is None:
        return False
    assert counted.form == "compact"
    model = ExhaustiveSearch(Interpreter(program, settings), False, clock()).run()
    assert figures(counted) == figures(model)
    return True


@pytest.mark.parametrize(
    "name",
    ["peterson", "dekker", "bank_race", "double_lock", "double_lock_wrong", "prodcons", "barrier",
     "cond_queue", "lost_update", "filesystem", "treiber_stack"],
)  # fmt: skip
def test_examples(name: str) -> None:
    program = load_program([ROOT / "examples" / f"{name}.c"])
    same_as_model(program, Settings())
    same_as_model(program, QUIET)


@pytest.mark.parametrize("kind", ["simple", "rich", "spinning"])
def test_random_programs_count_alike(kind: str, tmp_path: Path) -> None:
    counted = 0
    for number in range(12):
        path = tmp_path / f"program{number}.c"
        spins = kind == "spinning"
        source = (
            source_to_c(spinning_program(7, number))
            if spins
            else to_c(random_program(Profile(kind), 7, number))
        )
        path.write_text(source)
        program = load_program([path], cache=NO_CACHE)
        counted += same_as_model(program, QUIET)
        same_as_model(program, Settings())
    assert counted > 6


def test_which_form_ran_is_told(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text("int f(int n) { return n ? f(n - 1) : 0; }\nint main(void) { return f(20); }\n")
    program = load_program([path], cache=NO_CACHE)
    result = explore_exhaustively(Interpreter(program), stateful=False)
    assert (result.form, result.complete) == ("model", 1)
    path.write_text(source_to_c(spinning_program(7, 0)))
    program = load_program([path], cache=NO_CACHE)
    assert explore_exhaustively(Interpreter(program), stateful=False).form == "compact"
    assert explore_exhaustively(Interpreter(program), stateful=True).form == "model"
