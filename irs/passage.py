"""One thread's way through the gate: the fast part, which takes no lock while it need not wait.

Performance-critical: what a gated event costs is what stands in `enter` and `leave`.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from irs.plan import PlannedSection, PlannedStep

if TYPE_CHECKING:
    from irs.gate import Gate

ENDED, STOPPED, UNKNOWN = -1, -2, -3  # instead of a site: where a thread is


class Instance:
    """One coming of a section: how many events of each thread there were before it."""

    __slots__ = ("base", "before", "ends", "floor", "planned", "section")

    def __init__(
        self,
        section: int,
        planned: PlannedSection,
        base: list[int],
        ends: dict[int, int],
        before: dict[int, int],
        floor: dict[int, int],
    ) -> None:
        self.section = section
        self.planned = planned
        self.base = base
        self.ends = ends  # of each thread that takes part: its count when it is through
        self.before = before  # counts that have to be there first, if sections do not overlap
        self.floor = floor  # those that had to be there when the plan became the present one


class Passage:
    """One thread's way through the gate; only that thread may use it."""

    __slots__ = (
        "at", "awaits", "base", "count", "done", "gate", "inbox", "index", "listed", "number",
        "parking", "reached", "recorder", "section", "site", "steps", "wanted",
    )  # fmt: skip

    def __init__(self, gate: Gate, number: int) -> None:
        self.gate = gate
        self.number = number
        self.done = gate.done
        self.wanted = gate.wanted
        self.recorder = gate.recorder
        self.inbox: deque[Instance] = deque()  # instances that the thread takes part in
        self.section = gate.plan.start
        self.base: list[int] = gate.done
        self.steps: tuple[PlannedStep, ...] = ()
        self.index = 0
        self.site = UNKNOWN  # of the event that the thread has been let through to
        self.count = 0
        self.listed = 0  # events of the sections it has begun, with or without gates
        self.reached: dict[int, int] = {}  # the floor of instances that it has waited for
        self.parking = gate.new_parking(number)
        # For reports: the site it stands at, and the thread and count it waits for.
        self.at: int | None = None
        self.awaits: tuple[int, int] | None = None

    def enter(self, site: int) -> bool:
        """Returns when the thread may do its event at a site; False: gates are open for ever.

        Raises Deviation if the schedule has something else for the thread, Stopped if the run has
        been stopped, Finished if the schedule is over and the thread could not go on anyway.
        """
        steps, index = self.steps, self.index
        if index >= len(steps):
            if not self.gate.next_instance(self, site):
                return False
            steps, index = self.steps, 0
        expected, waits = steps[index]
        if expected != site:
            self.gate.deviate(self, site)
        self.site = site
        for other, count in waits:
            count += self.base[other]
            if self.done[other] < count:
                self.gate.wait(self, site, other, count)
        return True

    def leave(self) -> None:
        """The event has happened."""
        number = self.number
        if self.recorder is not None:
            self.recorder.event(number, self.site, self.section)
        self.index += 1
        self.count = self.done[number] = count = self.count + 1
        if count >= self.wanted[number]:
            self.gate.wake(number)

    def end(self, stopped: bool = False) -> None:
        """The thread has ended, or a failed assumption has stopped it for good."""
        self.gate.end(self, STOPPED if stopped else ENDED)
