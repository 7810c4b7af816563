"""A table with one column per thread and one row per event."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Any, NamedTuple

LINE_WIDTH = 7  # "  123  "
NARROWEST = 18
AGAIN = "*"  # marks rows that come again and again
CAUSE = ">"  # marks rows that explain an error

# Long lines go on, indented; words such as file names stay whole.
HANGING: dict[str, Any] = {
    "subsequent_indent": "  ",
    "break_long_words": False,
    "break_on_hyphens": False,
}


class Row(NamedTuple):
    line: int | None
    thread: str
    text: str
    mark: str = ""
    left_out: int = 0  # rows that are not shown, before this one


def columns(rows: Sequence[Row], threads: Sequence[str], width: int = 80) -> list[str]:
    """The table; with more threads than fit side by side, one line names thread and event."""
    column = (width - LINE_WIDTH) // max(1, len(threads))
    if column < NARROWEST:
        name_width = max(map(len, threads)) + 2
        return [
            line
            for row in rows
            for line in (*_gap(row), f"{_gutter(row)}{row.thread:<{name_width}}{row.text}")
        ]
    lines = [(" line  " + "".join(f"{thread:<{column}}" for thread in threads)).rstrip()]
    for row in rows:
        indent = " " * (LINE_WIDTH + threads.index(row.thread) * column)
        lines += _gap(row)
        first, *rest = wrap(row.text, width - len(indent), **HANGING) or [""]
        lines.append(f"{_gutter(row)}{indent[LINE_WIDTH:]}{first}")
        lines += [indent + more for more in rest]
    return lines


def _gap(row: Row) -> list[str]:
    return [f"  ...  {row.left_out} more"] if row.left_out else []


def _gutter(row: Row) -> str:
    return f"{row.line or '':>5}{row.mark or ' '} "
