"""The execution being explored: its events with their states, and what happens before what.

States are kept, so that going back costs nothing and no event is executed again. Which events
happen before an event is one number with a bit for each position. Performance-critical: see
scripts/bench_explore.py.
"""

from __future__ import annotations

from collections.abc import Iterable

from imc.explorer.cells import Cells
from imc.explorer.semantics import Semantics
from imc.program.dependence import dependence
from imc.program.events import Access, Event, Mode
from imc.program.faults import Blocked
from imc.program.library.specific import identity_of_end
from imc.program.machine import Outcome
from imc.program.memory import MemoryObject
from imc.program.state import State

LARGEST_OBJECT = 64  # bytes, of what the library synchronises with


class Execution:
    """A stack of events. `states[i]` is the state before event i, the last one is the current."""

    def __init__(self, semantics: Semantics, start: Outcome) -> None:
        self.semantics = semantics
        self.start = start
        self.states: list[State] = [start.state]
        self.events: list[Event] = []
        self.past: list[int] = []  # positions that happen before an event, itself included
        self.own: list[int] = []  # those that happen before it, whatever the event does
        self.races: list[tuple[int, ...]] = []  # adjacent dependent events of other threads
        self.of_thread: dict[int, list[int]] = {}
        self._cells = Cells()
        self.spawn: dict[int, int] = {}  # thread -> position at which it was started
        self.checks = 0  # of the dependence of two events
        self.known_from = 1 << 62  # the position from which on dependences are known already

    def __len__(self) -> int:
        return len(self.events)

    @property
    def state(self) -> State:
        return self.states[-1]

    def trace(self) -> list[Event]:
        return [self.start.event, *self.events]

    # ------------------------------------------------------------- the stack

    def push(self, outcome: Outcome) -> None:
        event = outcome.event
        position = len(self.events)
        own = self.own_past(event.thread)
        past, found = self._happens_before(event, own)
        self.events.append(event)
        self.states.append(outcome.state)
        self.past.append(past | 1 << position)
        self.own.append(own | self._ends_before(event) if event.joined else own)
        self.races.append(found)
        self.of_thread.setdefault(event.thread, []).append(position)
        for access in event.accesses:
            self._cells.push(access, position)
        for child in event.spawned:
            self.spawn[child] = position

    def pop(self) -> None:
        event = self.events.pop()
        self.states.pop()
        self.past.pop()
        self.own.pop()
        self.races.pop()
        self.of_thread[event.thread].pop()
        for access in event.accesses:
            self._cells.pop(access)
        for child in event.spawned:
            del self.spawn[child]

    # -------------------------------------------------------- happens before

    def own_past(self, thread: int) -> int:
        """What happens before a thread's next event, whatever that is."""
        positions = self.of_thread.get(thread)
        if positions:
            return self.past[positions[-1]]
        parent = self.spawn.get(thread)
        return self.past[parent] if parent is not None else 0

    def _ends_before(self, event: Event) -> int:
        """What comes before the ends of threads that an event has waited for, and had to.

        Who could have given up looks at the end itself.
        """
        past = 0
        for thread in event.joined:
            end = self.semantics.image.objects.find(identity_of_end(thread))
            if end is None or all(access.object != end for access in event.accesses):
                past |= self.own_past(thread)
        return past

    def _happens_before(self, event: Event, own: int) -> tuple[int, tuple[int, ...]]:
        """All that happens before an event, and the races with it, the latest first."""
        if event.exits:
            return self._before_exit(own)
        known = own
        for thread in event.joined:
            known |= self.own_past(thread)
        found = []
        for position in self.touching(event.accesses):
            if not known >> position & 1:
                self.checks += position < self.known_from
                if dependence(self.events[position], event) is not None:
                    known |= self.past[position]
                    found.append(position)
        return known, tuple(found)

    def _before_exit(self, own: int) -> tuple[int, tuple[int, ...]]:
        """The end of the program comes after everything."""
        known, found = own, []
        for position in range(len(self.events) - 1, -1, -1):
            if not known >> position & 1:
                known |= self.past[position]
                found.append(position)
        return known, tuple(found)

    def touching(self, accesses: Iterable[Access]) -> list[int]:
        """Positions of events that touch one of the cells, the latest first."""
        return self._cells.touching([(a.object, a.offset, a.size) for a in accesses])[::-1]

    def not_after(self, position: int) -> list[int]:
        """Later events that do not happen after the one at a position."""
        past = self.past
        return [k for k in range(position + 1, len(past)) if not past[k] >> position & 1]

    # ---------------------------------------------------- what could have been

    def outcomes(self, thread: int) -> list[Outcome]:
        """The ways a thread's next step can go; raises Blocked."""
        return self.semantics.successors(self.states[-1], thread)

    def probe(
        self, base: int, chosen: list[int], thread: int, before: int, accesses: Iterable[Access]
    ) -> list[Outcome] | Blocked:
        """A thread's next step after the first `base` events and those chosen, or why it waits.

        `before` is a position where the thread stands at the step too, and `accesses` are what the
        step looked at there; if it looks at something else now, the events are run again.
        """
        state = self._patched(base, chosen, before, accesses)
        if state is not None:
            found = self._next_step(state, thread)
            if covered(looked_at(found), accesses):
                return found
        return self._next_step(self.rerun(base, chosen), thread)

    def _next_step(self, state: State, thread: int) -> list[Outcome] | Blocked:
        try:
            return self.semantics.successors(state, thread)
        except Blocked as why:
            return why

    def beside(self, first: int, position: int, thread: int) -> list[Outcome]:
        """How a thread could move instead of an earlier event; it then stands as at a position."""
        state = self.rerun(first, [k for k in self.not_after(first) if k < position])
        try:
            return self.semantics.interpreter.successors(state, thread)
        except Blocked:
            return []

    def rerun(self, base: int, chosen: list[int]) -> State:
        """The state after the first `base` events and those chosen."""
        state = self.states[base]
        for position in chosen:
            event = self.events[position]
            state = self.semantics.again(state, event)
        return state

    def _patched(
        self, base: int, chosen: list[int], before: int, accesses: Iterable[Access]
    ) -> State | None:
        """The state at `before`, with what the step looks at as it was; None where that is hard.

        The value of a cell is the one that the last chosen write has left, if no write before that
        was left out.
        """
        state = self.states[before].copy()
        kept = set(chosen)
        for access in accesses:
            start, end = extent(access)
            last = self._last_write(base, kept, access.object, start, end)
            if last is None or access.unknown is not None:
                return None
            source = self.states[last].memory.get(access.object)
            target = state.memory.get(access.object)
            if source is None or target is None:
                return None
            if source is not target:
                patched = _patch(target, source, start, end)
                if patched is None:
                    return None
                state.memory[access.object] = patched
        return state

    def _last_write(
        self, base: int, kept: set[int], number: int, start: int, end: int
    ) -> int | None:
        """After how many events a cell has the value it would have; None if it never had it."""
        last = base
        left_out = False
        for position in self._cells.touching([(number, start, end - start)]):
            if position < base:
                continue
            if not self._writes(position, number, start, end):
                continue
            if position not in kept:
                left_out = True
            elif left_out:
                return None
            else:
                last = position + 1
        return last

    def _writes(self, position: int, number: int, start: int, end: int) -> bool:
        return any(
            a.object == number
            and a.mode is not Mode.READ
            and a.offset < end
            and start < a.offset + a.size
            for a in self.events[position].accesses
        )


