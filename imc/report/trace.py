"""Counterexamples as text: a table with one column per thread and one row per event."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Any

from imc.program.code import Image
from imc.program.events import Event
from imc.program.faults import Fault
from imc.report.describe import Describer

LINE_WIDTH = 7  # "  123  "
NARROWEST = 18


# Long lines go on, indented; words such as file names stay whole.
HANGING: dict[str, Any] = {
    "subsequent_indent": "  ",
    "break_long_words": False,
    "break_on_hyphens": False,
}


def trace_text(image: Image, trace: Sequence[Event], width: int = 80) -> str:
    """The table; with more threads than fit side by side, one line names thread and event."""
    describer = Describer(image)
    names = image.threads.names
    events = [e for e in trace if e.operation != "start"]
    threads = sorted({e.thread for e in events})
    if not threads:
        return ""
    column = (width - LINE_WIDTH) // len(threads)
    rows = [(_line(e), e.thread, describer.event(e)) for e in events]
    files = {e.loc.file for e in events if e.loc}
    several = len(files) > 1
    if column < NARROWEST:
        name_width = max(len(names[t]) for t in threads) + 2
        return "\n".join(
            f"{line:>5}  {names[thread]:<{name_width}}{text}" for line, thread, text in rows
        )
    header = " line  " + "".join(f"{names[t]:<{column}}" for t in threads)
    lines = [header.rstrip()]
    for event, (line, thread, text) in zip(events, rows, strict=True):
        if several and event.loc:
            text = f"{text} [{event.loc.file}]"
        position = threads.index(thread)
        indent = " " * (LINE_WIDTH + position * column)
        first, *rest = wrap(text, width - len(indent), **HANGING)
        lines.append(f"{line:>5}{indent[5:]}{first}")
        lines += [indent + more for more in rest]
    return "\n".join(lines)


def _line(event: Event) -> str:
    return str(event.loc.line) if event.loc else ""


def fault_text(image: Image, fault: Fault) -> str:
    """What went wrong and why: the last lines of a counterexample."""
    place = f"{fault.loc}: " if fault.loc else ""
    who = (
        f" (in {image.threads.names[fault.thread]})"
        if fault.thread is not None and not fault.details
        else ""
    )
    return "\n".join([f"{place}{fault.message}{who}", *(f"  {line}" for line in fault.details)])
