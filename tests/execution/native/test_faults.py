"""What was not verified does not run: a deviation, a stall or a fault ends with status 5."""

from __future__ import annotations

import json
import random
import re
import signal
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from natively import EXAMPLES, Native, native, problem, program_of, schedule_of, with_schedule
from patience import HANG_S, computed_s, wait_until

from imc.errors import UserError
from imc.execution.native.build import BuildOptions
from imc.execution.native.instrument import Instrumented
from imc.execution.native.operations import Operations
from imc.execution.native.process import NativeOptions
from imc.program.words.sites import site_text
from irs.errors import BadSchedule
from irs.native.tables import encode
from irs.schedule import Schedule, ScheduledEvent, Section

PETERSON = EXAMPLES / "peterson.c"


def changed(schedule: Schedule, **parts: object) -> Schedule:
    return replace(schedule, certificate=None, **parts)  # type: ignore[arg-type]


def with_events(schedule: Schedule, events: list[ScheduledEvent]) -> Schedule:
    first, *rest = schedule.sections
    return changed(schedule, sections=(Section(tuple(events), first.next), *rest))


def test_two_sites_are_swapped(folder: Path) -> None:
    schedule = schedule_of(PETERSON, "opt0")
    events = list(schedule.sections[0].events)
    mine = [n for n, e in enumerate(events) if e.thread == 1]
    one, other = mine[1], mine[2]
    events[one], events[other] = (
        events[one]._replace(site=events[other].site),
        events[other]._replace(site=events[one].site),
    )
    made = with_schedule(program_of(PETERSON), with_events(schedule, events), folder)
    ran = made.run(NativeOptions(trace=folder / "trace"))
    assert ran.status == 5
    assert "the run deviates: main.1 (event 2 of section 0) comes to " in ran.errors
    assert "but section 0 expects " in ran.errors
    happened = [line for line in ran.record[2:] if line[0] == 1]  # type: ignore[index]
    assert len(happened) == 1


def test_an_operation_that_the_schedule_does_not_know(folder: Path) -> None:
    schedule = schedule_of(PETERSON, "opt0")
    first = next(e for e in schedule.sections[0].events if e.thread == 1)
    events = [e for e in schedule.sections[0].events if e.site != first.site]
    lowered = [e._replace(waits=()) for e in events]
    made = with_schedule(program_of(PETERSON), with_events(schedule, lowered), folder)
    ran = made.run()
    assert (ran.status, "the run deviates: main." in ran.errors) == (5, True)


def test_a_thread_that_the_schedule_does_not_know(folder: Path) -> None:
    schedule = schedule_of(PETERSON)
    names = ("main", "main.1", "main.7")
    made = with_schedule(program_of(PETERSON), changed(schedule, threads=names), folder)
    ran = made.run()
    assert ran.status == 5
    assert "would start main.2, which the schedule does not know" in ran.errors


def test_a_thread_that_ends_too_early(folder: Path) -> None:
    """The others would wait for ever; as soon as it ends, the run does."""
    schedule = schedule_of(PETERSON, "opt0")
    events = list(schedule.sections[0].events)
    last = max(n for n, e in enumerate(events) if e.thread == 1)
    events.insert(last + 1, ScheduledEvent(1, events[last].site))
    made = with_schedule(program_of(PETERSON), with_events(schedule, events), folder)
    ran = made.run()
    assert ran.status == 5
    assert "main.1" in ran.errors and "has ended, but section 0 expects it at" in ran.errors


def stalling(schedule: Schedule) -> Schedule:
    """The first event of main.1 waits until main has joined main.1."""
    events = [e._replace(waits=()) for e in schedule.sections[0].events]
    mine = [e for e in events if e.thread == 0]
    first = next(n for n, e in enumerate(events) if e.thread == 1)
    join = next(
        n for n, e in enumerate(mine, 1) if schedule.sites[e.site].operation == "pthread_join"
    )
    events[first] = events[first]._replace(waits=((0, join),))
    return with_events(schedule, [*mine, *(e for e in events if e.thread != 0)])


def test_a_wait_that_is_never_over(folder: Path) -> None:
    made = with_schedule(program_of(PETERSON), stalling(schedule_of(PETERSON, "opt0")), folder)
    ran = made.run(NativeOptions(watchdog_s=1))
    assert ran.status == 5
    assert "nothing has moved for 1 s" in ran.errors
    assert "main.1 waits for event " in ran.errors
    assert "stalled" in ran.errors


@pytest.mark.parametrize("count", [1000, 0])
def test_clocks_that_contradict_each_other_are_refused(count: int) -> None:
    """In memory; the reader of files has refused them before."""
    schedule = schedule_of(PETERSON, "opt0")
    events = list(schedule.sections[0].events)
    last = max(n for n, e in enumerate(events) if e.thread == 0)
    events[last] = events[last]._replace(waits=((1, count),))
    operations = Operations(program_of(PETERSON), schedule, site_text)
    with pytest.raises(BadSchedule, match=rf"events\[{last}\]: waits for {count} events of main.1"):
        encode(with_events(schedule, events), operations.sites, operations.digest)


def tables_of(made: Native) -> bytes:
    assert made.built.tables is not None
    return made.built.tables.read_bytes()


