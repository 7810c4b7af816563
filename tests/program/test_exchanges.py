"""Where threads hand something to each other, and the loops in which that ends a turn."""

from __future__ import annotations

from pathlib import Path

import pytest

import imc.api
from imc.program.analysis.exchanges import exchanges
from imc.program.analysis.sharing import Sharing

HEAD = """#include <pthread.h>
#include <semaphore.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
pthread_barrier_t b;
pthread_rwlock_t r;
sem_t s;
int x;
void *end(void *p) { sem_post(&s); return p; }
"""


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);", 0),
        ("pthread_cond_wait(&c, &m);", 1),
        ("pthread_cond_signal(&c);", 1),
        ("pthread_cond_broadcast(&c);", 1),
        ("sem_post(&s); sem_wait(&s);", 2),
        ("pthread_barrier_wait(&b);", 1),
        ("pthread_t t; pthread_create(&t, 0, end, 0); pthread_join(t, 0);", 1),  # the join
        ("end(0);", 1),
        ("x = 1;", 0),
    ],
)
def test_instructions_that_wake_or_wait(tmp_path: Path, body: str, found: int) -> None:
    source = tmp_path / "p.c"
    source.write_text(f"{HEAD}int main(void) {{ {body} return 0; }}\n")
    assert len(exchanges(Sharing(imc.api.load(source)))["main"]) == found
