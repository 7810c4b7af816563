"""Atomic operations on plain objects: gcc takes them, clang refuses them."""

from __future__ import annotations

from pathlib import Path

import pytest

import imc.api
from imc.errors import UserError

OPERATIONS = """
#define _GNU_SOURCE /* counts, although it stands before all headers */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
struct pair { int a, b; };
static int plain, array[4], *pointer = array;
static volatile long far;
static const int constant = 3;
static unsigned char byte;
static bool flag;
static _Atomic int real;
static _Atomic(int *) place;
static struct pair pair;
int main(void)
{
    struct pair given = {1, 2};
    long expected = 0;
    int made;
    pthread_yield();
    atomic_store(&plain, atomic_load(&constant));
    assert(atomic_fetch_add(&plain, 2) == 3 && atomic_load(&plain) == 5);
    atomic_store_explicit(&real, 5, memory_order_release);
    assert(real++ == 5 && atomic_fetch_sub_explicit(&real, 1, memory_order_relaxed) == 6);
    assert(atomic_compare_exchange_strong(&far, &expected, 7));
    assert(!atomic_compare_exchange_weak(&far, &expected, 8) && expected == 7);
    atomic_store(&place, array + 1);
    assert(atomic_load(&place) == array + 1 && atomic_exchange(&pointer, NULL) == array);
    pointer = array;
    atomic_fetch_add(&pointer, sizeof *pointer); /* bytes, as gcc has it */
    assert(pointer == array + 1);
    atomic_store(&pair, given);
    assert(atomic_load(&pair).b == 2 && !atomic_exchange(&flag, true) && atomic_load(&flag));
    assert(atomic_fetch_or(&byte, 6) == 0 && atomic_fetch_and(&byte, 3) == 6);
    assert(atomic_fetch_xor(&byte, 1) == 2 && byte == 3);
    atomic_init(&made, 4);
    return made - 4;
}
"""


def written(folder: Path, text: str) -> Path:
    source = folder / "prog.c"
    source.write_text(text)
    return source


def test_operations_on_plain_objects(tmp_path: Path) -> None:
    found = imc.api.explore(imc.api.load(written(tmp_path, OPERATIONS)))
    assert found.verdict == "safe"


def test_they_are_atomic(tmp_path: Path) -> None:
    """No update is lost, where that of `x++` is."""
    text = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static int x;
static void *work(void *unused) { UPDATE; return unused; }
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    UPDATE;
    pthread_join(thread, 0);
    assert(atomic_load(&x) == 2);
    return 0;
}
"""
    source = written(tmp_path, text)
    for update, verdict in (("atomic_fetch_add(&x, 1)", "safe"), ("x++", "unsafe")):
        program = imc.api.load(source, define=(f"UPDATE={update}",))
        assert imc.api.explore(program).verdict == verdict


def test_other_errors_are_told(tmp_path: Path) -> None:
    source = written(tmp_path, OPERATIONS.replace("int made;", "int made = nothing;"))
    with pytest.raises(UserError, match="undeclared identifier 'nothing'"):
        imc.api.load(source)
