"""Verifies every program: as its expectations say, or at least without contradicting them."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from patience import HANG_S

from imc.cli import cli

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
EXIT_CODES = {"safe": 0, "unsafe": 1, "unknown": 3, "partially-safe": 4}  # with an error outside
EXPLORE_ONLY = ("--algorithm", "--bound-loops", "--core", "--inputs")  # with a value


def cases(ideal: bool) -> list[Any]:
    """The cases that say what an ideal verifier answers, or the others."""
    found = []
    for file in sorted(HERE.rglob("expect.toml")):
        data = tomllib.loads(file.read_text())
        program = ROOT / data["program"] if "program" in data else file.parent / "prog.c"
        for number, case in enumerate(data["case"]):
            if ("verify" in case) == ideal:
                name = f"{file.parent.parent.name}/{file.parent.name}-{number}"
                found.append(pytest.param(program, case, id=name))
    return found


def verify_options(options: list[str]) -> list[str]:
    """The options of a case that `imc verify` knows too."""
    kept: list[str] = []
    skip = False
    for option in options:
        if not skip and not option.startswith(EXPLORE_ONLY):
            kept.append(option)
        skip = not skip and option in EXPLORE_ONLY
    return kept


def test_there_are_cases() -> None:
    assert len(cases(True)) > 60
    assert len(cases(False)) > 300


def verified(program: Path, case: dict[str, Any], tmp_path: Path, *more: str) -> dict[str, Any]:
    """The JSON that `imc verify` writes, with its exit code."""
    report = tmp_path / "report.json"
    options = [*case.get("flags", []), *verify_options(case.get("options", []))]
    arguments = ["verify", str(program), *options, *more, "--json", str(report)]
    done = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    return {**json.loads(report.read_text()), "exit_code": done.exit_code}


@pytest.mark.parametrize(("program", "case"), cases(True))
def test_verdict(program: Path, case: dict[str, Any], tmp_path: Path) -> None:
    found = verified(program, case, tmp_path, "--time-limit", str(HANG_S))
    assert found["verdict"] == case["verify"], (found["reason"], found["bounds"])
    assert found["exit_code"] == EXIT_CODES[case["verify"]]
    if case["verify"] != "safe":
        assert found["counterexample"]["reproduced"]


@pytest.mark.parametrize(("program", "case"), cases(False))
def test_no_contradiction(program: Path, case: dict[str, Any], tmp_path: Path) -> None:
    """A short look must not prove what is wrong, nor find an error where there is none."""
    found = verified(program, case, tmp_path, "--time-limit", "2")
    if found["verdict"] == "safe" and case["verdict"] == "unsafe":
        assert "no-overflow" in [a["code"] for a in found["assumptions"]]
    if case["verdict"] == "safe":
        assert found["counterexample"] is None or not found["counterexample"]["reproduced"]
