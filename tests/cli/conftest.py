"""Where imc runs: a folder for each test, and the surroundings of an ordinary user."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from cli_runs import Imc

import imc as package

_LEFT_OUT = ("IMC_", "PYTHON", "XDG_", "COLUMNS", "LINES")


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of every run; runs share their caches, to be fast."""
    folder = tmp_path_factory.mktemp("home")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(_LEFT_OUT)}
    if sys.dont_write_bytecode:  # otherwise every run would compile imc anew
        kept["PYTHONPYCACHEPREFIX"] = str(folder / "pycache")
    return {
        **kept,
        "HOME": str(folder),
        "IMC_CACHE_DIR": str(folder / "cache"),
        "PYTHONPATH": str(Path(package.__file__).parents[1]),
    }


@pytest.fixture
def imc(tmp_path: Path, environment: dict[str, str]) -> Imc:
    return Imc(tmp_path, environment)
