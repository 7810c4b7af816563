"""States in which threads may go round for ever: the core leaves none of them out."""

from __future__ import annotations

import random
from pathlib import Path

from test_livelocks_at_random import program as looping_program

from imc.explorer import explore_exhaustively
from imc.explorer.native import NATIVE
from imc.frontend.cache import NO_CACHE
from imc.frontend.load import load_program
from imc.program.faults import Property
from imc.program.interpreter import Interpreter
from imc.program.settings import Settings

PROGRAMS = 60
ONLY_LIVELOCKS = Settings(
    properties=frozenset({Property.LIVELOCK, Property.LOCK, Property.UNINITIALISED})
)


def endless(text: str, rng: random.Random) -> str:
    """The same with some loops that nothing leads out of."""
    parts = text.split("while (")
    return parts[0] + "".join(
        f"while (1 || {part}" if rng.random() < 0.4 else f"while ({part}" for part in parts[1:]
    )


def test_the_core_and_python_find_the_same_livelocks(tmp_path: Path) -> None:
    native = hanging = 0
    for seed in range(PROGRAMS):
        rng = random.Random(seed)
        path = tmp_path / f"program{seed}.c"
        path.write_text(endless(looping_program(seed + 1000), rng))
        program = load_program([path], cache=NO_CACHE)
        usual = explore_exhaustively(Interpreter(program, ONLY_LIVELOCKS))
        found = explore_exhaustively(Interpreter(program, ONLY_LIVELOCKS), core=NATIVE)
        assert (found.verdict, found.states) == (usual.verdict, usual.states), path.read_text()
        native += found.core == NATIVE
        hanging += usual.fault is not None
    assert native > PROGRAMS / 10 and hanging > PROGRAMS / 10
