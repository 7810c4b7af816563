"""Bad input and wrong use: one line that says what and where, and the documented exit code."""

from __future__ import annotations

import gc
import json
import os
import re
import shlex
import signal
import stat
import subprocess
import weakref
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Condition

import pytest
from cli_runs import Imc, Run, command, cpu_time, finish
from patience import computed_s, has_ended, wait_until

from imc import __version__, load
from imc.cli import COMMANDS
from imc.explorer import Exploration
from imc.explorer.hunt import Hunt
from imc.interrupts import heed_interrupts
from imc.program.analysis.sharing import Sharing
from imc.program.settings import Settings

GOOD = "int main(void) { return 0; }\n"
NOWHERE = "/dev/null/nowhere"  # nothing can be made there, not even by root

SENSOR = """\
int read_sensor(void);
int main(void) {
    return read_sensor() > 3;
}
"""
ASM = """\
int main(void) {
    int x = 1;
    __asm__ volatile("incl %0" : "+r"(x));
    return x;
}
"""
FORK = """\
#include <unistd.h>
int main(void) {
    return fork() == 0;
}
"""
CANCEL = """\
#include <pthread.h>
static void *work(void *arg) {
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
    return arg;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_cancel(thread);
    return 0;
}
"""
ENDLESS_THREADS = """\
#include <pthread.h>
static int last;
static void *work(void *arg) { last = 1; return arg; }
int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, work, 0);
    }
}
"""
ENDLESS_RECURSION = """\
static int deeper(int n) { return deeper(n + 1) + 1; }
int main(void) { return deeper(0); }
"""
UNINITIALISED = """\
int main(void) {
    int x;
    if (x > 0)
        return 1;
    return 0;
}
"""
MANY_STATES = """\
#include <pthread.h>
#include <stdatomic.h>
#define THREADS 5
static atomic_int count[THREADS];
static void *work(void *arg) {
    for (int i = 0; i < 30; i++)
        (*(atomic_int *)arg)++;
    return 0;
}
int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, &count[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
"""
MANY_EVENTS = f"""\
#include <pthread.h>
volatile int x;
static void *work(void *arg) {{
{"    x++;" * 3000}
    return arg;
}}
int main(void) {{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    return 0;
}}
"""
MAIN = """\
int helper(int);
extern int shared;
int main(void) {
    return helper(shared) - 4;
}
"""
USES_F = "int f = 1;\nint main(void) { return f; }\n"
HELPER = "int shared = 3;\nint helper(int n) { return n + 1; }\n"

LITTLE = 'target datalayout = "e-m:e-p:64:64-i64:64-n8:16:32:64-S128"\n'
AARCH64 = LITTLE + 'target triple = "aarch64-unknown-linux-gnu"\n'
BIG_ENDIAN = 'target datalayout = "E-m:e-i64:64-n32:64"\ntarget triple = "s390x-ibm-linux"\n'
NARROW = 'target datalayout = "e-m:e-p:16:16-i32:16"\ntarget triple = "msp430"\n'
IR_MAIN = "define i32 @main() {\n  ret i32 0\n}\n"


@dataclass(frozen=True)
class Case:
    """A run of imc on some files, and what has to come out."""

    arguments: str
    files: dict[str, str | bytes] = field(default_factory=dict)
    says: tuple[str, ...] = ()
    verdict: str = ""  # empty: refused
    hint: bool = False  # a way out, in brackets at the end

    def run(self, imc: Imc) -> Run:
        imc.folder.mkdir()
        imc.write(self.files)
        before = imc.files()
        run = imc(*shlex.split(self.arguments))
        assert imc.files() == before, "something is left behind"
        return run

    def check(self, run: Run) -> None:
        if self.verdict:
            run.verdict(self.verdict, *self.says)
        else:
            run.failed(*self.says)
            if self.hint:
                assert re.search(r" \(.+\)$", run.err), "the line does not say what to do"


def c(text: str | bytes, *says: str, arguments: str = "explore p.c", **more: object) -> Case:
    """A case of one file."""
    return Case(arguments, {"p.c": text}, says, **more)  # type: ignore[arg-type]


