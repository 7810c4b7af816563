"""Which steps touch memory near each other: only those can depend on each other."""

from __future__ import annotations

from collections.abc import Sequence

from imc.program.events import Access, Event

BLOCK = 8  # bytes
WIDE = 64  # blocks that an access has at most, to be found by them

Spot = tuple[int, int]  # an object, and a block of it or one of those below
ANYWHERE, WIDELY = -1, -2


class Contacts:
    """An index of steps by what they touch; who has to do with threads touches everything."""

    def __init__(self) -> None:
        self._at: dict[Spot, list[int]] = {}
        self._everything: list[int] = []
        self._count = 0

    def add(self, events: Sequence[Event]) -> None:
        """The next step, which can be any of these events."""
        number = self._count
        self._count += 1
        if _reaches_threads(events):
            self._everything.append(number)
            return
        spots = {
            spot
            for event in events
            for access in event.accesses
            for spot in (_blocks(access) or [(access.object, WIDELY)])
        }
        for spot in spots | {(a.object, ANYWHERE) for event in events for a in event.accesses}:
            self._at.setdefault(spot, []).append(number)

    def near(self, events: Sequence[Event]) -> set[int]:
        """The steps so far that a step may depend on."""
        if _reaches_threads(events):
            return set(range(self._count))
        found = set(self._everything)
        for event in events:
            for access in event.accesses:
                blocks = _blocks(access)
                number = access.object
                for spot in [*blocks, (number, WIDELY)] if blocks else [(number, ANYWHERE)]:
                    found.update(self._at.get(spot, ()))
        return found


def _reaches_threads(events: Sequence[Event]) -> bool:
    return any(event.spawned or event.joined or event.exits for event in events)


def _blocks(access: Access) -> list[Spot]:
    """The blocks of an access; none if there are too many."""
    first, last = access.offset // BLOCK, (access.offset + access.size - 1) // BLOCK
    if last - first >= WIDE:
        return []
    return [(access.object, block) for block in range(first, max(first, last) + 1)]
