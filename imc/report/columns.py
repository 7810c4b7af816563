"""A table with one column per thread and one row per event."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Any, NamedTuple

LINE_WIDTH = 7  # "  123  "
NARROWEST = 18

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


def columns(rows: Sequence[Row], threads: Sequence[str], width: int = 80) -> list[str]:
    """The table; with more threads than fit side by side, one line names thread and event."""
    column = (width - LINE_WIDTH) // max(1, len(threads))
    if column < NARROWEST:
        name_width = max(map(len, threads)) + 2
        return [f"{row.line or '':>5}  {row.thread:<{name_width}}{row.text}" for row in rows]
    lines = [(" line  " + "".join(f"{thread:<{column}}" for thread in threads)).rstrip()]
    for row in rows:
        indent = " " * (LINE_WIDTH + threads.index(row.thread) * column)
        first, *rest = wrap(row.text, width - len(indent), **HANGING) or [""]
        lines.append(f"{row.line or '':>5}{indent[5:]}{first}")
        lines += [indent + more for more in rest]
    return lines
