"""What is found in programs that would keep fibers from going on, or would be worth a core."""

from __future__ import annotations

from pathlib import Path

import pytest

import imc.api
from imc.program.analysis.cooperation import (
    asks_who_it_is,
    computations,
    destructors,
    endless,
    waits,
)
from imc.program.analysis.sharing import Sharing

PROGRAM = """#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
extern int somewhere_else(int);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static int x, sum;
static int down(int n) { return n ? down(n - 1) + 1 : 0; }
static void work(void) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); }
static void *other(void *a)
{
    work();
    OTHER
    work();
    return a;
}
int main(void)
{
    pthread_t t;
    BEFORE
    pthread_create(&t, 0, other, 0);
    work();
    pthread_join(t, 0);
    return 0;
}
"""


def sharing(folder: Path, other: str = "", before: str = "") -> Sharing:
    path = folder / "prog.c"
    path.write_text(PROGRAM.replace("OTHER", other).replace("BEFORE", before))
    return Sharing(imc.api.load(path))


def gates(found: Sharing) -> set[tuple[str, int]]:
    return {(name, pc) for name in found.runs for pc in found.visible_in(name)}


@pytest.mark.parametrize(
    ("call", "name"),
    [
        ("getchar();", "getchar"),
        ("sleep(1);", "sleep"),
        ("usleep(1);", "usleep"),
        ("char b[9]; fgets(b, 9, stdin);", "fgets"),
        ('int n; scanf("%d", &n);', "scanf"),
        ("struct timespec little = {0, 1}; nanosleep(&little, 0);", "nanosleep"),
        ("somewhere_else(1);", "somewhere_else"),
    ],
)
def test_calls_that_wait(call: str, name: str, tmp_path: Path) -> None:
    (found,) = waits(sharing(tmp_path, call))
    assert name in found.what
    assert found.loc is not None and found.loc.line == 17
    assert not list(waits(sharing(tmp_path, before=call)))


def test_calls_that_do_not_wait(tmp_path: Path) -> None:
    calls = 'printf("%d", 1); puts("a"); free(malloc(3)); sum += (int)time(0); fflush(stdout);'
    assert not list(waits(sharing(tmp_path, calls)))


@pytest.mark.parametrize(
    ("code", "computes"),
    [
        ("", False),
        ("for (int i = 0; i < 9; i++) work();", False),
        ("for (int i = 0; i < 9; i++) sum += i;", True),
        ("while (x < 5) ;", False),
        ("for (int i = 0; i < 9; i++) { work(); for (int k = 0; k < i; k++) sum++; }", True),
        ("sum = down(3);", True),
    ],
)
def test_what_is_worth_a_core(code: str, computes: bool, tmp_path: Path) -> None:
    found = sharing(tmp_path, code)
    assert bool(list(computations(found, gates(found)))) is computes
    before = sharing(tmp_path, before="for (int i = 0; i < 9; i++) sum += i;")
    assert not list(computations(before, gates(before)))


@pytest.mark.parametrize(
    ("code", "lost"),
    [
        ("for (;;) sum++;", True),
        ("for (;;) work();", False),
        ("for (;;) if (sum++ > 3) break;", False),
        ("for (;;) if (sum++ > 3) exit(1);", False),
    ],
)
def test_who_never_comes_back(code: str, lost: bool, tmp_path: Path) -> None:
    found = sharing(tmp_path, code)
    assert bool(list(endless(found, gates(found)))) is lost


def test_destructors_of_specific_data(tmp_path: Path) -> None:
    assert not list(destructors(sharing(tmp_path, before="pthread_key_create(&key, 0);")))
    (found,) = destructors(sharing(tmp_path, before="pthread_key_create(&key, free);"))
    assert found.loc is not None and found.loc.line == 24


@pytest.mark.parametrize(
    ("code", "asks"),
    [
        ("", False),
        ("errno = 3;", True),
        ("static __thread int mine; mine++;", True),
        ("sum = pthread_equal(pthread_self(), *(pthread_t *)a);", True),
        ("pthread_setspecific(key, a);", True),
        ("static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&n);", False),
        ("static pthread_mutex_t n = {{.__kind = 1}}; pthread_mutex_lock(&n);", True),
        ("pthread_mutexattr_t k; pthread_mutexattr_settype(&k, PTHREAD_MUTEX_RECURSIVE);", True),
    ],
)
def test_who_asks_who_it_is(code: str, asks: bool, tmp_path: Path) -> None:
    assert asks_who_it_is(sharing(tmp_path, code).program) is asks
