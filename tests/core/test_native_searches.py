"""Searches of both cores come to the same, on programs of all kinds."""

from __future__ import annotations

from pathlib import Path

import pytest
from both_cores import ADDING, PLAIN, QUIET, SEARCHES, same
from random_sources import collected, random_source

from imc.frontend import FrontendOptions
from imc.frontend.cache import NO_CACHE
from imc.frontend.clang import CompilerOptions
from imc.frontend.load import load_program

RANDOM = 12  # programs of each kind; scripts/crosscheck_core.py does more


def in_turn() -> list[object]:
    """The programs of the collection, each with one of the searches; random ones get them all."""
    return [
        pytest.param(*program.values, SEARCHES[n % len(SEARCHES)], id=program.id)
        for n, program in enumerate(collected())
    ]


@pytest.mark.parametrize(("path", "defines", "search"), in_turn())
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
