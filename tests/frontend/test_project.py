"""Programs as compile_commands.json describes them: which files, how, and what is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import imc.api
from imc.errors import UserError
from imc.frontend.compile_commands import read_compile_commands

FILES = {
    "src/server.c": "int f(void);\nint main(void) { return f() + PORT; }\n",
    "src/client.c": "int g(void);\nint main(void) { return g(); }\n",
    "lib/f.c": '#include "value.h"\nint h(void);\nint f(void) { return h() + VALUE; }\n',
    "lib/g.c": "int g(void) { return 2; }\nint unused(void) { return gone(); }\n",
    "lib/h.c": "int h(void) { return 3; }\n",
    "lib/inc/value.h": "#define VALUE 4\n",
    "lib/x.cc": "class x {};\n",
}
COMMANDS = {
    "src/server.c": ["-DPORT=1"],
    "src/client.c": ["-O2"],
    "lib/f.c": ["-I../lib/inc", "-Wall", "-MD", "-MF", "f.d"],
    "lib/g.c": [],
    "lib/h.c": ["@flags"],
    "lib/x.cc": [],
}


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
    Path("build").mkdir()
    Path("build/flags").write_text("-std=c99 -Wextra\n")
    return tmp_path


def written(*entries: dict[str, Any]) -> str:
    Path("build/cc.json").write_text(json.dumps(entries))
    return "build/cc.json"


def entry(file: str, words: Sequence[str] = (), output: str = "", **more: Any) -> dict[str, Any]:
    name = f"../{file}"
    command = ["cc", *words, "-c", name, "-o", output or f"{Path(file).name}.o"]
    return {"directory": str(Path("build").absolute()), "file": name, "arguments": command, **more}


def everything() -> str:
    entries = [entry(file, words) for file, words in COMMANDS.items()]
    entries[3]["command"] = "ccache gcc -DTEXT='\"a b\"' -c ../lib/g.c"
    del entries[3]["arguments"]
    return written(*entries)


def loaded(commands: str, *sources: str, **options: Any) -> set[str]:
    program = imc.api.load(sources, compile_commands=commands, **options)
    return set(program.texts) - {n for n in program.texts if "frontend/libc" in n}


def problem(commands: str, *sources: str, **options: Any) -> str:
    with pytest.raises(UserError) as caught:
        loaded(commands, *sources, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_program_is_what_its_main_needs() -> None:
    commands = everything()
    server = {"src/server.c", "lib/f.c", "lib/h.c"}
    for name in ("server", "server.c", "src/server.c"):
        assert loaded(commands, target=name) == server
    assert loaded(commands, target="client") == {"src/client.c", "lib/g.c"}
    program = imc.api.load([], compile_commands=commands, target="server")
    assert program.name == "src/server.c"
    assert not program.assumptions
    named = imc.api.load(["lib/h.c", "src/server.c", "lib/f.c"], compile_commands=commands)
    assert named.digest == program.digest
    plain = imc.api.load(
        ["src/server.c", "lib/f.c", "lib/h.c"], define=["PORT=1"], include=["lib/inc"]
    )
    assert plain.digest == program.digest


def test_only_the_files_that_are_named(project: Path) -> None:
    commands = everything()
    assert loaded(commands, "src/server.c") == {"src/server.c"}
    assert loaded(commands, str(project / "lib" / "f.c"), "src/server.c") == {
        "lib/f.c",
        "src/server.c",
    }
    assert "b.c has no entry in build/cc.json (it has src/server.c, " in problem(commands, "b.c")
    assert "lib/x.cc is not compiled as C" in problem(commands, "lib/x.cc")


def test_the_users_flags_come_after_those_of_the_build() -> None:
    commands = everything()
    programs = [
        imc.api.load([], compile_commands=commands, target="server", **more)
        for more in ({}, {"define": ["PORT=2"]}, {"flags": ["-DPORT=2"]}, {"define": ["PORT=1"]})
    ]
    one, two, also_two, also_one = (p.digest for p in programs)
    assert one == also_one != two == also_two


def test_one_main_needs_no_target() -> None:
    Path("lib/init.c").write_text(
        "int ready;\n__attribute__((constructor)) static void begin(void) { ready = 1; }\n"
    )
    files = ("lib/f.c", "src/server.c", "lib/h.c", "lib/g.c", "lib/init.c")
    commands = written(*(entry(file, COMMANDS.get(file, ())) for file in files))
    assert loaded(commands) == {"src/server.c", "lib/f.c", "lib/h.c", "lib/init.c"}


def test_several_programs_are_listed() -> None:
    told = problem(everything())
    assert told == "build/cc.json has several programs: client, server (give --target NAME)"
    told = problem(everything(), target="proxy")
    assert told == "there is no program 'proxy' in build/cc.json (it has client, server)"
    with pytest.raises(UserError, match="--compile-commands FILE, too"):
        imc.api.load("src/client.c", target="client")


def test_programs_by_the_names_of_their_outputs() -> None:
    Path("src/main.c").write_text("int main(void) { return 1; }\n")
    Path("lib/main.c").write_text("int main(void) { return 2; }\n")
    both = [entry("src/main.c"), entry("lib/main.c")]
    told = problem(written(*both))
    assert "several programs: lib/main.c, src/main.c" in told
    assert "several programs 'main'" in problem(written(*both), target="main")
    for one, name in zip(both, ("one", "two"), strict=True):
        one["output"] = f"CMakeFiles/{name}.dir/main.c.o"
    assert "several programs: one, two" in problem(written(*both))
    assert loaded("build/cc.json", target="two") == {"lib/main.c"}
    linked = {"directory": "..", "file": "src/main.c", "command": "cc src/main.c -o bin/first"}
    other = {"directory": "..", "file": "lib/main.c", "command": "cc -g lib/main.c -o second"}
    assert loaded(written(linked, other), target="first") == {"src/main.c"}
    linked["command"] += " -lm -Llib"
    program = imc.api.load([], compile_commands=written(linked, other), target="first")
    assert program.libraries == ("-lm", f"-L{Path('lib').absolute()}")


def test_files_of_a_cmake_target_belong_together() -> None:
    Path("lib/late.c").write_text("__attribute__((constructor)) static void f(void) {}\n")
    one = entry("src/server.c", ["-DPORT=1"], output="CMakeFiles/server.dir/src/server.c.o")
    two = entry("lib/late.c", output="CMakeFiles/server.dir/lib/late.c.o")
    rest = [entry(f, COMMANDS[f]) for f in ("src/client.c", "lib/f.c", "lib/g.c", "lib/h.c")]
    commands = written(one, two, *rest)
    assert loaded(commands, target="server") == {
        "src/server.c", "lib/late.c", "lib/f.c", "lib/h.c"
    }  # fmt: skip


def test_the_same_file_in_several_ways() -> None:
    Path("src/main.c").write_text("int f(void);\nint main(void) { return f(); }\n")
    Path("lib/f.c").write_text("int f(void) { return N; }\n")
    main = entry("src/main.c", output="CMakeFiles/prog.dir/src/main.c.o")
    one = entry("lib/f.c", ["-DN=1"], "one.o")
    two = entry("lib/f.c", ["-DN=2"], "two.o")
    told = problem(written(main, one, two))
    assert "lib/f.c is compiled in 2 ways: one.o, two.o (--target" in told
    assert "lib/f.c is compiled in 2 ways" in problem("build/cc.json", "src/main.c", "lib/f.c")
    shared = entry("lib/f.c", ["-fPIC", "-DPIC", "-DN=1"], "one.lo")
    assert loaded(written(main, shared, one, one)) == {"src/main.c", "lib/f.c"}
    two["output"] = "CMakeFiles/prog.dir/lib/f.c.o"
    program = imc.api.load([], compile_commands=written(main, one, two))
    assert program.digest == imc.api.load(["src/main.c", "lib/f.c"], define=["N=2"]).digest


def test_files_that_define_the_same() -> None:
    Path("lib/h2.c").write_text("int h(void) { return 30; }\n")
    files = [*COMMANDS][:5]
    commands = written(*(entry(f, COMMANDS[f]) for f in files), entry("lib/h2.c"))
    told = problem(commands, target="server")
    assert told.startswith("'h' is defined in several files: lib/h.c, lib/h2.c (name the files")
    assert loaded(commands, target="client") == {"src/client.c", "lib/g.c"}
    assert loaded(commands, "src/server.c", "lib/f.c", "lib/h2.c")


def test_a_strong_definition_takes_the_place_of_a_weak_one() -> None:
    Path("src/main.c").write_text(
        "__attribute__((weak)) int f(void) { return 1; }\nint main(void) { return f(); }\n"
    )
    Path("lib/f.c").write_text("int f(void) { return 2; }\n")
    assert loaded(written(entry("src/main.c"), entry("lib/f.c"))) == {"src/main.c", "lib/f.c"}


def test_files_that_cannot_be_compiled_matter_if_they_may_be_needed() -> None:
    Path("lib/bad.c").write_text("int bad(void) { return }\n")
    commands = [entry(f, words) for f, words in COMMANDS.items()] + [entry("lib/bad.c")]
    Path("lib/g.c").write_text("int g(void) { return 2; }\n")
    assert loaded(written(*commands), target="client") == {"src/client.c", "lib/g.c"}
    Path("lib/g.c").write_text("int bad(void);\nint g(void) { return bad(); }\n")
    assert "lib/bad.c:1:24" in problem(written(*commands), target="client")
    commands[-1] = entry("lib/gone.c")
    gone = "lib/gone.c does not exist, which build/cc.json names"
    assert gone in problem(written(*commands), target="client")
    commands[-1] = entry("lib/h.c", ["-fnosuch"])
    assert "unknown argument: '-fnosuch'" in problem(written(*commands), target="client")


def test_entries_are_read_as_they_are_meant() -> None:
    one = entry("lib/f.c", ["-DX", "-include", "x.c", "-o", "early.o"])
    words = "clang -I lib/inc -x c -- lib/f.c"
    two = {"directory": "/nowhere", "file": "lib/f.c", "command": words, "output": "f.out"}
    first, second = read_compile_commands(Path(written(one, two, one)))
    assert (str(first.file), first.output, first.linked) == ("lib/f.c", "f.c.o", False)
    assert first.flags == ("-DX", "-include", "x.c")
    assert (str(second.file), second.output) == ("/nowhere/lib/f.c", "f.out")
    assert second.flags == ("-I", "lib/inc", "-x", "c") and second.is_c and second.linked
    Path("build/compile_commands.json").write_text(json.dumps([one]))
    assert read_compile_commands(Path("build")) == [first]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is not JSON: Expecting value"),
        ("[" * 100_000, "is not JSON"),
        ("{}", "is not a list of commands"),
        ("[]", "has no commands (build the project first)"),
        ("[1]", "entry 0 is not an object"),
        ('[{"file": "a.c"}]', "entry 0: has no 'command'"),
        ('[{"command": "cc a.c"}]', "entry 0: has no 'file'"),
        ('[{"file": 1, "command": "cc"}]', "entry 0: 'file' is not a string"),
        ('[{"file": "a.c", "arguments": "cc"}]', "'arguments' is not a list of strings"),
        ('[{"file": "a.c", "command": "cc \'"}]', "this is not a command: No closing quotation"),
        ('[{"file": "a.c", "command": "cc @none"}]', "the response file", ),
        ('[{"file": "a.cc", "command": "c++ a.cc"}]', "has no C files (imc reads C only)"),
        ('[{"file": "a.c", "command": "cc -x c++ a.c"}]', "has no C files"),
        ('[{"file": "a.c", "command": "cc a.c"}]', "a.c does not exist"),
        ('[{"directory": "..", "file": "lib/h.c", "command": "cc"}]', "defines main"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_the_file(text: str, told: str) -> None:
    Path("build/cc.json").write_text(text)
    assert told in problem("build/cc.json")


def test_a_file_that_is_not_there() -> None:
    assert "cannot read nosuch.json: No such file" in problem("nosuch.json")
    assert "CMAKE_EXPORT_COMPILE_COMMANDS" in problem("build")
