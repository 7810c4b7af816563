"""Runs every program under tests/programs against the expectations that lie beside it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from imc.cli import cli

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
EXIT_CODES = {"safe": 0, "unsafe": 1, "unknown": 3}
COUNTS = ("complete", "blocked", "endless", "traces", "final_states")


@dataclass(frozen=True)
class Case:
    program: Path
    expected: dict[str, Any]

    def explore(self, tmp_path: Path, *more: str) -> dict[str, Any]:
        """The JSON that `imc explore` writes, with its exit code."""
        import json

        report = tmp_path / "report.json"
        options = [*self.expected.get("flags", []), *self.expected.get("options", []), *more]
        arguments = ["explore", str(self.program), "--json", str(report), *options]
        done = CliRunner().invoke(cli, arguments, catch_exceptions=False)
        assert report.exists(), done.output
        return {**json.loads(report.read_text()), "exit_code": done.exit_code}


def cases() -> list[Any]:
    found = []
    for file in sorted(HERE.rglob("expect.toml")):
        data = tomllib.loads(file.read_text())
        program = ROOT / data["program"] if "program" in data else file.parent / "prog.c"
        for number, case in enumerate(data["case"]):
            name = f"{file.parent.parent.name}/{file.parent.name}-{number}"
            found.append(pytest.param(Case(program, case), id=name))
    return found


@pytest.mark.parametrize("case", cases())
def test_verdict(case: Case, tmp_path: Path) -> None:
    expected = case.expected
    report = case.explore(tmp_path)
    assert report["verdict"] == expected["verdict"], report
    assert report["exit_code"] == EXIT_CODES[expected["verdict"]]
    found = report["counterexample"]
    if "property" in expected:
        assert found["property"] == expected["property"], found
    if "line" in expected:
        assert found["location"]["line"] == expected["line"], found
    if "bound" in expected:
        assert any(expected["bound"] in bound for bound in report["bounds"]), report["bounds"]
    if "states" in expected:
        assert report["states"] == expected["states"]


@pytest.mark.parametrize("case", [c for c in cases() if "count" in c.values[0].expected])
def test_counts(case: Case, tmp_path: Path) -> None:
    report = case.explore(tmp_path, "--count")
    figures = {**report["executions"], **report}
    for figure in COUNTS:
        if figure in case.expected["count"]:
            assert figures[figure] == case.expected["count"][figure], figure
