"""Wakeup trees: which executions are still to be explored from a prefix, in which order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from imc.program.dependence import dependence
from imc.program.events import Event, Mode
from imc.program.machine import Outcome

Step = tuple[int, tuple[int, ...]]  # a thread, and what the environment chooses


@dataclass(frozen=True, slots=True, eq=False)
class Planned:
    """An event of a sequence: `bit` is its own, `past` has those that happen before it."""

    event: Event
    bit: int
    past: int

    @property
    def step(self) -> Step:
        return self.event.thread, self.event.choices


@dataclass(slots=True, eq=False)
class WakeupBranch:
    """A node of the tree, below its parent's branches that were there before."""

    event: Event
    branches: list[WakeupBranch] = field(default_factory=list)
    outcome: Outcome | None = None  # where it is known already
    section: int | None = None  # where the section begins that it is scheduled in


Commutes = Callable[[Event, list[Event]], bool]
"""Whether an event does the same after others as before them; asked where its mode may change."""


def weak_initial(event: Event, sequence: list[Planned], commutes: Commutes) -> int | None:
    """Whether the event may as well come first: its index in the sequence, -1 if it is not there.

    None if its place matters. The same thread with another choice is another execution.
    """
    before = 0
    for index, planned in enumerate(sequence):
        if planned.event.thread == event.thread:
            same = planned.event.choices == event.choices
            return index if same and not planned.past & before else None
        before |= planned.bit
    asked = False
    for planned in sequence:
        if dependence(event, planned.event) is not None:
            return None
        asked = asked or both_arrive(event, planned.event)
    return -1 if not asked or commutes(event, [p.event for p in sequence]) else None


def both_arrive(one: Event, other: Event) -> bool:
    """Whether both come to the same barrier, where the last one does more than the others."""
    mine = {a.object for a in one.accesses if a.mode is Mode.ARRIVE}
    return bool(mine) and any(a.mode is Mode.ARRIVE and a.object in mine for a in other.accesses)


def redundant(sleep: Iterable[Event], sequence: list[Planned], commutes: Commutes) -> bool:
    """Whether a thread that sleeps could come first: that has been explored."""
    return any(weak_initial(event, sequence, commutes) is not None for event in sleep)


def insert(branches: list[WakeupBranch], sequence: list[Planned], commutes: Commutes) -> bool:
    """Adds what is new of a sequence; whether there is anything."""
    taken: list[Event] = []

    def behind(event: Event, others: list[Event]) -> bool:
        return commutes(event, [*taken, *others])

    while True:
        for branch in branches:
            index = weak_initial(branch.event, sequence, behind)
            if index is None:
                continue
            if index < 0 or len(sequence) == 1 or not branch.branches:
                return False
            taken.append(sequence[index].event)
            sequence = sequence[:index] + sequence[index + 1 :]
            branches = branch.branches
            break
        else:
            for planned in sequence:
                branches.append(WakeupBranch(planned.event))
                branches = branches[-1].branches
            return True
