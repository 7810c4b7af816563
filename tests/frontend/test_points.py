"""Cancellation points: where POSIX has them, and only in programs that cancel threads."""

from __future__ import annotations

from pathlib import Path

import pytest

import imc.api
from imc.program.instructions import Library
from imc.program.library.cancellation import POINT, POSSIBLE_POINT, point_before

CALLS = """\
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
void anything(void);
static void *work(void *text)
{
    pthread_testcancel();
    sleep(1);
    puts(strerror(strlen(text)));
    anything();
    return text;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, "");
    END(thread);
    pthread_join(thread, 0);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("name", "expected"),
    {
        "read": POINT, "pread64": POINT, "pthread_testcancel": POINT, "sem_timedwait": POINT,
        "sem_trywait": None, "pthread_mutex_lock": None, "malloc": None, "sprintf": None,
        "printf": POSSIBLE_POINT, "__printf_chk": POSSIBLE_POINT, "fopen64": POSSIBLE_POINT,
        "__isoc99_scanf": POSSIBLE_POINT, "putchar_unlocked": POSSIBLE_POINT,
    }.items(),
)  # fmt: skip
def test_what_posix_says(name: str, expected: str | None) -> None:
    assert point_before(name, True) == expected


def test_what_nobody_knows_may_be_one() -> None:
    assert point_before("anything", False) == POSSIBLE_POINT


def points(folder: Path, end: str) -> list[tuple[int, str]]:
    source = folder / "prog.c"
    source.write_text(CALLS.replace("END", end))
    code = imc.api.load(source).functions["work"].code
    return [
        (i.loc.line if i.loc else 0, i.function)
        for i in code
        if isinstance(i, Library) and i.cancellable
    ]


def test_a_point_before_each_call(tmp_path: Path) -> None:
    assert points(tmp_path, "pthread_cancel") == [
        (8, POINT), (9, POINT), (10, POSSIBLE_POINT), (10, POSSIBLE_POINT), (11, POSSIBLE_POINT),
    ]  # fmt: skip


def test_none_where_nobody_is_cancelled(tmp_path: Path) -> None:
    assert points(tmp_path, "(void)") == []