def looked_at(found: list[Outcome] | Blocked) -> tuple[Access, ...]:
    """All that a step has touched, or looked at before it had to wait."""
    if not isinstance(found, Blocked):
        return tuple(access for outcome in found for access in outcome.event.accesses)
    if not isinstance(found.pointer, tuple):
        return found.accesses
    number, offset = found.pointer
    return (*found.accesses, Access(Mode.WRITE, number, offset, 1, True, None))


def covered(some: Iterable[Access], accesses: Iterable[Access]) -> bool:
    """Whether all that some accesses touch is among what others may look at."""
    extents = [(access.object, *extent(access)) for access in accesses]
    return all(
        any(a.object == n and lo <= a.offset and a.offset + a.size <= hi for n, lo, hi in extents)
        for a in some
    )


def extent(access: Access) -> tuple[int, int]:
    """The bytes that an access may look at; those of library objects say only where they begin."""
    size = access.size if access.value is not None else max(access.size, LARGEST_OBJECT)
    return access.offset, access.offset + size


def _patch(target: MemoryObject, source: MemoryObject, start: int, end: int) -> MemoryObject | None:
    """The target with the source's bytes in a range; None where values lie across its ends."""
    for cells in (target.cells, source.cells):
        for at, (size, _) in cells.items():
            if at < start < at + size or at < end < at + size:
                return None
    patched = target.copy()
    for at in [at for at in target.cells if start <= at < end]:
        del patched.cells[at]
    for at, cell in source.cells.items():
        if start <= at < end:
            patched.cells[at] = cell
    return patched
