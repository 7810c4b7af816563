"""Programs that are verified while they run as executables."""

from __future__ import annotations

from pathlib import Path

import pytest
from natively import EXAMPLES, program_of

from imc.live.rehearsal import Rehearsal

SWAPS = 150


@pytest.mark.parametrize(
    ("name", "defines"),
    [
        ("prodcons_unlocked_check", ()),
        ("double_lock_wrong", ()),
        ("prodcons", ("PRODUCERS=2", "CONSUMERS=2")),
    ],
)
def test_swaps_at_random_times(name: str, defines: tuple[str, ...], folder: Path) -> None:
    """The records of both back ends are checked piece by piece; wrong programs do not fail."""
    rehearsal = Rehearsal(program_of(EXAMPLES / f"{name}.c", defines), SWAPS, seed=1)
    found = [rehearsal.on_threads(folder / "trace"), *rehearsal.natively(folder, 2)]
    assert [run.swaps for run in found] == [SWAPS] * 3
    assert all(run.events > 0 for run in found)