def ll(text: str | bytes, *says: str, **more: object) -> Case:
    return Case("explore p.ll", {"p.ll": text}, says, **more)  # type: ignore[arg-type]


SOURCES = {
    "syntax error": c("int main(void) {\n    int x = ;\n}\n", "p.c:2:13: expected expression"),
    "more than one error": c(
        "int main(void) {\n    return a;\n}\nint f(void) { return b; }\n",
        "p.c:2:12: use of undeclared identifier 'a'", "1 more error",
    ),
    "endless message": c("int main(void) { return %s; }\n" % ("a" * 50_000), "p.c:1:"),
    "C++ in a C file": c("class X { int x; };\n" + GOOD, "p.c:1:"),
    "missing header": c(
        '#include "nosuch.h"\n' + GOOD, "p.c:1:10: 'nosuch.h' file not found", "-I", hint=True
    ),
    "no main": c("int f(void) { return 0; }\n", "p.c", "'main'", hint=True),
    "only a comment": c("/* nothing yet */\n", "p.c", "'main'", hint=True),
    "unknown function, strict": c(
        SENSOR, "p.c:3:12: ", "'read_sensor'", arguments="explore --strict p.c", hint=True
    ),
    "inline assembly": c(ASM, "p.c:3:5: ", "inline assembly", "incl", hint=True),
    "fork": c(FORK, "p.c:3:12: ", "'fork'", "threads", hint=True),
    "asynchronous cancellation": c(
        CANCEL, "p.c:3:5: ", "asynchronous cancellation", "PTHREAD_CANCEL_DEFERRED", hint=True
    ),
    "uninitialised branch": c(
        UNINITIALISED, "p.c:3", "verdict: unsafe (uninitialised, reproduced)", verdict="unsafe"
    ),
    "endless recursion": c(ENDLESS_RECURSION, "bound: ", "recursion", verdict="unknown"),
    "endless threads": c(ENDLESS_THREADS, "bound: ", "thread", verdict="unknown"),
    "bytes of a program": c(
        b"\x7fELF\x02\x01\x01" + b"\0" * 9 + b"\xff\xfe\x80" * 50, "p.c", "text file", hint=True
    ),
    "bytes without zeros": c(bytes(range(128, 256)) * 20, "p.c:1:"),
    "empty file": c("", "p.c", "empty", hint=True),
    "200 brackets": c(
        f"int main(void) {{ int x = 1; return {'(' * 200}x{')' * 200} - 1; }}\n", verdict="safe"
    ),
    "200 nested sums": c(
        f"int main(void) {{ int x = 1; return {'(x + ' * 200}x{')' * 200} - 201; }}\n",
        verdict="safe",
    ),
    "200 blocks": c(
        f"int main(void) {{ int x = 1; {'if (x) { ' * 200}x = 0; {'}' * 200} return x; }}\n",
        verdict="safe",
    ),
    "long line": c(
        f"int main(void) {{ int x = 0; {'x++; ' * 1000} return x != 1000; }}\n", verdict="safe"
    ),
    "long string": c(
        f"int main(void) {{ const char *s = \"{'a' * 100_000}\"; return s[7] != 'a'; }}\n",
        verdict="safe",
    ),
    "Latin-1 in a comment": c(b"/* caf\xe9 */\n" + GOOD.encode(), verdict="safe"),
    "no newline at the end, and DOS ones": c(GOOD.replace(" ", "\r\n").rstrip(), verdict="safe"),
}  # fmt: skip

