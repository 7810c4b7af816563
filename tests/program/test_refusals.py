"""What the model does not have is refused with its line: it is no error of the program."""

from __future__ import annotations

from pathlib import Path

import pytest

import imc.api
from imc.errors import Unsupported

HEAD = """#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <wchar.h>
"""
LINE = HEAD.count("\n") + 3


def explored(tmp_path: Path, statement: str) -> None:
    source = tmp_path / "program.c"
    source.write_text(HEAD + "int main(void) {\nint x; wchar_t w[9];\n" + statement + "\n}")
    imc.api.explore(source)


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ('printf("%ls", L"wide");', "'%ls'"),
        ('printf("%S", L"wide");', "'%S'"),
        ('sscanf("1", "%ls", w);', "'%ls'"),
        ('sscanf("1", "%1$d", &x);', "'%1\\$'"),
    ],
)
def test_formats(statement: str, what: str, tmp_path: Path) -> None:
    with pytest.raises(Unsupported, match=what) as refused:
        explored(tmp_path, statement)
    assert refused.value.loc is not None
    assert refused.value.loc.line == LINE


RWLOCK = "pthread_rwlock_t l = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP; "


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("pthread_mutexattr_t a; pthread_mutexattr_setrobust(&a, 1);", "robust"),
        ("pthread_mutexattr_t a; pthread_mutexattr_setprotocol(&a, 2);", "PROTECT"),
        ("pthread_rwlockattr_t a; pthread_rwlockattr_setkind_np(&a, 2);", "writers"),
        (RWLOCK + "pthread_rwlock_rdlock(&l);", "writers"),
        (RWLOCK + "pthread_rwlock_tryrdlock(&l);", "writers"),
    ],
)
def test_attributes(statement: str, what: str, tmp_path: Path) -> None:
    with pytest.raises(Unsupported, match=what) as refused:
        explored(tmp_path, statement)
    assert refused.value.loc is not None
    assert refused.value.loc.line == LINE
    assert refused.value.hint
