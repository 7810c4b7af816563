"""Calls that others can see in the middle of are made natively in the steps that were verified."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner
from natively import native, problem

import imc
from imc.cli import cli
from imc.execution.native.build import BuildOptions
from imc.execution.native.process import NativeOptions

REGRESS = Path(__file__).parents[2] / "programs" / "regress"
SIGABRT = -6
TIMES = 5
SAFE = (
    "atomic_large_counter", "atomic_large_whole", "atomic_sixteen_whole", "atomic_sizes",
    "sprintf_locked",
)  # fmt: skip
# Their errors are between two steps: what is read there is what was written by then.
TORN = (
    "atomic_exchange_old", "atomic_expected_read", "atomic_expected_shared",
    "atomic_load_destination", "atomic_load_destination_torn", "atomic_sixteen_old_shared",
    "atomic_store_source", "clock_torn", "printf_counts_shared", "semaphore_value",
    "semaphore_value_stored_late", "sprintf_torn", "sscanf_shared_text", "sscanf_torn",
    "time_of_day_shared", "vsnprintf_torn",
)  # fmt: skip

PRELUDE = """
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void in_turn(void);
static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    in_turn();
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    return 0;
}
"""

ATOMICS = """
struct odd { int v[5]; };
struct large { long v[9]; };
static struct odd odd, from, to;
static struct large large, held;
static void in_turn(void)
{
    struct odd mine = {{1, 2, 3, 4, 5}}, seen = {{7, 7, 7, 7, 7}};
    struct large one = {{1}}, two = {{2, 0, 0, 0, 0, 0, 0, 0, 2}};

    __atomic_store(&odd, &mine, __ATOMIC_SEQ_CST);
    __atomic_load(&odd, &to, __ATOMIC_SEQ_CST);
    assert(to.v[4] == 5);
    from.v[4] = 6;
    __atomic_exchange(&odd, &from, &to, __ATOMIC_SEQ_CST);
    assert(to.v[4] == 5 && odd.v[4] == 6);
    assert(!__atomic_compare_exchange(&odd, &seen, &from, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    assert(seen.v[4] == 6);
    assert(__atomic_compare_exchange(&odd, &seen, &mine, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    assert(odd.v[4] == 5);
    __atomic_store(&large, &one, __ATOMIC_RELEASE);
    held.v[3] = 3;
    assert(!__atomic_compare_exchange(&large, &held, &two, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
    assert(held.v[0] == 1 && held.v[3] == 0);
    assert(__atomic_compare_exchange(&large, &held, &two, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
    assert(large.v[8] == 2 && held.v[8] == 0);
}
"""

ONE_PLACE = """
struct large { long v[3]; };
static struct large held, both = {{1, 1, 1}};
static void in_turn(void)
{
    long before = held.v[2], after = both.v[2];

    __atomic_exchange(&held, &both, &both, __ATOMIC_SEQ_CST);
    assert(both.v[2] == before && held.v[2] == after);
}
"""

ANSWERS = """
static struct timespec now;
static struct timeval day, *nowhere;
static sem_t sem;
static int value;
static void in_turn(void)
{
    sem_post(&sem);
    value = 0;
    assert(sem_getvalue(&sem, &value) == 0 && value > 0);
    now.tv_sec = now.tv_nsec = -1;
    assert(clock_gettime(CLOCK_REALTIME, &now) == 0 && now.tv_sec >= 0 && now.tv_nsec >= 0);
    now.tv_sec = now.tv_nsec = -1;
    assert(timespec_get(&now, TIME_UTC) == TIME_UTC && now.tv_sec >= 0 && now.tv_nsec >= 0);
    day.tv_sec = day.tv_usec = -1;
    assert(gettimeofday(&day, 0) == 0 && day.tv_sec >= 0 && day.tv_usec >= 0);
    nowhere = nowhere == &day ? &day : 0;
    assert(gettimeofday(nowhere, 0) == 0);
}
"""

TEXT = """
static char text[8];
static int count, number;
static void in_turn(void)
{
    text[0] = 'x';
    assert(snprintf(text, 0, "%s", "none") == 4 && text[0] == 'x');
    assert(snprintf(text, 1, "%s", "none") == 4 && text[0] == 0);
    assert(snprintf(text, 3, "%s%n", "none", &count) == 4 && strcmp(text, "no") == 0);
    assert(count == 4);
    assert(sprintf(text, "%s", "") == 0 && text[0] == 0);
    assert(sprintf(text, "%c%d", 0, 12) == 3 && memcmp(text, "\\0" "12", 4) == 0);
    assert(sprintf(text, "%d", count) == 1 && text[0] == '4');
}
"""

NUMBERS = """
static char word[8], letters[4], set[4];
static signed char tiny;
static short little;
static int number, count;
static long big;
static double real;
static float half;
static long double most;
static void in_turn(void)
{
    assert(sscanf(" 12 x -7,word abc ]9", "%d x %hd,%s%*c%3c %[]^9]%n", &number, &little, word,
                  letters, set, &count) == 5);
    assert(number == 12 && little == -7 && strcmp(word, "word") == 0);
    assert(memcmp(letters, "abc", 4) == 0 && strcmp(set, "]9") == 0 && count == 20);
    assert(sscanf("2.5%1 .5 77 -1 1.5", "%lf%%%*d%f%ld %hhd %Lf", &real, &half, &big, &tiny,
                  &most) == 5);
    assert(real == 2.5 && half == 0.5f && big == 77 && tiny == -1 && most == 1.5L);
    assert(sscanf("", "%d", &number) == EOF && sscanf("z", "%d", &number) == 0);
    assert(sscanf("1 ", "%d%d", &number, &count) == 1 && number == 1 && count == 20);
    assert(sscanf("4", "%*d%d", &number) == EOF && number == 1);
    assert(sscanf("", "x", &number) == EOF);
    assert(sscanf("de", "%5c%n", letters, &count) == 1 && memcmp(letters, "dec", 4) == 0);
    assert(count == 2);
}
"""

UNKNOWN_SIZE = """
static long long number;
static void in_turn(void) { sscanf("1", "%Ld", &number); }
"""


@pytest.mark.parametrize("level", ["opt0", "opt3"])
@pytest.mark.parametrize("name", SAFE + TORN)
def test_programs_that_are_seen_in_the_middle(name: str, level: str, folder: Path) -> None:
    runs_as_verified(REGRESS / name / "prog.c", level, folder)


@pytest.mark.parametrize("level", ["opt0", "opt1", "opt3"])
@pytest.mark.parametrize("code", [ATOMICS, ANSWERS, TEXT, NUMBERS])
def test_all_steps(code: str, level: str, folder: Path) -> None:
    source = folder / "prog.c"
    source.write_text(PRELUDE + code)
    runs_as_verified(source, level, folder)


def test_what_is_read_is_kept_until_the_end(folder: Path) -> None:
    """Where the new value comes from is where the old one goes."""
    source = folder / "prog.c"
    source.write_text(PRELUDE + ONE_PLACE)
    runs_as_verified(source, "opt0", folder)


def test_steps_of_fibers(folder: Path) -> None:
    source = REGRESS / "atomic_expected_shared" / "prog.c"
    made = native(source, folder, "opt0", options=BuildOptions(fibers=True))
    for _ in range(TIMES):
        ran = made.run()
        assert (ran.status, ran.errors) == (0, "")


def runs_as_verified(source: Path, level: str, folder: Path) -> None:
    made = native(source, folder, level)
    assert made.schedule is not None
    for _ in range(TIMES):
        ran = made.run(NativeOptions(trace=folder / "trace"))
        assert (ran.status, ran.errors) == (0, "")
        assert problem(made.schedule, ran.record) == ""


@pytest.mark.parametrize("name", TORN)
def test_errors_between_steps_come_again(name: str, tmp_path: Path) -> None:
    source, trace = REGRESS / name / "prog.c", tmp_path / "trace.json"
    CliRunner().invoke(cli, ["explore", str(source), "--json", str(trace)], catch_exceptions=False)
    made = imc.build(source, output=tmp_path / "wrong", replay=trace)
    for _ in range(TIMES):
        assert subprocess.run([made.path], capture_output=True).returncode == SIGABRT


def test_a_size_that_is_not_known_ends_the_run(folder: Path) -> None:
    """C has no %Ld: the library stores more than was verified."""
    source = folder / "prog.c"
    source.write_text(PRELUDE + UNKNOWN_SIZE)
    ran = native(source, folder, "opt0").run()
    assert ran.status == 5
    assert "prog.c:28) has a format that is not known natively" in ran.errors
