"""Programs on real threads under all forms of their schedules: nothing deviates, nothing errs."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

import imc.api
import imc.schedule
import irs
from imc.execution.python.inputs import Inputs
from imc.execution.python.run import PythonOptions, Runner
from imc.execution.run_result import RunResult
from imc.program.program import Program
from irs.errors import Deviation, Stalled
from irs.plan import Plan
from irs.record import Recorder
from irs.schedule import Branch, Case, Choice, End, Free, Schedule, ScheduledEvent, Section

EXAMPLES = Path(__file__).parents[3] / "examples"
LEVELS = ("opt0", "opt1", "opt2", "opt3")
FINITE = (
    "bank_race", "cond_queue", "lost_update", "peterson", "pool", "dekker", "treiber_stack",
    "bakery",
)  # fmt: skip
ENDLESS = (
    "prodcons", "prodcons_unlocked_check", "barrier", "filesystem", "filesystem_assume",
    "double_lock_wrong",
)  # fmt: skip


def schedules(program: Program, levels: tuple[str, ...] = LEVELS) -> list[Schedule]:
    verification = imc.api.verify(program, iterations=1)
    (result,) = verification
    return [imc.schedule.compile(verification, result, level).schedule for level in levels]


def run(program: Program, schedule: Schedule, seed: int, **options: float) -> RunResult:
    """One run, whose record is checked."""
    stream = io.BytesIO()
    runner = Runner(program, Plan(schedule), PythonOptions(**options))  # type: ignore[arg-type]
    result = runner.run(Inputs(seed), lambda data, to: None, Recorder(stream, schedule))
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert irs.check_record(schedule, lines) == result.gated
    return result


@pytest.mark.parametrize("name", FINITE)
def test_finite_programs(name: str) -> None:
    program = imc.api.load(EXAMPLES / f"{name}.c")
    for schedule in schedules(program):
        for seed in range(5):
            result = run(program, schedule, seed)
            assert (result.problem, result.error, result.exit_status) == (None, "", 0)


@pytest.mark.parametrize("name", ENDLESS)
def test_endless_programs(name: str) -> None:
    program = imc.api.load(EXAMPLES / f"{name}.c")
    for schedule in schedules(program):
        result = run(program, schedule, 0, time_limit=0.05)
        assert (result.problem, result.error) == (None, "")
        assert result.out_of_time


def prodcons(*defines: str) -> Program:
    return imc.api.load(EXAMPLES / "prodcons.c", define=defines)


def test_more_threads_than_cores() -> None:
    program = prodcons("PRODUCERS=4", "CONSUMERS=4", "ROUNDS=2")
    for schedule in schedules(program, ("opt1", "opt3")):
        assert run(program, schedule, 0).exit_status == 0


# ---------------------------------------------------------------------- made by hand


CHOOSES = """
#include <pthread.h>
int __VERIFIER_nondet_int(void);
static int mode, a, b;
static void *worker(void *arg) { a = 1; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    mode = __VERIFIER_nondet_int() ? 7 : 8;
    b = a;
    pthread_join(t, 0);
    return b;
}
"""


def by_hand(tmp_path: Path) -> tuple[Program, Schedule, dict[str, int]]:
    """A program, its strict schedule, and its sites by what they are."""
    path = tmp_path / "prog.c"
    path.write_text(CHOOSES)
    program = imc.api.load(path)
    (schedule,) = schedules(program, ("opt0",))
    return program, schedule, {site.what: n for n, site in enumerate(schedule.sites)}


def test_a_number_in_memory_chooses(tmp_path: Path) -> None:
    """Where mode is 7 the worker writes first, where it is 8 main reads first."""
    program, schedule, sites = by_hand(tmp_path)
    names = {what.split()[0] + " " + what.split()[-1]: n for what, n in sites.items()}
    main = [e.site for section in schedule.sections for e in section.events if e.thread == 0]
    create, reads, reads_a, *rest = main
    writes_a = names["write a"]
    place = ("memory", "global", "mode", 0)
    end = [ScheduledEvent(0, site) for site in rest]
    sections = (
        Section(
            (ScheduledEvent(0, create), ScheduledEvent(0, reads)),
            Branch(0, (Case(None, ("=", place, 7), 1), Case(None, ("=", place, 8), 2))),
        ),
        Section((ScheduledEvent(1, writes_a), ScheduledEvent(0, reads_a, ((1, 1),)), *end), End()),
        Section((ScheduledEvent(0, reads_a), ScheduledEvent(1, writes_a, ((0, 1),)), *end), End()),
    )
    chosen = replace(schedule, sections=sections, start=0)
    statuses = {run(program, chosen, seed).exit_status for seed in range(3)}
    assert statuses == {1}  # a random number is hardly ever 0
    zero = tmp_path / "zero"
    zero.write_text("0")
    runner = Runner(program, Plan(chosen), PythonOptions())
    assert runner.run(Inputs(file=zero), lambda data, to: None).exit_status == 0


def test_free_and_skipped_events(tmp_path: Path) -> None:
    """Only what the threads wait for has a gate; an operation that is skipped is not performed."""
    program, schedule, sites = by_hand(tmp_path)
    actions = dict.fromkeys(sites, "free")
    actions.update({"write a": "skip"})
    changed = tuple(replace(site, action=actions[site.what]) for site in schedule.sites)
    sections = tuple(
        Section(tuple(ScheduledEvent(e.thread, e.site) for e in section.events), section.next)
        for section in schedule.sections
    )
    result = run(program, replace(schedule, sites=changed, sections=sections), 1)
    assert (result.problem, result.exit_status, result.gated) == (None, 0, 0)


def test_events_without_gates_block_as_in_c() -> None:
    """Everything is free: the schedule of a small program fits a larger one with the same code."""
    (schedule,) = schedules(prodcons("ROUNDS=1"), ("opt0",))
    free = replace(
        schedule,
        threads=("main", *(f"main.{n}" for n in range(1, 7))),
        sites=tuple(replace(site, action="free") for site in schedule.sites),
        sections=(Section((), End()),),
        start=0,
    )
    for seed in range(5):
        result = run(prodcons("PRODUCERS=3", "CONSUMERS=3", "ROUNDS=20"), free, seed)
        assert (result.problem, result.error, result.exit_status) == (None, "", 0)


def test_a_choice_is_free(tmp_path: Path) -> None:
    program, schedule, _ = by_hand(tmp_path)
    last = len(schedule.sections)
    sections = (*schedule.sections, replace(schedule.sections[schedule.start]))
    either = Section((), Choice((schedule.start, last)))
    chosen = replace(schedule, sections=(*sections, either), start=last + 1)
    assert run(program, chosen, 1).problem is None


@pytest.mark.parametrize("length", range(7))
def test_beginnings(tmp_path: Path, length: int) -> None:
    program, schedule, _ = by_hand(tmp_path)
    result = run(program, irs.prefix(schedule, length), 1)
    assert result.problem is None
    assert result.gated == length


def test_an_unknown_thread_is_not_let_through(tmp_path: Path) -> None:
    program, schedule, _ = by_hand(tmp_path)
    sections = tuple(
        Section(tuple(e for e in section.events if e.thread == 0), section.next)
        for section in schedule.sections
    )
    waits = tuple(
        Section(tuple(ScheduledEvent(e.thread, e.site) for e in section.events), section.next)
        for section in sections
    )
    result = run(program, replace(schedule, sections=waits, threads=("main",)), 1)
    assert isinstance(result.problem, Deviation)
    assert result.problem.thread == "main.1"


def test_a_stall_is_told(tmp_path: Path) -> None:
    """The worker waits for an event of main, which waits to join the worker."""
    program, schedule, sites = by_hand(tmp_path)
    main = [e.site for section in schedule.sections for e in section.events if e.thread == 0]
    write = next(n for what, n in sites.items() if what == "write a")
    join = main[-2]
    events = [ScheduledEvent(0, site) for site in main[:-1]]
    late = (*events, ScheduledEvent(1, write, ((0, len(events)),)))
    stalls = replace(schedule, sections=(Section(late, Free()),), start=0)
    result = run(program, stalls, 1, stall_s=0.2)
    assert isinstance(result.problem, Stalled)
    assert "main.1 at write a" in str(result.problem)
    assert "the end of main.1" in str(result.problem)
    assert schedule.sites[join].operation == "pthread_join"
