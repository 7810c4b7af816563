"""Random programs as data: what they declare, and statements that can be left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from native_semantics.feature import Feature

HEADER = """\
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#define lock pthread_mutex_lock
#define unlock pthread_mutex_unlock

static const struct timespec past = {1, 0}, future = {9999999999, 0};
"""
PLAIN = ("g0", "g1")  # shared, in every program


@dataclass(frozen=True)
class Statement:
    """A line, or a line around other statements."""

    text: str
    body: tuple[Statement, ...] = ()
    tail: str = ""


Body = tuple[Statement, ...]


@dataclass(frozen=True)
class Source:
    """A program; `recursive`: main calls itself while the threads run, and `main` is done there."""

    features: tuple[Feature, ...]
    threads: tuple[Body, ...]
    main: Body = ()
    recursive: bool = False


def to_c(source: Source) -> str:
    """The text of the program, which tells all that it has computed in one line."""
    parts = [HEADER, "static int g0, g1;\n"]
    parts += [f"{f.declarations}\n" for f in source.features if f.declarations]
    parts += [f"static long x_{n}, y_{n};\n" for n in range(len(source.threads))]
    for n, body in enumerate(source.threads):
        parts.append(f"\nstatic void *thread{n}(void *arg)\n{{\n    long x = 0, y = 0;\n")
        parts += _lines(body, 1)
        parts += [f"    {v}_{n} = {v};\n" for v in "xy" if _uses(body, v)]
        parts.append("    return 0;\n}\n")
    parts.append("\nint main(void)\n{\n")
    parts += _main(source)
    parts.append("    return 0;\n}\n")
    return "".join(parts)


def _main(source: Source) -> Iterator[str]:
    numbers = range(len(source.threads))
    yield "    long x = 0, y = 0, local = 0, *arg = &local;\n"
    if source.recursive:
        yield "    static int depth;\n    if (depth++) {\n"
        yield from _lines(source.main, 2)
        yield "        g0 += (int)(x + y);\n        return 5;\n    }\n"
    yield from (f"    {f.start}\n" for f in source.features if f.start)
    yield f"    pthread_t {', '.join(f'id{n}' for n in numbers)};\n"
    for n in numbers:
        yield f"    pthread_create(&id{n}, 0, thread{n}, arg);\n"
    if source.recursive:
        yield "    x = main();\n"
    else:
        yield from _lines(source.main, 1)
    for n in numbers:
        yield f"    pthread_join(id{n}, 0);\n"
    told = [*PLAIN, *(p for f in source.features for p in f.prints)]
    told += [f"{v}_{n}" for n, body in enumerate(source.threads) for v in "xy" if _uses(body, v)]
    told += [v for v in "xy" if source.recursive or _uses(source.main, v)]
    told += ["local"] if any(f.name == "stack" for f in source.features) else []
    form = " ".join(f"{t}=%ld" for t in told).replace('"', "")
    yield f'    printf("{form}\\n"'
    yield from (f",\n           (long)({t})" for t in told)
    yield ");\n"


def _lines(body: Body, depth: int) -> Iterator[str]:
    indent = "    " * depth
    for statement in body:
        yield f"{indent}{statement.text}\n"
        if statement.body or statement.tail:
            yield from _lines(statement.body, depth + 1)
            yield f"{indent}{statement.tail}\n"


def _uses(body: Body, local: str) -> bool:
    return any(f" {local} = " in f" {part}" for s in body for part in (s.text, s.tail)) or any(
        _uses(s.body, local) for s in body
    )


# --------------------------------------------------------------------- shrinking


def smaller(source: Source) -> Iterator[Source]:
    """Programs with one thing less."""
    threads = source.threads
    if len(threads) > 1:
        for n in range(len(threads)):
            yield replace(source, threads=threads[:n] + threads[n + 1 :])
    for n in range(len(source.features)):
        yield replace(source, features=source.features[:n] + source.features[n + 1 :])
    if source.recursive:
        yield replace(source, recursive=False)
    for less in _less(source.main):
        yield replace(source, main=less)
    for n, body in enumerate(threads):
        for less in _less(body):
            yield replace(source, threads=(*threads[:n], less, *threads[n + 1 :]))


def _less(body: Body) -> Iterator[Body]:
    for n, statement in enumerate(body):
        before, after = body[:n], body[n + 1 :]
        yield before + after
        if statement.body:
            yield before + statement.body + after
        for less in _less(statement.body):
            yield (*before, replace(statement, body=less), *after)
