"""Atomic operations on plain objects, and casts to atomic types: gcc takes them, clang does not."""

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


CASTS = """
#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>
typedef _Atomic(struct node *) link;
typedef link chain;
typedef int _Atomic counter;
struct node { link next; } first;
static atomic_uintptr_t head;
static chain start;
static int plain;
static int twice(int number) { return 2 * number; }
int main(void)
{
    uintptr_t address = (atomic_uintptr_t)&plain;
    struct node *node = (_Atomic(struct node *))&first;
    int (*call)(atomic_int) = (int (*)(atomic_int))twice;
    assert(sizeof(atomic_int) * 2 == 8 && sizeof (atomic_short) == 2);
    atomic_store(&head, (atomic_uintptr_t)&plain);
    atomic_store(&start, (chain)node);
    atomic_store(&plain, (counter)3); /* and an operation on what is not atomic */
    assert(call && address == atomic_load(&head) && atomic_load(&start) == &first);
    assert(twice((atomic_int)3) == 6 && (unsigned)(_Atomic unsigned char)300 == 44);
    assert(!(counter)0 && atomic_load(&plain) == 3);
    atomic_int made = (atomic_int)4, *place = (atomic_int *)&made;
    assert(*place == END);
    return (atomic_int)0;
}
"""


def test_casts_to_atomic_types(tmp_path: Path) -> None:
    source = written(tmp_path, CASTS)
    assert imc.api.explore(imc.api.load(source, define=("END=4",))).verdict == "safe"
    found = imc.api.explore(imc.api.load(source, define=("END=5",)))
    assert found.verdict == "unsafe" and found.fault is not None
    line = 1 + CASTS.splitlines().index("    assert(*place == END);")
    assert str(found.fault.loc).startswith(f"{source}:{line}:")


def test_what_is_wrong_besides_casts_is_told(tmp_path: Path) -> None:
    source = written(tmp_path, CASTS.replace("END", "nothing"))
    with pytest.raises(UserError, match="undeclared identifier 'nothing'"):
        imc.api.load(source)


def test_atomic_structs_are_no_numbers(tmp_path: Path) -> None:
    """What gcc refuses too is refused, in clang's words."""
    text = "struct pair { int a, b; };\nint main(void) { _Atomic struct pair p; return p; }\n"
    with pytest.raises(UserError, match="_Atomic"):
        imc.api.load(written(tmp_path, text))