FILES = {
    "missing file": Case("show nosuch.c", says=("nosuch.c", "does not exist")),
    "one of two files is missing": Case(
        "explore a.c nosuch.c", {"a.c": GOOD}, ("nosuch.c", "does not exist")
    ),
    "newline in a name": Case("show 'no\nsuch.c'", says=("does not exist",)),
    "name too long": Case(f"show {'a' * 300}.c", says=("too long",)),
    "directory": Case("explore .", says=("directory",), hint=True),
    "device": Case("explore /dev/zero", says=("/dev/zero", "not a regular file"), hint=True),
    "C++ file": Case("show p.cpp", {"p.cpp": GOOD}, ("p.cpp", ".c"), hint=True),
    "no suffix": Case("show program", {"program": GOOD}, ("program", ".c"), hint=True),
    "two mains": Case(
        "explore a.c b.c", {"a.c": GOOD, "b.c": GOOD},
        ("b.c:1: ", "'main' is defined twice", "a.c:1"), hint=True,
    ),
    "function defined twice": Case(
        "explore a.c b.c", {"a.c": "\nint f() { return 1; }\n" + GOOD, "b.c": "\n\nvoid f() {}\n"},
        ("b.c:3: ", "'f' is defined twice", "a.c:2"), hint=True,
    ),
    "variable defined twice": Case(
        "explore a.c b.c", {"a.c": USES_F, "b.c": "\nint f = 2;\n"},
        ("b.c:2: ", "'f' is defined twice", "a.c:1"), hint=True,
    ),
    "variable and function of one name": Case(
        "explore a.c b.c", {"a.c": USES_F, "b.c": "\nint f(void) { return 2; }\n"},
        ("b.c:2: ", "'f' is defined twice", "a.c:1"), hint=True,
    ),
    "definition missing": Case(
        "explore --strict main.c", {"main.c": MAIN}, ("main.c:4:12: ", "'helper'"), hint=True
    ),
    "definition in a second file": Case(
        "explore --strict main.c helper.c", {"main.c": MAIN, "helper.c": HELPER}, verdict="safe"
    ),
    "name that begins with a dash": Case("explore -- -p.c", {"-p.c": GOOD}, verdict="safe"),
    "error in a name that begins with a dash": Case(
        "explore -- -p.c", {"-p.c": "int main(void) { return a; }\n"}, ("-p.c:1:25: ",)
    ),
    "name that begins with an at": Case("explore @p.c", {"@p.c": GOOD}, verdict="safe"),
    "spaces and letters": Case(
        "explore 'Übung 1 - Fäden 線.c'", {"Übung 1 - Fäden 線.c": GOOD}, verdict="safe"
    ),
    "error below spaces and letters": Case(
        "show 'Übung 1 - 線.c'", {"Übung 1 - 線.c": "int main(void) { return a; }\n"},
        ("Übung 1 - 線.c:1:25: use of undeclared",),
    ),
}  # fmt: skip

IR = {
    "not IR": ll("this is not IR\n", "p.ll:1: "),
    "unknown instruction": ll(
        "define i32 @main() {\n  %1 = frobnicate i32 1\n  ret i32 %1\n}\n", "p.ll:2: ", "frobnicate"
    ),
    "unknown register": ll("define i32 @main() {\n  ret i32 %7\n}\n", "p.ll:2: ", "%7"),
    "unknown global": ll("define i32 @main() {\n  ret i32 @nosuch\n}\n", "p.ll:2: "),
    "cut off": ll("define i32 @main() {\n  ret i32 0\n", "p.ll:1: "),
    "cut off in a line": ll("define i32 @main() {\n  %1 = add i32 \n}\n", "p.ll:2: "),
    "no terminator": ll("define i32 @main() {\n  %1 = add i32 1, 2\n}\n", "p.ll:"),
    "unknown block": ll("define i32 @main() {\n  br label %nosuch\n}\n", "p.ll:2: ", "nosuch"),
    "header cut off": ll("define\n", "p.ll:1: "),
    "bytes": ll(b"BC\xc0\xde5\x14\0\0" + b"\0\xff" * 20, "p.ll", hint=True),
    "big-endian": ll(BIG_ENDIAN + IR_MAIN, "p.ll:1: ", "big-endian"),
    "pointers of 16 bits": ll(NARROW + IR_MAIN, "p.ll:1: ", "16 bits"),
    "another architecture": ll(AARCH64 + IR_MAIN, verdict="safe"),
    "two data models": Case(
        "explore --32 p.c q.ll", {"p.c": GOOD, "q.ll": LITTLE + "@x = global i32 1\n"},
        ("q.ll", "data model", "p.c"), hint=True,
    ),
}  # fmt: skip

