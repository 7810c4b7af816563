"""No schedule file makes the check crash or hang: it is refused in one line, with its exit code."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from compiled import SETTINGS, compiled
from hostile import ACCEPTED, LARGE, RAW, REFUSED, REJECTED, UNDECIDED, changed
from patience import HANG_S

import imc.api
import imc.commands.check
from imc.cli import main
from imc.program.program import Program
from irs.format import dumps

EXAMPLE = Path(__file__).parents[2] / "examples" / "prodcons.c"
LIMIT_S = 2.0  # where it may be told that the time is over
SLACK_S = 8.0  # of processor time, on a slow machine
KINDS = [
    *((change, (2,)) for change in REFUSED),
    *((change, (1,)) for change in REJECTED),
    *((change, (1, 3)) for change in LARGE),
    *((change, (3,)) for change in UNDECIDED),
    *((change, (0,)) for change in ACCEPTED),
]
CHANGES = REFUSED | REJECTED | LARGE | UNDECIDED | ACCEPTED


@pytest.fixture(scope="module")
def program() -> Program:
    return imc.api.load(EXAMPLE)


@pytest.fixture(scope="module")
def document(program: Program) -> Any:
    ((schedule,),) = compiled(program, 1, ("opt3",))
    return json.loads(dumps(schedule))


class Check:
    """`imc check` in this process, on a program that is loaded once."""

    def __init__(
        self, program: Program, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr(imc.commands.check, "load", lambda *_: program)
        monkeypatch.setattr(imc.commands.check, "settings_of", lambda _: SETTINGS)
        monkeypatch.setenv("IMC_DEBUG", "1")  # an error of ours is raised
        self.monkeypatch = monkeypatch
        self.capsys = capsys

    def __call__(self, path: Path, *options: str, limit_s: float = HANG_S) -> tuple[int, str]:
        """The exit code, and all that was said."""
        line = ["imc", "check", str(EXAMPLE), str(path), "--time-limit", str(limit_s), *options]
        self.monkeypatch.setattr(sys, "argv", line)
        code = 0
        try:
            main()
        except SystemExit as left:
            code = int(str(left.code))
        captured = self.capsys.readouterr()
        return code, captured.out + captured.err


@pytest.fixture
def check(
    program: Program, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Check:
    return Check(program, monkeypatch, capsys)


def is_short(said: str) -> bool:
    """One sentence, without anything that a terminal obeys or cannot show."""
    said.encode()
    plain = said.replace("\n", "")
    return plain.isprintable() and len(plain) < 800 and "Traceback" not in said


@pytest.mark.parametrize(("name", "codes"), KINDS)
def test_hostile_documents(
    name: str, codes: tuple[int, ...], document: Any, check: Check, tmp_path: Path
) -> None:
    path = tmp_path / "prog.sched.json"
    path.write_bytes(changed(document, CHANGES[name], "mutex"))
    began = time.process_time()
    found, said = check(path, limit_s=LIMIT_S if 3 in codes else HANG_S)
    assert time.process_time() - began < LIMIT_S + SLACK_S
    assert found in codes, said
    assert is_short(said), said


@pytest.mark.parametrize("name", RAW)
def test_hostile_texts(name: str, document: Any, check: Check, tmp_path: Path) -> None:
    path = tmp_path / "prog.sched.json"
    path.write_bytes(RAW[name](json.dumps(document, indent=0)))
    code, said = check(path)
    assert code == 2, said
    assert is_short(said), said


@pytest.mark.parametrize("kind", ["a folder", "nothing", "a circle of links"])
def test_hostile_paths(kind: str, check: Check, tmp_path: Path) -> None:
    path = tmp_path / "prog.sched.json"
    if kind == "a folder":
        path.mkdir()
    elif kind != "nothing":
        path.symlink_to(path)
    code, said = check(path)
    assert code == 2
    assert is_short(said)


@pytest.mark.parametrize("part", ["certificate", "bounds"])
def test_what_is_large_is_given_up_in_time(
    part: str, document: Any, check: Check, tmp_path: Path
) -> None:
    """Reading a file is not ours, but the limit holds for it too."""
    path = tmp_path / "prog.sched.json"
    text = json.dumps({**document, part: "HERE"})
    rest = '{"a": [%s]}' if part == "certificate" else "[%s]"
    path.write_text(text.replace('"HERE"', rest % ",".join(['"a"'] * 3_000_000)))
    began = time.process_time()
    code, said = check(path, limit_s=0.01)
    assert time.process_time() - began < SLACK_S
    assert code == 3
    assert "unknown: it takes longer than 0.01 s" in " ".join(said.split())


def test_hostile_words_as_json(document: Any, check: Check, tmp_path: Path) -> None:
    path = tmp_path / "prog.sched.json"
    path.write_bytes(changed(document, ACCEPTED["an assumption with terminal codes"], "mutex"))
    code, said = check(path, "--json", "-")
    said.encode()
    assert (code, json.loads(said)["verdict"]) == (0, "accepted")
