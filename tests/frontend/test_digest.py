"""The hash of a program: the same wherever it lies, another one when it changes."""

from __future__ import annotations

from pathlib import Path

import imc.api
from imc.frontend import FrontendOptions
from imc.frontend.clang import CompilerOptions

TEXT = "#include <stdlib.h>\nint f(void) { return N; }\nint main(void) { exit(f()); }\n"


def digest(folder: Path, text: str, number: int = 1) -> str:
    folder.mkdir(exist_ok=True)
    source = folder / "program.c"
    source.write_text(text)
    options = FrontendOptions(CompilerOptions(define=(f"N={number}",)))
    return imc.api.load(source, options).digest


def test_a_program_that_is_moved_stays_the_same(tmp_path: Path) -> None:
    assert digest(tmp_path / "here", TEXT) == digest(tmp_path / "there", TEXT)


def test_a_program_that_is_changed_does_not(tmp_path: Path) -> None:
    before = digest(tmp_path / "here", TEXT)
    assert digest(tmp_path / "here", TEXT.replace("N;", "N + 1;")) != before
    assert digest(tmp_path / "here", TEXT, number=2) != before
