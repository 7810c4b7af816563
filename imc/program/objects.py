"""Names for memory objects and threads that do not depend on the interleaving.

A dynamic object is identified by the thread that made it and how many it had made before, a thread
by its place in the spawn tree. Interning gives each identity a small number, the same in every
execution that one table serves.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from threading import Lock

from imc.errors import SourceLoc
from imc.program.program import SourceType
from imc.program.types import Type
from imc.records import record


@record
class ObjectInfo:
    """What reports say about an object."""

    kind: str  # global, constant, function, tls, stack, heap, library
    name: str
    loc: SourceLoc | None = None
    source_type: SourceType | None = None
    type: Type | None = None  # what it was declared as; the heap does not know

    def cell(self, offset: int, outermost: bool = False) -> str:
        """The source name of a cell: "buffer[3]"; `outermost` leaves library structs whole.

        What the library keeps for itself has no cells that anybody knows.
        """
        if self.source_type:
            return self.name + self.source_type.path(offset, outermost)
        return self.name + f"+{offset}" * (offset != 0 and self.kind != "library")


_ADDING = Lock()  # of all tables, so that one can be copied


class ObjectTable:
    """Interns identities of objects; numbers start at 1. Several threads may use one table."""

    def __init__(self) -> None:
        self._ids: dict[Hashable, int] = {}
        self.infos: list[ObjectInfo] = [ObjectInfo("null", "null")]
        self.dynamic: list[bool] = [False]  # made while the program runs: the number means nothing
        self.identities: list[Hashable] = ["null"]  # by number

    def intern(self, identity: Hashable, info: ObjectInfo) -> int:
        number = self._ids.get(identity)
        return self._add(identity, info) if number is None else number

    def _add(self, identity: Hashable, info: ObjectInfo) -> int:
        with _ADDING:
            number = self._ids.get(identity, len(self.infos))
            if number == len(self.infos):
                self.infos.append(info)
                self.identities.append(identity)
                self.dynamic.append(info.kind in ("stack", "heap"))
                self._ids[identity] = number
        return number

    def find(self, identity: Hashable) -> int | None:
        """The number of an object that has been met."""
        return self._ids.get(identity)

    def __getitem__(self, number: int) -> ObjectInfo:
        return self.infos[number]


class ThreadTable:
    """Interns places in the spawn tree: main is 0, its first child `main.1`."""

    def __init__(self) -> None:
        self._ids: dict[tuple[int, int], int] = {}
        self.names: list[str] = ["main"]

    def child(self, parent: int, nth: int) -> int:
        """The number of the `nth` thread (from 1) that `parent` starts."""
        number = self._ids.get((parent, nth))
        if number is None:
            number = self._ids[parent, nth] = len(self.names)
            self.names.append(f"{self.names[parent]}.{nth}")
        return number

    def seed(self, names: Sequence[str]) -> bool:
        """Numbers the threads as a schedule lists them; False if nobody could start them so."""
        numbers = {"main": 0}
        for name in names:
            parent, _, nth = name.rpartition(".")
            if parent in numbers and nth.isdecimal():
                numbers[name] = self.child(numbers[parent], int(nth))
        return self.names == list(names)
