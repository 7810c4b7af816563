"""Programs whose main takes its arguments for something else than they are."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

import imc.api
from imc.errors import UserError
from imc.frontend.cache import NO_CACHE
from imc.frontend.clang import CompilerOptions, compile_to_ir
from imc.frontend.odd_main import renamed

PROGRAM = """#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#define TEXT(x) #x
#define EXPANDED(x) TEXT(x)
#ifdef main
#error "a program sees no macro of ours"
#endif
struct numbers { int main; } numbers = {.main = 4};
static const char *names[] = {"main", "it's \\"main\\" /* main */", TEXT(main), EXPANDED(main)};
static int count;

static void holds(int condition) { assert(condition); }
static void *work(void *unused) { holds(!strcmp(__func__, "work")); return unused; }
int main(int, PARAMETER);

int main(int argc, PARAMETER)
{
    static int inside;
    pthread_t other;

    holds(strcmp(__FUNCTION__, "main") == 0 && sizeof __func__ == 5 && __func__[3] == 'n');
    holds(_Generic(__func__, const char *: 1, default: 0));
    for (int i = 0; i < 4; i++)
        holds(strstr(names[i], "main") != NULL);
    if (argc > 1)
        return 4;
    if (inside++ == 0)
        main(argc, argv);
    count++;
    pthread_create(&other, NULL, work, NULL);
    pthread_join(other, NULL);
    numbers.main++;
    if (count == 3)
        return 7;
}
"""


def written(folder: Path, parameter: str, text: str = PROGRAM) -> Path:
    source = folder / "prog.c"
    source.write_text(text.replace("PARAMETER", parameter))
    return source


@pytest.mark.parametrize("parameter", ["char *argv", "void **argv", "int argv[2][3]"])
def test_it_is_the_same_program_as_with_the_right_type(parameter: str, tmp_path: Path) -> None:
    """By its code: names, and what main returns by itself, too."""
    text = re.sub(r"    holds\(.*\n.*__func__.*", "", PROGRAM)  # of which there are two in the IR
    right = imc.api.load(written(tmp_path, "char **argv", text))
    odd = imc.api.load(written(tmp_path, parameter, text))
    assert odd.function_hashes == right.function_hashes and odd.digest == right.digest
    places = [[i.loc and i.loc.line for i in p.functions["main"].code] for p in (odd, right)]
    assert places[0] == places[1] and any(places[0])


@pytest.mark.parametrize("parameter", ["char **argv", "char *argv"])
def test_a_program_cannot_tell(parameter: str, tmp_path: Path) -> None:
    """Not even by names that a compiler looks into."""
    program = imc.api.load(written(tmp_path, parameter))
    assert imc.api.explore(program).verdict == "safe"


@pytest.mark.parametrize("standard", ["c89", "gnu11"])
def test_preprocessed_text(standard: str, tmp_path: Path) -> None:
    source = tmp_path / "prog.i"
    source.write_text(
        '# 1 "main.c"\nint main(argc, argv) char *argv;\n{ if (argc > 1) return 4; }\n'
    )
    options = CompilerOptions(flags=(f"-std={standard}",))
    ir = compile_to_ir(source, options, NO_CACHE)
    assert "store i32 0, ptr %retval" in ir and 'filename: "main.c"' in ir
    assert str(source) in ir and "odd" not in ir


@pytest.mark.parametrize(("given", "status"), [((), 0), (("x",), 4)])
def test_executables(given: tuple[str, ...], status: int, tmp_path: Path) -> None:
    program = imc.api.load(written(tmp_path, "char *argv"))
    built = imc.api.build(program, unconstrained=True, output=tmp_path / "prog")
    assert subprocess.run([str(built.path), *given], check=False).returncode == status


def test_what_main_is_given_is_a_pointer_to_the_array(tmp_path: Path) -> None:
    text = """#include <assert.h>
    int main(int argc, char *argv) {
        char **words = (char **)argv;
        assert(argc == 2 && words[1][0] == 'x' && !words[1][1] && !words[2]);
    }"""
    program = imc.api.load(written(tmp_path, "", text))
    assert imc.api.explore(program, arguments=("x",)).verdict == "safe"
    assert imc.api.explore(program).verdict == "unsafe"


@pytest.mark.parametrize(
    "text",
    [
        "int main(int argc, int argv) { return argv; }",
        "int main(int argc, double argv) { return argv; }",
        "struct large { long a[9]; };\nint main(int argc, struct large argv) { return 0; }",
        "int main(int argc, char **argv, long environment) { return 0; }",
        "int (main)(int argc, char *argv) { return __func__[0]; }",
        'int other(void) __asm__("main");\nint main(int argc, char *argv) { return other(); }',
    ],
)
def test_what_the_system_does_not_pass_is_refused(text: str, tmp_path: Path) -> None:
    source = written(tmp_path, "", text)
    with pytest.raises(UserError, match=r"parameter of 'main' .* must be of type") as caught:
        imc.api.load(source)
    line = 1 + text[: text.rindex("int main" if "int main" in text else "int (")].count("\n")
    assert caught.value.loc is not None
    assert (caught.value.loc.file, caught.value.loc.line) == (str(source), line)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("int main(long argc, char *argv) { return 0; }", "first parameter of 'main'"),
        ("int main(int argc, char *argv) { return undeclared; }", "parameter of 'main'"),
        ("int main(int argc, char *argv) { return main.x; }", "1:45: member reference base type"),
        ("int main(int a, char *b);\nint (*f)(int) = main + 1.5;", "2:22: invalid operands"),
    ],
)
def test_other_errors_are_told(text: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=reason):
        imc.api.load(written(tmp_path, "", text))


def test_only_names_are_changed() -> None:
    made = renamed('int jjjj, jjjqs, main; "main"\n# 1 "main.c"\nchar c = \'"\', *main2, main$;')
    assert made.name not in ("jjjj", "jjjq") and not made.found
    expected = f'int jjjj, jjjqs, {made.name}; "main"\n# 1 "main.c"\nchar c = \'"\', *main2, main$;'
    assert made.text == expected


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("int main(int a, char *b) { f(__func__); } int g() { f(__func__); }", True),
        ("main(a, b) int a; char *b; { f(__func__); } g(x) int x; { f(__func__); }", True),
        ("int main(int, char *) __attribute__((cold)); int g() { f(__func__); }", False),
        ("int main(a, b) struct { int a; } *b; { f(__func__); }", False),
        ("void g() { main(1, 2); { f(__func__); } }", False),
    ],
)
def test_only_main_is_called_main(text: str, found: bool) -> None:
    made = renamed(text)
    assert made.found == found
    changed = text.replace("__func__", '(*(const char(*)[5])"main")', found)
    assert made.text == re.sub(r"(?<!\")main", made.name, changed)
