"""Schedules as people read them, compared with texts that are read in review.

`pytest tests/golden --refresh-golden` rewrites the texts.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from imc.cli import cli

DIGEST = re.compile("program [0-9a-f]{16}")  # clang's version is in it
HERE = Path(__file__).parent
ROOT = HERE.parent.parent
CASES = {
    "schedule_figure_4_11": "examples/double_lock_wrong.c --optimise partial",
    "schedule_figure_5_6": "tests/golden/figure_5_6.c --optimise partial",
    "schedule_figure_5_7a": "examples/prodcons.c --optimise opt0",
    "schedule_figure_5_7b": "examples/prodcons.c --optimise opt2",
    "schedule_strict": "examples/double_lock_wrong.c --optimise opt0",
    "schedule_prodcons": "examples/prodcons.c -DSLOTS=1000",
    "schedule_filesystem": "examples/filesystem_assume_useful.c --optimise partial",
    "schedule_branches": "examples/prodcons_unlocked_check.c --optimise opt1",
    "schedule_overlap": "examples/barrier.c",
}


def run(*arguments: str) -> str:
    return CliRunner().invoke(cli, arguments, catch_exceptions=False).stdout


@pytest.mark.parametrize("name", CASES)
def test_schedule(
    name: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    monkeypatch.chdir(ROOT)
    file = tmp_path / "schedule.sched.json"
    run("verify", *CASES[name].split(), "--until", "first", f"--emit-schedule={file}")
    text = DIGEST.sub("program _", run("show", str(file)).replace(str(file), file.name))
    golden = HERE / f"{name}.txt"
    if request.config.getoption("--refresh-golden"):
        golden.write_text(text)
    assert text == golden.read_text()
    assert all(len(line) <= 80 for line in text.splitlines())
