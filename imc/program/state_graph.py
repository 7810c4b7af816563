"""States and steps as numbers: what is kept of an exploration to look for livelocks in it."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterator

from imc.program.effects import Deed, blurred, unclear_cells
from imc.program.parts import shortest


class StateGraph:
    """States by number, steps by number, and what the steps do."""

    def __init__(self) -> None:
        self.deeds: list[Deed] = []
        self.starts: list[int] = []
        self.states = 0
        self.hopeless: Callable[[list[int]], set[int]] | None = None  # steps that cannot come again
        self.vague: set[int] = set()  # threads whose places do not tell all of what they know
        self.void: set[int] = set()  # states that no execution is meant to come to
        self.assuming: dict[int, set[int]] = {}  # threads that wait for an assumption to hold
        self.choices: dict[int, tuple[int, ...]] = {}  # of the environment, in steps that have any
        self.sources, self.labels, self.targets = array("l"), array("l"), array("l")
        self._numbers: dict[Deed, int] = {}
        self._out: list[list[int]] = []  # steps by state, as far as they have been asked for
        self._sorted = 0

    def add(self, source: int, deed: Deed, target: int, choices: tuple[int, ...] = ()) -> None:
        label = self._numbers.get(deed)
        if label is None:
            label = self._numbers[deed] = len(self.deeds)
            self.deeds.append(deed)
            if deed.hides:
                self.vague.add(deed.thread)
        if choices:
            self.choices[len(self.sources)] = choices
        self.sources.append(source)
        self.labels.append(label)
        self.targets.append(target)

    def steps(self, state: int) -> list[int]:
        """The numbers of the steps from a state."""
        if self._sorted < len(self.sources):
            self._out += ([] for _ in range(len(self._out), self.states))
            for number in range(self._sorted, len(self.sources)):
                self._out[self.sources[number]].append(number)
            self._sorted = len(self.sources)
        return self._out[state] if state < len(self._out) else []

    def thread(self, step: int) -> int:
        return self.deeds[self.labels[step]].thread

    def able(self, state: int) -> int:
        """The threads that can move, as bits."""
        threads = 0
        for step in self.steps(state):
            threads |= 1 << self.thread(step)
        return threads

    def blurred(self, unsteady: set[Hashable]) -> StateGraph:
        """The same graph, where nobody knows what is done to objects with unsteady names.

        A livelock that is found in it need not be one.
        """
        graph = StateGraph()
        graph.states, graph.starts, graph.void = self.states, self.starts, self.void
        graph.assuming, graph.hopeless = self.assuming, self.hopeless
        unclear = unclear_cells(self.deeds, unsteady)
        deeds = [blurred(deed, unsteady, unclear) for deed in self.deeds]
        graph.vague = self.vague | {
            new.thread
            for old, new in zip(self.deeds, deeds, strict=True)
            if (old.before, old.after) != (new.before, new.after)
        }
        for step, source in enumerate(self.sources):
            deed, choices = deeds[self.labels[step]], self.choices.get(step, ())
            graph.add(source, deed, self.targets[step], choices)
        return graph

    def way_to(self, state: int) -> list[int]:
        """The fewest steps that lead there."""
        return shortest(self.starts, {state}, self._onward)

    def _onward(self, state: int) -> Iterator[tuple[int, int]]:
        for step in self.steps(state):
            yield step, self.targets[step]
