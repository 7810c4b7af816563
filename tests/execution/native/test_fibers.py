"""Threads as fibers: the same order, the same ends, and every thread still itself."""

from __future__ import annotations

import json
import signal
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from as_fibers import AS_FIBERS, written
from natively import EXAMPLES, Native, native, problem
from patience import LONGER_S, computed_s, wait_until

from imc.execution.mode import can_be_fibers
from imc.execution.native.process import NativeOptions

FINITE = (
    "bakery", "bank_race", "cond_queue", "dekker", "lost_update", "peterson", "pool",
    "treiber_stack",
)  # fmt: skip
ENDLESS = (
    "barrier", "double_lock", "double_lock_wrong", "filesystem", "filesystem_assume", "prodcons",
    "prodcons_unlocked_check",
)  # fmt: skip


def ran_well(made: Native, folder: Path, **options: float) -> list[object]:
    """Runs a program whose record has to be one of its schedule; the record."""
    asked = NativeOptions(trace=folder / "trace", stats=folder / "stats", seed=1, **options)  # type: ignore[arg-type]
    ran = made.run(asked)
    assert made.schedule is not None
    assert (ran.status, ran.errors, problem(made.schedule, ran.record)) == (0, "", "")
    assert all(row["fibers"] for row in stats(folder))
    return ran.record


def stats(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "stats").read_text().splitlines()]


@pytest.mark.parametrize("level", ["opt0", "opt3"])
@pytest.mark.parametrize("name", FINITE)
def test_examples_that_end(name: str, level: str, folder: Path) -> None:
    ran_well(native(EXAMPLES / f"{name}.c", folder, level, options=AS_FIBERS), folder)


@pytest.mark.parametrize("level", ["opt0", "opt3"])
@pytest.mark.parametrize("name", ENDLESS)
def test_examples_that_do_not_end(name: str, level: str, folder: Path) -> None:
    """On a busy machine the shortest time is over before anything has happened."""
    made = native(EXAMPLES / f"{name}.c", folder, level, options=AS_FIBERS)
    assert any(len(ran_well(made, folder, seconds=s)) > 100 for s in (0.01, *LONGER_S))


def test_more_threads_than_cores_on_one_core(folder: Path) -> None:
    defines = ("PRODUCERS=4", "CONSUMERS=4", "SLOTS=5")
    made = native(EXAMPLES / "prodcons.c", folder, "opt3", defines, AS_FIBERS)
    asked = NativeOptions(trace=folder / "trace", seconds=0.01)
    ran = made.run(asked, prefix=("taskset", "1"))
    assert made.schedule is not None
    assert (ran.status, ran.errors, problem(made.schedule, ran.record)) == (0, "", "")


IDENTITY = """static __thread int mine;
static _Thread_local char name[4];
static pthread_mutex_t again;
static pthread_key_t key;
static void *work(void *a)
{
    pthread_t me = pthread_self();
    int number = *(int *)a;
    mine = errno = number;
    name[2] = number;
    pthread_setspecific(key, a);
    for (int i = 0; i < 2; i++) {
        assert(pthread_mutex_lock(&again) == 0 && pthread_mutex_lock(&again) == 0);
        x++;
        assert(pthread_mutex_unlock(&again) == 0 && pthread_mutex_unlock(&again) == 0);
        assert(mine == number && name[2] == number && name[0] == 0 && errno == number);
        assert(pthread_equal(me, pthread_self()) && pthread_getspecific(key) == a);
    }
    return &((int *)a)[3];
}
int main(void)
{
    int numbers[6] = {1, 2, 3, 4, 5, 6};
    pthread_mutexattr_t kind;
    pthread_t t[3];
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&again, &kind);
    pthread_key_create(&key, 0);
    errno = 9;
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, work, &numbers[i]);
    for (int i = 0; i < 3; i++) {
        void *result;
        assert(pthread_join(t[i], &result) == 0 && result == &numbers[i + 3]);
    }
    assert(x == 6 && errno == 9 && mine == 0);
    return 0;
}"""


@pytest.mark.parametrize("level", ["opt0", "opt3"])
def test_every_thread_is_itself(level: str, folder: Path) -> None:
    """Thread locals, errno, its handle, its specific data, the owner of a lock, its result."""
    ran_well(native(written(folder, IDENTITY), folder, level, options=AS_FIBERS), folder)


def test_conditions_barriers_and_once(folder: Path) -> None:
    text = """static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    static pthread_barrier_t all;
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    static void *work(void *a)
    {
        pthread_once(&once, step);
        pthread_barrier_wait(&all);
        pthread_mutex_lock(&m);
        while (x < 2)
            pthread_cond_wait(&c, &m);
        pthread_mutex_unlock(&m);
        return a;
    }
    int main(void)
    {
        pthread_t t, u;
        pthread_barrier_init(&all, 0, 3);
        pthread_create(&t, 0, work, 0);
        pthread_create(&u, 0, work, 0);
        pthread_barrier_wait(&all);
        step();
        pthread_cond_broadcast(&c);
        pthread_join(t, 0);
        pthread_join(u, 0);
        assert(x == 2);
        return 0;
    }"""
    source = written(folder, text)
    for level in ("opt0", "opt1", "opt3"):
        ran_well(native(source, folder, level, options=AS_FIBERS), folder)


def test_sixty_four_fibers(folder: Path) -> None:
    text = """static void *work(void *a) { step(); return a; }
    int main(void)
    {
        pthread_t t[63];
        for (int i = 0; i < 63; i++)
            pthread_create(&t[i], 0, work, 0);
        for (int i = 0; i < 63; i++)
            pthread_join(t[i], 0);
        assert(x == 63);
        return 0;
    }"""
    ran_well(native(written(folder, text), folder, "opt3", options=AS_FIBERS), folder)