USES = {
    "no command": Case("nosuch", says=("nosuch",)),
    "no file": c(GOOD, "FILE", arguments="show"),
    "unknown option": c(GOOD, "--nosuch", arguments="show --nosuch p.c"),
    "option without its value": c(GOOD, "--json", arguments="show p.c --json"),
    "unknown property": c(GOOD, "'nosuch'", "race", arguments="explore --check nosuch p.c"),
    "garbage as inputs": c(GOOD, "--inputs", "x..y", arguments="explore --inputs x..y p.c"),
    "inputs upside down": c(GOOD, "--inputs", arguments="explore --inputs 5..2 p.c"),
    "too many inputs": c(GOOD, "--inputs", arguments="explore --inputs 0..99999999999 p.c"),
    "negative bound": c(GOOD, "--bound-loops", arguments="explore --bound-loops -1 p.c"),
    "missing standard input": c(GOOD, "nosuch", arguments="explore --stdin nosuch p.c"),
    "unknown compiler": c(GOOD, "nosuch", "--cc", arguments="show --cc nosuch p.c", hint=True),
    "compiler that is none": c(GOOD, "--cc", arguments="show --cc true p.c", hint=True),
    "macro without a name": c(GOOD, "-D", "=3", arguments="explore -D =3 p.c"),
    "macro with a bad name": c(GOOD, "-D", "1X", arguments="explore -D 1X=3 p.c"),
    "JSON below a missing folder": c(
        GOOD, "nosuch/out.json", arguments="explore --json nosuch/out.json p.c", hint=True
    ),
    "JSON in place of a folder": c(GOOD, "cannot write .", arguments="explore --json . p.c"),
    "JSON without a name": c(GOOD, "cannot write", arguments="explore --json '' p.c"),
    "JSON where nothing can be": c(
        GOOD, f"{NOWHERE}/x", arguments=f"show --json {NOWHERE}/x p.c", hint=True
    ),
    "SVG below a missing folder": c(
        GOOD, "nosuch/p.svg", arguments="show --svg nosuch/p.svg p.c", hint=True
    ),
    "two results on standard output": c(
        GOOD, "--json", "--dot", arguments="show --json - --dot - p.c"
    ),
}

CASES = {**SOURCES, **FILES, **IR, **USES}
AHEAD = os.cpu_count() or 1  # how many cases run while one is looked at


@pytest.fixture(scope="module")
def runs(
    tmp_path_factory: pytest.TempPathFactory, environment: dict[str, str]
) -> Iterator[dict[str, Future[Run]]]:
    """The runs of the cases, begun in the order of the tests."""

    class Runs(dict[str, Future[Run]]):
        def __missing__(self, name: str) -> Future[Run]:
            imc = Imc(folder / f"case{names.index(name)}", environment)
            self[name] = pool.submit(CASES[name].run, imc)
            return self[name]

        def result(self, name: str) -> Run:
            at = names.index(name)
            futures = [self[n] for n in names[at : at + AHEAD]]
            return futures[0].result()

    names = list(CASES)
    folder = tmp_path_factory.mktemp("cases")
    with ThreadPoolExecutor(AHEAD) as pool:
        yield Runs()


@pytest.mark.parametrize("name", CASES)
def test_case(runs: object, name: str) -> None:
    CASES[name].check(runs.result(name))  # type: ignore[attr-defined]


# ------------------------------------------------------------------- programs


def test_an_unknown_function_is_named_with_the_verdict(imc: Imc) -> None:
    imc.write({"p.c": SENSOR})
    run = imc("explore", "p.c", "--json", "result.json")
    assert run.err == ""
    assert run.code in (0, 3)
    assert re.search(r"^assumed: .*'read_sensor'.*external", run.out, re.MULTILINE)
    assert "p.c:3" in run.out
    document = json.loads((imc.folder / "result.json").read_text())
    assert ("external-function", "read_sensor") in [
        (a["code"], a.get("subject")) for a in document["assumptions"]
    ]


