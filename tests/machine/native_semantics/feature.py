"""What a random program may use: declarations, and statements with gaps to be filled in.

The gaps, one letter after an `@`: `v` a small number, `x` a local, `g` a shared int, `e` a value,
`i` an index below 4, `f` a field of three, `r` a relation, `S` another statement, `1` the local of
`x` again. Statements have no undefined behaviour but data races, however the gaps are filled.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Feature:
    """`prints` are integers to be told in the end; `start` is what main does before all threads."""

    name: str
    declarations: str
    statements: tuple[str, ...]
    prints: tuple[str, ...] = ()
    start: str = ""


def feature(
    name: str, declarations: str, statements: str, prints: str = "", start: str = ""
) -> Feature:
    """A feature from text: one statement per line, expressions to print separated by semicolons."""
    lines = tuple(line.strip() for line in statements.strip().splitlines())
    told = tuple(part.strip() for part in prints.split(";") if part.strip())
    return Feature(name, declarations.strip(), lines, told, start)
