"""What the steps of a tree do, as far as it matters to whether threads go round without effect.

A tree's steps become a graph of deeds that is asked what the explicit engines ask of states. Where
values are not known, a step may have done nothing, and may have put back what was there: only what
is certain is an effect. So where no loop is found there is none; one that is found need not be one.
Whoever has a tree, and a way to tell what follows from its labels, can ask.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from itertools import product
from typing import NamedTuple

from pysmt.fnode import FNode

from imc.program.effects import Change, Deed, Deeds, blurred, blurred_place, unclear_cells
from imc.program.machine import Outcome
from imc.program.memory import MemoryObject
from imc.program.state import State
from imc.program.state_graph import StateGraph
from imc.terms.arrays import Elements
from imc.terms.places import Places, SkeletonKeys
from imc.terms.steps import Move

UNKNOWN = object()  # what is in a cell that is a symbol
WHOLE = -2  # in place of an offset: all of an object

Entails = Callable[[Iterable[FNode], FNode], bool]  # not, where nobody knows


class TreeStep(NamedTuple):
    """A step between two nodes, by their numbers; a covered node has that of its cover."""

    source: int
    before: State
    label: Iterable[FNode]  # what holds before
    move: Move
    target: int


class Cover(NamedTuple):
    """A node and the one that stands for it, with dynamic objects in the order of their key."""

    state: State
    names: list[int]
    by_state: State
    by_names: list[int]


class TreeDeeds(Deeds):
    """Deeds of steps on terms: what is in a cell may not be known."""

    def __init__(self, places: Places, keys: SkeletonKeys) -> None:
        super().__init__(keys)
        self.places = places
        self._known: dict[Move, Deed] = {}

    def of(self, before: State, move: Move) -> Deed:
        """What a step does."""
        was, now = before.memory, move.state.memory
        written = {n for n, contents in now.items() if was.get(n) is not contents}
        return self.deed(before, Outcome(move.event, move.state, None, written))

    def kept(self, step: TreeStep) -> Deed:
        """The same, of a step that will be asked for again."""
        found = self._known.get(step.move)
        if found is None:
            found = self._known[step.move] = self.of(step.before, step.move)
        return found

    def renamed(self, cover: Cover) -> set[Hashable]:
        """Names of objects that a cover gives the names of others: they may take turns."""
        state, names, by_state, by_names = cover
        if names == by_names and state.memory.keys() == by_state.memory.keys():
            return set()
        found: set[Hashable] = set()
        for number, other in zip(names, by_names, strict=True):
            one, two = self.name(number, state), self.name(other, by_state)
            if one != two:
                found |= {one, two}
        return found

    def _differences(
        self, number: int, was: MemoryObject, now: MemoryObject, before: State, outcome: Outcome
    ) -> list[Change]:
        if isinstance(was, Elements) or isinstance(now, Elements):
            return [Change((self.name(number, before), WHOLE), UNKNOWN, UNKNOWN)]
        return super()._differences(number, was, now, before, outcome)

    def _bytes(self, contents: MemoryObject, at: int, state: State) -> list[Hashable]:
        size, value = contents.cells[at]
        if isinstance(value, FNode) or (value.__class__ is tuple and isinstance(value[1], FNode)):
            return [UNKNOWN] * size
        return super()._bytes(contents, at, state)


class TreeGraph(StateGraph):
    """The graph of some steps of a tree, numbered in their order."""

    def __init__(
        self,
        deeds: TreeDeeds,
        steps: Sequence[TreeStep],
        covers: Iterable[Cover],
        entails: Entails,
    ) -> None:
        super().__init__()
        self._deeds = deeds
        moved: set[int] = set()  # objects whose numbers change at covers
        self._renamed: set[Hashable] = set()
        for cover in covers:
            for number, other in zip(cover.names, cover.by_names, strict=True):
                if number != other:
                    moved |= {number, other}
            self._renamed |= deeds.renamed(cover)
        found = [deeds.kept(step) for step in steps]
        self._renamed |= deeds.unsteady
        self._unclear = self._not_known(steps, found)
        self.vague = self._not_shown(steps, found)
        self.hopeless = _Counters(deeds.places, steps, moved, entails).rising
        self.states = 1 + max((max(step.source, step.target) for step in steps), default=-1)
        for step, deed in zip(steps, found, strict=True):
            self.add(step.source, self.certain(deed), step.target)

    def certain(self, deed: Deed) -> Deed:
        """A deed without what it does to cells that hold something unknown at times."""
        return blurred(deed, self._renamed, self._unclear)

    def _not_known(self, steps: Iterable[TreeStep], deeds: Sequence[Deed]) -> set[Hashable]:
        """Cells, and whole objects, that hold something unknown at some time."""
        found = unclear_cells(deeds, self._renamed)
        for step, deed in zip(steps, deeds, strict=True):
            for change in deed.changes:
                if change.cell[1] == WHOLE:
                    found.add(change.cell[0])
                elif UNKNOWN in (change.old, change.new):
                    found.add(change.cell)
            for symbol in step.move.transition.updates:
                place = self._deeds.places.of[symbol]
                match place.key:
                    case ("m", int(number), int(offset), *_):
                        places = range(offset, offset + max(place.width // 8, 1))
                        for state in (step.before, step.move.state):
                            name = self._deeds.name(number, state)
                            found |= {(name, at) for at in places}
        return found

    def _not_shown(self, steps: Iterable[TreeStep], deeds: Iterable[Deed]) -> set[int]:
        """Threads that change values which their places do not show."""
        found: set[int] = set()
        for step, deed in zip(steps, deeds, strict=True):
            renamed = any(blurred_place(p, self._renamed) != p for p in (deed.before, deed.after))
            changed = [self._deeds.places.of[s].object for s in step.move.transition.updates]
            if renamed or any(o is None or self._deeds.is_private(o) for o in changed):
                found.add(deed.thread)
        return found


class _Counters:
    """Values that are moved in one direction only, and so never are again what they were."""

    def __init__(
        self, places: Places, steps: Sequence[TreeStep], moved: Collection[int], entails: Entails
    ) -> None:
        self.places = places
        self.terms = places.terms
        self.steps = steps
        self.moved = moved
        self.entails = entails

    def rising(self, numbers: list[int]) -> set[int]:
        """Steps that move a value in the one direction in which their thread always moves it.

        So the thread is never back where it was. A symbol whose object changes its number at a
        cover does not stand for one value.
        """
        by_place: dict[tuple[int, FNode], list[int]] = {}
        for number in numbers:
            event = self.steps[number].move.event
            for symbol in self.steps[number].move.transition.updates:
                place = self.places.of[symbol]
                if place.key[0] != "a" and place.object not in self.moved:
                    by_place.setdefault((event.thread, symbol), []).append(number)
        found: set[int] = set()
        for (_, symbol), some in by_place.items():
            for sign, unsigned in product((1, -1), (False, True)):
                if all(self._moves(n, symbol, sign, 0, unsigned) for n in some):
                    found |= {n for n in some if self._moves(n, symbol, sign, 1, unsigned)}
                    break  # another direction could tell no more
        return found

    def _moves(self, number: int, symbol: FNode, sign: int, least: int, unsigned: bool) -> bool:
        """Whether a step makes a value larger (or smaller) by at least so much."""
        t = self.terms
        step = self.steps[number]
        transition = step.move.transition
        old, new = symbol, transition.updates[symbol]
        if unsigned:
            old, new = self._unsigned(old, symbol), self._unsigned(new, symbol)
        low, high = (old, new) if sign > 0 else (new, old)
        claim = t.at_most(t.add(low, t.integer(least)), high)
        fits = self.places.domain.in_range(symbol)
        return self.entails([fits, *step.label, *transition.guard], claim)

    def _unsigned(self, term: FNode, symbol: FNode) -> FNode:
        """A value of a place without its sign: numbers are kept with one, whatever their type."""
        t = self.terms
        wrapped = t.add(term, t.integer(1 << self.places.of[symbol].width))
        return t.ite(t.at_most(t.zero, term), term, wrapped)
