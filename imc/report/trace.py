"""Counterexamples as text: a table with one column per thread and one row per event."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from imc.program.code import Image
from imc.program.events import Event
from imc.program.faults import Fault
from imc.program.words.description import Describer, fault_text
from imc.report.columns import AGAIN, CAUSE, HANGING, Row, columns
from imc.report.slice import Slice, sliced


def counterexample_text(
    image: Image, trace: Sequence[Event], fault: Fault, width: int = 80, full: bool = True
) -> str:
    """The events that lead to an error, and what is wrong at their end."""
    table = error_table(image, trace, fault, width, full)
    return (table + "\n\n" if table else "") + fault_text(image, fault)


def error_table(
    image: Image, trace: Sequence[Event], fault: Fault, width: int = 80, full: bool = True
) -> str:
    """The events of a counterexample; of a long one those that matter, unless it is wanted in
    full."""
    events = [e for e in trace if e.operation != "start"]
    return trace_text(image, events, width, fault.loop, None if full else sliced(events, fault))


def trace_text(
    image: Image,
    trace: Sequence[Event],
    width: int = 80,
    loop: int = 0,
    part: Slice | None = None,
) -> str:
    """The events in columns; where there are several files, each row names its own.

    The last ones, `loop` of them, come again and again.
    """
    describer = Describer(image)
    names = image.threads.names
    events = [e for e in trace if e.operation != "start"]
    several = len({e.loc.file for e in events if e.loc}) > 1
    rows = []
    left_out = 0
    for number, event in enumerate(events):
        text = describer.event(event)  # also of what is not shown: it gives names to objects
        if part is not None and number not in part.shown:
            left_out += 1
            continue
        if several and event.loc:
            text = f"{text} [{event.loc.file}]"
        mark = AGAIN if number >= len(events) - loop else ""
        if part is not None and number in part.causes:
            mark = CAUSE
        line = event.loc.line if event.loc else None
        rows.append(Row(line, names[event.thread], text, mark, left_out))
        left_out = 0
    threads = [names[t] for t in sorted({e.thread for e in events})]
    threads = [name for name in threads if any(row.thread == name for row in rows)]
    lines = columns(rows, threads, width) if rows else []
    if loop:
        lines.append(f"     {AGAIN} and so on for ever")
    if len(rows) < len(events):
        told = f"{len(rows)} of {len(events)} events: those that hand on to others what leads to"
        marked = f" ({CAUSE} to the last ones)" if any(row.mark == CAUSE for row in rows) else ""
        lines += wrap(f"{told} the error{marked}; --full shows all", width, **HANGING)
    for where in describer.made():
        lines += wrap(where, width, **HANGING)
    return "\n".join(lines)
