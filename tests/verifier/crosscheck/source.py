"""Programs as statements, which can be taken apart, and as C."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """A statement of C; `{}` braces are its own affair."""

    text: str


@dataclass(frozen=True)
class Block:
    """A statement with a body, and perhaps another one."""

    head: str
    body: Body
    tail: str = "}"
    otherwise: Body | None = None


Statement = Line | Block
Body = tuple[Statement, ...]


@dataclass(frozen=True)
class Source:
    """A program as statements, so that it can be made smaller."""

    declarations: tuple[str, ...]
    threads: tuple[Body, ...]
    main: Body
    join: str  # "all", "none", "first", "exit"
    end: Body
    start: Body = ()  # of main, before there are other threads
    spawns: bool = True  # main starts all threads at once; if not, statements start them


HEADER = """\
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
"""
LOCALS = "    int x = 0, y = 0;\n"


def to_c(source: Source) -> str:
    parts = [HEADER, *(f"{d}\n" for d in source.declarations)]
    for n, body in enumerate(source.threads):
        parts.append(f"\nstatic void *thread{n}(void *arg)\n{{\n{LOCALS}")
        parts.extend(_lines(body, 1))
        parts.append("    return 0;\n}\n")
    parts.append(f"\nint main(void)\n{{\n{LOCALS}")
    if source.spawns:
        parts.append(f"    pthread_t t[{max(1, len(source.threads))}];\n")
    parts.extend(_lines(source.start, 1))
    for n in range(len(source.threads) if source.spawns else 0):
        parts.append(f"    pthread_create(&t[{n}], 0, thread{n}, 0);\n")
    parts.extend(_lines(source.main, 1))
    joined = {"all": len(source.threads), "first": 1}.get(source.join, 0)
    for n in range(min(joined, len(source.threads))):
        parts.append(f"    pthread_join(t[{n}], 0);\n")
    parts.extend(_lines(source.end, 1))
    parts.append("    pthread_exit(0);\n}\n" if source.join == "exit" else "    return 0;\n}\n")
    return "".join(parts)


def _lines(body: Body, depth: int) -> Iterator[str]:
    indent = "    " * depth
    for statement in body:
        if isinstance(statement, Line):
            yield f"{indent}{statement.text}\n"
            continue
        yield f"{indent}{statement.head}\n"
        yield from _lines(statement.body, depth + 1)
        if statement.otherwise is not None:
            yield f"{indent}}} else {{\n"
            yield from _lines(statement.otherwise, depth + 1)
        yield f"{indent}{statement.tail}\n"
