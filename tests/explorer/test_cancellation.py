"""Programs that cancel threads: all engines agree about them, and with compiled programs."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from cancelling import program
from patience import HANG_S
from prefixes import Size, TooLarge
from reduced import differences, waiting_differences

import imc.api
from imc.program.interpreter import Interpreter
from imc.program.keys import StateKeys

FAMILY = Path(__file__).parent.parent / "programs" / "cancellation"
COMPILE = [sys.executable, "-m", "ziglang", "cc", "-target", "x86_64-linux-gnu"]
FLAGS = ["-std=gnu11", "-O0", "-w", "-fno-sanitize=all", "-pthread"]
RUNS = 10
# Programs whose executions go on for ever: their verdicts are compared elsewhere.
ENDLESS = {"c11", "condition_timed", "descriptor", "testcancel_loop"}


def cases() -> list[Any]:
    found = []
    for file in sorted(FAMILY.rglob("expect.toml")):
        for number, case in enumerate(tomllib.loads(file.read_text())["case"]):
            name = file.parent.name
            found.append(pytest.param(name, case, id=f"{name}-{number}"))
    return found


def loaded(name: str, case: dict[str, Any]) -> imc.api.Program:
    define = tuple(flag.removeprefix("-D") for flag in case.get("flags", ()))
    return imc.api.load(FAMILY / name / "prog.c", define=define)


@pytest.mark.parametrize(("name", "case"), [c for c in cases() if c.values[0] not in ENDLESS])
def test_engines_agree(name: str, case: dict[str, Any]) -> None:
    checked = loaded(name, case)
    try:
        assert differences(checked, Size(), Counter(), seeds=2) == []
    except TooLarge:
        assert waiting_differences(checked, Size(), Counter()) == []


@pytest.mark.parametrize("seed", range(24))
def test_engines_agree_at_random(seed: int, tmp_path: Path) -> None:
    source = tmp_path / "prog.c"
    source.write_text(program(seed))
    try:
        assert differences(imc.api.load(source), Size(), Counter(), seeds=2) == []
    except TooLarge:
        pytest.skip("too many executions")


def compiled(source: Path, folder: Path, *flags: str) -> Path:
    binary = folder / "program"
    command = [*COMPILE, str(source), *FLAGS, *flags, "-o", str(binary)]
    subprocess.run(command, check=True, timeout=HANG_S)
    return binary


def status(binary: Path) -> int:
    run = subprocess.run([str(binary)], stdout=subprocess.DEVNULL, timeout=HANG_S)
    return run.returncode


@pytest.mark.parametrize(
    ("name", "case"), [c for c in cases() if c.values[1].get("verify") == "safe"]
)
def test_what_is_safe_is_so_when_compiled(name: str, case: dict[str, Any], tmp_path: Path) -> None:
    binary = compiled(FAMILY / name / "prog.c", tmp_path, *case.get("flags", ()))
    assert {status(binary) for _ in range(RUNS)} == {0}


@pytest.mark.parametrize("seed", [2, 3, 5, 7, 12, 48])
def test_compiled_programs_end_as_predicted(seed: int, tmp_path: Path) -> None:
    source = tmp_path / "prog.c"
    source.write_text(program(seed))
    predicted = ends(imc.api.load(source))
    if None in predicted:
        pytest.skip("it may hang")
    binary = compiled(source, tmp_path, "-DDELAYS")
    assert {status(binary) for _ in range(RUNS)} <= predicted


def ends(checked: imc.api.Program) -> set[int | None]:
    """The exit statuses of all executions; None for those that do not end."""
    interpreter = Interpreter(checked)
    keys, seen, found = StateKeys(interpreter.image), set(), set[int | None]()
    work = interpreter.initial()
    while work:
        outcome = work.pop()
        assert outcome.fault is None, outcome.fault
        if outcome.state.exit_code is not None:
            found.add(outcome.state.exit_code)
            continue
        key = keys.key(outcome.state)
        if key not in seen:
            seen.add(key)
            after = interpreter.moves(outcome.state).outcomes
            if not after:
                found.add(None)
            work += after
    return found
