"""What programs use of C and POSIX behaves natively as it was verified to."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from natively import (
    EXAMPLES,
    Native,
    native,
    problem,
    program_of,
    schedule_for,
    schedule_of,
    with_schedule,
)
from patience import HANG_S

import imc.api
from imc.errors import UserError
from imc.execution.native.build import BuildOptions
from imc.execution.native.process import NativeOptions
from imc.execution.python.inputs import Inputs
from imc.execution.python.run import PythonOptions, Runner
from irs.errors import Deviation
from irs.plan import Plan
from irs.schedule import Branch, Case, End, ScheduledEvent, Section

HEADER, CELL = 104, 12  # bytes of the tables before the first case; before its cell
PROGRAMS = Path(__file__).parents[2] / "programs"

# Programs of the suite whose assertions hold under any schedule that was proved.
USES = (
    "atomics/cas_loop", "atomics/operations", "barriers/reuse", "barriers/serial_thread",
    "c11threads/condition", "c11threads/once_and_specific", "conditions/one_slot",
    "once/exactly_once", "semaphores/handover", "semaphores/try_and_value",
    "regress/key_deleted_before_end", "regress/key_deleted_between_destructors",
    "regress/destructors_in_rounds", "regress/thread_local_read_before_end", "regress/exit_in_once",
)  # fmt: skip


@pytest.mark.parametrize("level", ["opt0", "opt3"])
@pytest.mark.parametrize("name", USES)
def test_library_functions(name: str, level: str, folder: Path) -> None:
    made = native(PROGRAMS / name / "prog.c", folder, level)
    assert made.schedule is not None
    for _ in range(5):
        ran = made.run(NativeOptions(trace=folder / "trace"))
        assert (ran.status, ran.errors) == (0, "")
        assert problem(made.schedule, ran.record) == ""


@pytest.mark.parametrize("level", ["opt0", "opt3"])
def test_memory_decides(level: str, folder: Path) -> None:
    """After each round the number of items tells how to go on; one that nobody foresaw does not."""
    source = EXAMPLES / "prodcons.c"
    schedule = schedule_of(source, level)
    place = ("memory", "global", "count", 0)

    def asking(*numbers: int) -> Native:
        cases = tuple(Case(None, ("=", place, n), 1) for n in numbers)
        first, rounds = schedule.sections
        sections = (first, replace(rounds, next=Branch(1, cases)))
        asked = replace(schedule, sections=sections, certificate=None)
        return with_schedule(program_of(source), asked, folder)

    right = asking(3, 0)
    assert right.schedule is not None
    ran = right.run(NativeOptions(seconds=0.1, trace=folder / "trace"))
    assert (ran.status, problem(right.schedule, ran.record)) == (0, "")
    ran = asking(3, 4).run()
    assert (ran.status, "which is not foreseen after section 1" in ran.errors) == (5, True)


@pytest.mark.parametrize("count", [0, 4])
def test_a_number_chooses_only_at_its_site(count: int, folder: Path) -> None:
    """And before the case that needs none, wherever that is listed; as with Python threads."""
    source = EXAMPLES / "prodcons.c"
    schedule = schedule_of(source, "opt0")
    first, rounds = schedule.sections
    at = next(e.site for e in rounds.events if e.thread == 1)
    other = next(e.site for e in rounds.events if e.thread == 2)
    guard = ("=", ("memory", "global", "count", 0), count)
    zero = ("=", ("memory", "global", "count", 0), 0)
    cases = (
        Case(at, None, 2),
        Case(at, ("stopped",), 2),
        Case(other, zero, 2),
        Case(at, guard, 1),
    )
    wrong = Section((ScheduledEvent(1, other),), End())  # whoever comes here deviates
    sections = (first, replace(rounds, next=Branch(1, cases)), wrong)
    asked = replace(schedule, sections=sections, certificate=None)
    seconds = (0.1, HANG_S)[count // 4]  # it never ends, or deviates, however long that takes
    ran = with_schedule(program_of(source), asked, folder).run(NativeOptions(seconds=seconds))
    assert (ran.status, "the run deviates" in ran.errors) == ((0, False), (5, True))[count // 4]
    result = Runner(program_of(source), Plan(asked), PythonOptions(time_limit=seconds)).run(
        Inputs(1), lambda data, to: None
    )
    assert isinstance(result.problem, Deviation) == (count == 4)


TWO_FILES = {
    "one.c": """#include <pthread.h>
