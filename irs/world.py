"""What a gate asks of the program that it is in."""

from __future__ import annotations

from typing import Protocol

from irs.schedule import Guard


class World(Protocol):
    """A program whose threads pass a gate."""

    def value(self, place: Guard) -> object:
        """The number in a place that a guard names, or None."""
        ...

    def is_blocked(self, thread: int) -> bool:
        """Whether a thread that stands at a gate could not go on if it were let through."""
        ...


class NoWorld:
    """A program that has no places with names, and whose threads can always go on."""

    def value(self, place: Guard) -> object:
        return None

    def is_blocked(self, thread: int) -> bool:
        return False
