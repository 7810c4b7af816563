"""Which waits are taken for ones that are tested again; their verdicts lie beside the program."""

from __future__ import annotations

from pathlib import Path

import pytest

import imc.api
from imc.program.assumptions import assumed, may_wake, unguarded
from imc.program.settings import Settings, Wakeups

PROGRAM = Path(__file__).parent.parent / "programs" / "conditions" / "where_it_waits" / "prog.c"


@pytest.mark.parametrize(("how", "guarded"), [(n, n < 5) for n in range(10)])
def test_what_is_tested_again(how: int, guarded: bool) -> None:
    program = imc.api.load(PROGRAM, define=(f"HOW={how}",))
    codes = [a.code for a in program.assumptions]
    assert codes == ["no-spurious-wakeups" if guarded else "no-unguarded-wakeups"]
    assert may_wake(program.assumptions, Settings()) is not guarded
    assert may_wake(program.assumptions, Settings(wakeups=Wakeups.EVERYWHERE))
    assert not may_wake(program.assumptions, Settings(wakeups=Wakeups.SIGNALLED))
    assert len(unguarded(program.assumptions)) == (not guarded)
    left = [a.code for a in assumed(program.assumptions, Settings())]
    assert left == (["no-spurious-wakeups"] if guarded else [])


POOL = """
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int count, done;
int work(void);
static void *worker(void *arg) {
    for (;;) {
        pthread_mutex_lock(&m);
        while (count == 0 && !done) pthread_cond_wait(&more, &m);
        int left = count;
        pthread_mutex_unlock(&m);
        if (left == 0) return arg;
        int result = work();
        if (result) return 0;
    }
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&m);
    done = 1;
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
"""


def test_a_loop_around_the_one_that_tests(tmp_path: Path) -> None:
    """What a worker does between two waits says nothing about how it waits."""
    source = tmp_path / "pool.c"
    source.write_text(POOL)
    codes = {a.code for a in imc.api.load(source).assumptions}
    assert "no-spurious-wakeups" in codes and "no-unguarded-wakeups" not in codes


def test_the_result_of_a_wait_is_asserted(tmp_path: Path) -> None:
    source = tmp_path / "pool.c"
    wait = "pthread_cond_wait(&more, &m)"
    source.write_text("#include <assert.h>\n" + POOL.replace(wait, f"assert({wait} == 0)"))
    codes = {a.code for a in imc.api.load(source).assumptions}
    assert "no-spurious-wakeups" in codes and "no-unguarded-wakeups" not in codes


REGRESS = Path(__file__).parent.parent / "programs" / "regress"


@pytest.mark.parametrize(
    ("name", "guarded"),
    [
        ("wait_checks_its_result", True),
        ("wait_behind_a_function", True),
        ("wait_behind_a_function_once", False),
        ("wait_asserts_why_it_ended", False),
        ("wait_fails_after_it", False),
        ("wait_counts_tries_behind_a_function", False),
    ],
)
def test_what_happens_before_the_test(name: str, guarded: bool) -> None:
    program = imc.api.load(REGRESS / name / "prog.c", define=("HOW=2",))
    assert bool(unguarded(program.assumptions)) is not guarded


AFTER = """
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, seen;
int main(void) {
    pthread_mutex_lock(&m);
    while (!ready) {
        int s = pthread_cond_wait(&c, &m);
        AFTER
    }
    pthread_mutex_unlock(&m);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("after", "guarded"),
    [
        ("if (s) seen = 1;", True),
        ("if (!s) seen = 1;", False),
        ("if (s > 0 || s < 0) seen = 1;", True),
        ("if (s >= 0) seen = 1;", False),
        ("if ((unsigned char)s == 0xff) abort(); if (!(s ^ 1)) seen = 1;", True),
        ("switch (s) { case 0: break; default: seen = 1; }", True),
        ("switch (s) { case 1: break; default: seen = 1; }", False),
        ("if (seen) s = 1; if (s) seen = 1;", False),
        ("s = ready; if (s) seen = 1;", False),
        ("s = !s; if (s) seen = 1;", False),
        ("while (s) seen = 1;", True),
    ],
)
def test_the_result_is_known(tmp_path: Path, after: str, guarded: bool) -> None:
    """It is 0 after a wake-up without a signal; whatever is stored in its place is not."""
    source = tmp_path / "prog.c"
    source.write_text(AFTER.replace("AFTER", after))
    assert bool(unguarded(imc.api.load(source).assumptions)) is not guarded