def test_deep_stacks(folder: Path) -> None:
    """Each fiber waits in the middle of some megabytes of its own stack."""
    text = """static int deep(int n)
    {
        volatile int room[1000];
        int result;
        room[n % 1000] = n;
        if (n == 0)
            step();
        result = n ? deep(n - 1) : 0;
        return result + (room[n % 1000] == n);
    }
    static void *work(void *a)
    {
        assert(deep(1000) == 1001);
        step();
        assert(deep(1000) == 1001);
        return a;
    }
    int main(void)
    {
        pthread_t t, u;
        pthread_create(&t, 0, work, 0);
        pthread_create(&u, 0, work, 0);
        work(0);
        pthread_join(t, 0);
        pthread_join(u, 0);
        return x != 9;
    }"""
    ran_well(native(written(folder, text), folder, "opt1", options=AS_FIBERS), folder)


@pytest.mark.parametrize(
    ("end", "status"),
    [("exit(3)", 3), ("pthread_exit(0)", 0), ("thrd_exit(0)", 0), ("_Exit(4)", 4)],
)
def test_ends_from_within(end: str, status: int, folder: Path) -> None:
    """The main thread is over before: the last thread's end is that of the process."""
    text = f"""static pthread_t first;
    static void *work(void *a)
    {{
        pthread_join(first, 0);
        step();
        puts("last words");
        {end};
        return a;
    }}
    int main(void)
    {{
        pthread_t t;
        first = pthread_self();
        pthread_create(&t, 0, work, 0);
        step();
        pthread_exit(0);
    }}"""
    ran = native(written(folder, text), folder, "opt1", options=AS_FIBERS).run()
    said = "" if end.startswith("_") else "last words\n"
    assert (ran.status, ran.output, ran.errors) == (status, said, "")


def test_detached_threads(folder: Path) -> None:
    text = """static void *work(void *a) { step(); return a; }
    int main(void)
    {
        pthread_t t;
        for (int i = 0; i < 20; i++) {
            pthread_create(&t, 0, work, 0);
            pthread_detach(t);
        }
        for (;;) {
            pthread_mutex_lock(&m);
            int done = x == 20;
            pthread_mutex_unlock(&m);
            if (done)
                return 0;
        }
    }"""
    ran_well(native(written(folder, text), folder, "opt1", options=AS_FIBERS), folder)


def test_who_never_waits_lets_others_go_on(folder: Path) -> None:
    """Nothing orders these two any more, but both have to come round again and again."""
    text = """static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;
    static int y;
    static void other(void) { pthread_mutex_lock(&n); y ^= 1; pthread_mutex_unlock(&n); }
    static void *work(void *a)
    {
        step();
        for (;;)
            other();
    }
    int main(void)
    {
        pthread_t t;
        pthread_create(&t, 0, work, 0);
        other();
        for (;;) { pthread_mutex_lock(&m); x ^= 1; pthread_mutex_unlock(&m); }
    }"""
    for level in ("opt0", "opt1"):
        made = native(written(folder, text), folder, level, options=AS_FIBERS)
        assert made.schedule is not None and can_be_fibers(made.program, made.schedule)
        for seconds in (0.02, *LONGER_S):
            ran_well(made, folder, seconds=seconds)
            rounds = [int(str(row["events"])) for row in stats(folder)]
            if max(rounds) > 10_000:
                break
        assert min(rounds) > 0.2 * max(rounds)


# -------------------------------------------------------------------------- from outside


def test_signals_at_any_moment(folder: Path) -> None:
    """A handler on whatever stack is in use, ten thousand times a second."""
    handler = folder / "handler.c"
    handler.write_text("""#include <errno.h>
        #include <signal.h>
        #include <sys/time.h>
        static volatile double noise = 1.5;
        static void ring(int signal) { for (int i = 0; i < 99; i++) noise *= 1.5; errno = signal; }
        __attribute__((constructor)) static void begin(void)
        {
            struct itimerval often = {{0, 100}, {0, 100}};
            signal(SIGALRM, ring);
            setitimer(ITIMER_REAL, &often, 0);
        }""")
    options = replace(AS_FIBERS, link=(str(handler),))
    for name, level in (("prodcons", "opt3"), ("filesystem", "opt1")):
        ran_well(
            native(EXAMPLES / f"{name}.c", folder, level, options=options), folder, seconds=0.1
        )


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_ended_by_a_signal(ending: signal.Signals, folder: Path) -> None:
    made = native(EXAMPLES / "double_lock.c", folder, "opt3", options=AS_FIBERS)
    environment = NativeOptions(stats=folder / "stats").environment()
    with subprocess.Popen([made.built.executable], env=environment) as child:
        wait_until(lambda: computed_s(child.pid) >= 0.1)
        child.send_signal(ending)
    assert child.returncode == 128 + ending
    assert sum(int(str(row["events"])) for row in stats(folder)) > 0


def test_threads_instead(folder: Path) -> None:
    """What was built for fibers can always be run on threads."""
    made = native(EXAMPLES / "peterson.c", folder, "opt3", options=AS_FIBERS)
    ran = made.run(NativeOptions(threads=True, stats=folder / "stats"))
    assert (ran.status, ran.errors) == (0, "")
    assert not any(row["fibers"] for row in stats(folder))
    environment = NativeOptions().environment() | {"IRS_MODE": "strings"}
    done = subprocess.run([made.built.executable], env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (5, "irs: IRS_MODE=strings is not threads\n")
