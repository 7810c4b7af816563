"""Fibers that would do what was not verified, or cannot go on: told at once, with status 5."""

from __future__ import annotations

import json
import signal
from dataclasses import replace
from pathlib import Path

from as_fibers import AS_FIBERS, written
from natively import EXAMPLES, Native, native, problem, program_of, schedule_of, with_schedule

from imc.execution.native.build import build
from imc.execution.native.process import NativeOptions
from imc.program.words.sites import site_text
from irs.schedule import Schedule, ScheduledEvent, Section


def with_events(schedule: Schedule, events: list[ScheduledEvent]) -> Schedule:
    first, *rest = schedule.sections
    changed = Section(tuple(events), first.next)
    return replace(schedule, certificate=None, sections=(changed, *rest))


def test_a_deviation(folder: Path) -> None:
    source = EXAMPLES / "peterson.c"
    schedule = schedule_of(source, "opt0")
    events = list(schedule.sections[0].events)
    one, other = [n for n, e in enumerate(events) if e.thread == 1][1:3]
    events[one], events[other] = (
        events[one]._replace(site=events[other].site),
        events[other]._replace(site=events[one].site),
    )
    made = with_schedule(program_of(source), with_events(schedule, events), folder, AS_FIBERS)
    ran = made.run(NativeOptions(report=folder / "report"))
    assert ran.status == 5
    assert "the run deviates: main.1 (event 2 of section 0) comes to " in ran.errors
    assert json.loads((folder / "report").read_text())["deviation"]["thread"] == "main.1"


def test_nobody_can_go_on(folder: Path) -> None:
    """Told at once, with who waits for whom: who is joined waits for the one who joins it."""
    text = """static void *work(void *a) { step(); return a; }
    int main(void)
    {
        pthread_t t;
        pthread_create(&t, 0, work, 0);
        pthread_join(t, 0);
        return 0;
    }"""
    source = written(folder, text)
    schedule = schedule_of(source, "opt0")
    (only,) = schedule.sections
    create, join, *rest = [e._replace(waits=()) for e in only.events if e.thread == 0]
    first, *others = [e._replace(waits=()) for e in only.events if e.thread == 1]
    events = [create, join, first._replace(waits=((0, 2),)), *others, *rest]
    made = with_schedule(program_of(source), with_events(schedule, events), folder, AS_FIBERS)
    ran = made.run(NativeOptions(report=folder / "report"))
    assert (ran.status, "all threads wait: the run is stalled" in ran.errors) == (5, True)
    assert "main.1 waits for event 2 of main" in ran.errors
    told = json.loads((folder / "report").read_text())["stalled"]
    assert (told["seconds"], told["lines"][0]) == (0, "main waits for the end of main.1")


def test_the_mode_of_damaged_tables_is_refused(folder: Path) -> None:
    program, schedule = program_of(EXAMPLES / "peterson.c"), schedule_of(EXAMPLES / "peterson.c")
    built = build(program, schedule, folder / "program", site_text, AS_FIBERS)
    assert built.tables is not None
    data = bytearray(built.tables.read_bytes())
    mode = 8 + 32 + 11 * 4  # after the magic number, the digest and eleven numbers
    assert data[mode] == 7
    for wrong in (2, 8):
        data[mode] = wrong
        built.tables.write_bytes(data)
        ran = Native(program, schedule, built).run()
        assert (ran.status, "(mode)" in ran.errors) == (5, True)


def test_a_failed_assertion_and_its_record(folder: Path) -> None:
    text = """static void *work(void *a) { step(); assert(x == 7); return a; }
    int main(void)
    {
        pthread_t t;
        x = 6;
        pthread_create(&t, 0, work, 0);
        pthread_join(t, 0);
        return 0;
    }"""
    source = written(folder, text)
    known = schedule_of(source)
    wrong = folder / "wrong.c"
    wrong.write_text(source.read_text().replace("x = 6", "x = 5"))
    program = program_of(wrong)
    schedule = replace(known, program=replace(known.program, digest=program.digest))
    made = with_schedule(program, schedule, folder, AS_FIBERS)
    ran = made.run(NativeOptions(trace=folder / "trace"))
    assert (ran.status, "Assertion" in ran.errors) == (-signal.SIGABRT, True)
    assert problem(schedule, ran.record) == ""


def test_a_thread_that_an_assumption_has_stopped(folder: Path) -> None:
    text = """static void *work(void *a)
    {
        __VERIFIER_assume(__VERIFIER_nondet_int() == 12345);
        step();
        return a;
    }
    int main(void)
    {
        pthread_t t;
        pthread_create(&t, 0, work, 0);
        step();
        pthread_join(t, 0);
        return 1;
    }"""
    ran = native(written(folder, text), folder, "opt0", options=AS_FIBERS).run(
        NativeOptions(seed=1)
    )
    assert (ran.status, "an assumption has failed" in ran.errors) == (0, True)
