"""Sections: stretches of a schedule in which the order of events is settled.

A section ends where the ways of executions part or come together, and where the program ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from imc.schedule.beliefs import Answer, Belief, BeliefPoint


@dataclass(slots=True, eq=False)
class Stretch:
    """Steps one after the other, and where they begin and end."""

    start: BeliefPoint
    steps: list[BeliefPoint] = field(default_factory=list)
    end: BeliefPoint | None = None  # None: at the program's end
    after: Stretch | None = None
    cases: list[tuple[Answer, Stretch]] = field(default_factory=list)
    choices: list[Stretch] = field(default_factory=list)

    @property
    def boundary(self) -> Belief | None:
        """Where an execution may be when it has come to the end; None: it ends there."""
        if self.after is not None:
            return self.after.start.belief
        return self.end.belief if self.end is not None and (self.cases or self.choices) else None

    def followers(self) -> list[Stretch]:
        after = [self.after] if self.after is not None else []
        return [*after, *(section for _, section in self.cases), *self.choices]


def cut(beginnings: Sequence[BeliefPoint], longest: int | None = None) -> list[Stretch]:
    """The sections of a graph of points, those of the beginnings first."""
    sections: dict[BeliefPoint, Stretch] = {point: Stretch(point) for point in beginnings}
    for point in (queue := list(sections)):  # grows while we walk it
        section = sections[point]

        def head(of: BeliefPoint) -> Stretch:
            if of not in sections:
                sections[of] = Stretch(of)
                queue.append(of)
            return sections[of]

        at = point
        while at.after is not None:
            section.steps.append(at)
            at = at.after
            if at.comings > 1 or len(section.steps) == longest:
                break
        if section.steps and (at.comings > 1 or at.after is not None):
            section.after = head(at)
            continue
        section.end = at
        section.cases = [(case, head(after)) for case, after in at.cases]
        section.choices = [head(choice) for choice in at.choices]
    return list(sections.values())
