"""Threads that are cancelled natively end at the gate that the schedule foresees."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from as_fibers import AS_FIBERS
from natively import native, problem, program_of, with_schedule

import imc.api
from imc.execution.native.build import BuildOptions
from imc.execution.native.process import NativeOptions
from irs.schedule import Free

FAMILY = Path(__file__).parents[2] / "programs" / "cancellation"
HEAD = """#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>
static int noted;
static void note(void *by) { noted = noted * 10 + *(int *)by; }
"""


def cases() -> list[tuple[str, tuple[str, ...]]]:
    """Programs of the family that are safe, with what they are compiled with."""
    return [
        (file.parent.name, tuple(flag.removeprefix("-D") for flag in case.get("flags", ())))
        for file in sorted(FAMILY.rglob("expect.toml"))
        for case in tomllib.loads(file.read_text())["case"]
        if case["verdict"] == "safe"
    ]


def kept(
    source: Path,
    folder: Path,
    level: str,
    defines: tuple[str, ...] = (),
    runs: int = 5,
    options: BuildOptions | None = None,
) -> None:
    """A program under its first schedule does nothing else."""
    made = native(source, folder, level, defines, options)
    assert made.schedule is not None
    for _ in range(runs):
        ran = made.run(NativeOptions(trace=folder / "trace"))
        assert (ran.status, ran.errors) == (0, "")
        assert problem(made.schedule, ran.record) == ""


@pytest.mark.parametrize("level", ["opt0", "opt3"])
@pytest.mark.parametrize(("name", "defines"), cases())
def test_cancelled_as_verified(
    name: str, defines: tuple[str, ...], level: str, folder: Path
) -> None:
    kept(FAMILY / name / "prog.c", folder, level, defines)


@pytest.mark.parametrize("name", ["c11", "condition", "join", "semaphore", "use_after_handler"])
def test_without_an_order_waits_end_by_a_request(name: str, folder: Path) -> None:
    """All orders are safe, so threads are set free, and really wait."""
    program = program_of(FAMILY / name / "prog.c")
    free = [found.schedule for found in imc.api.trace_prefixes(program)][-1]
    assert all(isinstance(section.next, Free) for section in free.sections)
    made = with_schedule(program, free, folder)
    for _ in range(5):
        ran = made.run()
        assert (ran.status, ran.errors) == (0, "")


@pytest.mark.parametrize(
    "wait",
    ["sleep(3600)", "usleep(1 << 30)", "nanosleep(&(struct timespec){3600, 0}, 0)", "pause()",
     "clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){3600, 0}, 0)"],
)  # fmt: skip
def test_who_lets_time_pass_is_cancelled(wait: str, folder: Path) -> None:
    """The request comes after the thread has looked for one, and before the time is over."""
    source = folder / "prog.c"
    source.write_text(HEAD + f"""
static sem_t asleep;
static void *work(void *unused)
{{
    sem_post(&asleep);
    for (;;)
        {wait};
    return unused;
}}
int main(void)
{{
    pthread_t thread;
    void *result;
    sem_init(&asleep, 0, 0);
    pthread_create(&thread, 0, work, 0);
    sem_wait(&asleep);
    usleep(20000);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED);
    return 0;
}}""")  # fmt: skip
    kept(source, folder, "opt3", runs=2)


def test_handlers_run_before_destructors(folder: Path) -> None:
    """The last handler first; what runs once is taken back no further than to the handler."""
    source = folder / "prog.c"
    source.write_text(HEAD + """
static pthread_key_t key;
static pthread_once_t outer = PTHREAD_ONCE_INIT, inner = PTHREAD_ONCE_INIT;
static int begun, digits[] = {1, 2, 3};
static void leave(void) { begun += 1; pthread_exit(&digits[2]); }
static void enter(void)
{
    begun += 10;
    if (begun > 10)
        return;
    pthread_cleanup_push(note, &digits[0]);
    pthread_cleanup_push(note, &digits[1]);
    pthread_once(&inner, leave);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
}
static void *work(void *unused)
{
    pthread_setspecific(key, &digits[2]);
    pthread_once(&outer, enter);
    return unused;
}
int main(void)
{
    pthread_t thread;
    void *result;
    pthread_key_create(&key, note);
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, &result);
    assert(noted == 213 && result == &digits[2] && begun == 11);
    pthread_once(&outer, enter);
    assert(begun == 21);
    return 0;
}""")  # fmt: skip
    for level in ("opt0", "opt3"):
        kept(source, folder, level, runs=2)


@pytest.mark.parametrize("level", ["opt0", "opt3"])
@pytest.mark.parametrize("name", ["c11", "condition", "condition_timed", "join", "semaphore"])
def test_fibers_are_cancelled(name: str, level: str, folder: Path) -> None:
    kept(FAMILY / name / "prog.c", folder, level, options=AS_FIBERS)
