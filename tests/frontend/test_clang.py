from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from patience import has_ended, wait_until

from imc.errors import UserError
from imc.frontend import clang
from imc.frontend.cache import NO_CACHE, Cache
from imc.frontend.clang import CompilerOptions, compile_to_ir, compiler_identity

PROGRAM = """
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

atomic_int count;
pthread_t posix;
thrd_t standard;
sem_t semaphore;

int main(int argc, char **argv) {
    int shifted = argc << argc;
    assert(shifted / argc == LIMIT);
    printf("x\\n");
    putchar(atoi(argv[0]));
    return undeclared(&count);
}
"""


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("IMC_CC", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def compiled(name: str, text: str, cache: Cache = NO_CACHE, **options: object) -> str:
    Path(name).write_text(text)
    return compile_to_ir(Path(name), CompilerOptions(**options), cache)  # type: ignore[arg-type]


def error(name: str, **options: object) -> UserError:
    with pytest.raises(UserError) as caught:
        compile_to_ir(Path(name), CompilerOptions(**options), NO_CACHE)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)
    return caught.value


def command(body: str) -> str:
    """A program to give as the compiler."""
    path = Path("my compiler")
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return "./my compiler"


def test_the_program_is_compiled_as_it_was_written() -> None:
    ir = compiled("a.c", PROGRAM, define=("LIMIT=2",))
    assert 'target triple = "x86_64-unknown-linux-gnu"' in ir
    assert '!DIFile(filename: "a.c", directory: "."' in ir
    assert "ubsan" not in ir
    called = set(re.findall(r"call .*?@([\w.]+)\(", ir))
    assert called >= {"__assert_fail", "printf", "putchar", "atoi", "undeclared"}
    assert re.findall(r"^define .*@(\w+)", ir, re.MULTILINE) == ["main"]


def test_the_user_may_turn_asserts_off_and_choose_bits_and_language() -> None:
    text = PROGRAM + "_Static_assert(sizeof(long) == 4 && __STDC_VERSION__ == 201710L, FAIL);"
    define = ("NDEBUG", "LIMIT=2", 'FAIL=""')
    ir = compiled("a.c", text, define=define, bits=32, extra=("-std=c17",))
    assert "assert_fail" not in ir
    assert 'target datalayout = "e-m:e-p:32:32-' in ir


OLD = """
static struct point { int x; } here;
count = 0;
f(p) char *p; { if (p) return; here.x = p; return g(p); }
int *h(long *p) { int (*q)() = h; return p; }
"""


def test_old_c_is_accepted() -> None:
    assert "@f(" in compiled("old.c", OLD)


def test_preprocessed_c_is_taken_as_it_is() -> None:
    text = '# 1 "there.c"\nextern _Float128 wide(_Float64x);\nint linux, N;\n'
    ir = compiled("a.i", text, define=("N=3",))
    assert "@linux = " in ir and "@N = " in ir
    assert 'filename: "there.c"' in ir
    compiled("a.i", "typedef float _Float32;\n_Float32 f;\n")


def test_llvm_ir_needs_no_compiler() -> None:
    Path("a.ll").write_bytes(b"; \xff\r\n; two\n")
    assert compile_to_ir(Path("a.ll"), CompilerOptions(cc="nosuch"), NO_CACHE) == "; �\n; two\n"


@pytest.mark.parametrize("name", ["-a.c", "@a.c", "d ü/é $#'a.c"])
def test_odd_names(name: str) -> None:
    Path("d ü").mkdir()
    Path("d ü/inc #1").mkdir()
    Path("d ü/inc #1/a b$.h").write_text("#define N 1")
    cache = Cache(Path("cache"))
    options = {"include": ("d ü/inc #1",), "cache": cache}
    first = compiled(name, '#include "a b$.h"\nint n = N;', **options)  # type: ignore[arg-type]
    assert "@n = dso_local global i32 1" in first
    Path("d ü/inc #1/a b$.h").write_text("#define N 2")
    second = compiled(name, '#include "a b$.h"\nint n = N;', **options)  # type: ignore[arg-type]
    assert "@n = dso_local global i32 2" in second


def test_nothing_is_written_to_the_working_directory(tmp_path: Path) -> None:
    Path("work").mkdir()
    Path("a.c").write_text("int n;")
    os.chdir("work")
    Path().chmod(0o555)
    assert compile_to_ir(Path("../a.c"), CompilerOptions(), Cache(tmp_path / "cache"))
    assert list(Path().iterdir()) == []


def test_the_cache_saves_a_run_while_nothing_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[list[str]] = []
    run = clang.run_compiler

    def counted(words: list[str]) -> tuple[int, bytes, bytes]:
        runs.append(words)
        return run(words)

    monkeypatch.setattr(clang, "run_compiler", counted)
    cache = Cache(Path("cache"))
    Path("inc").mkdir()
    Path("inc/a.h").write_text("#define N 1")

    def value() -> str:
        ir = compiled("a.c", '#include "a.h"\nint n = N;', cache, include=("inc",))
        return ir.partition("@n = dso_local global i32 ")[2][0]

    assert (value(), len(runs)) == ("1", 1)
    assert (value(), len(runs)) == ("1", 1)
    Path("inc/a.h").write_text("#define N 2")
    assert (value(), len(runs)) == ("2", 2)
    Path("a.h").write_text("#define N 3")  # hides the other one
    assert (value(), len(runs)) == ("3", 3)
    compiled("a.c", '#include "a.h"\nint n = N;', cache, include=("inc",), define=("M",))
    assert len(runs) == 4


