"""Files that commands write: never those that they read, never two results in one."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_runs import Imc

GOOD = "int main(void) { return 0; }\n"
COMMANDS = [
    ("explore", "t.c", "--json", "t.c"),
    ("explore", "t.c", "--json", "./link.json"),  # which leads to t.c
    ("explore", "t.c", "--json", "other.c"),
    ("explore", "t.c", "--json", "in.txt", "--stdin", "in.txt"),
    ("explore", "t.c", "--json", "stubs.txt", "--stubs", "stubs.txt"),
    ("explore", "t.c", "--emit-schedule=other.c"),
    ("verify", "t.c", "--json", "t.c"),
    ("verify", "t.c", "--svg", "t.c"),
    ("verify", "t.c", "--dot", "t.c"),
    ("verify", "t.c", "--json", "s.json"),  # a schedule, though it is not read
    ("show", "t.c", "--svg", "t.c"),
    ("show", "t.c", "--dot", "t.c"),
    ("show", "s.json", "--html", "-o", "t.c"),
    ("show", "s.json", "--html", "-o", "s.json"),
    ("show", "s.json", "--svg", "s.json"),
    ("check", "t.c", "s.json", "--json", "s.json"),
    ("run", "t.c", "--schedule", "s.json", "--json", "s.json"),
    ("run", "t.c", "--schedule", "s.json", "--trace", "t.c"),
    ("run", "t.c", "--live", "--chart", "t.c"),
    ("replay", "t.c", "r.json", "--json", "r.json"),
    ("build", "t.c", "--schedule", "s.json", "-o", "s.json"),
    ("bench", "t.c", "--svg", "t.c"),
    ("tune", "t.c", "-o", "t.c"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_what_is_the_users_is_not_overwritten(imc: Imc, command: tuple[str, ...]) -> None:
    schedule = '{\n"format": "irs schedule",\n"version": 2\n}\n'
    files: dict[str, str | bytes] = {
        "t.c": GOOD, "other.c": GOOD, "in.txt": "1\n", "stubs.txt": "", "s.json": schedule,
        "r.json": "{}",
    }  # fmt: skip
    imc.write(files)
    (imc.folder / "link.json").symlink_to("t.c")
    before = imc.files()
    imc(*command).failed()
    assert {name: (imc.folder / name).read_text() for name in files} == files
    assert imc.files() == before


@pytest.mark.parametrize(
    "command",
    [
        ("verify", "t.c", "--json", "r", "--svg", "./r"),
        ("verify", "t.c", "--emit-schedule", "--json", "t.sched.json"),
        ("show", "t.c", "--svg", "r", "--dot", "r"),
        ("show", "t.c", "--svg", "-", "--dot", "-"),
        ("bench", "t.c", "--svg", "r", "--json", "r"),
    ],
    ids=" ".join,
)
def test_two_results_in_one_file(imc: Imc, command: tuple[str, ...]) -> None:
    imc.write({"t.c": GOOD})
    run = imc(*command)
    run.failed("only one of" if "-" in command else "would both write")
    assert {path.name for path in imc.files()} == {"t.c"}


@pytest.mark.parametrize("target", ["no/r.json", "/dev/null/r.json", "folder"])
def test_a_target_that_cannot_be_written_is_noticed_first(imc: Imc, target: str) -> None:
    imc.write({"t.c": "int main(void) { for (;;); }\n#error\n"})  # nobody has looked at it yet
    (imc.folder / "folder").mkdir()
    for command in ("explore", "verify", "show"):
        imc(command, "t.c", "--json", target).failed(f"cannot write {target}: ", "writable folder")


def test_a_verdict_is_told_even_if_it_cannot_be_written(imc: Imc) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    imc.write({"t.c": GOOD})
    for command in ("explore", "verify"):
        run = imc(command, "t.c", "--json", "/dev/full")
        assert "verdict: safe" in run.out
        assert (run.code, run.err) == (
            2, "imc: cannot write /dev/full: No space left on device (name a file in a writable "
            "folder)\n",
        )  # fmt: skip


@pytest.mark.parametrize(
    "command",
    [
        ("explore", "t.c", "--time-limit"),
        ("verify", "t.c", "--time-limit"),
        ("verify", "t.c", "--memory-limit"),
        ("check", "t.c", "s.json", "--time-limit"),
        ("run", "t.c", "--unconstrained", "--time-limit"),
        ("run", "t.c", "--unconstrained", "--stall-limit"),
        ("bench", "t.c", "--time-limit"),
        ("tune", "t.c", "--max-wait"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("number", ["nan", "inf"])
def test_what_is_no_number(imc: Imc, command: tuple[str, ...], number: str) -> None:
    imc.write({"t.c": GOOD})
    imc(*command, number).failed(f"'{command[-1]}'", f"'{number}' is not a number")
