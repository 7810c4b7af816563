"""A schedule as the run-time needs it: only events at gates, by section and thread."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from irs.schedule import Branch, End, Free, Next, Schedule, Site, Wait


class PlannedStep(NamedTuple):
    """A thread's event in a section."""

    site: int
    waits: tuple[Wait, ...]


@dataclass(frozen=True, slots=True)
class PlannedSection:
    """What each thread does in a section, and what comes after it."""

    steps: dict[int, tuple[PlannedStep, ...]]  # only threads that do something
    listed: dict[int, int]  # how many events a thread has, with or without gates
    next: Next


class Plan:
    """One schedule, ready to be enforced."""

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule
        self.threads = schedule.threads
        self.sites = schedule.sites
        self.overlap = schedule.overlap
        self.start = schedule.start
        self.sections = [self._planned(number) for number in range(len(schedule.sections))]
        self.later = self._later()  # by section: who may be asked for after it
        self._places = {(s.function, s.pc): n for n, s in enumerate(schedule.sites)}
        self._numbers = {name: n for n, name in enumerate(schedule.threads)}

    def site(self, function: str, pc: int) -> int | None:
        """The number of a site, if the schedule knows it."""
        return self._places.get((function, pc))

    def thread(self, name: str) -> int | None:
        """The number of a thread, if the schedule knows it."""
        return self._numbers.get(name)

    def _planned(self, number: int) -> PlannedSection:
        section = self.schedule.sections[number]
        steps: dict[int, list[PlannedStep]] = {}
        listed = Counter(event.thread for event in section.events)
        for event in section.events:
            if self.sites[event.site].gated:
                steps.setdefault(event.thread, []).append(PlannedStep(event.site, event.waits))
        following = section.next
        if isinstance(following, Branch):  # where one without a guard fits too, it comes last
            ordered = sorted(following.cases, key=lambda case: case.guard is None)
            following = Branch(following.thread, tuple(ordered))
        return PlannedSection(
            {t: tuple(found) for t, found in steps.items()}, dict(listed), following
        )

    def _later(self) -> list[frozenset[int]]:
        """Who has an event, has to decide, or is let go in what can come after each section."""
        everybody = (1 << len(self.threads)) - 1
        own, decided, comes_from = [], [], [[] for _ in self.sections]  # type: ignore[var-annotated]
        for number, section in enumerate(self.sections):
            own.append(sum(1 << thread for thread in section.steps))
            match section.next:
                case End() | Free():
                    decided.append(everybody)
                case Branch(thread, _):
                    decided.append(1 << thread)
                case _:
                    decided.append(0)
            for target in section.next.targets:
                comes_from[target].append(number)
        after = list(decided)
        work = list(range(len(after)))
        while work:
            section_number = work.pop()
            for before in comes_from[section_number]:
                more = after[before] | own[section_number] | after[section_number]
                if more != after[before]:
                    after[before] = more
                    work.append(before)
        sets = {
            mask: frozenset(t for t in range(len(self.threads)) if mask >> t & 1) for mask in after
        }
        return [sets[mask] for mask in after]


def site_text(site: Site) -> str:
    """A site for a message: what is done there, and where that is."""
    place = site.file or ""
    if site.line is not None:
        place += f":{site.line}"
    return f"{site.what} ({place})" if place else site.what
