"""What the native run-time reports of runs that it has to end, and that it ends them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from natively import EXAMPLES, Ran, native, program_of, schedule_of, with_schedule

from imc.execution.native.occasion import run_natively
from imc.execution.native.process import NativeOptions, Report, read_report
from imc.execution.python.inputs import Inputs
from imc.execution.python.run import PythonOptions, Runner
from imc.execution.run_result import RunResult
from irs.errors import Deviation, Stalled
from irs.plan import Plan
from irs.schedule import End, Free, Schedule, ScheduledEvent, Section

PETERSON = EXAMPLES / "peterson.c"


def swapped(schedule: Schedule) -> Schedule:
    """Two events of main.1."""
    events = list(schedule.sections[0].events)
    one, other = [n for n, e in enumerate(events) if e.thread == 1][1:3]
    sites = events[one].site, events[other].site
    events[other], events[one] = (
        events[n]._replace(site=site) for n, site in zip((other, one), sites, strict=True)
    )
    return replace(schedule, sections=(Section(tuple(events), End()),), certificate=None)


def longer(schedule: Schedule) -> Schedule:
    """One more event of main.1 than it has."""
    events = list(schedule.sections[0].events)
    last = max(n for n, e in enumerate(events) if e.thread == 1)
    events.insert(last + 1, ScheduledEvent(1, events[last].site))
    return replace(schedule, sections=(Section(tuple(events), End()),), certificate=None)


@pytest.mark.parametrize("change", [swapped, longer])
def test_both_back_ends_report_the_same_deviation(
    change: Callable[[Schedule], Schedule], capfd: pytest.CaptureFixture[str]
) -> None:
    program, schedule = program_of(PETERSON), change(schedule_of(PETERSON, "opt0"))
    (result,) = run_natively(program, schedule, None, NativeOptions(), 1)
    python = Runner(program, Plan(schedule), PythonOptions()).run(Inputs(1), lambda data, to: None)
    assert isinstance(result.problem, Deviation) and isinstance(python.problem, Deviation)
    assert result.problem.args == python.problem.args
    assert result.exit_status == 5
    assert "irs: the run deviates: main.1" in capfd.readouterr().err


def test_an_unknown_thread_is_reported(folder: Path) -> None:
    known = replace(schedule_of(PETERSON), threads=("main", "main.1", "main.7"), certificate=None)
    made = with_schedule(program_of(PETERSON), known, folder)
    made.run(NativeOptions(report=folder / "report"))
    problem = read_report(folder / "report").problem
    assert isinstance(problem, Deviation)
    assert (problem.thread, problem.section) == ("main.2", None)
    assert problem.expected == ("only threads that the schedule knows",)


# ------------------------------------------------------ who waits in the C library

HEAD = """#include <pthread.h>
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x, y;
static _Atomic int here, there;
static void await(_Atomic int *flag) { while (!*flag) ; }
"""
MAIN = """
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    await(&there);
    pthread_mutex_lock(&b);
    here = 1;
    pthread_mutex_lock(&a);
    x++;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    pthread_join(t, 0);
    return 0;
}
"""
OTHER = "static void *other(void *p) {{ pthread_mutex_lock(&a); x++; there = 1; {} return p; }}\n"
ENDS = OTHER.format("pthread_exit(0);")
CROSSES = OTHER.format("await(&here); pthread_mutex_lock(&b); y++;")
IS_STOPPED = OTHER.format("__VERIFIER_assume(__VERIFIER_nondet_int() == 77);")


def waiting(folder: Path, other: str) -> tuple[Ran, Report]:
    """A run without a schedule, in which main comes to a lock that it does not get."""
    source = folder / "program.c"
    source.write_text(HEAD + other + MAIN)
    report = folder / "report"
    ran = native(source, folder, "").run(NativeOptions(watchdog_s=1, report=report, seed=1))
    return ran, read_report(report)


def on_python_threads(folder: Path) -> RunResult:
    """The same program."""
    runner = Runner(program_of(folder / "program.c"), None, PythonOptions())
    return runner.run(Inputs(1), lambda data, to: None)


def test_a_lock_of_a_thread_that_has_ended(folder: Path) -> None:
    ran, report = waiting(folder, ENDS)
    assert ran.status == 5
    assert "main waits for a lock that main.1 held when it ended" in ran.errors
    assert "the run is stalled" in ran.errors
    assert isinstance(report.problem, Stalled)
    assert report.problem.lines == ("main waits for a lock that main.1 held when it ended",)
    assert isinstance(on_python_threads(folder).problem, Stalled)


def test_threads_that_wait_for_each_others_locks(folder: Path) -> None:
    ran, report = waiting(folder, CROSSES)
    assert ran.status == 5
    assert isinstance(report.problem, Stalled)
    assert report.problem.lines == (
        "main waits for a lock that main.1 holds",
        "main.1 waits for a lock that main holds",
    )


def test_a_lock_of_a_thread_that_an_assumption_has_stopped(folder: Path) -> None:
    """As on Python threads, that is no fault of the run."""
    ran, report = waiting(folder, IS_STOPPED)
    assert ran.status == 0
    assert "main waits for a lock that main.1 holds" in ran.errors
    assert "main.1 has been stopped by an assumption" in ran.errors
    assert report.stopped == ("main.1",)
    python = on_python_threads(folder)
    assert (python.problem, python.exit_status) == (None, 0)
    assert python.stuck == ["main.1: failed assumption"]


def test_a_lock_after_the_end_of_what_is_ordered(folder: Path) -> None:
    source = folder / "program.c"
    source.write_text(HEAD + OTHER.format("pthread_mutex_unlock(&a);") + MAIN)
    known = schedule_of(source, "opt0")
    ends = folder / "ends.c"
    ends.write_text(HEAD + ENDS + MAIN)
    program = program_of(ends)
    create = next(s for s in known.sites if s.operation == "pthread_create")
    free = replace(
        known,
        program=replace(known.program, digest=program.digest),
        sites=(create,),
        sections=(Section((ScheduledEvent(0, 0),), Free()),),
        start=0,
        certificate=None,
    )
    ran = with_schedule(program, free, folder).run(NativeOptions(watchdog_s=1))
    assert ran.status == 5
    assert "main waits for a lock that main.1 held when it ended" in ran.errors
