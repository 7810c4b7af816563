"""Kinds of events, and which of them depend on each other, for who checks a schedule."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable

from imc.program.events import Event

Dependent = Callable[[list[Event], list[Event]], bool]


class Partners:
    """Events of a thread that touch the same things are of one kind.

    Unless dependence is `local`, kinds are compared even if they touch no common memory.
    """

    def __init__(self, dependent: Dependent, local: bool) -> None:
        self.dependent = dependent
        self.local = local
        self._numbers: dict[Hashable, int] = {}
        self._kinds: list[tuple[int, list[Event]]] = []
        self._partners: dict[int, dict[int, list[int]]] = {}
        self._spans: dict[int, list[tuple[int, int, int]]] = {}  # of objects: from, to, kind
        self._longest: dict[int, int] = {}
        self._wide: list[int] | None = None

    def number(self, thread: int, events: list[Event]) -> int:
        """The kind of what a thread does, which can be any of these events; of all, then `of`."""
        key = (
            thread,
            frozenset(
                (frozenset((a.mode, a.object, a.offset, a.size) for a in e.accesses), e.spawned,
                 e.joined, e.exits)
                for e in events
            ),
        )  # fmt: skip
        number = self._numbers.setdefault(key, len(self._kinds))
        if number == len(self._kinds):
            self._kinds.append((thread, events))
        return number

    def of(self, kind: int, thread: int) -> list[int]:
        """The kinds of another thread that a later event depends on."""
        found = self._partners.get(kind)
        if found is None:
            found = self._partners[kind] = {}
            own, events = self._kinds[kind]
            for number in self._candidates(events):
                other, earlier = self._kinds[number]
                if other != own and self._depends(earlier, events, own):
                    found.setdefault(other, []).append(number)
        return found.get(thread, [])

    def _depends(self, earlier: list[Event], later: list[Event], thread: int) -> bool:
        if any(thread in event.spawned for event in earlier):
            return False  # nothing of a thread happens before it is started
        return bool(earlier) and bool(later) and self.dependent(earlier, later)

    def _candidates(self, events: list[Event]) -> Iterable[int]:
        if not self.local or _is_wide(events):
            return range(len(self._kinds))
        if self._wide is None:
            self._wide = [n for n, (_, others) in enumerate(self._kinds) if _is_wide(others)]
            self._sort()
        found = set(self._wide)
        for access in {(a.object, a.offset, a.size) for e in events for a in e.accesses}:
            number, begin, size = access
            spans = self._spans.get(number, [])
            at = bisect_left(spans, (begin - self._longest.get(number, 0),))
            while at < len(spans) and spans[at][0] < begin + size:
                if spans[at][1] > begin:
                    found.add(spans[at][2])
                at += 1
        return found

    def _sort(self) -> None:
        for kind, (_, events) in enumerate(self._kinds):
            for number, begin, size in {
                (a.object, a.offset, a.size) for e in events for a in e.accesses
            }:
                self._spans.setdefault(number, []).append((begin, begin + size, kind))
                self._longest[number] = max(self._longest.get(number, 0), size)
        for spans in self._spans.values():
            spans.sort()


def _is_wide(events: list[Event]) -> bool:
    """Whether events have to do with threads, not with memory alone."""
    return any(event.spawned or event.joined or event.exits for event in events)
