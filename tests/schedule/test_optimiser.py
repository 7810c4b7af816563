"""Programs for which schedules once permitted too much, or needed gates that they could spare."""

from __future__ import annotations

from pathlib import Path

import pytest
from compiled import SETTINGS, compiled
from enforcement import Enforcement, Stage

import imc.api
from imc.checker.check import check_schedule
from imc.program.program import Program
from imc.schedule.beliefs import Ambiguous
from imc.schedule.optimise import LEVELS
from irs.schedule import Schedule

HEAD = """
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t b;
static sem_t s0, s1, s2;
static int p, q, x, y, k, z;
"""

# Main exits while the second thread stands at a lock that needs no gate otherwise.
EXIT = """
static void *t(void *a) {
    pthread_mutex_lock(&m); if (a) assert(0); x++; pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t c, d;
    pthread_create(&c, 0, t, 0);
    pthread_join(c, 0);
    pthread_create(&d, 0, t, (void *)1);
    return 0;
}
"""

# Main may exit while the thread computes on from its input: it comes to an event all the same.
EXIT_WHILE_COMPUTING = """
static void *t(void *a) {
    for (;;) {
        y = y;
        if (pthread_mutex_trylock(&m) == 0) { x = 1; pthread_mutex_unlock(&m); }
        if (__VERIFIER_nondet_int() == 2) exit(0);
    }
}
int main(void) {
    pthread_t c;
    pthread_create(&c, 0, t, 0);
    for (;;) { k = __VERIFIER_nondet_int(); if (__VERIFIER_nondet_int() == 2) return 0; }
}
"""

# The lock in `take` is left out, and is done in an atomic section as well.
ATOMIC = """
static void take(pthread_mutex_t *l) { pthread_mutex_lock(l); }
static void *t(void *a) {
    take(&m); x++; pthread_mutex_unlock(&m);
    __VERIFIER_atomic_begin(); take(&n); x++; pthread_mutex_unlock(&n); __VERIFIER_atomic_end();
    return 0;
}
int main(void) {
    pthread_t c;
    pthread_create(&c, 0, t, 0);
    take(&m); x++; pthread_mutex_unlock(&m);
    pthread_join(c, 0);
    return 0;
}
"""

# A lock is looked at where nothing is an event yet.
LOOKED_AT = """
int main(void) {
    pthread_mutex_lock(&n);
    pthread_mutex_t copy = n;
    assert(pthread_mutex_trylock(&copy) != 0);
    pthread_mutex_unlock(&n);
    return 0;
}
"""

# A thread's arrival at a barrier that is left out tells what comes next.
BARRIER = """
static void *t(void *a) {
    if (__VERIFIER_nondet_int()) x = 1;
    pthread_barrier_wait(&b); y = z;
    return 0;
}
int main(void) {
    pthread_t c;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&c, 0, t, 0);
    x = 2; z = 1; pthread_barrier_wait(&b); k = y;
    pthread_join(c, 0);
    return 0;
}
"""

# Main's wait for x = 1 is on the other way a wait for y = 1, which has no need of a gate by itself.
TWO_WAYS = """
static void *t(void *a) {
    if (__VERIFIER_nondet_int()) { p = 1; x = 1; } else { q = 1; y = 1; }
    z = 1;
    return 0;
}
static void *u(void *a) { k = 1; k = 2; return 0; }
int main(void) {
    pthread_t c, d;
    pthread_create(&c, 0, t, 0); pthread_create(&d, 0, u, 0);
    pthread_join(d, 0); int i = k; i = x; i = y; pthread_join(c, 0); i = p + q + z;
    return 0;
}
"""

