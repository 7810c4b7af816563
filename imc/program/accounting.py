"""What a step does in sight, and what out of sight: see `Watch`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn

from imc.errors import SourceLoc
from imc.program.events import Access, Mode
from imc.program.questions import Questions
from imc.program.values import Value
from imc.program.watch import THREADS, OutOfSight


class Accounting(Questions):
    """Compares what was used with what the event says it touches."""

    def pointer(self, number: int) -> Value:
        """The pointer that an integer stands for, if it was made from one."""
        return self.image.pointer(number)

    def use(self, pointer: Value, size: int, writes: bool) -> None:
        """Notes what is read or written, for `account` to find it among the event's accesses."""
        if pointer.__class__ is int:
            pointer = self.pointer(pointer)
        if pointer.__class__ is tuple:
            number, offset = pointer
            if offset.__class__ is not int:
                found = self.memory.get(number)
                offset, size = 0, found.size if found is not None else 0
            self.ranges.append((number, offset, size, writes))

    def account(self, visible: bool, before: int, loc: SourceLoc | None) -> None:
        """What was used and is not among the accesses since `before` is out of sight.

        Nothing that an invisible operation does is in sight, whatever it says: the step it is part
        of began before it.
        """
        if not visible:
            for access in self.accesses[before:]:
                self.hide(access.object, access.mode is not Mode.READ, loc)
            del self.accesses[before:]
        for number, offset, size, writes in self.ranges:
            if not (visible and self._is_told(number, offset, size, writes, before)):
                self.hide(number, writes, loc)
        self.ranges.clear()

    def _is_told(self, number: int, offset: int, size: int, writes: bool, before: int) -> bool:
        told = (
            (a.offset, a.offset + a.size)
            for a in self.accesses[before:]
            if a.object == number and not (writes and a.mode is Mode.READ)
        )
        end = offset + size
        for start, stop in sorted(told):
            if start <= offset < stop:
                offset = stop
        return offset >= end

    def hide(self, number: int, writes: bool, loc: SourceLoc | None) -> None:
        """The step uses an object out of sight."""
        (self.unseen_writes if writes else self.unseen_reads).setdefault(number, loc)

    def hide_at(self, pointer: Value, writes: bool, loc: SourceLoc | None) -> None:
        if pointer.__class__ is int:
            pointer = self.pointer(pointer)
        if pointer.__class__ is tuple:
            self.hide(pointer[0], writes, loc)

    def reveal(self, accesses: Iterable[Access]) -> None:
        """Compares what the running thread has done with what the others do; see `Watch`."""
        reads, writes = self.unseen_reads, self.unseen_writes
        if len(self.state.threads) > 1:
            thread, watch = self.thread.id, self.image.watch
            known, mine, step = watch.known, 4 * thread, 4 * THREADS
            for access in accesses:
                number, changes = access[1], access[0] is not Mode.READ
                told = number * step + mine + changes in known
                if not told and watch.seen(number, thread, changes):
                    self._out_of_sight(number)
            for number, loc in reads.items():
                told = number * step + mine + 2 in known
                if not told and watch.unseen(number, thread, False, loc):
                    self._out_of_sight(number)
            for number, loc in writes.items():
                told = number * step + mine + 3 in known
                if not told and watch.unseen(number, thread, True, loc):
                    self._out_of_sight(number)
        if reads or writes:
            self.unseen_reads, self.unseen_writes = {}, {}

    def _out_of_sight(self, number: int) -> NoReturn:
        raise OutOfSight(self.image.objects[number].name, self.image.watch.place(number))
