"""Programs for the tests of fibers."""

from __future__ import annotations

from pathlib import Path

from imc.execution.native.build import BuildOptions

AS_FIBERS = BuildOptions(fibers=True, demanded=True)
HEAD = """#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void step(void) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); }
"""


def written(folder: Path, text: str) -> Path:
    source = folder / "program.c"
    source.write_text(HEAD + text)
    return source
