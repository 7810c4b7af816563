"""imc verify as a user meets it: lines, verdicts, exit codes, files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from imc.cli import cli
from imc.errors import UserError

DOUBT = """\
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static int x, y;
static void *reader(void *arg)
{
    x = 1;
    assert(y == 1);
    return arg;
}
int main(void)
{
    pthread_t thread;
    int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
    pthread_create(&thread, 0, reader, 0);
    x = 2;
    if ((i ^ j) == 77)
        y = 0;
    y = 1;
    pthread_join(thread, 0);
    return 0;
}
"""
EXAMPLES = Path(__file__).parent.parent.parent / "examples"


def verify(name: str, *options: str) -> Result:
    arguments = ["verify", str(EXAMPLES / f"{name}.c"), *options]
    return CliRunner().invoke(cli, arguments, catch_exceptions=False)


@pytest.mark.parametrize(
    ("name", "options", "code", "verdict"),
    [
        ("peterson", (), 0, "safe"),
        ("lost_update", (), 4, "partially-safe"),
        ("prodcons", ("--until", "first"), 6, "partially-safe"),
        ("prodcons", ("--time-limit", "0.000001"), 3, "unknown"),
    ],
)
def test_exit_codes(name: str, options: tuple[str, ...], code: int, verdict: str) -> None:
    done = verify(name, *options)
    assert done.exit_code == code
    assert f"verdict: {verdict}" in done.stdout


def test_unsafe_has_a_code_of_its_own(tmp_path: Path) -> None:
    source = tmp_path / "always.c"
    source.write_text("#include <assert.h>\nint main(void) { assert(0); }\n")
    done = CliRunner().invoke(cli, ["verify", str(source)], catch_exceptions=False)
    assert done.exit_code == 1
    assert "reproduced by running the program this way" in done.stdout


def test_an_error_is_told_even_if_no_schedule_is_known(tmp_path: Path) -> None:
    source, report = tmp_path / "doubt.c", tmp_path / "report.json"
    source.write_text(DOUBT)
    arguments = ["verify", str(source), "--json", str(report)]
    done = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    assert done.exit_code == 3
    said = " ".join(done.stdout.split())
    assert "reproduced by running the program this way" in said
    assert "verdict: unknown (an error was reproduced, whether a schedule avoids it is not" in said
    assert json.loads(report.read_text())["error_reproduced"] is True


@pytest.mark.parametrize("command", [(), ("verify",), ("explore",), ("check",), ("run",)])
def test_exit_codes_are_in_the_help(command: tuple[str, ...]) -> None:
    text = CliRunner().invoke(cli, [*command, "--help"]).stdout
    assert "Exit codes: " in text
    if command in ((), ("verify",)):
        assert "4 partially safe, and there is an error" in " ".join(text.split())
        assert "6 partially safe, and the rest is not proved" in " ".join(text.split())


def test_a_line_for_each_result() -> None:
    done = verify("double_lock_wrong", "--until", "all")
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["no", "result", "nodes", "covers", "solver", "time", "permits"]
    numbered = [line for line in lines[1:] if line[:4].strip().isdigit() and " s  " in line]
    assert [int(line[:4]) for line in numbered] == list(range(1, len(numbered) + 1))
    assert any(" unsafe " in line for line in numbered)
    assert "main.1 waits for mutex 'mutex2', held by main.2 (line 38)" in done.stdout


def test_everything_fits_eighty_columns() -> None:
    for name in ("lost_update", "prodcons_unlocked_check", "filesystem_assume_useful"):
        text = verify(name, "--until", "all", "--time-limit", "3").stdout
        # A place in the source stays whole, however long its path is.
        wide = [line for line in text.splitlines() if len(line) > 80 and "/" not in line]
        assert wide == []


def test_the_document(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    verify("lost_update", "--json", str(report))
    found = json.loads(report.read_text())
    assert found["verdict"] == "partially-safe"
    assert found["time_first_result_s"] <= found["time_s"]
    error, first = found["results"]
    assert (error["index"], error["verdict"], error["schedule"]) == (1, "unsafe", None)
    assert (first["index"], first["verdict"]) == (2, "safe")
    assert first["schedule"]["nodes"] == first["nodes"] > 5
    assert found["counterexample"]["reproduced"]
    assert found["counterexample"]["trace"][-1]["text"] == "counter is 1"


def test_json_on_standard_output_is_alone() -> None:
    assert json.loads(verify("peterson", "--json", "-").stdout)["verdict"] == "safe"


def test_pictures(tmp_path: Path) -> None:
    svg, dot = tmp_path / "tree.svg", tmp_path / "tree.dot"
    verify("prodcons", "-DSLOTS=1000", "--until", "first", "--svg", str(svg), "--dot", str(dot))
    assert "0 ≤ tail ≤ 999" in svg.read_text() and "0 ≤ tail ≤ 999" in dot.read_text()
    assert "style=dashed" in dot.read_text()


def test_the_tree_in_text() -> None:
    text = verify("prodcons", "-DSLOTS=1000", "--until", "first", "--tree").stdout
    assert "main.1 78: lock mutex" in text
    assert "{0 ≤ tail ≤ 999 ∧ 0 ≤ head ≤ 999}" in text
    assert " ▷ " in text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--strategy", "best"), "there is no strategy 'best'"),
        (("--interpolation", "wp,magic"), "unknown interpolation strategy 'magic'"),
        (("--json", "-", "--dot", "-"), "only one of --json and --dot"),
        (("--memory-limit", "1", "--svg", "x.svg"), "there is no schedule to draw"),
    ],
)
def test_bad_use_is_named(options: tuple[str, ...], message: str) -> None:
    with pytest.raises(UserError, match=message):
        verify("peterson", *options)


@pytest.mark.parametrize(
    "options", [("--iterations", "0"), ("--until", "never"), ("--time-limit", "-1")]
)
def test_bad_values_are_refused(options: tuple[str, ...]) -> None:
    assert verify("peterson", *options).exit_code == 2


def replayed(tmp_path: Path, program: Path) -> Result:
    """The counterexample that imc verify writes, run again."""
    report = tmp_path / "report.json"
    CliRunner().invoke(cli, ["verify", str(program), "--json", str(report)], catch_exceptions=False)
    arguments = ["replay", str(program), str(report)]
    return CliRunner().invoke(cli, arguments, catch_exceptions=False)


def test_what_a_search_finds_can_be_replayed(tmp_path: Path) -> None:
    done = replayed(tmp_path, EXAMPLES / "lost_update.c")
    assert done.exit_code == 1 and "verdict: reproduced" in done.stdout


def test_what_a_solver_finds_can_be_replayed(tmp_path: Path) -> None:
    program = tmp_path / "prog.c"
    program.write_text(
        "#include <assert.h>\n"
        "#include <pthread.h>\n"
        "extern int __VERIFIER_nondet_int(void);\n"
        "static int x;\n"
        "static void *set(void *arg) { x = __VERIFIER_nondet_int(); return arg; }\n"
        "int main(void)\n"
        "{\n"
        "    pthread_t t;\n"
        "    pthread_create(&t, 0, set, 0);\n"
        "    pthread_join(t, 0);\n"
        "    assert(x != 123456);\n"
        "    return 0;\n"
        "}\n"
    )
    done = replayed(tmp_path, program)
    assert done.exit_code == 1 and "verdict: reproduced" in done.stdout
    inputs = json.loads((tmp_path / "report.json").read_text())["counterexample"]["inputs"]
    assert inputs == {"input.main.1.1.32": 123456}
