"""Programs that are verified while they run as executables."""

from __future__ import annotations

from pathlib import Path

import pytest
from natively import EXAMPLES, program_of

from imc.execution.live.rehearsal import Rehearsal


@pytest.mark.parametrize(
    ("name", "defines", "swaps"),
    [
        ("prodcons_unlocked_check", (), 50),
        ("double_lock_wrong", (), 50),
        ("prodcons", ("PRODUCERS=2", "CONSUMERS=2"), 20),
    ],
)
def test_swaps_at_random_times(
    name: str, defines: tuple[str, ...], swaps: int, folder: Path
) -> None:
    """The records of both back ends are checked piece by piece; wrong programs do not fail.

    scripts/soak_swaps.py makes thousands of swaps.
    """
    rehearsal = Rehearsal(program_of(EXAMPLES / f"{name}.c", defines), swaps, seed=1, iterations=6)
    found = [rehearsal.on_threads(folder / "trace"), *rehearsal.natively(folder, 1)]
    assert [run.swaps for run in found] == [swaps] * 2
    assert all(run.events > 0 for run in found)
