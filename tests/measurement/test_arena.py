"""Measurements of real runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from patience import HANG_S

import imc.api
from imc.measurement.tune.arena import Arena, NativeStand, PythonStand, Stand
from imc.measurement.tune.tuner import FINAL_TURNS, Tuner, Wishes
from imc.program.code import Site

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

    tuning = Tuner(program, Wishes(10.0 * HANG_S, most_overhead=0.9999), make, lambda _: None).run()
    assert tuning.endless == (name == "barrier")
    assert tuning.best is not None and tuning.best.rate > 0 and tuning.plain_rate
    assert tuning.strongest is not None and tuning.strongest[1] > 0
    assert tuning.compared == len(tuning.trials) and tuning.turns == FINAL_TURNS