def test_tables_of_another_program_or_level(folder: Path) -> None:
    made = native(PETERSON, folder)
    other = native(EXAMPLES / "bank_race.c", folder)
    ran = made.run(NativeOptions(tables=other.built.tables))
    assert (ran.status, "made for another program" in ran.errors) == (5, True)
    assert made.run(NativeOptions(tables=folder / "none")).status == 5
    (folder / "empty").touch()
    assert made.run(NativeOptions(tables=folder / "empty")).status == 5


@pytest.mark.parametrize("seed", range(3))
def test_damaged_tables_never_crash(seed: int, folder: Path) -> None:
    """Whatever they say, the run ends as it should or with status 5."""
    made = native(EXAMPLES / "bank_race.c", folder, "opt0")
    whole = tables_of(made)
    rng = random.Random(seed)
    file = folder / "damaged"
    for _ in range(25):
        data = bytearray(whole)
        if rng.random() < 0.2:
            del data[rng.randrange(len(data)) :]
        for _ in range(rng.randrange(1, 3) if len(data) == len(whole) else 0):
            data[rng.randrange(40, len(data))] = rng.choice((0, 1, 2, 3, 5, 127, 255))
        file.write_bytes(data)
        ran = made.run(NativeOptions(tables=file, watchdog_s=1, seconds=5))
        assert ran.status in (0, 5), ran


def test_the_tables_are_checked_against_the_program(folder: Path) -> None:
    schedule = schedule_of(PETERSON)
    operations = Operations(program_of(PETERSON), schedule, site_text)
    stale = encode(schedule, operations.sites, bytes(32))
    (folder / "stale").write_bytes(stale)
    assert native(PETERSON, folder).run(NativeOptions(tables=folder / "stale")).status == 5


def test_a_schedule_of_another_version_is_refused(folder: Path) -> None:
    schedule = schedule_of(PETERSON)
    stale = changed(schedule, program=replace(schedule.program, digest="0" * 64))
    with pytest.raises(UserError, match="another version"):
        with_schedule(program_of(PETERSON), stale, folder)


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_run_and_the_trace_is_written(ending: int, folder: Path) -> None:
    made = native(EXAMPLES / "prodcons.c", folder)
    assert made.schedule is not None
    trace = folder / "trace"
    options = NativeOptions(trace=trace)
    with subprocess.Popen([made.built.executable], env=options.environment()) as child:
        wait_until(lambda: computed_s(child.pid) >= 0.1)
        child.send_signal(ending)
        assert child.wait(HANG_S) == 128 + ending
    record = [json.loads(line) for line in trace.read_text().splitlines()]
    assert problem(made.schedule, record) == ""


REFUSED = {
    "memset": (  # of the heap in words, of a local as it was declared
        "#include <string.h>\nint x; struct pair { int a; char b; } *p;",
        "struct pair q; p = x ? malloc(sizeof q) : &q; memset(p, 0, sizeof q);",
        "in several steps is not built natively",
    ),
    "atexit": (
        "int x; static void bye(void) { }",
        "atexit(bye); x++;",
        "exit handlers are not built natively",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_supported_is_refused_with_its_line(name: str, folder: Path) -> None:
    declarations, statement, message = REFUSED[name]
    source = folder / "program.c"
    source.write_text(
        f"""#include <pthread.h>
#include <stdlib.h>
{declarations}
static void *other(void *a) {{ {statement} return a; }}
int main(void)
{{
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    {statement}
    pthread_join(t, NULL);
    return 0;
}}
"""
    )
    with pytest.raises(UserError, match=message) as refused:
        native(source, folder)
    assert refused.value.loc is not None and refused.value.loc.line in (4, 5, 9, 10)


def test_a_gate_is_skipped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The operation happens out of order, unseen; the thread is stopped at its next one."""

    class Leaky(Instrumented):
        def __init__(self, operations: Operations, counted: Mapping[int, int]) -> None:
            super().__init__(operations, counted)
            n = next(o.number for o in operations.all if o.function.name == "lock")
            pair = rf"  call void @irs_enter\(i32 {n}\).*\n(.*\n)  call void @irs_leave\(\).*\n"
            self.texts = {n: re.sub(pair, r"\1", text) for n, text in self.texts.items()}

    monkeypatch.setattr("imc.execution.native.build.Instrumented", Leaky)
    ran = native(PETERSON, folder, "opt0").run()
    assert ran.status == 5
    assert "the run deviates: main." in ran.errors


DROPS = """
#define _GNU_SOURCE
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>
#undef syscall
extern long syscall(long, ...);
long dropping(long number, ...)
{
    va_list a;
    va_start(a, number);
    long x[6];
    for (int i = 0; i < 6; i++)
        x[i] = va_arg(a, long);
    va_end(a);
    if (number == SYS_futex && (int)x[1] == FUTEX_WAKE_PRIVATE)
        return 0;
    return syscall(number, x[0], x[1], x[2], x[3], x[4], x[5]);
}
"""


def test_wake_ups_are_dropped(folder: Path) -> None:
    """Whoever sleeps looks again after the watchdog's time; if all do, that is a stall."""
    (folder / "drops.c").write_text(DROPS)
    options = BuildOptions(link=("-Dsyscall=dropping", str(folder / "drops.c")))
    made = native(PETERSON, folder, "opt0", options=options)
    assert made.schedule is not None
    ran = made.run(NativeOptions(watchdog_s=1, trace=folder / "trace"), ("taskset", "-c", "0"))
    assert ran.status == 0 or (ran.status == 5 and "the run is stalled" in ran.errors)
    assert problem(made.schedule, ran.record) == ""
