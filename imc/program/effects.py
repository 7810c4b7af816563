"""What a step does, as far as it matters to whether somebody goes round without effect.

An effect is what is left behind: input that was read, output, a new thread, memory that is not put
back, if others use it; what no event tells of is like a thread's locals, and a part of where it
stands. A deed says what a step
does without saying in which state, so that few deeds stand for many steps. Objects that are made
while the program runs are named by where and in which order, not by how many came before: a loop
may make and free one in each round. A name that passes from one object to another is *unsteady*:
what is done under it is then not known, and no effect.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

from imc.program.analysis.addresses import AbstractObject
from imc.program.events import Mode
from imc.program.instructions import Instruction, Library
from imc.program.keys import Shape, StateKeys
from imc.program.library.conditions import BYTES as WAITERS
from imc.program.machine import Outcome
from imc.program.memory import MemoryObject
from imc.program.missing import is_somebody_missing
from imc.program.state import State, Thread
from imc.program.types import IntType
from imc.program.values import Aggregate, Fragment, Value

Cell = tuple[Hashable, int]  # an object and a byte in it: what it holds may be written in any way
ALIVE = -1  # in place of an offset: whether the object is there


class Change(NamedTuple):
    cell: Cell
    old: Hashable
    new: Hashable


class Deed(NamedTuple):
    """`effect`: whatever else happens, something is left behind."""

    thread: int
    before: Hashable  # where the thread stands, with all that it can still use
    after: Hashable
    changes: tuple[Change, ...]
    effect: bool
    writes: bool
    serves: bool  # begins another round of a loop without an exit
    hides: bool = False  # changes memory that only this thread uses, which places do not show


class Deeds:
    """Tells deeds of one program's steps."""

    def __init__(self, keys: StateKeys) -> None:
        self.keys = keys
        self.image = keys.image
        self.unsteady: set[Hashable] = set()  # names that pass from one object to another
        self._dynamic = keys.image.objects.dynamic
        self._recent: list[tuple[State, dict[int, Hashable]]] = []  # names in the last states
        self._private: dict[str, list[int]] = {}  # variables, by the functions of their threads
        shared = keys.image.sharing.shared_thread_locals
        variables = keys.image.program.globals.items()
        self._symbols = {number: name for name, number in keys.image.symbols.items()}
        self._shared = {t.function for t in keys.image.sharing.shared if t.kind == "global"}
        self._thread_locals = [n for n, v in variables if v.thread_local and n not in shared]

    def deed(self, before: State, outcome: Outcome) -> Deed:
        event, after = outcome.event, outcome.state
        number = event.thread
        was, now = before.threads[number], after.threads[number]
        effect = bool(
            event.spawned
            or is_somebody_missing(self.image, after)
            or event.exits
            or event.invents
            or was.inputs != now.inputs
            or after.output is not before.output
        )
        seen = {access.object for access in event.accesses}
        changes: list[Change] = []
        hides = False
        for changed, found in () if effect else self._changes(before, outcome):
            kept = self._public(changed, found, changed in seen)
            if len(kept) != len(found) and not hides:
                hides = not all(self._is_shown(changed, s, number) for s in (before, after))
            changes += kept
        return Deed(
            number,
            self.place(before, number),
            self.place(after, number),
            tuple(changes),
            effect,
            any(access.mode is not Mode.READ for access in event.accesses),
            event.serves,
            hides,
        )

    def _instruction(self, outcome: Outcome) -> Instruction:
        event = outcome.event
        return self.image.program.functions[event.function].code[event.pc]

    def place(self, state: State, thread: int) -> Hashable:
        """Where a thread stands in a state."""
        standing = state.threads[thread]
        place = self._named(self.keys.thread(standing), state)
        own = self._own(standing, state)
        shown = frozenset((self.name(n, state), what) for n, what in own.items())
        return (place, shown) if shown else place

    def _named(self, shape: Shape, state: State) -> Hashable:
        number, references = shape
        return (number, *(self.name(r, state) for r in references)) if references else number

    def _own(self, thread: Thread, state: State) -> dict[int, Hashable]:
        """What is in objects that only a thread uses."""
        if not thread.frames:
            return {}
        own = dict.fromkeys(n for n in self._variables(thread) if n in state.memory)
        work = [*self.keys.thread(thread)[1], *own]
        while work:  # what cannot be reached does not count
            number = work.pop()
            if number in own or (self._dynamic[number] and self.is_private(number)):
                contents = state.memory.get(number)
                if contents is not None:
                    own[number] = None
                    refs = self.keys.shape(contents)[1]
                    work += [r for r in refs if r not in own]
        return {n: self._named(self.keys.shape(state.memory[n]), state) for n in own}

    def _variables(self, thread: Thread) -> list[int]:
        """Those that only a thread uses, as far as they are there."""
        entry = thread.frames[0].code.function.name
        found = self._private.get(entry)
        if found is None:
            names = self.image.sharing.private_globals(entry)
            found = self._private[entry] = [self.image.symbols[name] for name in names]
        instances = (self.image.objects.find(("tls", n, thread.id)) for n in self._thread_locals)
        return found + [n for n in instances if n is not None]

    def _is_shown(self, number: int, state: State, thread: int) -> bool:
        """Whether where a thread stands tells of an object, as far as anybody can reach it."""
        if number in self._own(state.threads[thread], state):
            return True
        return self._dynamic[number] and number not in self.keys.named_key(state)[1]

    def is_private(self, number: int) -> bool:
        """Whether only one thread uses an object."""
        if self._dynamic[number]:
            kind, _, _, site = self._identity(number)
            return AbstractObject(kind, *site) not in self.image.sharing.shared
        identity = self.image.objects.identities[number]
        if isinstance(identity, tuple) and identity[0] == "tls":
            return identity[1] in self._thread_locals
        return self._symbols.get(number) not in self._shared

    def _changes(self, before: State, outcome: Outcome) -> Iterator[tuple[int, list[Change]]]:
        """What a step changes, by object."""
        old, new = before.memory, outcome.state.memory
        born = 0
        for number in outcome.written:
            was, now = old.get(number), new.get(number)
            if now is None:
                continue
            if was is None:
                born += 1
                yield number, self._begun(number, now, outcome.state)
            elif was is not now:
                yield number, self._differences(number, was, now, before, outcome)
        if len(old) + born != len(new):
            for number in old.keys() - new.keys():
                yield number, self._ended(number, old[number], before)

    def _public(self, number: int, changes: list[Change], seen: bool) -> list[Change]:
        """What others may notice; of an object that no event tells of, whether it is there."""
        if not self._dynamic[number]:
            return changes if seen else []
        if self.is_private(number):
            return []  # also of locks, whose operations are always events
        return changes if seen else [c for c in changes if c.cell[1] == ALIVE]

    def _begun(self, number: int, now: MemoryObject, after: State) -> list[Change]:
        """A new object; of a local only what is in it counts, since places tell which there are."""
        name = self.name(number, after)
        found = [] if self._is_local(number) else [Change((name, ALIVE), False, True)]
        return found + [Change((name, at), None, v) for at, v in self._contents(now, after)]

    def _ended(self, number: int, was: MemoryObject, before: State) -> list[Change]:
        self._note_successors(number, before)
        name = self.name(number, before)
        found = [] if self._is_local(number) else [Change((name, ALIVE), True, False)]
        return found + [Change((name, at), v, None) for at, v in self._contents(was, before)]

    def _note_successors(self, number: int, before: State) -> None:
        """Whoever comes after an object that ends has its name from now on."""
        if not self._dynamic[number]:
            return
        kind, thread, count, site = self._identity(number)
        for other in before.memory:
            if self._dynamic[other]:
                also = self._identity(other)
                if (also[0], also[1], also[3]) == (kind, thread, site) and also[2] > count:
                    self.unsteady |= {self.name(number, before), self.name(other, before)}

    def _contents(self, contents: MemoryObject, state: State) -> Iterator[tuple[int, Hashable]]:
        for at in contents.cells:
            for n, byte in enumerate(self._bytes(contents, at, state), at):
                if byte is not None:
                    yield n, byte

    def _is_local(self, number: int) -> bool:
        return self.image.objects[number].kind == "stack"

    def _differences(
        self, number: int, was: MemoryObject, now: MemoryObject, before: State, outcome: Outcome
    ) -> list[Change]:
        name = self.name(number, before)
        waiting = isinstance(self._instruction(outcome), Library)
        found: dict[int, Hashable] = {}
        left: dict[int, Hashable] = {}
        for at in dict.fromkeys((*was.cells, *now.cells)):
            old, new = was.cells.get(at), now.cells.get(at)
            if old == new or (waiting and WAITERS in (old and old[0], new and new[0])):
                continue  # who waits for a signal is no business of memory
            if old is not None:
                found.update(enumerate(self._bytes(was, at, before), at))
            if new is not None:
                left.update(enumerate(self._bytes(now, at, outcome.state), at))
        pairs = ((at, found.get(at), left.get(at)) for at in sorted(found.keys() | left.keys()))
        return [Change((name, at), x, y) for at, x, y in pairs if x != y]

    def _bytes(self, contents: MemoryObject, at: int, state: State) -> list[Hashable]:
        """The bytes of a cell; None: what they hold where nobody has written."""
        size, value = contents.cells[at]
        if value.__class__ is int:
            if value == 0 and contents.fill == 0:
                return [None] * size
            if size == self.image.layout.pointer_bytes and self.image.domain.numeric:
                value = self.image.pointer(value)
        fill = contents.fill
        parts = self.image.domain.split(value, IntType(8 * size), size)
        return [
            None if b is fill or (b.__class__ is int and b == fill) else self._value(b, state)
            for b in parts
        ]

    def _value(self, value: Value, state: State) -> Hashable:
        if value.__class__ is tuple and self._dynamic[value[0]]:
            return self.name(value[0], state), value[1]
        if isinstance(value, Aggregate):
            return tuple([self._value(part, state) for part in value])
        if isinstance(value, Fragment):
            return value.index, value.size, self._value(value.value, state)
        return value  # type: ignore[no-any-return]

    def names(self, state: State, order: Sequence[int]) -> tuple[Hashable, ...]:
        """The names of objects, in the order in which a key of the state has them."""
        return tuple([self.name(number, state) for number in order])

    def merge(self, names: Sequence[Hashable], others: Sequence[Hashable]) -> None:
        """A state is taken for another one with the same key, whatever its objects are called."""
        if names != others:
            for one, two in zip(names, others, strict=True):
                if one != two:
                    self.unsteady |= {one, two}

    def name(self, number: int, state: State) -> Hashable:
        """An object's name, which is the same in every round that makes such an object."""
        if not self._dynamic[number]:
            return number
        found = self._names(state).get(number)
        if found is not None:
            return found
        kind, thread, count, site = self._identity(number)
        rank = 0
        for other in state.memory:
            if other != number and self._dynamic[other]:
                also = self._identity(other)
                rank += also[:2] == (kind, thread) and also[3] == site and also[2] < count
        return kind, thread, site, rank

    def _names(self, state: State) -> dict[int, Hashable]:
        """The names of all dynamic objects that are there; asked for again and again."""
        for known, names in self._recent:
            if known is state:
                return names
        families: dict[tuple[str, int, tuple[str, int]], list[tuple[int, int]]] = {}
        for number in state.memory:
            if self._dynamic[number]:
                kind, thread, count, site = self._identity(number)
                families.setdefault((kind, thread, site), []).append((count, number))
        names = {
            number: (kind, thread, site, rank)
            for (kind, thread, site), family in families.items()
            for rank, (_, number) in enumerate(sorted(family))
        }
        self._recent = [(state, names), *self._recent[:1]]
        return names

    def _identity(self, number: int) -> tuple[str, int, int, tuple[str, int]]:
        """Kind, thread, how many it had made before, and where: of a dynamic object."""
        identity = self.image.objects.identities[number]
        assert isinstance(identity, tuple)
        return identity


