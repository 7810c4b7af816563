"""What the model performs for the core: every engine comes to the same, and the core does it."""

from __future__ import annotations

from pathlib import Path

import pytest
from both_cores import PLAIN, SEARCHES, same, searched

from imc.explorer.native import NATIVE, PYTHON
from imc.frontend.load import load_program
from imc.program.verdict import Verdict

PROGRAMS = Path(__file__).resolve().parents[1] / "programs"
PERFORMED = (
    "rwlocks/readers_together",
    "once/exactly_once",
    "regress/timedlock_deadline_race",
    "counting/output",
    "memory/memset",
    "threads/specific",
    "regress/byval_locked",
    "regress/handlers_while_exiting",
    "cancellation/join",
)


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("name", PERFORMED)
def test_the_core_does_it_alike(name: str, search: str) -> None:
    assert same(load_program([PROGRAMS / name / "prog.c"]), PLAIN, search)


def test_an_error_that_rests_on_an_invention_is_left_to_python() -> None:
    program = load_program([PROGRAMS / "regress" / "external_decides" / "prog.c"])
    result = searched(program, PLAIN, "states", NATIVE)
    assert (result.core, result.verdict) == (PYTHON, Verdict.UNKNOWN)
