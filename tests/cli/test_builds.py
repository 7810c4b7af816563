"""Programs as their builds compile them, and schedules that stay with them when they move."""

from __future__ import annotations

import json
import shutil
import subprocess

from cli_runs import Imc

PROGRAM = """#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include "config.h"
#ifdef UNWANTED
#error unwanted
#endif
int total(void);
extern int shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int twice(int x) { return 2 * x; }
static void *worker(void *argument)
{
    int *own = malloc(sizeof *own);
    *own = STEP;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&mutex);
        shared += twice(*own);
        pthread_mutex_unlock(&mutex);
    }
    free(own);
    return argument;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    worker(NULL);
    pthread_join(thread, NULL);
    assert(shared == 8 * STEP);
    return total() - 16 * STEP;
}
"""
PARTS = """int shared;
static int twice(int x) { return x + x; }
int total(void) { return twice(shared); }
"""
FLAGS = ("-std=c99", "-include", "config.h", "-UUNWANTED", "-pthread", "-O2", "-Wall", "-lm")


def written(imc: Imc) -> None:
    (imc.folder / "there").mkdir()
    for name, text in (("a.c", PROGRAM), ("b.c", PARTS), ("config.h", "#define STEP 1\n")):
        (imc.folder / name).write_text(text)
    (imc.folder / "there" / "c.c").write_text("/* moved */\n\n" + PROGRAM)
    (imc.folder / "there" / "d.c").write_text("\n" + PARTS)
    shutil.copy(imc.folder / "config.h", imc.folder / "there")


def test_a_schedule_stays_with_a_program_that_moves(imc: Imc) -> None:
    written(imc)
    made = imc("verify", "a.c", "b.c", "--until", "first", "--emit-schedule=s.json")
    assert made.code == 6, made.err
    moved = ("there/d.c", imc.folder / "there" / "c.c")
    for files in (("a.c", "b.c"), ("b.c", imc.folder / "a.c"), moved):
        assert "s.json: accepted" in imc("check", *files, "s.json").out
        ran = imc("run", *files, "--schedule", "s.json", "--trace", "run.jsonl")
        assert (ran.code, ran.err) == (0, "")
        assert "permitted" in imc("replay", *moved, "run.jsonl", "--schedule", "s.json").out
    ran = imc("run", *moved, "--schedule", "s.json", "--backend", "native")
    assert (ran.code, ran.err) == (0, "")
    built = imc("build", *moved, "--schedule", "s.json", "-o", "prog")
    assert built.code == 0, built.err
    assert subprocess.run([imc.folder / "prog"], cwd=imc.folder, check=False).returncode == 0
    assert imc("build", *reversed(moved), "--schedule", "s.json", "-o", "other").code == 0
    tables = {"IRS_SCHEDULE": str(imc.folder / "prog.irs")}
    assert subprocess.run([imc.folder / "other"], env=tables, check=False).returncode == 0
    short = ("--turns", "1", "--runs", "1")
    assert imc("bench", *moved, "--schedule", "s.json", *short).code == 0
    (imc.folder / "there" / "d.c").write_text(PARTS.replace("return twice", "return 0 + twice"))
    told = "s.json is of another version of the program: function 'total' differs"
    for command in ("check", "run", "build", "bench"):
        more = {"run": ("--schedule", "s.json"), "bench": ("--schedule", "s.json")}
        way = ("s.json",) if command == "check" else more.get(command, ("--schedule", "s.json"))
        output = ("-o", "prog") if command == "build" else ()
        imc(command, *moved, *way, *output).failed(told, "--emit-schedule makes a new one")


def test_flags_for_clang_come_last(imc: Imc) -> None:
    written(imc)
    files, flags = ("a.c", "b.c", "-DUNWANTED"), ("--", *FLAGS)
    made = imc("verify", *files, "--until", "first", "--emit-schedule=s.json", *flags)
    assert (made.code, made.err) == (6, "")
    assert "s.json: accepted" in imc("check", *files, "s.json", *flags).out
    for command in (("show",), ("explore", "--time-limit", "60")):
        assert imc(*command, *files, *flags).code == 0
    for backend in ("python", "native"):
        ran = imc("run", *files, "--schedule", "s.json", "--backend", backend, *flags, "--", "arg")
        assert (ran.code, ran.err) == (0, "")
    built = imc("build", *files, "--schedule", "s.json", "-o", "prog", *flags, "-lm", "-L.")
    assert (built.code, built.err) == (0, "")


