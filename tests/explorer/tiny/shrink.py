"""Makes a program that shows something smaller, as long as it still shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace

from tiny.language import Body, Program, Statement, nested, walk, with_nested


def shrink(program: Program, shows: Callable[[Program], bool]) -> Program:
    """No part of the result can be left out."""
    candidates = _simpler(program)
    while (candidate := next(candidates, None)) is not None:
        if candidate.threads and candidate.all_shared() and shows(candidate):
            program = candidate
            candidates = _simpler(program)
    return program


def _simpler(program: Program) -> Iterator[Program]:
    threads = program.threads
    if program.main:
        yield _tidy(replace(program, main=()))
    for n in range(len(threads)):
        yield _tidy(replace(program, threads=threads[:n] + threads[n + 1 :]))
    for n, body in enumerate(threads):
        for smaller in _smaller(body):
            yield _tidy(replace(program, threads=(*threads[:n], smaller, *threads[n + 1 :])))
    for smaller in _smaller(program.main):
        yield _tidy(replace(program, main=smaller))


def _smaller(body: Body) -> Iterator[Body]:
    for n, statement in enumerate(body):
        before, after = body[:n], body[n + 1 :]
        yield before + after
        inner = nested(statement)
        for part in inner:
            yield before + part + after
        for k, part in enumerate(inner):
            for smaller in _smaller(part):
                parts = (*inner[:k], smaller, *inner[k + 1 :])
                yield (*before, with_nested(statement, parts), *after)


def _tidy(program: Program) -> Program:
    """Without names that nothing uses."""
    used = {
        name
        for body in (program.main, *program.threads)
        for statement in walk(body)
        for name in _names(statement)
    }
    return replace(
        program,
        variables=tuple(n for n in program.variables if n in used),
        atomics=tuple(n for n in program.atomics if n in used),
        mutexes=tuple(n for n in program.mutexes if n in used),
        rwlocks=tuple(n for n in program.rwlocks if n in used),
        conditions=tuple(n for n in program.conditions if n in used),
        semaphores=tuple(s for s in program.semaphores if s[0] in used),
        barriers=tuple(b for b in program.barriers if b[0] in used),
    )


def _names(statement: Statement) -> Iterator[str]:
    for part in fields(statement):
        value = getattr(statement, part.name)
        if isinstance(value, str):
            yield value
