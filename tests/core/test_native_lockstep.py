"""The native machine does what the Python machine does, on programs of all kinds."""

from __future__ import annotations

from pathlib import Path

import pytest
from native_lockstep import Walked, walk_both
from random_sources import LENIENT, PLAIN, collected, random_source

from imc.frontend import FrontendOptions
from imc.frontend.cache import NO_CACHE
from imc.frontend.clang import CompilerOptions
from imc.frontend.load import load_program
from imc.program.interpreter import Interpreter

STEPS = 25  # of a walk
RANDOM = 15  # programs of each kind


@pytest.mark.parametrize(("path", "defines"), collected())
def test_program(path: Path, defines: tuple[str, ...]) -> None:
    program = load_program([path], FrontendOptions(CompilerOptions(define=defines)))
    for settings in (PLAIN, LENIENT):
        walk_both(Interpreter(program, settings), 1, STEPS)


@pytest.mark.parametrize("kind", ["simple", "rich", "spinning", "features"])
def test_random_programs(kind: str, tmp_path: Path) -> None:
    total, refused = Walked(), 0
    for number in range(RANDOM):
        path = tmp_path / f"program{number}.c"
        path.write_text(random_source(kind, number))
        program = load_program([path], cache=NO_CACHE)
        for settings in (PLAIN, LENIENT):
            found = walk_both(Interpreter(program, settings), 2, STEPS)
            if isinstance(found, str):
                refused += 1
            else:
                total.steps += found.steps
                total.blocked += found.blocked
    assert refused < RANDOM, "half of them are to be compared"
    assert total.steps > 10 * RANDOM and total.blocked
