"""Counterexamples as text: a table with one column per thread and one row per event."""

from __future__ import annotations

from collections.abc import Sequence

from imc.program.code import Image
from imc.program.events import Event
from imc.program.faults import Fault
from imc.report.columns import Row, columns
from imc.report.describe import Describer


def trace_text(image: Image, trace: Sequence[Event], width: int = 80) -> str:
    """The events in columns; where there are several files, each row names its own."""
    describer = Describer(image)
    names = image.threads.names
    events = [e for e in trace if e.operation != "start"]
    several = len({e.loc.file for e in events if e.loc}) > 1
    rows = []
    for event in events:
        text = describer.event(event)
        if several and event.loc:
            text = f"{text} [{event.loc.file}]"
        rows.append(Row(event.loc.line if event.loc else None, names[event.thread], text))
    threads = [names[t] for t in sorted({e.thread for e in events})]
    return "\n".join(columns(rows, threads, width)) if rows else ""


def fault_text(image: Image, fault: Fault) -> str:
    """What went wrong and why: the last lines of a counterexample."""
    place = f"{fault.loc}: " if fault.loc else ""
    who = (
        f" (in {image.threads.names[fault.thread]})"
        if fault.thread is not None and not fault.details
        else ""
    )
    return "\n".join([f"{place}{fault.message}{who}", *(f"  {line}" for line in fault.details)])
