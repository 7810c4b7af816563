"""Schedules of many sections, and of many threads, on both back ends."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest
from natively import native, problem, program_of, schedule_of, with_schedule
from players import schedule_of as by_hand

from imc.execution.native.process import NativeOptions
from imc.execution.python.inputs import Inputs
from imc.execution.python.run import PythonOptions, Runner
from imc.program.program import Program
from irs.format import dump, load
from irs.native.tables import Sites, encode
from irs.plan import Plan
from irs.schedule import End, Follow, Schedule, ScheduledEvent, Section

SECTIONS, THREADS = 10_000, 64
TURNS = """#include <assert.h>
#include <pthread.h>
static int x;
static void *other(void *p) { for (int i = 0; i < ROUNDS; i++) x++; return p; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    for (int i = 0; i < ROUNDS; i++)
        x++;
    pthread_join(t, 0);
    assert(x == 2 * ROUNDS);
    return 0;
}
"""
CROWD = """#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *other(void *p)
{
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return p;
}
int main(void)
{
    pthread_t t[64];
    for (int i = 0; i < 63; i++)
        pthread_create(&t[i], 0, other, 0);
    for (int i = 0; i < 63; i++)
        pthread_join(t[i], 0);
    assert(x == 63);
    return 0;
}
"""


def written(folder: Path, text: str) -> Path:
    source = folder / "program.c"
    source.write_text(text)
    return source


def python_status(program: Program, schedule: Schedule) -> tuple[int, int]:
    """The exit status on Python threads, and how many events have passed the gate."""
    result = Runner(program, Plan(schedule), PythonOptions()).run(Inputs(1), lambda data, to: None)
    assert result.problem is None, result.problem
    return result.exit_status, result.gated


def in_turns(source: Path) -> tuple[Program, Schedule]:
    """One round of each thread in a section; the last section has the number 0."""
    known = schedule_of(source, "opt0", ("ROUNDS=1",))
    program = program_of(source, (f"ROUNDS={SECTIONS}",))
    (only,) = known.sections
    mine = [e.site for e in only.events if e.thread == 0]
    create, read, write, *rest = mine
    other_read, other_write = (e.site for e in only.events if e.thread == 1)
    round_ = (
        ScheduledEvent(0, read),
        ScheduledEvent(0, write),
        ScheduledEvent(1, other_read, ((0, 2),)),
        ScheduledEvent(1, other_write),
    )
    sections = [
        Section(tuple(ScheduledEvent(0, site) for site in rest), End()),
        *(Section(round_, Follow(n)) for n in range(SECTIONS)),
        Section((ScheduledEvent(0, create),), Follow(SECTIONS)),
    ]
    return program, replace(
        known,
        program=replace(known.program, digest=program.digest),
        sections=tuple(sections),
        start=SECTIONS + 1,
        certificate=None,
    )


def test_ten_thousand_sections(folder: Path) -> None:
    """Loaded, built and run in times that grow with their number, not with its square."""
    program, schedule = in_turns(written(folder, TURNS))
    began = time.process_time()
    dump(schedule, folder / "program.sched.json")
    schedule = load(folder / "program.sched.json")
    made = with_schedule(program, schedule, folder)
    assert time.process_time() - began < 60  # of the processor, whatever else the machine did
    ran = made.run(NativeOptions(trace=folder / "trace"))
    assert (ran.status, ran.errors, problem(schedule, ran.record)) == (0, "", "")
    assert python_status(program, schedule) == (0, len(ran.record) - 1 - len(schedule.sections))


def test_who_acts_late_is_found_in_time() -> None:
    """One pass over all sections for each would take half a minute."""
    rounds = [([(0, 0, [])], Follow(max(n - 1, 0))) for n in range(SECTIONS)]
    schedule = by_hand([([(0, 0, []), (1, 1, [(0, 1)])], End()), *rounds[1:]])
    schedule = replace(schedule, start=SECTIONS - 1)
    began = time.process_time()
    tables = encode(schedule, Sites(["a", "b", "c", "d"], [0, 1, 2, 3]), bytes(32))
    assert time.process_time() - began < 20
    assert len(tables) > 16 * SECTIONS


@pytest.mark.parametrize("level", ["opt0", "opt3"])
def test_sixty_four_threads(level: str, folder: Path) -> None:
    made = native(written(folder, CROWD), folder, level)
    assert made.schedule is not None and len(made.schedule.threads) == THREADS
    ran = made.run(NativeOptions(trace=folder / "trace"))
    assert (ran.status, ran.errors, problem(made.schedule, ran.record)) == (0, "", "")
    assert python_status(made.program, made.schedule)[0] == 0