def test_a_file_over_the_limit_is_refused_at_once(imc: Imc) -> None:
    imc.write({"p.c": b"\n" * 50_000_000})
    start = cpu_time()
    run = imc("explore", "p.c")
    assert cpu_time() - start < 15  # to compile it takes minutes
    run.failed("p.c", "limit", "20 MB")


def test_3000_lines_load_in_a_sensible_time(imc: Imc) -> None:
    body = "\n".join(f"    if (x > {n}) {{\n        x -= {n};\n    }}" for n in range(2))
    functions = [f"static int f{n}(int x) {{\n{body}\n    return x;\n}}\n" for n in range(330)]
    calls = "".join(f"    x += f{n}(x);\n" for n in range(330))
    text = "".join(functions) + f"int main(void) {{\n    int x = 1;\n{calls}    return x < 0;\n}}\n"
    assert text.count("\n") > 3000
    imc.write({"p.c": text})
    start = cpu_time()
    run = imc("show", "p.c")
    assert cpu_time() - start < 30
    assert (run.code, run.err) == (0, "")


# --------------------------------------------------------------- surroundings


def test_without_a_place_to_write(imc: Imc) -> None:
    imc.write({"p.c": GOOD})
    env = dict.fromkeys(("HOME", "IMC_CACHE_DIR", "XDG_CACHE_HOME"), NOWHERE)
    imc("explore", imc.folder / "p.c", cwd="/proc", env=env).verdict("safe")
    imc.env = {k: v for k, v in imc.env.items() if k != "IMC_CACHE_DIR"}
    imc("explore", "p.c", env={"HOME": NOWHERE}).verdict("safe")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_in_a_folder_without_the_right_to_write(imc: Imc) -> None:
    imc.write({"p.c": GOOD})
    imc.folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        env = {"HOME": str(imc.folder), "IMC_CACHE_DIR": str(imc.folder / "cache")}
        imc("explore", "p.c", env=env).verdict("safe")
        imc("explore", "p.c", "--json", "p.json").failed("p.json", "Permission denied")
    finally:
        imc.folder.chmod(stat.S_IRWXU)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_the_right_to_read(imc: Imc) -> None:
    imc.write({"p.c": GOOD})
    (imc.folder / "p.c").chmod(0)
    imc("explore", "p.c").failed("p.c", "Permission denied")


def test_a_name_that_is_not_utf8(imc: Imc) -> None:
    name = os.fsdecode(b"caf\xe9.c")
    try:
        imc.write({name: GOOD})
    except OSError:
        pytest.skip("the file system takes no such name")
    run = imc("show", name)
    assert (run.code, run.err) == (0, "")
    run = imc("explore", name, "--json", "-")
    assert (run.code, run.err) == (0, "")


def test_a_terminal_that_knows_ascii_only(imc: Imc) -> None:
    imc.write({"größer.c": GOOD})
    run = imc("show", "größer.c", env={"PYTHONIOENCODING": "ascii"})
    assert (run.code, run.err) == (0, "")


@pytest.mark.parametrize("closed", ["<&-", "2>&-"])
def test_closed_streams(imc: Imc, closed: str) -> None:
    imc.write({"p.c": "#include <stdio.h>\nint main(void) { return getchar() != EOF; }\n"})
    run = through_shell(imc, f"{shlex.join(map(str, command(['explore', 'p.c'])))} {closed}")
    run.verdict("safe")


def test_a_full_disk(imc: Imc) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    imc.write({"p.c": GOOD})
    with Path("/dev/full").open("w") as full:
        run = imc("show", "p.c", stdout=full)
    run.failed("No space left")


