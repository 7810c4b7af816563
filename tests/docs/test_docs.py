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
# What depends on the machine and its speed, and on the versions of the solver and of clang.
FIGURES = re.compile(
    r" +\d+ +\d+ +\d+ +\d+\.\d+ s|\d+\.\d+ s|\d+ nodes, \d+ solver calls|\d+ questions"
    r"|program [0-9a-f]{16}|trace prefix, result \d+"
)


def at_name(page: Path) -> str:
    return page.name


def transcripts() -> list[object]:
    """Every console block, as its commands with what they print."""
    found = []
    for page in PAGES:
        for kind, text in BLOCK.findall(page.read_text()):
            if kind == "console":
                pieces = re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
                commands = [piece.partition("\n")[::2] for piece in pieces]
                found.append(pytest.param(commands, id=f"{page.name}: {commands[0][0]}"))
    return found


def test_there_are_transcripts() -> None:
    assert len(transcripts()) >= 4


@pytest.mark.parametrize("commands", transcripts())
def test_transcript(
    commands: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """One after the other, in a folder of their own that has the examples and the test programs."""
    monkeypatch.chdir(tmp_path)
    for name in ("examples", "tests"):
        (tmp_path / name).symlink_to(ROOT / name)
    for command, output in commands:
        program, *arguments = shlex.split(command)
        assert program == "imc"
        printed = CliRunner().invoke(cli, arguments, catch_exceptions=False).stdout
        assert FIGURES.sub(" _", printed).strip() == FIGURES.sub(" _", output).strip()


@pytest.mark.parametrize("page", [p for p in PAGES if "```python" in p.read_text()], ids=at_name)
def test_python_blocks_run(page: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The blocks of a page, one after the other: what one defines the next ones know."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    known: dict[str, object] = {}
    for kind, text in BLOCK.findall(page.read_text()):
        if kind == "python":
            exec(compile(text, page.name, "exec"), known)


def test_setup_commands_are_those_of_ci() -> None:
    """The one-line commands take minutes: CI runs them, and nothing else, on a clean checkout."""
    ci = (ROOT / ".ci" / "run").read_text()
    for page in PAGES:
        for kind, text in BLOCK.findall(page.read_text()):
            if kind == "sh":
                for command in text.strip().splitlines():
                    assert command in ci, f"{page.name}: {command}"


def test_contributors_find_what_they_are_sent_to() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text()
    paths = set(re.findall(r"`((?:imc|irs|tests|scripts)/[\w./*]*)`", text))
    paths |= set(re.findall(r"\]\(([\w./-]+)\)", text))
    assert len(paths) > 40
    assert [path for path in sorted(paths) if not list(ROOT.glob(path.rstrip("/")))] == []
