"""Flags of other compilers' command lines: what is honoured, left out and refused."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

import imc.api
from imc.errors import UserError
from imc.frontend.cache import NO_CACHE, Cache
from imc.frontend.clang import CompilerOptions, compile_to_ir
from imc.frontend.flags import sort_flags


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("IMC_CC", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def compiled(text: str, *flags: str, name: str = "a.c", cache: Cache = NO_CACHE) -> str:
    Path(name).write_text(text)
    return compile_to_ir(Path(name), CompilerOptions(flags=flags), cache)


def refusal(*flags: str) -> str:
    with pytest.raises(UserError) as caught:
        compiled("int n;", *flags)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_what_changes_the_language_is_honoured() -> None:
    Path("config.h").write_text("#define N 3\n")
    Path("inc").mkdir()
    Path("inc/more.h").write_text("#define M 4\n")
    Path("words").write_text('-DTEXT="a b" @others')
    Path("others").write_text("-isystem inc\n")
    text = (
        "#include <more.h>\n"
        "#ifdef linux\n#error not strict\n#endif\n"
        "_Static_assert(__STDC_VERSION__ == 199901L && N + M == 7 && (char)200 > 0, TEXT);\n"
        "int n = sizeof TEXT;\n"
    )
    flags = ("-std=c99", "-include", "config.h", "-funsigned-char", "@words")
    ir = compiled(text.replace("TEXT", '"a b"'), *flags)
    assert "@n = dso_local global i32 4" in ir
    assert "@k = dso_local global i32 2" in compiled("int k = K;", "-DK=1", "-UK", "-D", "K=2")


def test_what_is_about_speed_warnings_output_and_linking_changes_nothing() -> None:
    text = "int f(int n) { int m = n; return m + m; }"
    plain = compiled(text)
    flags = shlex.split(
        "-O3 -Os -g0 -ggdb3 -Wall -Werror -Wextra -pedantic -c -o f.o -of.o -lm -l foo -L. -Llib "
        "-pthread -shared -static -s -pipe -M -MD -MMD -MP -MF f.d -MT f -MQ f -Wl,-z,now "
        "-Wl,--as-needed -Wa,-x -Xlinker -x -Xassembler -x -w -v -save-temps -flto -flto=thin "
        "-fdiagnostics-color=always -fcolor-diagnostics -S -E -emit-llvm -fsyntax-only "
        "-Wp,-MD,f.d -fdebug-prefix-map=a=b -x c -m64 libx.a y.o libz.so.1 -fno-sanitize=all "
        "-mllvm -unroll-count=4 -rdynamic -fuse-ld=lld"
    )
    assert compiled(text, *flags) == plain
    assert sorted(path.name for path in Path().iterdir()) == ["a.c"]


def test_what_the_linker_needs_is_kept() -> None:
    words = "-lm -l foo -Llib -L /opt/lib libx.a -Wl,-rpath,/opt/lib,--as-needed -O2 -shared"
    found = sort_flags(words.split(), directory=Path("/build"))
    assert found.link == (
        *("-lm", "-lfoo", "-L/build/lib", "-L/opt/lib", "/build/libx.a"),
        "-Wl,-rpath,/opt/lib",
    )
    assert found.for_c == ()


def test_paths_are_relative_to_the_directory() -> None:
    Path("build").mkdir()
    Path("build/here.h").touch()
    words = "-I. -isystem ../inc -iquote /q -include here.h -include there.h -idirafterx"
    found = sort_flags(words.split(), directory=Path("build"))
    assert found.preprocessor == (
        *("-Ibuild", "-isystem", "build/../inc", "-iquote", "/q"),
        *("-include", "build/here.h", "-include", "there.h", "-idirafter", "build/x"),
    )
    assert found.folders == ("build", "build/../inc", "/q", "build/x")


def test_folders_of_the_system_keep_their_place() -> None:
    found = sort_flags(["-I/usr/include/", "-isystem", "/usr/include"], system=["/usr/include"])
    assert found.for_c == () == found.folders


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["-fnosuch"], "unknown argument: '-fnosuch'"),
        (["-std=c77"], "invalid value 'c77' in '-std=c77'"),
        (["-std=c++17"], "not allowed with 'C'"),
        (["-fsanitize=thread"], "imc looks for errors itself"),
        (["-Ofast"], "exact numbers"),
        (["-Xclang", "-O3"], "goes round"),
        (["-m32"], "-m32 contradicts --64 (give --32)"),
        (["-x", "c++"], "imc reads C only"),
        (["--target=arm-linux"], "x86-64 Linux"),
        (["b.c"], "'b.c' is not a flag of clang (files to be read come before the --)"),
        (["-"], "'-' is not a flag"),
        (["-I"], "the flag -I needs something after it"),
        (["-o"], "the flag -o needs something after it"),
        (["@nosuch"], "the response file nosuch cannot be read: No such file"),
        (["-include", "nosuch.h"], "'nosuch.h' file not found"),
        (["-Wl,--wrap=malloc"], "--wrap=malloc cannot be honoured"),
        (["-nostdinc"], "needs the headers"),
        (["--help"], "no LLVM IR came out"),
    ],
)
def test_what_is_refused(flags: list[str], told: str) -> None:
    assert told in refusal(*flags)


def test_a_response_file_that_names_itself() -> None:
    Path("again").write_text("-DX @again")
    assert "too many response files" in refusal("@again")
    Path("again").write_text("-D'X")
    assert "No closing quotation" in refusal("@again")


def test_preprocessed_c_has_only_the_language() -> None:
    ir = compiled("int n, N; char c = 200;", "-DN=3", "-funsigned-char", name="a.i")
    assert "@N = " in ir


def test_flags_are_part_of_what_the_cache_goes_by() -> None:
    cache = Cache(Path("cache"))
    text = "int n = N;"
    assert "i32 1" in compiled(text, "-DN=1", cache=cache)
    assert "i32 2" in compiled(text, "-DN=2", cache=cache)
    Path("inc").mkdir()
    text = "#include <a.h>\nint n = N;"
    Path("late").mkdir()
    Path("late/a.h").write_text("#define N 3")
    flags = ("-isystem", "inc", "-idirafter", "late")
    assert "i32 3" in compiled(text, *flags, cache=cache)
    Path("inc/a.h").write_text("#define N 4")  # hides the other one
    assert "i32 4" in compiled(text, *flags, cache=cache)


def test_the_bundled_library_is_compiled_without_them() -> None:
    Path("a.c").write_text(
        '#include <string.h>\nint main(int n, char **v) { return strcmp(v[0], "a"); }\n'
    )
    plain = imc.api.load("a.c")
    other = imc.api.load("a.c", flags=["-funsigned-char", "-DNULL=7", "-include", "string.h"])
    library = [name for name in plain.texts if name.endswith("string.c")]
    assert library and [plain.texts[n] for n in library] == [other.texts[n] for n in library]


def test_llvm_ir_takes_none_but_bad_ones_are_told() -> None:
    Path("a.ll").write_text("define i32 @main() {\n  ret i32 0\n}\n")
    assert imc.api.load("a.ll", flags=["-DX", "-lm"]).libraries == ("-lm",)
    with pytest.raises(UserError, match="x86-64"):
        imc.api.load("a.ll", flags=["-target", "arm"])