SOME = "some object"  # in place of a name that is unsteady


def unclear_cells(deeds: Iterable[Deed], unsteady: Collection[Hashable]) -> set[Hashable]:
    """Cells that hold the address of an object at some time whose name is unsteady."""
    return {
        change.cell
        for deed in deeds
        for change in deed.changes
        if _mentions(change.old, unsteady) or _mentions(change.new, unsteady)
    }


def _mentions(content: Hashable, names: Collection[Hashable]) -> bool:
    if content in names:
        return True
    return isinstance(content, tuple) and any(_mentions(part, names) for part in content)


def blurred(deed: Deed, unsteady: set[Hashable], unclear: set[Hashable]) -> Deed:
    """A deed without what it does to objects with unsteady names, unclear cells and objects."""
    left_out = unsteady | unclear
    kept = tuple([c for c in deed.changes if left_out.isdisjoint((c.cell, c.cell[0]))])
    before, after = (blurred_place(place, unsteady) for place in (deed.before, deed.after))
    return deed._replace(before=before, after=after, changes=kept)


def blurred_place(place: Hashable, unsteady: Collection[Hashable]) -> Hashable:
    """Where a thread stands, whichever of the objects with unsteady names it uses."""
    if place in unsteady:
        return SOME
    if isinstance(place, frozenset):
        return frozenset(blurred_place(part, unsteady) for part in place)
    if not isinstance(place, tuple):
        return place
    return tuple([blurred_place(part, unsteady) for part in place])


# What a thread has changed since it last was at a place: cells, with what was in them then.
Traces = frozenset[tuple[Cell, Hashable]]
CLEAN: Traces = frozenset()


def traces_after(traces: Traces, deed: Deed) -> Traces | None:
    """What is left of traces after one more step; None if something is left behind for good."""
    if deed.effect:
        return None
    if not deed.changes:
        return traces
    found = dict(traces)
    for cell, old, new in deed.changes:
        if cell not in found:
            found[cell] = old
        elif found[cell] == new:
            del found[cell]
    return frozenset(found.items())


NOWHERE = object()


class Round(NamedTuple):
    """How far a thread has come on its way back to a place where it has been."""

    traces: Traces = CLEAN
    touched: bool = False  # it has written anything since the last round of a loop without an exit

    def after(self, deed: Deed, home: object = NOWHERE) -> Round | None:
        """None if the thread has an effect, or is back `home` and something has not been put back.

        Rounds of loops without an exit have an effect if they write anything, even for a while.
        """
        traces = traces_after(self.traces, deed)
        if traces is None or (traces and deed.after == home):
            return None
        touched = self.touched or deed.writes
        if not deed.serves:
            return Round(traces, touched)
        return None if touched else Round(traces)
