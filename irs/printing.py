"""From a schedule to text: always the same order, and a line for everything a diff should show."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from irs.reader import FORMAT, VERSION
from irs.schedule import (
    Branch,
    Case,
    Choice,
    End,
    Follow,
    Free,
    ListedAssumption,
    Next,
    ProgramIdentity,
    Schedule,
    Section,
)


def layout(schedule: Schedule) -> str:
    certificate = schedule.certificate
    members = {
        "format": _inline(FORMAT),
        "version": _inline(VERSION),
        "program": _program(schedule.program),
        "made": _inline(asdict(schedule.made)),
        "assumptions": _lines(map(_assumption, schedule.assumptions)),
        "bounds": _lines(map(_inline, schedule.bounds)),
        "threads": _inline(schedule.threads),
        "sites": _lines(_inline(asdict(site)) for site in schedule.sites),
        "overlap": _inline(schedule.overlap),
        "start": _inline(schedule.start),
        "sections": _lines(map(_section, schedule.sections)),
        "certificate": "null" if certificate is None else _certificate(certificate.items()),
    }
    return "{\n" + ",\n".join(f'"{key}": {text}' for key, text in members.items()) + "\n}\n"


def _program(program: ProgramIdentity) -> str:
    """What differs between two versions is a line that differs."""
    head = _inline({"name": program.name, "digest": program.digest})
    rows = [
        f'\n  "{key}": {_inline(dict(hashes))}'
        for key, hashes in (("functions", program.functions), ("variables", program.variables))
        if hashes is not None
    ]
    return f"{head[:-1]},{','.join(rows)}\n}}" if rows else head


def _inline(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _lines(items: Iterable[str], indent: str = "") -> str:
    """An array with a line for each item."""
    rows = [f"\n{indent}  {item}" for item in items]
    return f"[{','.join(rows)}\n{indent}]" if rows else "[]"


def _assumption(assumption: ListedAssumption) -> str:
    """What it does not say is left out."""
    return _inline({k: v for k, v in asdict(assumption).items() if v is not None})


def _section(section: Section) -> str:
    events = _lines(map(_inline, section.events), "  ")
    return f'{{"events": {events}, "next": {_next(section.next)}}}'


def _next(next: Next) -> str:
    match next:
        case End():
            return _inline({"kind": "end"})
        case Free():
            return _inline({"kind": "free"})
        case Follow(section):
            return _inline({"kind": "section", "section": section})
        case Branch(thread, cases):
            rows = _lines(map(_case, cases), "  ")
            return f'{{"kind": "branch", "thread": {thread}, "cases": {rows}}}'
        case Choice(sections):
            return _inline({"kind": "choice", "sections": sections})


def _case(case: Case) -> str:
    return _inline({"at": case.at, "guard": case.guard, "section": case.section})


def _certificate(members: Iterable[tuple[str, Any]]) -> str:
    rows = [f"\n  {_inline(key)}: {_inline(value)}" for key, value in members]
    return f"{{{','.join(rows)}\n}}" if rows else "{}"
