"""An error of ours leaves a file with what it takes to reproduce it."""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

import pytest

import imc.cli


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A program that imc fails on, with a temporary folder of its own."""

    def fail(*arguments: object) -> None:
        raise ZeroDivisionError("by a test")

    source = tmp_path / "prog.c"
    source.write_text("int main(void) { return 0; /* a comment */ }\n")
    monkeypatch.setattr("imc.commands.options.load_program", fail)
    monkeypatch.setattr(sys, "argv", ["imc", "show", str(source)])
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.delenv("IMC_DEBUG", raising=False)
    return source


def failure(capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as stopped:
        imc.cli.main()
    assert stopped.value.code == 70
    error = capsys.readouterr().err
    assert error.startswith("imc: internal error: ZeroDivisionError: by a test (please report it")
    assert error.count("\n") == 1
    return error


def test_the_file_has_command_source_and_traceback(
    broken: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = re.search(r"report it with (\S+\.txt);", failure(capsys))
    assert found is not None
    text = Path(found[1]).read_text()
    assert f"$ imc show {broken}" in text
    assert "/* a comment */" in text
    assert "z3-solver 4" in text or "z3-solver 5" in text
    assert "ZeroDivisionError: by a test" in text and "Traceback" in text


def test_without_a_place_to_write_there_is_no_file(
    broken: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(broken))  # not a folder
    assert "report it; IMC_DEBUG=1" in failure(capsys)
