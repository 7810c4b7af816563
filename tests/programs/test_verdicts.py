"""Verifies every program whose expectations say what an ideal verifier answers."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from imc.cli import cli

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
EXIT_CODES = {"safe": 0, "unsafe": 1, "unknown": 3, "partially-safe": 4}
EXPLORE_ONLY = ("--bound-loops", "--inputs")  # options of the exhaustive engine, with a value


def cases() -> list[Any]:
    found = []
    for file in sorted(HERE.rglob("expect.toml")):
        data = tomllib.loads(file.read_text())
        program = ROOT / data["program"] if "program" in data else file.parent / "prog.c"
        for number, case in enumerate(data["case"]):
            if "verify" in case:
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
    assert len(cases()) > 60


@pytest.mark.parametrize(("program", "case"), cases())
def test_verdict(program: Path, case: dict[str, Any], tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    options = [*case.get("flags", []), *verify_options(case.get("options", []))]
    arguments = ["verify", str(program), *options, "--json", str(report)]
    if case["verify"] == "partially-safe":  # what lies outside need not be looked at to the end
        arguments += ["--time-limit", "20"]
    done = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    found = json.loads(report.read_text())
    assert found["verdict"] == case["verify"], (found["reason"], found["bounds"])
    assert done.exit_code == EXIT_CODES[case["verify"]]
    if case["verify"] != "safe":
        assert found["counterexample"]["reproduced"]
    if "property" in case:
        assert found["counterexample"]["property"] == case["property"]
