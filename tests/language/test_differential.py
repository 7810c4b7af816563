"""Single-threaded programs do the same compiled and interpreted: output and exit status."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from patience import HANG_S

import imc.api
from imc.program.faults import Blocked
from imc.program.interpreter import Interpreter
from imc.program.state import State, Status

HERE = Path(__file__).parent
PROGRAMS = sorted(HERE.rglob("*.c"))
COMPILE = [sys.executable, "-m", "ziglang", "cc", "-target", "x86_64-linux-gnu"]
FLAGS = ["-std=gnu11", "-O0", "-w", "-fno-sanitize=all", "-lm"]


def native(source: Path, folder: Path) -> tuple[bytes, int]:
    binary = folder / "program"
    subprocess.run([*COMPILE, str(source), *FLAGS, "-o", str(binary)], check=True, timeout=HANG_S)
    run = subprocess.run(
        [str(binary)], stdin=subprocess.DEVNULL, capture_output=True, timeout=HANG_S
    )
    return run.stdout, run.returncode


def interpreted(source: Path) -> tuple[bytes, int | None]:
    interpreter = Interpreter(imc.api.load(source))
    (outcome,) = interpreter.initial()
    while outcome.fault is None and not outcome.state.ended:
        assert outcome.state.threads[0].status is Status.RUNNING, reason(outcome.state)
        try:
            (outcome,) = interpreter.successors(outcome.state, 0)
        except Blocked as blocked:
            pytest.fail(f"blocked: {blocked.what}")
    assert outcome.fault is None, outcome.fault
    return b"".join(outcome.state.output), outcome.state.exit_code


def reason(state: State) -> str:
    return state.threads[0].reason


def test_the_corpus_is_large() -> None:
    assert len(PROGRAMS) >= 150


@pytest.mark.parametrize("source", PROGRAMS, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_same_behaviour(source: Path, tmp_path: Path) -> None:
    assert interpreted(source) == native(source, tmp_path)
