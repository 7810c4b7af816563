"""A program is what it does: the same wherever it lies, another one when its code changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import imc.api
from imc.errors import UserError
from imc.frontend.identity import ModuleText
from imc.program.program import Program

TEXT = """#include <assert.h>
#include <stdlib.h>
struct pair { int a, b; } pair = {1, N};
static int f(int x) { assert(x > 0); return x + pair.b; }
int main(void) { exit(f(1)); }
"""
OTHER = """extern struct pair { int a, b; } pair;
static int f(void) { return pair.a; }
int g(void) { return f(); }
"""


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def loaded(*files: tuple[str, str] | str, **options: Any) -> Program:
    names = []
    for file in files:
        name, text = (file, TEXT) if isinstance(file, str) else file
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        names.append(path)
    return imc.api.load(names, **({"define": ["N=1"]} | options))


def digest(text: str = TEXT, **options: Any) -> str:
    return loaded(("p.c", text), **options).digest


def test_where_a_program_lies_and_what_it_is_called_does_not_matter(tmp_path: Path) -> None:
    found = {loaded(name).digest for name in ("p.c", "d/p.c", "d/x y.c", f"{tmp_path}/p.c")}
    assert len(found) == 1


def test_comments_and_lines_do_not_matter() -> None:
    assert digest("// of a program\n\n" + TEXT.replace("return", "\n\n   return")) == digest()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x + pair.b", "x - pair.b"),
        ("x > 0", "x >= 0"),
        ("{1, N}", "{2, N}"),
        ("int a, b; } pair", "long a, b; } pair"),
        ("int a, b; } pair", "int a, b; } __attribute__((aligned(64))) pair"),
        ("static int f", "int f"),
        ("static int f", "__attribute__((noinline)) static int f"),
        ("{1, N};", '{1, N}; __asm__("nop");'),
        ("return x + pair.b", "volatile int y = x; return y + pair.b"),
        ("return x + pair.b", "int y = x; return y + pair.b"),
        ("assert(x > 0)", "if (x <= 0) abort()"),
    ],
)
def test_code_and_data_matter(old: str, new: str) -> None:
    assert digest(TEXT.replace(old, new)) != digest()


def test_options_matter_if_they_change_the_code() -> None:
    assert digest(define=["N=2"]) != digest()
    assert digest(bits=32) != digest()
    assert digest(flags=["-fwrapv"]) != digest()
    assert digest(flags=["-O2", "-g", "-Wall", "-DUNUSED", "-fno-strict-aliasing"]) == digest()
    assert digest(strict=True) == digest()


def test_what_the_program_does_not_come_to_does_not_matter() -> None:
    assert digest(TEXT + "int unused(void) { return 7; }\n") == digest()


def test_the_path_matters_where_the_program_looks_at_it() -> None:
    text = '#include <stdio.h>\nint main(void) { return printf("%s %d", __FILE__, __LINE__); }\n'
    assert loaded(("p.c", text)).digest != loaded(("q.c", text)).digest
    assert loaded(("p.c", "\n" + text)).digest != loaded(("p.c", text)).digest


def test_an_assertion_of_the_programs_own_matters_as_it_is() -> None:
    text = (
        "void __assert_fail(const char *t, const char *f, unsigned l, const char *n) {}\n"
        '\nint main(void) { __assert_fail("t", "f", __LINE__, "n"); return 0; }\n'
    )
    assert digest("\n" + text) != digest(text)
    assert digest("\n" + text.split("\n", 1)[1]) == digest(text.split("\n", 1)[1])


def test_the_order_of_files_does_not_matter() -> None:
    text = TEXT.replace("exit(f(1))", "exit(f(1) + g())").replace("static", "int g(void);\nstatic")
    one = loaded(("a.c", text), ("b.c", OTHER))
    other = loaded(("d/z.c", OTHER), ("d/y.c", text))
    assert one.digest == other.digest
    assert one.functions.keys() == other.functions.keys()
    assert {n: f.code for n, f in one.functions.items()} == {
        n: f.code for n, f in other.functions.items()
    }
    assert sum(name.startswith("f.file") for name in one.functions) == 1


def test_what_is_local_to_a_file_is_not_found_by_others() -> None:
    user = "int f(int x);\nint main(void) { return f(3); }\n"
    local = "static int f(int x) { return x; }\nint (*g)(int) = f;\n"
    for files in ((user, local), (local, user)):
        program = loaded(*((f"{n}.c", text) for n, text in enumerate(files)))
        assert [a.code for a in program.assumptions] == ["external-function"]


def test_the_first_of_weak_definitions_counts() -> None:
    main = ("m.c", "int f(void);\nint main(void) { return f(); }\n")
    one, two = (
        (f"{n}.c", f"__attribute__((weak)) int f(void) {{ return {n}; }}\n") for n in (1, 2)
    )
    assert loaded(main, one, two).digest == loaded(one, main, two).digest
    assert loaded(main, one, two).digest != loaded(main, two, one).digest


def test_what_nobody_defines_is_as_large_as_somebody_says() -> None:
    main = ("m.c", "extern int a[]; int f(void);\nint main(void) { return a[1] + f(); }\n")
    more = ("n.c", "extern int a[4];\nint f(void) { return a[3]; }\n")
    one, other = loaded(main, more), loaded(more, main)
    assert one.digest == other.digest
    assert str(one.globals["a"].type) == str(other.globals["a"].type) == "[4 x i32]"


def test_stubs_are_part_of_the_program() -> None:
    text = "int more(void);\nint main(void) { return more(); }\n"
    Path("one.c").write_text("int more(void) { return 1; }\n")
    Path("two.c").write_text("int more(void) { return 2; }\n")
    found = [digest(text), digest(text, stubs=["one.c"]), digest(text, stubs=["two.c"])]
    assert len(set(found)) == 3


def refusal(text: str, **options: Any) -> str:
    verified = imc.api.verify(loaded(("p.c", TEXT)), until="first", emit_schedule="s.json")
    verified.run()
    with pytest.raises(UserError) as caught:
        imc.api.check(loaded(("p.c", text), **options), "s.json")
    return caught.value.message.removeprefix("the schedule ")


def test_a_refusal_says_what_differs() -> None:
    version = "is of another version of the program: "
    assert refusal(TEXT.replace("x +", "x -")) == version + "function 'f' differs"
    assert refusal(TEXT.replace("{1, N}", "{N, 3}")) == version + "variable 'pair' differs"
    assert refusal(TEXT.replace("(f(1", "(f(2")) == version + "function 'main' differs"
    more = TEXT.replace("int main(void) { exit(f(1", "int h; int g(void) { return h; }\n"
                        "int main(void) { exit(g() + f(1")  # fmt: skip
    expected = "function 'main' differs; function 'g' is new; variable 'h' is new"
    assert refusal(more) == version + expected
    assert refusal(TEXT, flags=["-fcf-protection"]) == version + "other options of the compiler"
    assert "another program" in refusal("int main(void) { return 0; }\n")


def test_metadata_that_means_something_is_kept() -> None:
    text = "define i8 @f(ptr %p) {{\n  %v = load i8, ptr %p, align 1, !dbg !7, !range !0\n}}\n"
    parts = [
        ModuleText(text.format() + f"!0 = !{{i8 0, i8 {n}}}\n!7 = !DILocation(line: {line})\n")
        for n, line in ((2, 1), (2, 5), (3, 1))
    ]
    one, other_line, other_range = (module.everything for module in parts)
    assert one == other_line != other_range


def test_constructors_of_all_files_are_run_in_their_order() -> None:
    begin = "__attribute__((constructor)) static void begin(void) {{ a = a * 10 + {}; }}\n"
    one = ("one.c", "int a;\n" + begin.format(1) + "int main(void) { return a; }\n")
    two = ("two.c", "extern int a;\n" + begin.format(2))
    assert imc.api.run(loaded(one, two), unconstrained=True).last.exit_status == 12
    assert imc.api.run(loaded(two, one), unconstrained=True).last.exit_status == 21
    assert loaded(one, two).digest != loaded(two, one).digest
    assert loaded(one, two).digest != loaded(one, (two[0], two[1].replace("+ 2", "+ 3"))).digest
    imc.api.verify(loaded(one, two), until="first", emit_schedule="s.json").run()
    assert imc.api.run(loaded(one, two), schedule="s.json").last.exit_status == 12
    with pytest.raises(UserError, match="constructors of several files are not built natively"):
        imc.api.run(loaded(one, two), schedule="s.json", backend="native")