def test_files_that_are_no_programs() -> None:
    Path("folder.c").mkdir()
    Path("empty.c").touch()
    Path("binary.c").write_bytes(b"\x7fELF\0")
    Path("text.txt").write_text("int n;")
    with Path("large.c").open("wb") as file:
        file.truncate(20_000_001)
    os.mkfifo("pipe.c")
    expected = {
        "missing.c": "missing.c does not exist",
        "missing.txt": "missing.txt does not exist",
        "folder.c": "folder.c is a directory",
        "empty.c": "empty.c is empty",
        "binary.c": "binary.c is not a text file",
        "text.txt": "text.txt is not a kind of file that imc reads",
        "large.c": "large.c is larger than the limit of 20 MB",
        "pipe.c": "pipe.c is not a regular file",
        "empty.c/a.c": "empty.c/a.c cannot be read: Not a directory",
    }
    assert {name: error(name).message for name in expected} == expected


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read() -> None:
    Path("a.c").touch(mode=0)
    assert error("a.c").message == "a.c cannot be read: Permission denied"


def test_the_first_error_is_shown_and_the_others_are_counted() -> None:
    Path("a.c").write_text("int n = m;\nint k = ;\nint j = m;\n")
    assert str(error("a.c")) == "a.c:1:9: use of undeclared identifier 'm' (2 more errors)"


def test_a_missing_header_is_named() -> None:
    Path("a.c").write_text("#include <nosuch.h>\n")
    found = error("a.c")
    assert (str(found.loc), found.message) == ("a.c:1:10", "'nosuch.h' file not found")
    assert "-I DIR" in found.hint


def test_a_wrong_flag_is_named() -> None:
    Path("a.c").write_text("int n;")
    assert "unknown argument: '-fnosuch'" in error("a.c", extra=("-fnosuch",)).message


def test_a_missing_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("a.c").write_text("int n;")
    expected = "the compiler nosuch is not there or not executable"
    assert error("a.c", cc="nosuch").message == expected
    assert "No closing quotation" in error("a.c", cc="'clang").message
    monkeypatch.setattr(clang, "find_spec", lambda _: None)
    assert "ziglang is missing" in error("a.c").message
    monkeypatch.setenv("IMC_CC", "nosuch")
    assert error("a.c").message == expected


def test_a_compiler_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("a.c").write_text("int n;")
    found = error("a.c", cc=command("echo 'gcc: error: unrecognized option' >&2; exit 1"))
    assert found.message.endswith("my compiler' failed: unrecognized option")
    assert "--cc takes a clang" in found.hint
    assert "no LLVM IR came out (exit code 0)" in error("a.c", cc=command("exit 0")).message
    assert "ended by signal 9" in error("a.c", cc=command("kill -9 $$")).message
    Path("my compiler").write_text("neither program nor script")
    assert "Exec format error" in error("a.c", cc="./my compiler").message


def wait_for_child() -> int:
    """The process that the compiler has started, or is, and tells in a file."""
    wait_until(lambda: Path("child").exists() and Path("child").read_text().endswith("\n"))
    return int(Path("child").read_text())


def test_a_compiler_that_hangs_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("a.c").write_text("int n;")
    monkeypatch.setattr(clang, "TIME_LIMIT_S", 0.1)
    communicate = subprocess.Popen.communicate

    def when_begun(self: subprocess.Popen[bytes], *given: Any, **more: Any) -> tuple[bytes, bytes]:
        wait_for_child()
        return communicate(self, *given, **more)

    monkeypatch.setattr("subprocess.Popen.communicate", when_begun)
    found = error("a.c", cc=command("sleep 6000 & echo $! > child; wait"))
    assert found.message == "the compiler was not done after 0.1 s"
    wait_until(lambda: has_ended(wait_for_child()))


def test_an_interrupt_ends_the_compiler_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("a.c").write_text("int n;")
    Path("temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))

    def interrupted(*_: object, **__: object) -> None:
        wait_for_child()
        raise KeyboardInterrupt

    monkeypatch.setattr("subprocess.Popen.communicate", interrupted)
    cc = command("echo $$ > child; exec sleep 6000")
    with pytest.raises(KeyboardInterrupt):
        compile_to_ir(Path("a.c"), CompilerOptions(cc=cc), Cache(Path("cache")))
    wait_until(lambda: has_ended(wait_for_child()))
    assert not Path("cache").exists() and list(Path("temporary").iterdir()) == []


def test_the_compiler_says_who_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(Path("cache"))
    identity = compiler_identity(CompilerOptions(), cache)
    assert re.fullmatch(r"clang \d+\.\d+\.\d+ \(zig \d+\.\d+\.\d+.*\)", identity)
    cc = command("echo 'Debian clang version 19.1.7 (3)'")
    assert compiler_identity(CompilerOptions(cc=cc)) == "clang 19.1.7"
    with pytest.raises(UserError, match="is not clang"):
        compiler_identity(CompilerOptions(cc=command("echo gcc 14.2.0")))
    monkeypatch.setattr(clang, "run_compiler", None)
    assert compiler_identity(CompilerOptions(), cache) == identity


def test_when_it_is_compiled_is_not_part_of_a_program() -> None:
    text = 'const char *made = __DATE__ " " __TIME__ " " __TIMESTAMP__;'
    text += "\nint main(void) { return !made; }\n"
    first = compiled("dated.c", text)
    os.utime("dated.c", (1, 1))
    assert "Jan  1 1970 00:00:00 Thu Jan  1 00:00:00 1970" in first
    assert compile_to_ir(Path("dated.c"), CompilerOptions(), NO_CACHE) == first
