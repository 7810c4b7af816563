"""Measurements of real runs."""

from __future__ import annotations

from pathlib import Path

import pytest

import imc.api
from imc.program.code import Site
from imc.tune.arena import Arena, NativeStand, PythonStand, Stand
from imc.tune.tuner import Tuner, Wishes

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("backend", ["native", "python"])
@pytest.mark.parametrize("name", ["barrier", "bank_race"])
def test_rates_are_measured(backend: str, name: str, tmp_path: Path) -> None:
    program = imc.api.load(EXAMPLES / f"{name}.c")

    def make(useful: frozenset[Site], endless: bool) -> Arena:
        stand: Stand = (
            NativeStand(program, useful, endless, 1, tmp_path, None)
            if backend == "native"
            else PythonStand(program, useful, endless, 1)
        )
        return Arena(stand, endless, lambda _: None)

    tuning = Tuner(program, Wishes(60, most_overhead=0.9999), make, lambda _: None).run()
    assert tuning.endless == (name == "barrier")
    assert tuning.best is not None and tuning.best.rate > 0 and tuning.plain_rate > 0
    assert tuning.strongest[1] >= 1