int one;
void set(void);
static void *worker(void *a) { set(); return a; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    set();
    one++;
    pthread_join(t, 0);
    return 0;
}
""",
    "two.c": "extern int one;\nstatic int two;\nvoid set(void) { two = 7; one++; }\n",
}


def test_cells_of_two_files_decide(folder: Path) -> None:
    """Also of a variable that only its own file can name. A cell that there is not is refused."""
    for name, text in TWO_FILES.items():
        (folder / name).write_text(text)
    program = imc.api.load([folder / name for name in TWO_FILES])
    schedule = schedule_for(program, "opt0")
    (only,) = schedule.sections
    places = [("memory", "global", name, 0) for name in ("one", "two")]
    cases = tuple(Case(None, ("=", place, 7), 1) for place in places)
    sections = (Section(only.events[:-1], Branch(0, cases)), Section(only.events[-1:], End()))
    made = with_schedule(program, replace(schedule, sections=sections, certificate=None), folder)
    ran = made.run()
    assert (ran.status, ran.errors) == (0, "")
    assert made.built.tables is not None
    tables = bytearray(made.built.tables.read_bytes())
    assert tables[HEADER + CELL] == 0
    tables[HEADER + CELL] = 2
    (folder / "damaged").write_bytes(tables)
    ran = made.run(NativeOptions(tables=folder / "damaged"))
    assert (ran.status, "damaged (cell)" in ran.errors) == (5, True)


def test_a_register_cannot_be_asked(folder: Path) -> None:
    source = EXAMPLES / "prodcons.c"
    schedule = schedule_of(source, "opt0")
    guard = ("=", ("register", "main.1", 0, "producer", 3), 0)
    first, rounds = schedule.sections
    branch = Branch(1, (Case(None, guard, 0), Case(None, None, 1)))
    asked = replace(schedule, sections=(first, replace(rounds, next=branch)), certificate=None)
    with pytest.raises(UserError, match="asks for = register"):
        with_schedule(program_of(source), asked, folder)


INPUTS = """
#include <pthread.h>
#include <stdio.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static int a, b, turns;
static void *reader(void *x)
{
    while (__VERIFIER_nondet_bool()) {
        if (__VERIFIER_nondet_int() > 0)
            a++;
        else
            b++;
    }
    return x;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    a++;
    b++;
    pthread_join(t, NULL);
    printf("%d %d\\n", a, b);
    return 0;
}
"""


@pytest.mark.parametrize("level", ["opt0", "opt1", "opt3"])
def test_inputs_decide(level: str, folder: Path) -> None:
    """More decisions than the ring has room for, and a main thread that sleeps through most."""
    source = folder / "inputs.c"
    source.write_text(INPUTS)
    made = native(source, folder, level)
    assert made.schedule is not None
    values = folder / "values"
    values.write_text("# more, positive\n" + "1 0x5 " * 1500 + "1 -5#or not\n" * 700 + "0")
    ran = made.run(NativeOptions(inputs=values, trace=folder / "trace"))
    assert (ran.status, ran.output, ran.errors) == (0, "1501 701\n", "")
    assert problem(made.schedule, ran.record) == ""
    first, second = (made.run(NativeOptions(seed=7)).output for _ in range(2))
    assert first == second and first.split()[0].isdigit()
    assert made.run().status == 0
    values.write_text("1 5 1")
    ran = made.run(NativeOptions(inputs=values))
    assert (ran.status, "has no number left" in ran.errors) == (2, True)


def test_a_failed_assumption_ends_its_thread(folder: Path) -> None:
    source = folder / "assume.c"
    assumption = "__VERIFIER_assume(__VERIFIER_nondet_int() == 1);"
    source.write_text(INPUTS.replace("return x;", f"{assumption} return x;"))
    made = native(source, folder, "opt0")
    values = folder / "values"
    values.write_text("1 5 0 1")
    assert made.run(NativeOptions(inputs=values)).output == "2 1\n"
    values.write_text("1 5 0 2")
    ran = made.run(NativeOptions(inputs=values))
    assert (ran.status, ran.output) == (0, "")
    assert "an assumption has failed" in ran.errors


def test_an_assertion_that_fails_is_the_program_s_own(folder: Path) -> None:
    source = folder / "fails.c"
    source.write_text(
        """
#include <assert.h>
int main(int argc, char **argv)
{
    assert(argc == 1);
    return 3;
}
"""
    )
    made = native(source, folder)
    assert made.run().status == 3
    ran = made.run(NativeOptions(arguments=["more"], trace=folder / "trace"))
    assert ran.status == -6 and "argc == 1" in ran.errors
    assert ran.record[0] != []


def test_counted_lines(folder: Path) -> None:
    import json

    source = EXAMPLES / "prodcons.c"
    for level in ("", "opt3"):
        made = native(source, folder, level, ("ROUNDS=30",), BuildOptions(count=(56,)))
        stats = folder / "stats"
        assert made.run(NativeOptions(stats=stats)).status == 0
        rows = [json.loads(line) for line in stats.read_text().splitlines()]
        assert {row["thread"] for row in rows} == {"main", "main.1", "main.2"}
        counts = [sum(row["executed"].values()) for row in rows]
        assert 0 < sum(counts) <= 60


@pytest.mark.parametrize(
    "wait",
    ["pthread_cond_timedwait(&c, &m, &limit)",
     "pthread_cond_clockwait(&d, &m, CLOCK_MONOTONIC, &limit)"],
)  # fmt: skip
def test_a_time_limit_is_one_of_its_clock(wait: str, folder: Path) -> None:
    """An hour from now by one clock is long ago by the other. Nothing is ordered, so it waits."""
    source = folder / "prog.c"
    source.write_text(f"""#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c, d = PTHREAD_COND_INITIALIZER;
static int go, timeouts;
static void *work(void *unused)
{{
    struct timespec limit;
    clock_gettime(CLOCK_MONOTONIC, &limit);
    limit.tv_sec += 3600;
    pthread_mutex_lock(&m);
    if (!go && {wait})
        timeouts++;
    pthread_mutex_unlock(&m);
    return unused;
}}
int main(void)
{{
    pthread_t thread;
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&c, &attributes);
    pthread_create(&thread, 0, work, 0);
    usleep(20000);
    pthread_mutex_lock(&m);
    go = 1;
    pthread_cond_signal(&c);
    pthread_cond_signal(&d);
    pthread_mutex_unlock(&m);
    pthread_join(thread, 0);
    return timeouts;
}}
""")  # fmt: skip
    program = program_of(source)
    free = [found.schedule for found in imc.api.trace_prefixes(program)][-1]
    ran = with_schedule(program, free, folder).run()
    assert (ran.status, ran.errors) == (0, "")
