"""Makes a program that fails smaller, as long as it still fails and there is time."""

from __future__ import annotations

import gc
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from crosscheck.run import Report
from crosscheck.source import Block, Body, Source, to_c


def smaller(source: Source) -> Iterator[Source]:
    """Programs with one thing less."""
    for n in range(len(source.threads)):
        yield replace(source, threads=source.threads[:n] + source.threads[n + 1 :])
    for n, body in enumerate(source.threads):
        for less in _less(body):
            yield replace(source, threads=(*source.threads[:n], less, *source.threads[n + 1 :]))
    for less in _less(source.main):
        yield replace(source, main=less)
    for less in _less(source.start):
        yield replace(source, start=less)
    for less in _less(source.end):
        yield replace(source, end=less)
    if source.join != "none":
        yield replace(source, join="none")
    for n in range(len(source.declarations)):
        yield replace(source, declarations=source.declarations[:n] + source.declarations[n + 1 :])


def _less(body: Body) -> Iterator[Body]:
    for n, statement in enumerate(body):
        before, after = body[:n], body[n + 1 :]
        yield (*before, *after)
        if isinstance(statement, Block):
            yield (*before, *statement.body, *after)
            if statement.otherwise is not None:
                yield (*before, replace(statement, otherwise=None), *after)
                yield (*before, *statement.otherwise, *after)
                for less in _less(statement.otherwise):
                    yield (*before, replace(statement, otherwise=less), *after)
            for less in _less(statement.body):
                yield (*before, replace(statement, body=less), *after)


def shrink(source: Source, fails: Callable[[Source], bool], seconds: float) -> Source:
    """The smallest program found that still fails."""
    deadline = time.monotonic() + seconds
    changed = True
    while changed:
        changed = False
        for less in smaller(source):
            if time.monotonic() > deadline:
                return source
            if fails(less):
                source, changed = less, True
                break
    return source


Differences = Callable[[Source], list[str]]


def smallest(
    source: Source, found: list[str], differences: Differences, seconds: float
) -> tuple[Source, list[str]]:
    """The smallest program that shows the same kind of differences, and what it shows."""

    def fails(less: Source) -> bool:
        try:
            return _kind(differences(less)) == _kind(found)
        except Exception:
            return False

    small = shrink(source, fails, seconds)
    return (source, found) if small is source else (small, differences(small))


def report_on(
    name: str,
    source: Source,
    differences: Callable[[Source, Path, Counter[str]], list[str]],
    shrink_s: float,
) -> Report:
    """What a program shows; if there is a disagreement, a smaller program shows it too."""
    report = Report(name)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.c"
        found = differences(source, path, report.figures)
        if found:
            source, found = smallest(
                source, found, lambda less: differences(less, path, Counter()), shrink_s
            )
    report.disagreements = found
    report.source = to_c(source)
    gc.collect()  # solvers are large
    return report


def _kind(differences: list[str]) -> str:
    """What a smaller program must show as well: the first words."""
    return " ".join(differences[0].split()[:2]) if differences else ""
