"""Which steps of a schedule may not be swapped, whatever way they go."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence

from imc.program.code import Site
from imc.program.dependence import dependence
from imc.program.events import Event, Mode
from imc.schedule.automaton import touched
from imc.schedule.beliefs import BeliefPoint
from imc.schedule.contacts import Contacts

Depends = Callable[[Sequence[Event], Sequence[Event]], bool]


def depends(some: Sequence[Event], others: Sequence[Event]) -> bool:
    """Whether the order of two steps matters, each of which can be any of these events."""
    return any(dependence(a, b) is not None for a in some for b in others)


def depends_widely(dynamic: Sequence[bool]) -> Depends:
    """As `depends`, where objects that the program makes may be called differently later on."""

    def touches(events: Sequence[Event], writes: bool) -> bool:
        accesses = (a for event in events for a in event.accesses if dynamic[a.object])
        return any(a.mode is not Mode.READ or not writes for a in accesses)

    def widely(some: Sequence[Event], others: Sequence[Event]) -> bool:
        both = touches(some, False) and touches(others, False)
        return depends(some, others) or (both and (touches(some, True) or touches(others, True)))

    return widely


def always(some: Sequence[Event], others: Sequence[Event]) -> bool:
    """The strict order of a tree's path."""
    return True


class Relation:
    """The dependence of steps, computed once for all steps that touch the same things.

    Nothing of a thread happens before it is started, so that needs no order of its own.
    """

    def __init__(self, order: Depends, left_out: Collection[Site] = ()) -> None:
        self.order = order
        self.left_out = left_out  # operations that are not performed: nothing depends on them
        self._numbers: dict[Hashable, int] = {}
        self._events: list[list[Event]] = []
        self._threads: list[int] = []
        self._contacts = Contacts() if order is depends else None  # others are not about memory
        self._depending: dict[int, dict[int, list[int]]] = {}

    def kind(self, step: BeliefPoint) -> int:
        """The number of the step's class: those of a thread that touch the same things."""
        assert step.thread is not None
        idle = step.site in self.left_out
        key = (step.thread, frozenset(map(touched, step.events)), idle)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._events)
            self._events.append([] if idle else step.events)
            self._threads.append(step.thread)
            if self._contacts is not None:
                self._contacts.add(self._events[number])
            self._depending.clear()
        return number

    def depending(self, kind: int, thread: int) -> list[int]:
        """The classes of another thread whose steps must keep their order with those of a class."""
        found = self._depending.get(kind)
        if found is None:
            found = self._depending[kind] = {}
            own, events = self._threads[kind], self._events[kind]
            all_kinds = range(len(self._events))
            for other in all_kinds if self._contacts is None else self._contacts.near(events):
                whose = self._threads[other]
                if whose != own and self._depends(self._events[other], events):
                    found.setdefault(whose, []).append(other)
        return found.get(thread, [])

    def _depends(self, some: list[Event], others: list[Event]) -> bool:
        if not some or not others or _starts(some, others) or _starts(others, some):
            return False
        return self.order(some, others)


def _starts(some: list[Event], others: list[Event]) -> bool:
    return any(others[0].thread in event.spawned for event in some)