def through_shell(imc: Imc, line: str) -> Run:
    process = subprocess.Popen(
        ["sh", "-c", line],
        cwd=imc.folder,
        env=imc.env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    return finish(process)


# --------------------------------------------------------------------- results


@pytest.mark.parametrize("name", ["show", "explore"])
def test_json_on_standard_output_is_all(imc: Imc, name: str) -> None:
    imc.write({"p.c": UNINITIALISED})
    run = imc(name, "p.c", "--json", "-")
    assert run.err == ""
    assert isinstance(json.loads(run.out), dict)
    assert run.code == (1 if name == "explore" else 0)


def test_an_error_leaves_an_older_result_alone(imc: Imc) -> None:
    imc.write({"p.c": "int main(void) { return a; }\n", "result.json": "older"})
    imc("explore", "p.c", "--json", "result.json").failed("p.c:1:25")
    assert (imc.folder / "result.json").read_text() == "older"
    assert {path.name for path in imc.files()} == {"p.c", "result.json"}


def test_a_reader_that_leaves_after_a_line(imc: Imc) -> None:
    """As with `imc show p.c | head -1`, with more output than a pipe holds."""
    imc.write({"p.c": MANY_EVENTS})
    process = imc.start("show", "p.c")
    assert process.stdout is not None
    assert process.stdout.readline().strip() == "p.c"
    process.stdout.close()
    process.stdout = None
    run = finish(process)
    assert (run.code, run.err) == (0, "")


def test_a_reader_that_is_gone(imc: Imc) -> None:
    """Little output, written only at the very end; the exit code still is that of the verdict."""
    imc.write({"p.c": GOOD})
    reader, writer = os.pipe()
    os.close(reader)
    try:
        run = imc("explore", "p.c", stdout=writer)
    finally:
        os.close(writer)
    assert (run.code, run.err) == (0, "")


# ---------------------------------------------------------------- interruption


def test_interrupted_while_exploring(imc: Imc) -> None:
    imc.write({"p.c": MANY_STATES})
    for wait in (1.5, 4, 8, 30):  # on a slow machine it may not even be exploring yet
        arguments = ("--algorithm", "exhaustive", "--json", "result.json")
        process = imc.start("explore", "p.c", *arguments)
        wait_until(lambda: computed_s(process.pid) > wait)  # noqa: B023 (called at once)
        os.killpg(process.pid, signal.SIGINT)
        run = finish(process)
        if "verdict" in run.out:
            break
    assert "Traceback" not in run.err
    assert run.code == 130
    assert "verdict: unknown" in run.out
    assert re.search(r"^bound: .*interrupted", run.out, re.MULTILINE)
    document = json.loads((imc.folder / "result.json").read_text())
    assert document["verdict"] == "unknown"
    assert "interrupted" in " ".join(document["bounds"])
    assert document["states"] > 0
    assert {path.name for path in imc.files()} == {"p.c", "result.json"}


def test_interrupted_while_compiling(imc: Imc) -> None:
    script = "#!/bin/sh\necho $$ > pid.new\nmv pid.new pid\nexec sleep 6000\n"
    imc.write({"p.c": GOOD, "slow": script})
    (imc.folder / "slow").chmod(0o755)
    temporary = imc.folder / "tmp"
    temporary.mkdir()
    pid_file = imc.folder / "pid"
    process = imc.start("explore", "p.c", "--cc", "./slow", env={"TMPDIR": str(temporary)})
    wait_until(lambda: pid_file.exists() or process.poll() is not None)
    os.killpg(process.pid, signal.SIGINT)
    finish(process).failed("interrupted", code=130)
    assert not list(temporary.iterdir())
    wait_until(lambda: has_ended(int(pid_file.read_text())))


def test_terminated_while_compiling(imc: Imc) -> None:
    imc.write(
        {"p.c": GOOD, "slow": "#!/bin/sh\necho $$ > pid.new\nmv pid.new pid\nexec sleep 6000\n"}
    )
    (imc.folder / "slow").chmod(0o755)
    pid_file = imc.folder / "pid"
    process = imc.start("explore", "p.c", "--cc", "./slow")
    wait_until(lambda: pid_file.exists() or process.poll() is not None)
    process.terminate()
    assert finish(process).code == 143
    wait_until(lambda: has_ended(int(pid_file.read_text())))


def test_interrupted_while_verifying(imc: Imc) -> None:
    """In the middle of the proof of all schedules, there is one that can be told."""
    program = Path(__file__).parents[2] / "examples" / "prodcons.c"
    process = imc.start("verify", program, "-DPRODUCERS=4", "-DCONSUMERS=4", "--until", "all")
    assert process.stdout is not None
    told = ""
    while "a first schedule" not in told and process.poll() is None:
        told = process.stdout.readline()
    process.send_signal(signal.SIGINT)
    run = finish(process)
    assert run.code == 6, run
    assert "verdict: partially-safe" in run.out and "bound: interrupted" in run.out


def test_an_interrupt_while_something_is_deleted() -> None:
    class Deleted:
        def __del__(self) -> None:
            os.kill(os.getpid(), signal.SIGINT)
            sum(range(3))

    thing = Deleted()
    with heeded(), pytest.raises(KeyboardInterrupt):
        del thing
        wait_until(lambda: False)


def test_an_interrupt_while_garbage_is_collected() -> None:
    signals = iter([signal.SIGINT])

    def collecting(phase: str, info: dict[str, int]) -> None:
        for number in signals:
            os.kill(os.getpid(), number)

    gc.callbacks.append(collecting)
    try:
        with heeded(), pytest.raises(KeyboardInterrupt):
            gc.collect()
            wait_until(lambda: False)
    finally:
        gc.callbacks.remove(collecting)


def test_an_interrupt_while_garbage_is_forgotten() -> None:
    """Who is told that an object ends may not raise anything either: Python throws it away."""

    class Thing:
        def __init__(self) -> None:
            self.circle = self

    def told(reference: object) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        sum(range(3))

    reference = weakref.ref(Thing(), told)
    with heeded(), pytest.raises(KeyboardInterrupt):
        gc.collect()
        wait_until(lambda: False)
    assert reference() is None


def test_an_interrupt_while_a_lock_is_taken() -> None:
    """What a condition has taken it gives back, or the next one who comes would wait for ever."""

    class Signalling:
        __enter__ = partial(os.kill, os.getpid(), signal.SIGINT)
        acquire = None
        given_back = False

        def __exit__(self, *exception: object) -> None:
            self.given_back = True

        release = __exit__

    lock = Signalling()
    with heeded(), pytest.raises(KeyboardInterrupt):
        with Condition(lock):  # type: ignore[arg-type]
            pass
        wait_until(lambda: False)
    assert lock.given_back


@contextmanager
def heeded() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    heed_interrupts()
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_hunt_does_not_keep_an_interrupt(monkeypatch: pytest.MonkeyPatch, imc: Imc) -> None:
    imc.write({"p.c": MANY_STATES})
    stopped = Exploration("exhaustive", True, interrupted=True)
    monkeypatch.setattr("imc.explorer.hunt.explore", lambda *_, **__: stopped)
    program = load(imc.folder / "p.c")
    with pytest.raises(KeyboardInterrupt):
        Hunt(program, Settings(), Sharing(program))(10)


def test_interrupted_while_starting(imc: Imc) -> None:
    """Modules are still being imported, here one that brings the signal itself."""
    imc.write({"p.c": GOOD, "click.py": "import signal\nsignal.raise_signal(signal.SIGINT)\n"})
    path = os.pathsep.join([str(imc.folder), imc.env["PYTHONPATH"]])
    run = imc("explore", "p.c", env={"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"})
    run.failed("interrupted", code=130)


# ------------------------------------------------------------------------ help


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help(imc: Imc, name: str) -> None:
    run = imc(*name.split(), "--help", env={"COLUMNS": "200"})
    assert (run.code, run.err) == (0, "")
    assert re.search(rf"^ *imc {name or 'show'} .*\w+\.c", run.out, re.MULTILINE), "no example"
    for line in run.out.splitlines():
        assert len(line) <= 80, line
    if not name:
        for meaning in ("0 safe", "1 unsafe", "2 ", "3 unknown", "70 ", "130 interrupted"):
            assert meaning in run.out


def test_version(imc: Imc) -> None:
    run = imc("--version")
    assert (run.code, run.err) == (0, "")
    assert __version__ in run.out
    assert run.out.count("\n") == 1


def test_no_arguments_at_all(imc: Imc) -> None:
    run = imc()
    assert run.code in (0, 2)
    assert "Usage" in run.out + run.err
    assert "Traceback" not in run.err
