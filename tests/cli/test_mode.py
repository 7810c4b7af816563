"""--mode: which mode runs, why, and what is refused with a way out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_runs import Imc

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
PROGRAM = """#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, sum;
static void step(void) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); }
static void *other(void *a) { step(); WORK; step(); return a; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    step();
    pthread_join(t, 0);
    printf("%d\\n", x);
    return 0;
}
"""
SCHEDULE = ("prog.c", "--schedule", "prog.sched.json")


def prepare(imc: Imc, work: str = "") -> None:
    imc.write({"prog.c": PROGRAM.replace("WORK", work)})
    assert imc("verify", "prog.c", "--until", "first", "--emit-schedule").code == 6  # safe so far


@pytest.mark.parametrize("backend", ["python", "native"])
@pytest.mark.parametrize("mode", ["threads", "fibers"])
def test_both_modes_do_the_same(imc: Imc, backend: str, mode: str) -> None:
    prepare(imc)
    ran = imc("run", *SCHEDULE, "--backend", backend, "--mode", mode, "--trace", "t", "--json", "j")
    assert (ran.code, ran.out, ran.err) == (0, "3\n", f"imc: {mode}: asked for\n")
    found = json.loads((imc.folder / "j").read_text())
    assert (found["mode"], found["mode_reason"]) == (mode, "asked for")
    assert imc("replay", "prog.c", "t", "--schedule", "prog.sched.json").code == 0


def test_what_is_chosen_is_told(imc: Imc) -> None:
    """Fibers where threads would wait for each other, and nothing but the program is heard."""
    prepare(imc)
    ran = imc("run", *SCHEDULE, "--json", "j")
    assert (ran.code, ran.out, ran.err) == (0, "3\n", "")
    found = json.loads((imc.folder / "j").read_text())
    assert found["mode"] == "fibers" and "events at a time" in found["mode_reason"]
    prepare(imc, "for (int i = 0; i < 100; i++) sum += i")
    ran = imc("run", *SCHEDULE, "--mode", "auto")
    assert ran.err.startswith("imc: threads: prog.c:7:")
    assert ran.err.endswith(": a loop computes between two gates\n")


@pytest.mark.parametrize("command", ["run", "build", "bench"])
def test_what_is_refused(imc: Imc, command: str) -> None:
    more = ("-o", "prog") if command == "build" else ()
    prepare(imc, "usleep(1)")
    done = imc(command, *SCHEDULE, *more, "--mode", "fibers")
    done.failed("prog.c:7:", "'usleep' waits for the system", "use --mode threads")
    prepare(imc, "if (getchar() == 3) step()")
    done = imc(command, *SCHEDULE, *more, "--mode", "fibers")
    done.failed("prog.c:7:", "'getchar' waits for the system", "use --mode threads")


def test_schedules_that_order_nothing_in_the_end(imc: Imc) -> None:
    imc.write({"prog.c": PROGRAM.replace("WORK", "")})
    explored = imc("explore", "prog.c", "--emit-schedule")
    assert explored.code == 0
    imc("run", *SCHEDULE, "--mode", "fibers").failed("threads that nothing orders")
    assert imc("run", *SCHEDULE, "--mode", "auto").err.startswith("imc: threads: the schedule ends")
    imc("run", "prog.c", "--unconstrained", "--mode", "fibers").failed("without a schedule")


def test_built_for_a_mode(imc: Imc) -> None:
    prepare(imc)
    built = imc("build", *SCHEDULE, "-o", "prog", "--json", "j")
    assert built.out.splitlines()[1].startswith("mode: fibers (")
    assert json.loads((imc.folder / "j").read_text())["mode"] == "fibers"
    built = imc("build", *SCHEDULE, "-o", "prog", "--mode", "threads")
    assert built.out.splitlines()[1] == "mode: threads (asked for)"


def test_a_measurement_of_fibers(imc: Imc) -> None:
    prepare(imc)
    quick = ("--turns", "1", "--runs", "2", "--json", "-")
    done = imc("bench", *SCHEDULE, *quick, "--mode", "threads")
    rows = json.loads(done.out)["backends"]["native"]
    assert [row["variant"] for row in rows][-1] == "opt3"
