"""Copies of shared memory are made natively in the pieces that were verified."""

from __future__ import annotations

from pathlib import Path

import pytest
from natively import native, problem

from imc.errors import Unsupported
from imc.execution.native.process import NativeOptions

PROGRAMS = Path(__file__).parents[2] / "programs"
COPYING = (
    "regress/byval_compound_literal", "regress/int128_halves", "regress/long_double_locked",
    "regress/memmove_overlap_locked", "regress/memmove_overlap_written", "regress/memset_torn",
    "regress/struct_assigned_by_pointers", "regress/vector_lane_lost",
)  # fmt: skip

ALL_KINDS = """
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct job { char tag; int number; long weight; short tail[3]; };
struct job queue[4];
struct job *heap;
char text[7] = "abcdef";
int filled;
__int128 wide;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void put(struct job *to, const struct job *from) { *to = *from; }
static void *worker(void *p)
{
    struct job mine = {'w', 7, 8, {1, 2, 3}};
    pthread_mutex_lock(&m);
    put(&queue[filled], &mine);
    queue[filled].number += 1;
    filled++;
    *heap = mine;
    memset(&queue[3], 0, sizeof queue[3]);
    wide = wide * 3 + 1;
    memmove(text + 1, text, filled + 2);
    memcpy(heap, heap + 1, 0);
    pthread_mutex_unlock(&m);
    return p;
}
int main(void)
{
    pthread_t t, u;
    struct job seen;
    char *part;
    heap = malloc(2 * sizeof *heap);
    memset(heap, 0, sizeof *heap);
    pthread_create(&t, 0, worker, 0);
    pthread_create(&u, 0, worker, 0);
    pthread_mutex_lock(&m);
    seen = queue[0];
    memmove(&queue[1], &queue[0], 2 * sizeof queue[0]);
    memcpy((char *)heap + 1, (char *)(heap + 1) + 3, 9);
    wide += (__int128)1 << 80;
    part = memcpy(text, text + 3, 3);
    pthread_mutex_unlock(&m);
    assert(part == text);
    assert(seen.number == 0 || seen.number == 8);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(heap->number == 7 && heap->tail[2] == 3);
    assert(queue[3].weight == 0);
    assert(wide >> 100 == 0 && wide != 0);
    return 0;
}
"""

EITHER = """
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct pair { int a; char b; } *shared;
static void *worker(void *p) { shared->a = 1; return p; }
int main(int argc, char **argv)
{
    pthread_t t;
    struct pair local = {0}, *mine = argc > 1 ? malloc(sizeof *mine) : &local;
    shared = mine;
    pthread_create(&t, 0, worker, 0);
    memset(shared, 0, sizeof *shared);
    pthread_join(t, 0);
    return shared->a > 1;
}
"""


@pytest.mark.parametrize("level", ["opt0", "opt3"])
@pytest.mark.parametrize("name", COPYING)
def test_programs_that_copy(name: str, level: str, folder: Path) -> None:
    runs_as_verified(PROGRAMS / name / "prog.c", level, folder)


@pytest.mark.parametrize("level", ["opt0", "opt1", "opt3"])
def test_all_kinds_of_memory(level: str, folder: Path) -> None:
    source = folder / "prog.c"
    source.write_text(ALL_KINDS)
    runs_as_verified(source, level, folder)


def runs_as_verified(source: Path, level: str, folder: Path) -> None:
    made = native(source, folder, level)
    assert made.schedule is not None
    for _ in range(5):
        ran = made.run(NativeOptions(trace=folder / "trace"))
        assert (ran.status, ran.errors) == (0, "")
        assert problem(made.schedule, ran.record) == ""


def test_memory_of_several_layouts_is_refused(folder: Path) -> None:
    """The heap is filled in words, a local as it was declared: nobody can tell which it is."""
    source = folder / "prog.c"
    source.write_text(EITHER)
    with pytest.raises(Unsupported, match=r"memset .* in several steps is not built natively"):
        native(source, folder, "opt0")
