"""Everything here needs a compiler that can link; without one there is nothing to test."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from imc.errors import UserError


@pytest.fixture(scope="session", autouse=True)
def linker(tmp_path_factory: pytest.TempPathFactory) -> None:
    from natively import EXAMPLES, native

    if os.uname().machine != "x86_64" or os.uname().sysname != "Linux":
        pytest.skip("programs are built for Linux on x86-64")
    try:
        native(EXAMPLES / "lost_update.c", tmp_path_factory.mktemp("linker"), "")
    except UserError as why:
        if " link " in str(why):
            pytest.skip(f"no program can be linked here: {why}")
        raise


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "built"
    made.mkdir()
    return made
