"""What verdicts rest on, as users meet it: short lines, codes in files, files that are wrong."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from cli_runs import Imc

import imc.api
import irs
from imc.checker.checker import Rejected
from imc.program.assumptions import KINDS, flaw
from imc.program.library import LIBRARY

PROGRAM = """\
#include <pthread.h>
#include <stdlib.h>
extern int sensor(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, sum;
static void *waiter(void *arg)
{
    pthread_mutex_lock(&m);
    while (!ready)
        pthread_cond_wait(&c, &m);
    sum += *(int *)arg;
    pthread_mutex_unlock(&m);
    return NULL;
}
int main(int argc, char **argv)
{
    pthread_t t;
    int *number = malloc(sizeof *number);
    *number = sensor();
    (void)argv;
    if (argc > 3)
        return 1;
    pthread_create(&t, NULL, waiter, number);
    pthread_mutex_lock(&m);
    ready = 1;
    sum = sensor();
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
"""
NEEDED = ["external-function", "no-arguments", "allocation-succeeds", "no-spurious-wakeups"]
FILES = {"p.c", "s.json"}


@pytest.fixture
def emitted(imc: Imc) -> Imc:
    imc.write({"p.c": PROGRAM})
    done = imc("verify", "p.c", "--until", "first", "--emit-schedule=s.json")
    assert done.code == 6
    return imc


def read(imc: Imc) -> Any:
    return json.loads((imc.folder / "s.json").read_text())


def change(imc: Imc, assumptions: Any, **more: Any) -> None:
    imc.write({"s.json": json.dumps({**read(imc), "assumptions": assumptions, **more})})


def commands() -> list[Any]:
    """All that take a schedule, with what they would write."""
    return [
        ("run", "p.c", "--schedule", "s.json", "--trace", "out", "--seed", "1"),
        ("run", "p.c", "--schedule", "s.json", "--backend", "native", "--seed", "1"),
        ("build", "p.c", "--schedule", "s.json", "-o", "out"),
        ("bench", "p.c", "--schedule", "s.json", "--svg", "out"),
    ]


# ----------------------------------------------------------------------------- telling


def test_the_heaviest_come_first_and_standing_ones_in_one_line(imc: Imc) -> None:
    imc.write({"p.c": PROGRAM})
    lines = imc("verify", "p.c", "--until", "first").out.splitlines()
    told = [line for line in lines if line.startswith("assumed: ")]
    assert told[0].startswith("assumed: 'sensor' is external")
    assert told[-1] == "assumed: malloc succeeds, no spurious wake-ups (--assumptions lists all)"
    assert all(len(line) <= 80 for line in lines)


@pytest.mark.parametrize("command", ["verify", "explore", "show"])
def test_all_of_them_with_their_codes(imc: Imc, command: str) -> None:
    imc.write({"p.c": PROGRAM})
    run = imc(command, "p.c", "--assumptions", *(["--time-limit", "5"] * (command != "show")))
    codes = re.findall(r"\[([a-z-]+)\]$", run.out, re.MULTILINE)
    assert [code for code in codes if code != "no-overflow"] == NEEDED
    assert "--assumptions lists all" not in run.out
    assert all(len(line) <= 80 for line in run.out.splitlines())


def test_as_objects(emitted: Imc) -> None:
    reports = [
        json.loads(emitted("verify", "p.c", "--until", "first", "--json", "-").out),
        json.loads(emitted("check", "p.c", "s.json", "--json", "-").out),
        read(emitted),
    ]
    for report in reports:
        assert [a["code"] for a in report["assumptions"] if a["code"] != "no-overflow"] == NEEDED
        first = report["assumptions"][0]
        assert (first["subject"], first["file"], first["line"]) == ("sensor", "p.c", 20)
        assert "is external" in first["text"]
        assert set(report["assumptions"][-1]) == {"code", "text"}


def test_options_lift_them(imc: Imc) -> None:
    imc.write({"p.c": PROGRAM})
    more = ("--spurious-wakeups", "--arg", "a b", "--until", "first", "--json", "-")
    found = json.loads(imc("verify", "p.c", *more).out)["assumptions"]
    codes = {a["code"]: a for a in found}
    assert "no-spurious-wakeups" not in codes and "no-arguments" not in codes
    assert codes["arguments"]["subject"] == "'a b'"


def test_a_wait_that_does_not_test_again_is_told(imc: Imc) -> None:
    imc.write({"p.c": PROGRAM.replace("while (!ready)", "if (!ready)")})
    run = imc("verify", "p.c", "--until", "first")
    note = re.sub(r"\s+", " ", run.out)
    assert "note: the wait at p.c:11:9 is not in a loop that tests again: wake-ups without" in note
    (found,) = json.loads(imc("explore", "p.c", "--json", "-", "--time-limit", "5").out)["notes"]
    assert (found["code"], found["line"]) == ("unguarded-wait", 11)
    quiet = imc("verify", "p.c", "--until", "first", "--no-spurious-wakeups")
    assert "note:" not in quiet.out
    assert "is not in a loop that tests again ends only when" in re.sub(r"\s+", " ", quiet.out)


# --------------------------------------------------------------------------- arguments


ARGUMENTS = """\
#include <assert.h>
#include <pthread.h>
static int total;
static void *work(void *arg) { total += *(char *)arg == 'x'; return NULL; }
int main(int argc, char **argv)
{
    pthread_t t;
    pthread_create(&t, NULL, work, argv[argc - 1]);
    pthread_join(t, NULL);
    assert(total == (argc == 3));
    return 0;
}
"""


@pytest.fixture
def with_arguments(imc: Imc) -> Imc:
    imc.write({"p.c": ARGUMENTS, "input": "1"})
    more = ("--arg", "it's", "--arg", "x", "--emit-schedule=s.json")
    assert imc("verify", "p.c", "--until", "first", *more).code in (0, 6)
    return imc


@pytest.mark.parametrize("given", [(), ("--arg", "it's", "--arg", "x")])
def test_a_schedule_is_checked_for_its_arguments(with_arguments: Imc, given: Any) -> None:
    run = with_arguments("check", "p.c", "s.json", "--json", "-", *given)
    assert run.code == 0
    found = {a["code"]: a.get("subject") for a in json.loads(run.out)["assumptions"]}
    assert found["arguments"] == "'it'\"'\"'s' x"


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("return 0;", False),
        ("(void)argc; return 0;", True),
        ("int *p = &argc; return *p;", True),
        ("return strcmp(*argv, *(&argv)[0]);", True),
    ],
)
def test_whoever_looks_at_arguments_is_told(imc: Imc, body: str, told: bool) -> None:
    imc.write({"p.c": f"#include <string.h>\nint main(int argc, char **argv) {{ {body} }}\n"})
    assert ("is run without arguments" in imc("explore", "p.c").out) == told


def test_other_surroundings_are_refused_in_one_line(with_arguments: Imc) -> None:
    run = with_arguments("check", "p.c", "s.json", "--arg", "x")
    assert (run.code, run.out) == (2, "")
    assert "made for a run with the arguments" in run.err and "give the same with --arg" in run.err
    change(with_arguments, [{"code": "no-arguments", "text": ""}])
    run = with_arguments("check", "p.c", "s.json", "--arg", "x")
    assert (run.code, run.out) == (2, "")
    assert "made for a run without arguments (leave out --arg)" in run.err


def test_what_was_checked_is_what_is_proved(with_arguments: Imc) -> None:
    """A file that names other arguments than its proof is about is not accepted."""
    for subject in ("x", "a b"):
        change(with_arguments, [argument(subject)])
        assert with_arguments("check", "p.c", "s.json").code == 1
    for subject in ("", "'x", "a  b", "a\tb", "\ud800"):
        change(with_arguments, [argument(subject)])
        run = with_arguments("check", "p.c", "s.json")
        assert run.code in (1, 2) and "Traceback" not in run.err


def argument(subject: str) -> dict[str, str]:
    return {"code": "arguments", "text": "", "subject": subject}


def test_another_standard_input_is_refused(imc: Imc) -> None:
    reads = "#include <stdio.h>\nint main(void) { return getchar() == 'x'; }\n"
    imc.write({"p.c": reads, "input": "1", "other": "2"})
    for made, checked in (
        ("input", ("--stdin", "other")),
        ("input", ()),
        (None, ("--stdin", "other")),
    ):
        more = ("--stdin", made) if made else ()
        imc("verify", "p.c", "--emit-schedule=s.json", *more)
        assert imc("check", "p.c", "s.json", *more).code == 0
        run = imc("check", "p.c", "s.json", *checked)
        assert run.code == 2 and "--stdin" in run.err


def test_runs_with_other_arguments_are_noticed(with_arguments: Imc) -> None:
    held = "the schedule rests on an assumption that does not hold: the program is run with the"
    right, wrong = ("it's", "x"), ("its", "x")
    run = ("run", "p.c", "--schedule", "s.json", "--")
    assert "does not hold" not in with_arguments(*run, *right).err
    assert held in with_arguments(*run, *wrong).err
    assert with_arguments("build", "p.c", "--schedule", "s.json", "-o", "out").code == 0
    for given, said in ((right, False), (wrong, True), ((), True), ((*right, "y"), True)):
        done = subprocess.run(
            ["./out", *given], cwd=with_arguments.folder, capture_output=True, check=False
        )
        assert (held in done.stderr.decode()) == said, given
    refused = with_arguments("bench", "p.c", "--schedule", "s.json")
    assert refused.code == 2 and "runs with arguments" in refused.err


# --------------------------------------------------------------------------- bad input


def test_the_words_mean_nothing(emitted: Imc) -> None:
    change(emitted, [{**a, "text": "all is well"} for a in read(emitted)["assumptions"]])
    done = emitted("check", "p.c", "s.json")
    assert done.code == 0
    assert "all is well" not in done.out and "'sensor' is external" in done.out
    assert "all is well" not in emitted("show", "s.json").out
    assert emitted("run", "p.c", "--schedule", "s.json", "--seed", "1").code == 0


@pytest.mark.parametrize(
    ("extra", "words"),
    [
        ({"code": "no-such-thing", "text": ""}, "that imc does not know: 'no-such-thing'"),
        ({"code": "external-function", "text": ""}, "external-function needs a subject"),
        ({"code": "no-reuse", "text": "", "subject": "x"}, "no-reuse has no subject"),
        ({"text": "no spurious wake-ups"}, 'the key "code" is missing'),
        ({"code": "no-reuse", "text": "", "weight": 1}, 'unknown key "weight"'),
        ({"code": "No Reuse", "text": ""}, "expected lower-case words"),
        ("no spurious wake-ups (--spurious-wakeups allows them)", "expected an object"),
    ],
)
def test_what_nobody_understands_is_refused(emitted: Imc, extra: Any, words: str) -> None:
    change(emitted, [*read(emitted)["assumptions"], extra])
    for command in [*commands(), ("check", "p.c", "s.json"), ("show", "s.json")]:
        emitted(*command).failed("s.json", "assumptions[", words)
    assert {path.name for path in emitted.files()} == FILES


@pytest.mark.parametrize("code", NEEDED)
def test_what_does_not_say_what_it_rests_on_is_refused(emitted: Imc, code: str) -> None:
    change(emitted, [a for a in read(emitted)["assumptions"] if a["code"] != code])
    for command in commands():
        emitted(*command).failed(f"s.json does not name the assumption {code}")
    done = emitted("check", "p.c", "s.json")
    assert (done.code, done.err) == (1, "")
    said = re.sub(r"\s+", " ", done.out)
    assert f"s.json: rejected: it does not name the assumption {code}" in said
    assert {path.name for path in emitted.files()} == FILES


ORDERED = """\
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    char *one = malloc(1 << 20), *two = malloc(8);
    assert(one < two);
    return 0;
}
"""


def test_where_objects_lie_is_not_forgotten(imc: Imc) -> None:
    """Neither by who explores or proves, nor by who checks: other machines have another order."""
    imc.write({"p.c": ORDERED, "tags.c": ORDERED.replace("one < two", "((long)one & 7) == 0")})
    for command in ("explore", "verify"):
        assert "address-layout" in imc(command, "p.c", "--assumptions").out
        assert "address-layout" not in imc(command, "tags.c", "--assumptions").out
    assert imc("verify", "p.c", "--emit-schedule=s.json").code == 0
    assert "address-layout" in imc("check", "p.c", "s.json", "--assumptions").out
    path = imc.folder / "s.json"
    document = json.loads(path.read_text())
    kept = [a for a in document["assumptions"] if a["code"] != "address-layout"]
    path.write_text(json.dumps({**document, "assumptions": kept}))
    run = imc("check", "p.c", "s.json")
    assert run.code != 0 and "does not name the assumption address-layout" in run.out + run.err


def test_another_subject_is_not_enough(emitted: Imc) -> None:
    found = read(emitted)["assumptions"]
    change(emitted, [{**a, "subject": "other"} if "subject" in a else a for a in found])
    emitted(*commands()[0]).failed("does not name the assumption external-function of 'sensor'")


def test_overflow_is_not_forgotten(emitted: Imc) -> None:
    found = read(emitted)["assumptions"]
    assert "no-overflow" in [a["code"] for a in found]
    change(emitted, [a for a in found if a["code"] != "no-overflow"])
    done = emitted("check", "p.c", "s.json")
    assert done.code == 1
    assert "assumption no-overflow" in re.sub(r"\s+", " ", done.out)


@pytest.mark.parametrize(("version", "words"), [(1, "an older irs"), (4, "a newer irs")])
def test_another_version_is_refused(emitted: Imc, version: int, words: str) -> None:
    change(emitted, ["signed arithmetic does not overflow"], version=version)
    for command in [*commands(), ("check", "p.c", "s.json"), ("show", "s.json")]:
        emitted(*command).failed("s.json: version", f"made by {words}")
    assert {path.name for path in emitted.files()} == FILES


def test_from_python(emitted: Imc, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(emitted.folder)
    change(emitted, [*read(emitted)["assumptions"], {"code": "no-such-thing", "text": ""}])
    schedule = irs.load(emitted.folder / "s.json")  # irs does not have to know them
    with pytest.raises(Rejected, match="does not know: 'no-such-thing'"):
        imc.api.check("p.c", schedule)


def test_other_arguments_than_those_that_were_proved(emitted: Imc) -> None:
    run = emitted("run", "p.c", "--schedule", "s.json", "--seed", "1", "--", "one")
    assert "rests on an assumption that does not hold: the program is run without" in run.err
    assert "does not hold" not in emitted("run", "p.c", "--schedule", "s.json", "--seed", "1").err
    with_one = ("--until", "first", "--arg", "one", "--emit-schedule=s.json")
    assert emitted("verify", "p.c", *with_one).code == 6
    run = emitted("run", "p.c", "--schedule", "s.json", "--seed", "1", "--", "one")
    assert "does not hold" not in run.err
    run = emitted("run", "p.c", "--schedule", "s.json", "--seed", "1", "--", "two")
    assert "does not hold: the program is run with the arguments one" in run.err
    assert emitted("check", "p.c", "s.json", "--arg", "one").code == 0
    assert emitted("check", "p.c", "s.json", "--arg", "two").code == 2


def test_library_functions_assume_what_is_known() -> None:
    for function in LIBRARY.values():
        plain = (*function.assumes, *function.assumes_with_arguments)
        for code, subject in [(c, None) for c in plain] + [
            (c, "name") for c in function.assumes_by_name
        ]:
            assert flaw(code, subject) == "", function.name


def test_all_codes_are_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "schedule-format.md").read_text()
    table = page.partition("## Assumptions")[2].partition("## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    assert {code for row in rows for code in re.findall(r"`([a-z-]+)`", row)} == set(KINDS)
