"""All threads in one of Python's: the same order and ends, and stalls that are told at once."""

from __future__ import annotations

import io
import json
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from patience import HANG_S

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
from irs.schedule import End, Schedule, ScheduledEvent, Section

EXAMPLES = Path(__file__).parents[3] / "examples"
FINITE = (
    "bank_race", "cond_queue", "pool", "lost_update", "peterson", "dekker", "treiber_stack",
    "bakery",
)  # fmt: skip
ENDLESS = ("prodcons", "prodcons_unlocked_check", "barrier", "filesystem", "filesystem_assume")


def schedules(program: Program, *levels: str) -> list[Schedule]:
    verification = imc.api.verify(program, iterations=1)
    (result,) = verification
    return [imc.schedule.compile(verification, result, level).schedule for level in levels]


def run(
    program: Program,
    schedule: Schedule,
    seed: int = 1,
    recorder: type[Recorder] = Recorder,
    **options: float,
) -> RunResult:
    """One run as fibers, whose record is checked."""
    stream = io.BytesIO()
    chosen = PythonOptions(fibers=True, **options)  # type: ignore[arg-type]
    runner = Runner(program, Plan(schedule), chosen)
    result = runner.run(Inputs(seed), lambda data, to: None, recorder(stream, schedule))
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert irs.check_record(schedule, lines) == result.gated
    assert result.fibers
    return result


@pytest.mark.parametrize("name", FINITE)
def test_programs_that_end(name: str) -> None:
    program = imc.api.load(EXAMPLES / f"{name}.c")
    for schedule in schedules(program, "opt0", "opt1", "opt2", "opt3"):
        for seed in range(3):
            result = run(program, schedule, seed)
            assert (result.problem, result.error, result.exit_status) == (None, "", 0)


@pytest.mark.parametrize("name", ENDLESS)
def test_programs_that_do_not_end(name: str) -> None:
    program = imc.api.load(EXAMPLES / f"{name}.c")
    for schedule in schedules(program, "opt0", "opt1", "opt2", "opt3"):
        result = run(program, schedule, time_limit=0.05)
        assert (result.problem, result.error, result.out_of_time) == (None, "", True)


JOINED = """
#include <assert.h>
#include <pthread.h>
static int x;
static _Thread_local int mine = 1;
static pthread_barrier_t all;
static void *worker(void *arg)
{
    mine++;
    pthread_barrier_wait(&all);
    assert(mine == 2);
    x = 1;
    return arg;
}
int main(void) {
    pthread_t t, u;
    void *result;
    pthread_barrier_init(&all, 0, 2);
    pthread_create(&t, 0, worker, &t);
    pthread_create(&u, 0, worker, &u);
    pthread_join(t, &result);
    assert(result == &t);
    pthread_join(u, 0);
    assert(mine == 1);
    return STATUS;
}
"""


def written(folder: Path, text: str = JOINED, status: str = "x + 2") -> Program:
    path = folder / "prog.c"
    path.write_text(text.replace("STATUS", status))
    return imc.api.load(path)


def test_the_same_order_on_one_thread_of_python(tmp_path: Path) -> None:
    program = written(tmp_path)
    for schedule in schedules(program, "opt0", "opt3"):
        acting: set[int] = set()

        class Watching(Recorder):
            def event(self, thread: int, site: int, section: int) -> None:
                acting.add(threading.get_ident())  # noqa: B023 (of this round)
                super().event(thread, site, section)

        assert run(program, schedule, recorder=Watching).exit_status == 3
        assert len(acting) == 1


def test_a_deviation_is_told(tmp_path: Path) -> None:
    program = written(tmp_path)
    (schedule,) = schedules(program, "opt0")
    (only,) = schedule.sections
    shorter = tuple(e._replace(waits=()) for e in only.events if e.thread != 2)
    result = run(program, replace(schedule, sections=(Section(shorter, End()),)))
    assert isinstance(result.problem, Deviation | Stalled)


def test_a_stall_is_told_at_once(tmp_path: Path) -> None:
    """Who is joined waits for the one who joins it."""
    program = written(
        tmp_path,
        "#include <pthread.h>\nstatic int a;\n"
        "static void *worker(void *p) { a = 1; return p; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); a = 2;\n"
        "pthread_join(t, 0); return 0; }",
    )
    (schedule,) = schedules(program, "opt0")
    (only,) = schedule.sections
    mine = [e._replace(waits=()) for e in only.events if e.thread == 0]
    (write,) = [e for e in only.events if e.thread == 1]
    late = (*mine[:3], ScheduledEvent(1, write.site, ((0, 3),)), *mine[3:])
    result = run(program, replace(schedule, sections=(Section(late, End()),)), stall_s=HANG_S)
    assert isinstance(result.problem, Stalled)
    assert "main.1 at write a" in str(result.problem)
    assert result.time_s < HANG_S
