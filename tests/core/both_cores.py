"""The same search by both cores, and what has to be the same."""

from __future__ import annotations

from imc.errors import Unsupported
from imc.explorer import Exploration, Limits, explore, explore_exhaustively
from imc.explorer.native import NATIVE, PYTHON
from imc.program.faults import Property
from imc.program.interpreter import Interpreter
from imc.program.program import Program
from imc.program.settings import Settings

STEPS = 800  # of a search, a multiple of those between two looks at the clock
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
