"""Headers of the system's libraries are found, and those of its C library are not mixed in."""

from __future__ import annotations

from pathlib import Path

import pytest

from imc.errors import UserError
from imc.frontend.cache import NO_CACHE, Cache
from imc.frontend.clang import CompilerOptions, compile_to_ir
from imc.frontend.system_headers import VARIABLE, system_folders

LIBRARY = "#include <stdio.h>\n#define N 3\nint packed(FILE *file);\n"
USER = "#include <lib.h>\n#include <stdio.h>\nint n = N;\nFILE *f(void) { return stdout; }\n"


@pytest.fixture(autouse=True)
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("IMC_CC", raising=False)
    monkeypatch.chdir(tmp_path)
    for folder in ("system/bits", "system/gnu", "multi", "own"):
        Path(folder).mkdir(parents=True)
    Path("system/lib.h").write_text(LIBRARY)
    for name in ("stdio.h", "stddef.h", "features.h", "bits/types.h"):
        (Path("system") / name).write_text("#error of the system\n")
    Path("system/bits/only_here.h").touch()
    Path("system/odd.h").write_text("#include <bits/only_here.h>\n")
    monkeypatch.setenv(VARIABLE, "multi:system:nosuch:")


def compiled(text: str, cache: Cache = NO_CACHE, **options: object) -> str:
    Path("a.c").write_text(text)
    return compile_to_ir(Path("a.c"), CompilerOptions(**options), cache)  # type: ignore[arg-type]


def test_libraries_are_the_systems_and_the_c_library_is_ours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert system_folders(64) == ("multi", "system")
    assert "@n = dso_local global i32 3" in compiled(USER)
    assert "@n = dso_local global i32 3" in compiled(USER, bits=32)
    monkeypatch.setenv(VARIABLE, "")
    with pytest.raises(UserError, match=r"'lib.h' file not found \(add the header's directory"):
        compiled(USER)


def test_folders_of_the_system_that_are_named_again_keep_their_place(tmp_path: Path) -> None:
    given = ("-Isystem", "-isystem", str(tmp_path / "system"), "-I./multi/../system")
    assert "i32 3" in compiled(USER, flags=given, include=("system",))


def test_other_folders_come_before_the_c_library() -> None:
    Path("own/search.h").write_text("#define N 5\n")
    text = "#include <search.h>\nint n = N;\n"
    for flag in ("-I", "-isystem"):
        assert "i32 5" in compiled(text, flags=(flag, "own"))
    with pytest.raises(UserError, match="undeclared identifier 'N'"):
        compiled(text, flags=("-idirafter", "own"))


def test_parts_of_the_systems_c_library_are_refused() -> None:
    with pytest.raises(UserError, match=r"system/bits/only_here.h is a part of this system's C l"):
        compiled("#include <odd.h>\nint n;\n")


def test_a_header_that_appears_is_noticed() -> None:
    cache = Cache(Path("cache"))
    assert "i32 3" in compiled(USER, cache)
    Path("multi/lib.h").write_text("#define N 4\n")
    assert "i32 4" in compiled(USER, cache)


def test_another_clang_knows_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("clang").write_text('#!/bin/sh\necho "; ModuleID = $*"\nfor w; do case $p in '
                             '-MF) : > "$w";; esac; p=$w; done\n')  # fmt: skip
    Path("clang").chmod(0o755)
    assert "-idirafter" not in compiled("int n;", cc="./clang")