def test_flags_change_the_program(imc: Imc) -> None:
    imc.write({"p.c": "int n = N;\nint f(void) { return n; }\nint main(void) { return f(); }\n"})
    imc("verify", "p.c", "--until", "first", "--emit-schedule=s.json", "--", "-DN=1")
    imc("check", "p.c", "s.json", "--", "-DN=2").failed("variable 'n' differs")
    ran = ("run", "p.c", "--schedule", "s.json")
    imc(*ran, "-DN=2", "--", "-DN=1").failed("variable 'n' differs", "clang: -- -DN=1 --")
    assert imc(*ran, "--", "-DN=1", "--").code == 1
    assert imc(*ran, "-DN=1", "--", "-x").code == 1


def test_wrong_flags_are_one_line(imc: Imc) -> None:
    imc.write({"p.c": "int main(void) { return 0; }\n"})
    for command in ("show", "verify", "explore", "tune", "bench"):
        imc(command, "p.c", "--", "-fnosuch").failed("unknown argument: '-fnosuch'", "after --")
        imc(command, "p.c", "--", "-x", "c++").failed("imc reads C only")
        imc(command, "p.c", "--", "q.c").failed("'q.c' is not a flag", "before the --")
    imc("run", "p.c", "--unconstrained", "--", "-fnosuch", "--").failed("unknown argument")
    imc("run", "--unconstrained", "--", "p.c").failed("Missing argument 'FILE...'")
    imc("verify", "--", "p.c", "--", "-fnosuch").failed("unknown argument: '-fnosuch'")
    assert imc("verify", "--", "p.c").code == 0


def test_libraries_are_linked_where_they_are_named(imc: Imc) -> None:
    imc.write({"p.c": "int five(void);\nint main(void) { return five() - 5; }\n"})
    imc.write({"five.c": "int five(void) { return 5; }\n"})
    assert imc("build", "p.c", "five.c", "--unconstrained", "-o", "unused").code == 0
    free = ("build", "p.c", "--unconstrained", "-o", "prog")
    imc(*free).failed("nobody defines what the program uses", "five", "-- -lNAME")
    imc(*free, "--", "-lnosuch").failed("there is no library 'nosuch'", "-L DIR")


def project(imc: Imc) -> tuple[str, ...]:
    """The program as a build system knows it, and another one; says how to name it."""
    written(imc)
    (imc.folder / "other.c").write_text("int main(void) { return total(); }\n")
    (imc.folder / "more.cc").write_text("class more {};\n")
    directory = str(imc.folder / "there")
    commands = [
        {"directory": directory, "file": file, "command": f"cc -O2 -c {file} -o {number}.o"}
        for number, file in enumerate(("../a.c", "../b.c", "../other.c", "../more.cc"))
    ]
    (imc.folder / "there" / "compile_commands.json").write_text(json.dumps(commands))
    return ("--compile-commands", "there/compile_commands.json", "--target", "a")


def test_a_project_as_its_build_system_describes_it(imc: Imc) -> None:
    way = project(imc)
    made = imc("verify", *way, "--until", "first", "--emit-schedule")
    assert (made.code, made.err) == (6, "")
    assert "a.sched.json: accepted" in imc("check", *way, "a.sched.json").out
    assert "a.sched.json: accepted" in imc("check", "b.c", "a.c", "a.sched.json").out
    assert "a.sched.json: accepted" in imc("check", *way[:2], "b.c", "a.c", "a.sched.json").out
    ran = imc("run", *way, "--schedule", "a.sched.json", "--trace", "run.jsonl")
    assert (ran.code, ran.err) == (0, "")
    assert "permitted" in imc("replay", *way, "run.jsonl", "--schedule", "a.sched.json").out
    assert imc("show", *way).code == 0
    built = imc("build", *way, "--schedule", "a.sched.json", "-o", "prog", "--", "-lm")
    assert (built.code, built.err) == (0, "")


def test_wrong_uses_of_a_project(imc: Imc) -> None:
    *way, _, _ = project(imc)
    imc("verify", *way).failed("several programs: a, other", "--target NAME")
    imc("verify", *way, "--target", "b").failed("there is no program 'b'", "a, other")
    imc("verify", *way, "nosuch.c").failed("nosuch.c has no entry in there/compile_commands.json")
    imc("verify", *way, "more.cc").failed("more.cc is not compiled as C")
    imc("verify", "a.c", "--target", "a").failed("--target chooses", "--compile-commands")
    imc("verify", "--compile-commands", "a.c").failed("a.c is not JSON", "CMake")
    imc("verify", "--compile-commands", "nosuch").failed("cannot read nosuch")
    imc("check", *way).failed("a program and a schedule are needed")
    imc("replay", *way).failed("a program and a record are needed")
    imc("verify").failed("Missing argument 'FILE...'")
