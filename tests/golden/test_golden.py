"""What people read: counterexamples and `imc show`, compared with texts that are read in review.

`pytest tests/golden --refresh-golden` rewrites the texts.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from imc.cli import cli

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
SECONDS = re.compile(r"\d+\.\d+ s")
CASES = {
    "lost_update": "explore examples/lost_update.c",
    "deadlock": "explore examples/double_lock_wrong.c",
    "underflow": "explore examples/prodcons_off_by_one.c",
    "unlocked_check": "explore examples/prodcons_unlocked_check.c",
    "race": "explore examples/bank_race.c --check race",
    "condition": "explore tests/programs/conditions/lost_wakeup/prog.c",
    "atomic_sections": "explore tests/golden/atomic.c",
    "inputs": "explore tests/golden/inputs.c",
    "many_threads": "explore examples/lost_update.c -DTHREADS=5 --no-check deadlock",
    "memory_error": "explore tests/golden/heap.c",
    "count": "explore examples/double_lock.c -DROUNDS=1 --count",
    "show_prodcons": "show examples/prodcons.c",
    "show_treiber": "show examples/treiber_stack.c",
    "show_scanner": "show examples/scanner.c",
}


@pytest.mark.parametrize("name", CASES)
def test_text(name: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    monkeypatch.chdir(ROOT)
    printed = CliRunner().invoke(cli, CASES[name].split(), catch_exceptions=False).stdout
    text = SECONDS.sub("_ s", printed)
    golden = HERE / f"{name}.txt"
    if request.config.getoption("--refresh-golden"):
        golden.write_text(text)
    assert text == golden.read_text()
    assert all(len(line) <= 100 for line in text.splitlines())
