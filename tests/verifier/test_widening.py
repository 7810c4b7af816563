"""Loops of one thread whose length is not known: closed by what holds in all their rounds."""

from __future__ import annotations

from pathlib import Path

import pytest
from patience import HANG_S

import imc.api
from imc.program.verdict import Verdict
from imc.terms.terms import Terms
from imc.verifier.tree.affine import common_facts, equations_of

SCANNER = """
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int total;
static void *worker(void *name) {
    struct stat s;
    int fd = open(name, O_RDONLY);
    if (fd < 0 || fstat(fd, &s) < 0) return 0;
    long size = s.st_size;
    char *p = mmap(0, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (p == MAP_FAILED) return 0;
    for (long i = 0; i < size + MORE; i++)
        if (p[i] == 'x') {
            pthread_mutex_lock(&m);
            total++;
            pthread_mutex_unlock(&m);
        }
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, "a");
    pthread_create(&b, 0, worker, "b");
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
"""

# What the rounds leave behind is no linear fact: it takes following them.
SQUARES = """
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static int done;
static void *worker(void *p) {
    int n = __VERIFIER_nondet_int(), sum = 0;
    if (n < 0 || n > 3) n = 0;
    for (int i = 0; i < n; i++) sum += 2 * i + 1;
    assert(sum == n * n);
    done = 1;
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return done;
}
"""

# A thread stays at its file until it has been scanned, to the end wherever something is found.
# Sizes are cut down to int.
POOL = """
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, counting = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER, less = PTHREAD_COND_INITIALIZER;
static int waiting, closed, found;

static int get(void) {
    pthread_mutex_lock(&lock);
    while (!waiting && !closed) pthread_cond_wait(&more, &lock);
    int got = waiting;
    waiting = 0;
    pthread_mutex_unlock(&lock);
    if (got) pthread_cond_signal(&less);
    return got;
}

static void put(void) {
    pthread_mutex_lock(&lock);
    while (waiting) pthread_cond_wait(&less, &lock);
    waiting = 1;
    pthread_mutex_unlock(&lock);
    pthread_cond_signal(&more);
}

static int is_text(const char *p, int left) {
    for (; left > 0 && *p >= ' '; left--) p++;
    return left == 0;
}

static void scan(const char *name) {
    struct stat s;
    int fd = open(name, O_RDONLY);
    if (fd < 0) return;
    if (fstat(fd, &s) < 0) {
        close(fd);
        return;
    }
    const char *p = mmap(0, s.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (p == MAP_FAILED) {
        close(fd);
        return;
    }
    for (long at = 0; at < s.st_size; at++)
        if (p[at] == 'x') {
            pthread_mutex_lock(&counting);
            found += is_text(p + at, (int)(s.st_size - at));
            pthread_mutex_unlock(&counting);
        }
    munmap((void *)p, s.st_size);
    close(fd);
}

static void *worker(void *name) {
    while (get()) scan(name);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, "a");
    pthread_create(&b, 0, worker, "b");
    while (__VERIFIER_nondet_int()) put();
    pthread_mutex_lock(&lock);
    closed = 1;
    pthread_mutex_unlock(&lock);
    pthread_cond_broadcast(&more);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("%d\\n", found);
    return 0;
}
"""


def test_files_of_any_size_are_scanned(tmp_path: Path) -> None:
    source, schedule = tmp_path / "scan.c", tmp_path / "scan.json"
    source.write_text("#define MORE 0\n" + SCANNER)
    outcome = imc.api.verify(
        source, until="first", time_limit=HANG_S, emit_schedule=schedule
    ).run()
    assert outcome.verdict is Verdict.PARTIALLY_SAFE
    imc.api.check(source, schedule)


def test_a_pool_scans_files_of_any_size(tmp_path: Path) -> None:
    source, schedule = tmp_path / "pool.c", tmp_path / "pool.json"
    source.write_text(POOL)
    outcome = imc.api.verify(
        source,
        until="first",
        time_limit=HANG_S,
        emit_schedule=schedule,
        strategy="whole-rounds",
    ).run()
    assert outcome.verdict is Verdict.PARTIALLY_SAFE
    imc.api.check(source, schedule)


def test_an_access_behind_the_end_of_a_file_is_an_error(tmp_path: Path) -> None:
    source = tmp_path / "scan.c"
    source.write_text("#define MORE 1\n" + SCANNER)
    outcome = imc.api.verify(source, until="first", time_limit=HANG_S).run()
    assert outcome.verdict in (Verdict.UNSAFE, Verdict.UNKNOWN)


def test_what_is_no_linear_fact_is_followed(tmp_path: Path) -> None:
    source = tmp_path / "squares.c"
    source.write_text(SQUARES)
    outcome = imc.api.verify(source, until="first", time_limit=HANG_S).run()
    assert outcome.verdict is Verdict.PARTIALLY_SAFE


# ---------------------------------------------------------------------- facts of points


@pytest.mark.parametrize(
    ("points", "rows"),
    [
        ([(3, 4)], 2),
        ([(0, 0), (1, 2)], 1),
        ([(0, 0), (1, 2), (5, 10)], 1),
        ([(0, 0), (1, 2), (5, 9)], 0),
    ],
)
def test_equations_hold_at_all_points(points: list[tuple[int, ...]], rows: int) -> None:
    found = equations_of(points)
    assert len(found) == rows
    for row in found:
        for point in points:
            assert sum(a * b for a, b in zip(row, (*point, 1), strict=True)) == 0


def test_an_equation_that_breaks_leaves_an_inequality() -> None:
    terms = Terms()
    symbols = [terms.symbol(name) for name in ("x", "y", "z")]
    x, y, z = symbols
    facts = common_facts(terms, symbols, [(0, 9, 9), (1, 8, 9), (2, 3, 9)])
    assert terms.at_most(terms.add(x, y), terms.integer(9)) in facts
    assert terms.equal(z, terms.integer(9)) in facts
    assert terms.at_most(terms.zero, x) in facts


def test_a_sum_that_stays_bounds_others_though_it_does_not_reach_them() -> None:
    terms = Terms()
    symbols = [terms.symbol(name) for name in ("x", "y", "z")]
    x, y, z = symbols
    points = [(0, 5, 9), (1, 4, 12), (2, 4, 15)]
    bound = terms.at_most(terms.add(x, y), terms.subtract(z, terms.one))
    assert bound in common_facts(terms, symbols, points, 2, {(0, 1)})
    assert bound not in common_facts(terms, symbols, points, 2)


def test_bounds_are_strict_where_no_point_reaches_them() -> None:
    terms = Terms()
    symbols = [terms.symbol(name) for name in ("x", "y")]
    x, y = symbols
    points = [(0, 5), (1, 9), (3, 4)]
    assert terms.less(x, y) in common_facts(terms, symbols, points)
    assert terms.less(x, y) not in common_facts(terms, symbols, [*points, (4, 4)])
    assert terms.at_most(x, y) in common_facts(terms, symbols, [*points, (4, 4)])
