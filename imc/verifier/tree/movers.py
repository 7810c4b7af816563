"""Steps that nobody can see: what is only touched under a lock may as well be touched at once.

Lipton's movers, found while the tree grows. The discipline of a cell is the set of locks that have
been held at every access to it so far, where being a certain thread counts as a lock that this
thread holds. A step whose cells all have a lock that its thread holds commutes with whatever the
others can do before it, so it is enough to let this thread move. Where a later access breaks the
discipline that such a step relied on, the others are let in after all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from imc.program.events import Access, Event, Mode
from imc.program.faults import Blocked
from imc.program.library.mutexes import OWNER
from imc.program.state import State, Status
from imc.program.values import Pointer
from imc.terms.places import Places, Variable
from imc.terms.steps import Move
from imc.verifier.tree.art import Node

LockKey = tuple[int, int]  # a mutex by object and offset, or (THREAD, number)
Cell = tuple[Variable, int]
Locks = frozenset[LockKey]

THREAD = -1
OWNER_BYTES = 4
LOCKS = ("mutex", "spin lock")  # what a thread waits for, to hold it
GRAIN = 8  # bytes that share a discipline
LARGEST = 64  # bytes of an access that is followed cell by cell; others take all of the object
WHOLE = -1


class Discipline:
    """Which locks protect which cells, as far as all steps seen so far tell."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self._locks: dict[LockKey, int] = {}  # that have been taken, in this order, and their sizes
        self._broken: set[LockKey] = set()  # written to by a thread that does not hold them
        self._protection: dict[Cell, Locks] = {}
        self._coarse: set[Variable] = set()  # objects that are followed as a whole
        self._reliant: dict[Cell, list[tuple[Node, int]]] = {}

    def observe(
        self, node: Node, thread: int, moves: Iterable[Move], waits: Iterable[Blocked]
    ) -> list[Node]:
        """Takes note of what a thread can do at a node, or would do if it did not have to wait.

        Answers the nodes whose reliance that ends.
        """
        changed: dict[Cell, None] = {}
        if not _alone(node.state, thread):
            for blocked in waits:
                changed.update(dict.fromkeys(self._wait(node, thread, blocked)))
        for move in moves:
            event = move.event
            for lock in event.acquired:
                self._learn(lock, event)
            if _alone(node.state, event.thread):
                continue
            held = self._held(node.state, event.thread)
            with_taken = held.union(event.acquired)
            for access in event.accesses:
                if access.mode is not Mode.READ:
                    changed.update(dict.fromkeys(self._break(access, with_taken)))
                # Who only tries sees whether others hold the lock.
                locks = held if event.tries else with_taken
                changed.update(dict.fromkeys(self._access(access, locks)))
        return self._released(changed)

    def _wait(self, node: Node, thread: int, blocked: Blocked) -> Iterator[Cell]:
        """Whoever waits for a lock will hold it; all else it has looked at as it is."""
        held = self._held(node.state, thread)
        for access in blocked.accesses:
            yield from self._access(access, held)
        if isinstance(blocked.pointer, tuple):
            number, offset = blocked.pointer
            if offset.__class__ is not int:
                offset, size = 0, node.state.memory[number].size
            else:
                size = self._locks.get((number, offset), OWNER_BYTES)
            if blocked.what in LOCKS and (number, offset) in self._locks:
                held |= {(number, offset)}
            yield from self._access(Access(Mode.READ, number, offset, size, True, None), held)

    def relies(self, node: Node, thread: int, moves: Iterable[Move]) -> bool:
        """Whether the thread's steps are movers at a node; if so, that is remembered."""
        if _alone(node.state, thread):
            return False
        held = self._held(node.state, thread)
        cells: dict[Cell, None] = {}
        for move in moves:
            if not _is_plain(move.event):
                return False
            for access in move.event.accesses:
                cells.update(dict.fromkeys(self._cells(access)))
        if not cells or not all(self._protects(held, cell) for cell in cells):
            return False
        for cell in cells:
            self._reliant.setdefault(cell, []).append((node, thread))
        return True

    def holds_any(self, state: State, thread: int) -> bool:
        """Whether a thread holds a lock that is worth asking about its next step."""
        return len(self._held(state, thread)) > 1

    # ------------------------------------------------------------------- locks

    def _learn(self, lock: Pointer, event: Event) -> None:
        """A lock is taken; one whose memory has had other uses protects nothing.

        Dynamic objects change their numbers at covers, so their locks are left alone.
        """
        if lock[1].__class__ is int and not self.places.image.objects.dynamic[lock[0]]:
            if lock in self._locks:
                return
            sizes = (a.size for a in event.accesses if (a.object, a.offset) == lock)
            size = self._locks[lock] = next(sizes, OWNER_BYTES)
            if any(cell in self._protection for cell in self._cells_of(*lock, size)):
                self._broken.add(lock)

    def _break(self, access: Access, proper: Locks) -> list[Cell]:
        """A lock that is written to by somebody else is none: answers the cells concerned."""
        end = access.offset + access.size
        wrong = [
            lock
            for lock, size in self._locks.items()
            if lock[0] == access.object
            and access.offset < lock[1] + size
            and lock[1] < end
            and lock not in proper
            and lock not in self._broken
        ]
        self._broken.update(wrong)
        return list(self._reliant) if wrong else []

    def _held(self, state: State, thread: int) -> Locks:
        owner = thread + 1
        held = [(THREAD, thread)]
        for lock in self._locks:
            contents = state.memory.get(lock[0])
            if contents is not None and contents.cells.get(lock[1] + OWNER) == (4, owner):
                held.append(lock)
        return frozenset(held)

    def _protects(self, held: Locks, cell: Cell) -> bool:
        return not (self._protection.get(cell, held) & held).isdisjoint(held - self._broken)

    # ------------------------------------------------------------------- cells

    def _cells(self, access: Access) -> list[Cell]:
        return self._cells_of(access.object, access.offset, access.size)

    def _cells_of(self, number: int, offset: int, size: int) -> list[Cell]:
        variable = self.places.variable_of_object(number)
        if variable in self._coarse:
            return [(variable, WHOLE)]
        first, last = offset // GRAIN, (offset + size - 1) // GRAIN
        return [(variable, grain) for grain in range(first, last + 1)]

    def _access(self, access: Access, held: Locks) -> list[Cell]:
        """Notes an access under locks; answers the cells whose protection has changed."""
        changed = []
        if access.size > LARGEST:
            changed = self._merge(self.places.variable_of_object(access.object))
        for cell in self._cells(access):
            before = self._protection.get(cell)
            after = held if before is None else before & held
            if after != before:
                self._protection[cell] = after
                changed.append(cell)
        return changed

    def _merge(self, variable: Variable) -> list[Cell]:
        """From now on, all of an object has one discipline."""
        if variable in self._coarse:
            return []
        self._coarse.add(variable)
        cells = [cell for cell in self._protection if cell[0] == variable]
        whole = (variable, WHOLE)
        for cell in cells:
            self._protection[whole] = self._protection.get(whole, self._protection[cell])
            self._protection[whole] &= self._protection[cell]
            self._reliant.setdefault(whole, []).extend(self._reliant.pop(cell, ()))
        return [whole] if cells else []

    def _released(self, changed: Iterable[Cell]) -> list[Node]:
        released: dict[Node, None] = {}
        for cell in changed:
            kept = []
            for node, thread in self._reliant.get(cell, ()):
                if self._protects(self._held(node.state, thread), cell):
                    kept.append((node, thread))
                else:
                    released[node] = None
            if cell in self._reliant:
                self._reliant[cell] = kept
        return list(released)


def _alone(state: State, thread: int) -> bool:
    """Whether the thread is alone in whatever order the steps come: the others have been joined."""
    return all(
        t.id == thread or (t.status is Status.DONE and t.joined) for t in state.threads.values()
    )


def _is_plain(event: Event) -> bool:
    """Only touches memory, perhaps that of a lock it gives up."""
    return not (event.spawned or event.joined or event.exits or event.acquired)
