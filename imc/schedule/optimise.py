"""The optimiser: how much of a verified order is kept, and which events need a gate for it.

Each level keeps every execution equivalent to one of the tree: dependent events stay in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from imc.program.code import Image, Site
from imc.schedule.beliefs import Positions
from imc.schedule.clocks import Clocks, Waits
from imc.schedule.gating import Gates, abandoned, watched
from imc.schedule.lines import Lines
from imc.schedule.omission import Omission
from imc.schedule.relation import Depends, Relation, always
from imc.schedule.sections import Section

COPIES = 8  # of a section that repeats itself, as in the thesis


class Optimisation(StrEnum):
    """How much of a tree's order is kept."""

    OPT0 = "opt0"  # all of it, with all operations
    OPT1 = "opt1"  # what dependent events need; needless locks and barriers are left out
    OPT2 = "opt2"  # gates only where threads wait; sections that repeat are made longer
    OPT3 = "opt3"  # gates only where threads wait; sections overlap


@dataclass(frozen=True, slots=True)
class Optimised:
    """The waits of each step, by section, and what is done at sites ("gate" if unsaid)."""

    waits: list[list[Waits]]
    actions: dict[Site, str]
    overlap: bool
    dependences: int  # waits before those that others imply were left out


def optimise(
    sections: Sequence[Section],
    level: Optimisation,
    order: Depends,
    image: Image,
    positions: Positions,
) -> Optimised:
    """The sections with as few waits and gates as a level allows."""
    if level is Optimisation.OPT0:
        clocks = Clocks(Lines(sections, Relation(always)), overlap=False)
        return Optimised(clocks.waits, {}, False, clocks.dependences)
    steps = [step for section in sections for step in section.steps]
    left_out = Omission(image, (e for step in steps for e in step.events)).sites()
    asked = watched(sections) | abandoned(sections, positions)
    asked |= _needed_to_go_on(sections, left_out)
    if any(case.place is not None for section in sections for case, _ in section.cases):
        asked |= {step.site for step in steps if step.site is not None}  # all could change numbers
    skipped = left_out - asked
    actions = {site: "skip" if site in skipped else "pass" for site in left_out}
    if level is Optimisation.OPT2:
        _repeat(sections)
    lines = Lines(sections, Relation(order, left_out), skipped)
    clocks = Clocks(lines, overlap=level is Optimisation.OPT3)
    waits = clocks.waits
    if level is not Optimisation.OPT1:
        gates = Gates(lines, clocks, asked)
        waits = [[gates.counted(n, w) for w in found] for n, found in enumerate(waits)]
        counted = {step.site for line in lines for step in line.steps if step.site is not None}
        actions |= dict.fromkeys(counted - gates.sites, "free")
    return Optimised(_of_all(sections, skipped, waits), actions, clocks.overlap, clocks.dependences)


def _needed_to_go_on(sections: Sequence[Section], left_out: set[Site]) -> set[Site]:
    """Gates for sections in which nothing else happens than what is left out."""
    return {
        section.steps[0].site
        for section in sections
        if section.steps and all(step.site in left_out for step in section.steps)
        if section.steps[0].site is not None
    }


def _repeat(sections: Sequence[Section]) -> None:
    """Makes one section of several rounds of a section that repeats itself."""
    for section in sections:
        if section.after is section:
            section.steps *= COPIES


def _of_all(
    sections: Sequence[Section], skipped: set[Site], waits: list[list[Waits]]
) -> list[list[Waits]]:
    """The waits of all steps, where those that are skipped have none."""
    found = []
    for section, counted in zip(sections, waits, strict=True):
        rest = iter(counted)
        found.append([{} if step.site in skipped else next(rest) for step in section.steps])
    return found
