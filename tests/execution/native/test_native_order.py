"""Built programs keep to their schedules: on any number of cores, at every level."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from natively import EXAMPLES, native, problem, program_of, schedule_of, with_schedule
from patience import LONGER_S

from imc.execution.native.build import BuildOptions
from imc.execution.native.process import NativeOptions
from irs.schedule import Choice, Free, ScheduledEvent, Section

ENDLESS = ("prodcons", "double_lock_wrong", "barrier", "filesystem", "filesystem_assume")
LEVELS = ("opt0", "opt1", "opt2", "opt3")
FINITE = ("bank_race", "cond_queue", "pool", "peterson", "treiber_stack", "lost_update", "bakery")


@pytest.mark.parametrize(
    ("name", "level"),
    [*((n, level) for n in ENDLESS for level in LEVELS), *((n, "opt1") for n in FINITE)],
)
def test_runs_are_linearisations(name: str, level: str, folder: Path) -> None:
    made = native(EXAMPLES / f"{name}.c", folder, level)
    assert made.schedule is not None
    for _ in range(3):
        ran = made.run(NativeOptions(seconds=0.05, trace=folder / "trace"))
        assert (ran.status, ran.errors) == (0, "")
        assert problem(made.schedule, ran.record) == ""


def test_the_oracle_sees_swapped_events() -> None:
    schedule = schedule_of(EXAMPLES / "peterson.c", "opt0")
    head = {"format": "irs record", "version": 1, "program": schedule.program.digest}
    events: list[object] = [[e.thread, e.site, 0] for e in schedule.sections[0].events]
    assert problem(schedule, [head, [0], *events]) == ""
    assert problem(schedule, [head, [0], *reversed(events)]) != ""


def test_a_program_that_deadlocks_never_does(folder: Path) -> None:
    made = native(EXAMPLES / "double_lock_wrong.c", folder, "opt3", ("ROUNDS=20",))
    for _ in range(200):
        assert made.run().status == 0


@pytest.mark.parametrize("level", ["opt0", "opt3"])
@pytest.mark.parametrize(
    ("name", "defines"),
    [("barrier", ("THREADS=8",)), ("prodcons", ("PRODUCERS=2", "CONSUMERS=2"))],
)
def test_more_threads_than_cores(
    name: str, defines: tuple[str, ...], level: str, folder: Path
) -> None:
    made = native(EXAMPLES / f"{name}.c", folder, level, defines)
    assert made.schedule is not None
    ran = made.run(NativeOptions(seconds=0.1, trace=folder / "trace"))
    assert (ran.status, problem(made.schedule, ran.record)) == (0, "")


@pytest.mark.skipif(shutil.which("taskset") is None, reason="no taskset")
@pytest.mark.parametrize("name", ["prodcons", "barrier", "cond_queue"])
def test_one_core(name: str, folder: Path) -> None:
    made = native(EXAMPLES / f"{name}.c", folder)
    assert made.schedule is not None
    core = str(min(os.sched_getaffinity(0)))
    ran = made.run(NativeOptions(seconds=0.1, trace=folder / "trace"), ("taskset", "-c", core))
    assert (ran.status, problem(made.schedule, ran.record)) == (0, "")


@pytest.mark.parametrize("level", ["opt0", "opt3"])
def test_gates_as_calls_do_the_same(level: str, folder: Path) -> None:
    source = EXAMPLES / "prodcons.c"
    made = native(source, folder, level, options=BuildOptions(inline=False, embed=True))
    assert made.schedule is not None and made.built.tables is None
    ran = made.run(NativeOptions(seconds=0.05, trace=folder / "trace"))
    assert (ran.status, problem(made.schedule, ran.record)) == (0, "")


def test_another_schedule_in_the_same_program(folder: Path) -> None:
    """What is done at operations has to be the same; the order is the tables'."""
    source = EXAMPLES / "treiber_stack.c"
    first, second = (native(source, folder, level) for level in ("opt0", "opt1"))
    assert first.schedule is not None and second.schedule is not None
    ran = first.run(NativeOptions(tables=second.built.tables, trace=folder / "trace"))
    assert (ran.status, problem(second.schedule, ran.record)) == (0, "")


def test_nothing_is_ordered_after_the_end_of_a_prefix(folder: Path) -> None:
    """A schedule that begins the program and then sets its threads free."""
    for name in ("cond_queue", "prodcons", "bank_race"):
        source = EXAMPLES / f"{name}.c"
        whole = schedule_of(source, "opt0", ("ROUNDS=50",))
        sections = (Section(whole.sections[0].events[:7], Free()),)
        prefix = replace(whole, sections=sections, start=0, certificate=None)
        made = with_schedule(program_of(source, ("ROUNDS=50",)), prefix, folder)
        for _ in range(20):
            ran = made.run(NativeOptions(trace=folder / "trace"))
            assert ran.status in ((0, 134, -6) if name == "bank_race" else (0,)), ran.errors
            assert ran.record[-1] == ["free"]
            assert problem(prefix, ran.record) == ""


def test_who_comes_first_may_choose(folder: Path) -> None:
    """Rounds of one thread or of the other, in any order."""
    source = EXAMPLES / "double_lock_wrong.c"
    schedule = schedule_of(source, "opt0")
    first, rounds = schedule.sections
    choice = Choice((1, 2))
    own = [
        tuple(ScheduledEvent(e.thread, e.site) for e in rounds.events if e.thread == t)
        for t in (1, 2)
    ]
    sections = (Section(first.events, choice), *(Section(events, choice) for events in own))
    free = replace(schedule, sections=sections, certificate=None)
    made = with_schedule(program_of(source), free, folder)
    chosen: set[object] = set()
    for seconds in (*[0.2] * 10, *LONGER_S):  # who comes first is up to the machine
        ran = made.run(NativeOptions(seconds=seconds, trace=folder / "trace"))
        assert (ran.status, problem(free, ran.record)) == (0, "")
        chosen |= {line[0] for line in ran.record[1:] if len(line) == 3}  # type: ignore
        if chosen == {0, 1, 2}:
            break
    assert chosen == {0, 1, 2}
