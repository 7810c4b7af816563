"""Searches of both cores come to the same, on programs of all kinds."""

from __future__ import annotations

from pathlib import Path

import pytest
from random_sources import collected, random_source

from imc.errors import Unsupported
from imc.explorer import Exploration, Limits, explore, explore_exhaustively
from imc.explorer.native import NATIVE, PYTHON
from imc.frontend import FrontendOptions
from imc.frontend.cache import NO_CACHE
from imc.frontend.clang import CompilerOptions
from imc.frontend.load import load_program
from imc.program.faults import Property
from imc.program.interpreter import Interpreter
from imc.program.program import Program
from imc.program.settings import Settings

STEPS = 1600  # of a search, a multiple of those between two looks at the clock
RANDOM = 20  # programs of each kind
PLAIN = Settings()
QUIET = Settings(properties=frozenset([Property.UNINITIALISED]))
ADDING = Settings(independent_adds=True)
SEARCHES = ("states", "count", "source", "optimal", "optimal-await")
FIGURES = (
    "verdict", "complete", "blocked", "endless", "traces", "states", "duplicates", "redundant",
    "race_checks", "dependency_checks", "final_states", "events", "fault", "bounds", "reproduced",
)  # fmt: skip


def searched(program: Program, settings: Settings, search: str, core: str) -> Exploration:
    interpreter, limits = Interpreter(program, settings), Limits(steps=STEPS)
    if search in ("states", "count"):
        return explore_exhaustively(interpreter, search == "states", limits, None, core)
    return explore(interpreter, search, limits=limits, core=core)


def figures(result: Exploration) -> dict[str, object]:
    found = {name: getattr(result, name) for name in FIGURES}
    return {**found, "trace": [e.identity for e in result.trace]}


def same(program: Program, settings: Settings, search: str) -> bool:
    """Whether the native core has done it; then the figures are the same."""
    try:
        native = searched(program, settings, search, NATIVE)
    except Unsupported:  # by the model, which was asked to do it
        return False
    if native.core == PYTHON:
        return False
    python = searched(program, settings, search, PYTHON)
    assert python.core == PYTHON
    if any("stopped" in bound for bound in (*native.bounds, *python.bounds)):
        return False
    assert figures(native) == figures(python)
    return True


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize(("path", "defines"), collected())
def test_program(path: Path, defines: tuple[str, ...], search: str) -> None:
    program = load_program([path], FrontendOptions(CompilerOptions(define=defines)))
    same(program, ADDING if search == "optimal-await" else PLAIN, search)


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("kind", ["simple", "rich", "spinning", "features"])
def test_random_programs(kind: str, search: str, tmp_path: Path) -> None:
    compared = 0
    for number in range(RANDOM):
        path = tmp_path / f"program{number}.c"
        path.write_text(random_source(kind, number, 23))
        program = load_program([path], cache=NO_CACHE)
        for settings in (PLAIN, QUIET, ADDING):
            compared += same(program, settings, search)
    assert compared > RANDOM / 2
