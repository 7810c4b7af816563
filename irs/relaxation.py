"""Schedules that take the place of the one that is kept to, while the program runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from irs.schedule import Schedule


@dataclass(frozen=True, slots=True)
class Relaxation:
    """A schedule that may take the place of the one before, or None: nothing is ordered any more.

    `entries` says after which sections of the one before it can, and in which of its own sections
    a run goes on then. Whatever was begun before has happened when the first event of that section
    does. Threads and sites are those of the one before, and no operation is left out. Nothing needs
    entries to be ordered no more.
    """

    schedule: Schedule | None
    entries: Mapping[int, int] = field(default_factory=dict)

    def misfit(self, before: Schedule) -> str:
        """Why this cannot take the place of a schedule; empty if it can."""
        new = self.schedule
        if any(not site.performed for site in before.sites):
            return "operations that the schedule leaves out would be missed later"
        if new is None:
            return ""
        if new.program.digest != before.program.digest:
            return "the schedules are of different programs"
        if (new.threads, new.sites) != (before.threads, before.sites):
            return "the schedules have different threads or sites"
        if not all(
            0 <= old < len(before.sections) and 0 <= to < len(new.sections)
            for old, to in self.entries.items()
        ):
            return "an entry names a section that is not there"
        return ""


class Permitted(NamedTuple):
    """What a run was permitted from some time on, until the next of these."""

    schedule: int | None  # 0 is the first; each relaxation is one more; None: everything
    section: int  # how many sections had been begun before
    time_s: float  # since the run began