# What the first thread knows of the second lies too far back to tell anything about its z = 1.
_MANY = "k = 1; " * 26
_ROUND = "if (__VERIFIER_nondet_int()) q = 1; else q = 2; " + "p = 1; " * 26
FAR_BACK = f"""
static void *t(void *a) {{ sem_wait(&s0); x = k; sem_post(&s1); sem_post(&s2); return 0; }}
static void *u(void *a) {{ {_MANY} sem_post(&s0); sem_wait(&s1); z = 1; {_ROUND * 3} return 0; }}
static void *v(void *a) {{ sem_wait(&s2); return 0; }}
int main(void) {{
    pthread_t c, d, e;
    pthread_create(&c, 0, t, 0); pthread_create(&d, 0, u, 0); pthread_create(&e, 0, v, 0);
    pthread_join(e, 0); int i = x; y = z;
    pthread_join(c, 0); pthread_join(d, 0); i = k + p + q;
    return 0;
}}
"""

# The new thread uses what main initialises without a gate, just before it starts the thread.
INITIALISED_FREELY = """
static void *t(void *a) { if (pthread_mutex_trylock(&m) == 0) pthread_mutex_unlock(&m); return 0; }
int main(void) {
    pthread_t c;
    sem_init(&s0, 0, 1); pthread_mutex_init(&m, 0);
    pthread_create(&c, 0, t, 0);
    pthread_join(c, 0);
    return 0;
}
"""


# Whether the second thread has to wait shows in the lock that the first one holds, and only there.
HELD = """
static void take(pthread_mutex_t *l) { pthread_mutex_lock(l); }
static void *t(void *a) {
    pthread_mutex_t *l = &n;
    if (__VERIFIER_nondet_int()) l = &m;
    take(l); int i = x; sem_post(&s0); sem_wait(&s1); assert(l == &n || x == i);
    pthread_mutex_unlock(l);
    return 0;
}
static void *u(void *a) { sem_wait(&s0); take(&m); x = 3; pthread_mutex_unlock(&m); return 0; }
static void *v(void *a) { y = 3; sem_post(&s1); return 0; }
int main(void) {
    pthread_t c, d, e;
    pthread_mutex_init(&m, 0); pthread_mutex_init(&n, 0);
    pthread_create(&c, 0, t, 0); pthread_create(&d, 0, u, 0); pthread_create(&e, 0, v, 0);
    pthread_join(c, 0); pthread_join(d, 0); pthread_join(e, 0);
    return y;
}
"""


@pytest.fixture
def program(request: pytest.FixtureRequest, tmp_path: Path) -> Program:
    source = tmp_path / "program.c"
    source.write_text(HEAD + request.param)
    return imc.api.load(source)


def schedules(program: Program) -> list[Schedule]:
    return [one for levels in compiled(program, 2, tuple(LEVELS)) for one in levels]


ALL = {
    "exit": EXIT, "exit while computing": EXIT_WHILE_COMPUTING, "atomic": ATOMIC,
    "looked at": LOOKED_AT, "barrier": BARRIER, "two ways": TWO_WAYS, "far back": FAR_BACK,
    "initialised freely": INITIALISED_FREELY,
}  # fmt: skip


@pytest.mark.parametrize("program", ALL.values(), ids=ALL, indirect=True)
def test_all_levels_are_as_good_as_what_was_verified(program: Program) -> None:
    found = schedules(program)
    assert {one.made.optimisation for one in found} == set(LEVELS)
    for one in found:
        level = one.made.optimisation
        assert Enforcement(Stage(program, SETTINGS, one), one).check() == [], level
        assert check_schedule(program, one, SETTINGS).sections == len(one.sections), level


@pytest.mark.parametrize("program", [TWO_WAYS, FAR_BACK, INITIALISED_FREELY], indirect=True)
@pytest.mark.parametrize("level", ["opt2", "opt3"])
def test_orders_are_found_without_help(program: Program, level: str) -> None:
    """Where the checker does not see an order that was found, all events get a gate."""
    for (one,) in compiled(program, 2, (level,)):
        assert any(site.action == "free" for site in one.sites)


@pytest.mark.parametrize("program", [HELD], indirect=True)
def test_what_is_in_a_lock_is_not_asked(program: Program) -> None:
    """It is not what the model says, and nothing at all where the lock is left out."""
    with pytest.raises(Ambiguous):
        schedules(program)
