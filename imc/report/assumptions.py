"""What verdicts rest on, for people and programs: the heaviest first, standing ones in short."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from imc.errors import SourceLoc
from imc.program.assumptions import (
    MOST_NAMED,
    PLACE,
    STANDING,
    Assumption,
    by_weight,
    unguarded,
)
from imc.program.program import Program
from imc.program.settings import Settings, Wakeups
from imc.report.columns import HANGING

if TYPE_CHECKING:
    from irs.schedule import Schedule

UNGUARDED = "unguarded-wait"


def assumption_lines(
    assumptions: Iterable[Assumption], width: int = 80, every: bool = False
) -> list[str]:
    """Lines of a report; with `every`, each assumption has its own, with its code."""
    ordered = by_weight(assumptions)
    if every:
        texts = [f"{a} [{a.code}]" for a in ordered]
    else:
        texts = _grouped([a for a in ordered if a.kind.weight is not STANDING])
        standing = dict.fromkeys(a.kind.short for a in ordered if a.kind.weight is STANDING)
        if standing:
            texts.append(f"{', '.join(standing)} (--assumptions lists all)")
    return [line for text in texts for line in wrap(f"assumed: {text}", width, **HANGING)]


def _grouped(assumptions: Sequence[Assumption]) -> list[str]:
    """One text for all that are assumed in the same way of different things."""
    texts: list[str] = []
    for code in dict.fromkeys(a.code for a in assumptions):
        alike = [a for a in assumptions if a.code == code]
        if len(alike) == 1:
            texts.append(str(alike[0]))
        elif alike[0].kind.many:
            names = _listed([f"'{a.subject}'" for a in alike])
            texts.append(alike[0].kind.many.replace(PLACE, names))
        else:
            places = _listed([str(a.loc) for a in alike if a.loc is not None])
            texts.append(f"{alike[0].text} ({places})" if places else alike[0].text)
    return texts


def _listed(names: Sequence[str]) -> str:
    """Names in a sentence, not too many of them."""
    if len(names) > MOST_NAMED:
        return f"{', '.join(names[:MOST_NAMED])} and {len(names) - MOST_NAMED} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def assumption_documents(assumptions: Iterable[Assumption]) -> list[dict[str, Any]]:
    """As objects: `code`, `text`, and `subject`, `file` and `line` where there are such."""
    return [
        {"code": a.code, "text": a.text}
        | ({"subject": a.subject} if a.subject else {})
        | _place(a.loc)
        for a in by_weight(assumptions)
    ]


def _place(loc: SourceLoc | None) -> dict[str, Any]:
    return {} if loc is None else {"file": loc.file, "line": loc.line}


def of_schedule(schedule: Schedule) -> list[Assumption]:
    """A schedule's assumptions in our own words; all of its codes are known."""
    return [
        Assumption(
            a.code,
            a.subject or "",
            None if a.file is None or a.line is None else SourceLoc(a.file, a.line),
        )
        for a in schedule.assumptions
    ]


# ------------------------------------------------------------------------------- notes


def note_lines(program: Program, settings: Settings, width: int = 80) -> list[str]:
    """What a reader should know of how the program was taken."""
    waits = _waits(program, settings)
    if not waits:
        return []
    places = _listed([str(a.loc or "a wait without a place") for a in waits])
    one = len(waits) == 1
    text = (
        f"note: {'the wait' if one else 'the waits'} at {places} {'is' if one else 'are'} not in "
        f"{'a loop that tests' if one else 'loops that test'} again: wake-ups without a signal are "
        "taken as possible there"
    )
    return wrap(text, width, **HANGING)


def note_documents(program: Program, settings: Settings) -> list[dict[str, Any]]:
    text = "the wait is not in a loop that tests again: it may wake up without a signal"
    return [{"code": UNGUARDED, "text": text} | _place(a.loc) for a in _waits(program, settings)]


def _waits(program: Program, settings: Settings) -> list[Assumption]:
    if settings.wakeups is not Wakeups.UNGUARDED:
        return []
    return unguarded(program.assumptions)
