"""The tripwire: what a step does to memory that others use must be among its event's accesses.

Engines believe the accesses of events: what is not there commutes with everything. So whatever a
step does out of sight (by a local instruction, or a library function that does not say so) is
written down here, by object and thread. Where another thread uses the same object, and one of
the two writes, the analysis ends with `OutOfSight`: it is not known any more what was left out.

Nothing is asked of the analysis that decides what is shared: it is judged here, too. Until the
first such pair, steps commute as the engines think; so the first pair is met in an execution that
they do explore. Performance-critical: see scripts/bench_watch.py.
"""

from __future__ import annotations

from imc.errors import SourceLoc

Bits = dict[int, int]  # of each object, a bit for every thread
THREADS = 1 << 20  # more than there can be


def key(number: int, thread: int, hidden: bool, writes: bool) -> int:
    """A use of an object as a number, for `Watch.known`."""
    return (number * THREADS + thread) * 4 + 2 * hidden + writes


class OutOfSight(Exception):
    """Memory that several threads use is touched by a step that does not say so."""

    def __init__(self, name: str, loc: SourceLoc | None) -> None:
        place = f"line {loc.line}" if loc is not None else "the program"
        super().__init__(f"{place} touches '{name}' in a way that is not modelled")
        self.loc = loc


class Watch:
    """Who has used which object while threads run, and who of them out of sight."""

    def __init__(self) -> None:
        self._read: Bits = {}
        self._written: Bits = {}
        self._hidden_read: Bits = {}
        self._hidden_written: Bits = {}
        self.known: set[int] = set()  # uses that have been told: callers need not tell them again
        self._places: dict[tuple[int, bool], SourceLoc | None] = {}  # first ones out of sight

    def seen(self, number: int, thread: int, writes: bool) -> bool:
        """An event's access; whether somebody else uses the object out of sight."""
        self.known.add(key(number, thread, False, writes))
        bit = 1 << thread
        table = self._written if writes else self._read
        known = table.get(number, 0)
        if known & bit:
            return False
        table[number] = known | bit
        others = self._hidden_written.get(number, 0)
        if writes:
            others |= self._hidden_read.get(number, 0)
        return bool(others & ~bit)

    def unseen(self, number: int, thread: int, writes: bool, loc: SourceLoc | None) -> bool:
        """An access that no event tells of; whether somebody else uses the object."""
        self.known.add(key(number, thread, True, writes))
        bit = 1 << thread
        table = self._hidden_written if writes else self._hidden_read
        known = table.get(number, 0)
        if known & bit:
            return False
        table[number] = known | bit
        self._places.setdefault((number, writes), loc)
        return self.seen(number, thread, writes) or bool(self._users(number, writes) & ~bit)

    def _users(self, number: int, writes: bool) -> int:
        """Threads whose use of an object such an access could get in the way of."""
        users = self._written.get(number, 0)
        return users | self._read.get(number, 0) if writes else users

    def place(self, number: int) -> SourceLoc | None:
        """Where an object was touched out of sight."""
        return self._places.get((number, True)) or self._places.get((number, False))
