"""Locks and barriers that the order of the other events makes needless.

A mutex keeps critical sections apart and a barrier keeps phases apart; where every access that
could tell is in the schedule, their order does so already. Then the operations can be left out:
they would have succeeded, and nobody else looks at the object. Code that we do not see might rely
on it, so nothing is left out of programs that call some, nor of those with atomic sections: one is
a single event, which does not tell at which sites it does something.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from imc.program.analysis.sharing import Sharing, memory_uses
from imc.program.code import Image, Site
from imc.program.events import Event, Mode
from imc.program.instructions import Library, Store
from imc.program.library import LIBRARY, Role
from imc.program.program import Program

Extent = tuple[int, int, int]  # an object, an offset in it, and so many bytes


class Omission:
    """Which operations of a program may be left out, given all its events under a schedule."""

    def __init__(self, image: Image, events: Iterable[Event]) -> None:
        self.image = image
        self.events: dict[Site, list[Event]] = defaultdict(list)
        for event in events:
            self.events[event.function, event.pc].append(event)
        self.extents: dict[Site, set[Extent]] = {
            site: {(a.object, a.offset, a.size) for event in own for a in event.accesses}
            for site, own in self.events.items()
        }
        self.looked_at = {("global", name) for name in looked_at_silently(image.sharing)}

    def sites(self) -> set[Site]:
        """All sites whose operations can be left out together."""
        if has_hidden_operations(self.image.program):
            return set()
        found = {site for site, events in self.events.items() if self._succeeds(site, events)}
        while needed := {site for site in found if self._is_seen(site, found)}:
            found -= needed
        return found

    def refuted(self, sites: Iterable[Site]) -> set[Site]:
        """Those of the sites whose operations cannot be left out together."""
        given = set(sites)
        if has_hidden_operations(self.image.program):
            return given
        return {
            site
            for site in given
            if not self._succeeds(site, self.events[site]) or self._is_seen(site, given)
        }

    def _succeeds(self, site: Site, events: list[Event]) -> bool:
        """Whether an operation always does what it is for, on one variable, and returns 0."""
        instruction = self._instruction(site)
        if not isinstance(instruction, Library):
            return False
        accesses = [access for event in events for access in event.accesses]
        if any(a.unknown or not self._is_known(a.object) for a in accesses):
            return False
        role = LIBRARY[instruction.function].role
        if role is Role.LOCK:  # one that failed has only looked
            return all(a.mode is Mode.WRITE for a in accesses)
        return role is Role.MEET and instruction.result is None

    def _is_known(self, number: int) -> bool:
        """Whether all that is done with an object is in events, and is the same object's."""
        objects = self.image.objects
        identity = objects.identities[number]
        return not objects.dynamic[number] and identity not in self.looked_at

    def _is_seen(self, site: Site, left_out: set[Site]) -> bool:
        """Whether an operation that stays looks at what one that is left out would have changed."""
        for other in self.events:
            if other in left_out or self._is_harmless(other):
                continue
            touched = self.extents[other]
            if any(_overlap(a, b) for a in self.extents[site] for b in touched):
                return True
        return False

    def _is_harmless(self, site: Site) -> bool:
        instruction = self._instruction(site)
        if not isinstance(instruction, Library):
            return False
        role = LIBRARY[instruction.function].role  # the result of an end tells whether it is in use
        return role is Role.BEGIN or (role is Role.END and instruction.result is None)

    def _instruction(self, site: Site) -> object:
        function, pc = site
        return self.image.code(function).function.code[pc]


def has_hidden_operations(program: Program) -> bool:
    """Whether something is done at sites that no event tells of."""
    return any(
        isinstance(instruction, Library) and LIBRARY[instruction.function].role is Role.HIDE
        for function in program.functions.values()
        for instruction in function.code
    )


def looked_at_silently(sharing: Sharing) -> set[str]:
    """Global variables that instructions read which are no events, as before the first thread."""
    return {
        thing.function
        for function, pc, instruction in sharing.program.instructions()
        if pc not in sharing.visible_in(function.name) and not isinstance(instruction, Store)
        for use in memory_uses(instruction)
        for thing in sharing.pointers.of(function.name, use.pointer)
        if thing.kind == "global"
    }


def _overlap(a: Extent, b: Extent) -> bool:
    return a[0] == b[0] and a[1] < b[1] + b[2] and b[1] < a[1] + a[2]
