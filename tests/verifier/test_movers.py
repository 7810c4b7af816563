"""What the lock discipline saves, and that it gives way where a program does not keep to it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import imc.api
from imc.program.settings import Settings
from imc.verifier.engine import Budget, Engine
from imc.verifier.proof.complete import CompleteSearch

PROGRAM = """
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, y;
static void *one(void *arg) {{
    pthread_mutex_lock(&m);
    x = 1; y = 1; x = 2; y = 2;
    pthread_mutex_unlock(&m);
    return 0;
}}
static void *other(void *arg) {{ {other} return 0; }}
int main(void) {{
    pthread_t t[2];
    {before}
    pthread_create(&t[0], 0, one, 0);
    pthread_create(&t[1], 0, other, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    {after}
    return 0;
}}
"""
LOCKED = "pthread_mutex_lock(&m); x = 3; y = 3; pthread_mutex_unlock(&m);"
Explore = Callable[..., CompleteSearch]


@pytest.fixture
def explore(tmp_path: Path) -> Explore:
    def explore(other: str, before: str = "", after: str = "") -> CompleteSearch:
        path = tmp_path / "program.c"
        path.write_text(PROGRAM.format(other=other, before=before, after=after))
        engine, budget = Engine(imc.api.load(path), Settings()), Budget()
        budget.allow(60, "test")
        search = engine.complete_search(8, budget)
        search.run()
        return search

    return explore


def inside(search: CompleteSearch) -> list[int]:
    """How many threads move at the nodes where the first thread is about to write."""
    return [
        len(node.children)
        for node in search.tree.nodes
        for children in node.children.values()
        if children[0].event.operation == "store" and children[0].event.function == "one"
    ]


def test_critical_sections_are_run_in_one_piece(explore: Explore) -> None:
    search = explore(LOCKED)
    assert search.found is None
    assert set(inside(search)) == {1}


@pytest.mark.parametrize(
    "other",
    [
        "x = 3;",
        "y = x;",
        "if (pthread_mutex_trylock(&m) == 0) pthread_mutex_unlock(&m); else x = 3;",
        "pthread_mutex_lock(&m); pthread_mutex_unlock(&m); y = 3;",
    ],
)
def test_an_access_without_the_lock_lets_others_in(explore: Explore, other: str) -> None:
    assert 2 in inside(explore(other))


def test_what_happens_before_and_after_the_threads_breaks_nothing(explore: Explore) -> None:
    search = explore(LOCKED, before="x = 7; y = 8;", after="x = y;")
    assert set(inside(search)) == {1}


def test_others_in_between_are_seen(explore: Explore) -> None:
    assert explore("int v = x; assert(v != 1);").found is not None
    assert (
        explore("pthread_mutex_lock(&m); assert(x != 1); pthread_mutex_unlock(&m);").found is None
    )


def test_who_tries_a_lock_sees_that_it_is_held(explore: Explore) -> None:
    assert explore("assert(pthread_mutex_trylock(&m) == 0);").found is not None


def test_a_mutex_that_is_written_over_protects_nothing(explore: Explore) -> None:
    reset = "pthread_mutex_init(&m, 0); pthread_mutex_lock(&m); assert(x != 1);"
    assert explore(reset + "pthread_mutex_unlock(&m);").found is not None
