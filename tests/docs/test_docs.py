"""Every command in the documentation runs, and prints what the documentation says it prints."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from imc.cli import cli

ROOT = Path(__file__).parent.parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# What depends on the machine, and on the version of the solver.
FIGURES = re.compile(r" +\d+ +\d+ +\d+ +\d+\.\d+ s|\d+\.\d+ s|\d+ nodes, \d+ solver calls")


def transcripts() -> list[object]:
    """(command, output) of every line that starts with "$ imc" in a console block."""
    found = []
    for page in PAGES:
        for kind, text in BLOCK.findall(page.read_text()):
            if kind != "console":
                continue
            for piece in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
                command, _, output = piece.partition("\n")
                found.append(pytest.param(command, output, id=f"{page.name}: {command}"))
    return found


def test_there_are_transcripts() -> None:
    assert len(transcripts()) >= 4


@pytest.mark.parametrize(("command", "output"), transcripts())
def test_transcript(
    command: str, output: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program, *arguments = shlex.split(command)
    assert program == "imc"
    monkeypatch.chdir(ROOT)
    arguments = [str(tmp_path / a) if a.endswith(".svg") else a for a in arguments]
    printed = CliRunner().invoke(cli, arguments, catch_exceptions=False).stdout
    assert FIGURES.sub(" _", printed).strip() == FIGURES.sub(" _", output).strip()


def test_python_blocks_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    blocks = [
        text for page in PAGES for kind, text in BLOCK.findall(page.read_text()) if kind == "python"
    ]
    assert blocks
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})


def test_setup_commands_are_those_of_ci() -> None:
    """The one-line commands take minutes: CI runs them, and nothing else, on a clean checkout."""
    ci = (ROOT / ".ci" / "run").read_text()
    for page in PAGES:
        for kind, text in BLOCK.findall(page.read_text()):
            if kind == "sh":
                for command in text.strip().splitlines():
                    assert command in ci, f"{page.name}: {command}"
