"""The optimiser: how much of a verified order is kept, and which events need a gate for it.

Whatever it does, every execution stays equivalent to one of the tree: dependent events keep their
order.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from imc.errors import UserError
from imc.program.code import Image, Site
from imc.schedule.beliefs import Positions
from imc.schedule.clocks import Clocks, Waits
from imc.schedule.gating import NeededGates, abandoned, watched
from imc.schedule.lines import Lines
from imc.schedule.omission import Omission
from imc.schedule.relation import Depends, Relation, always
from imc.schedule.stretches import Stretch

COPIES = 8  # of a section that repeats itself, as in the thesis
MOST_STEPS = 2048  # that this makes


class Pass(StrEnum):
    """One thing that the optimiser does."""

    PARTIAL = "partial"  # only dependent events are ordered
    OMIT = "omit"  # needless locks and barriers are left out
    REPEAT = "repeat"  # a section that repeats itself becomes several rounds of it
    FREE = "free"  # gates only where threads wait or are waited for
    OVERLAP = "overlap"  # sections need not be complete before the next one begins


LEVELS: dict[str, frozenset[Pass]] = {
    "opt0": frozenset(),
    "opt1": frozenset({Pass.PARTIAL, Pass.OMIT}),
    "opt2": frozenset({Pass.PARTIAL, Pass.OMIT, Pass.FREE, Pass.REPEAT}),
    "opt3": frozenset({Pass.PARTIAL, Pass.OMIT, Pass.FREE, Pass.OVERLAP}),
}


def passes(name: str) -> frozenset[Pass]:
    """The passes of a level, or those that are named with commas between them."""
    if name in LEVELS:
        return LEVELS[name]
    try:
        return frozenset(map(Pass, name.split(",")))
    except ValueError as problem:
        known = f"{', '.join(LEVELS)}, or some of {','.join(Pass)}"
        raise UserError(f"no optimisation is called '{name}'", hint=known) from problem


@dataclass(frozen=True, slots=True)
class Optimised:
    """The waits of each step, by section, and what is done at sites ("gate" if unsaid)."""

    waits: list[list[Waits]]
    actions: dict[Site, str]
    overlap: bool
    dependences: int  # waits before those that others imply were left out


def optimise(
    sections: Sequence[Stretch],
    chosen: Collection[Pass],
    order: Depends,
    image: Image,
    positions: Positions,
    beginnings: Collection[int] = (0,),
) -> Optimised:
    """The sections with as few waits and gates as the passes leave.

    What came before one of the `beginnings` has happened when one begins there.
    """
    steps = [step for section in sections for step in section.steps]
    events = (event for step in steps for event in step.events)
    left_out = Omission(image, events).sites() if Pass.OMIT in chosen else set()
    asked = watched(sections) | abandoned(sections, positions)
    asked |= _needed_to_go_on(sections, left_out)
    if any(case.place is not None for section in sections for case, _ in section.cases):
        asked |= {step.site for step in steps if step.site is not None}  # all could change numbers
    skipped = left_out - asked
    actions = {site: "skip" if site in skipped else "pass" for site in left_out}
    if Pass.REPEAT in chosen:
        _repeat(sections)
    relation = Relation(order if Pass.PARTIAL in chosen else always, left_out)
    lines = Lines(sections, relation, skipped)
    clocks = Clocks(lines, Pass.OVERLAP in chosen, beginnings)
    waits = clocks.waits
    if Pass.FREE in chosen:
        gates = NeededGates(lines, clocks, asked)
        waits = [[gates.counted(n, w) for w in found] for n, found in enumerate(waits)]
        counted = {step.site for line in lines for step in line.steps if step.site is not None}
        actions |= dict.fromkeys(counted - gates.sites, "free")
    return Optimised(_of_all(sections, skipped, waits), actions, clocks.overlap, clocks.dependences)


def _needed_to_go_on(sections: Sequence[Stretch], left_out: set[Site]) -> set[Site]:
    """Gates for sections in which nothing else happens than what is left out."""
    return {
        section.steps[0].site
        for section in sections
        if section.steps and all(step.site in left_out for step in section.steps)
        if section.steps[0].site is not None
    }


def _repeat(sections: Sequence[Stretch]) -> None:
    """Makes one section of several rounds of a section that repeats itself."""
    for section in sections:
        if section.after is section and section.steps:
            section.steps *= max(1, min(COPIES, MOST_STEPS // len(section.steps)))


def _of_all(
    sections: Sequence[Stretch], skipped: set[Site], waits: list[list[Waits]]
) -> list[list[Waits]]:
    """The waits of all steps, where those that are skipped have none."""
    found = []
    for section, counted in zip(sections, waits, strict=True):
        rest = iter(counted)
        found.append([{} if step.site in skipped else next(rest) for step in section.steps])
    return found
