"""Whether an execution can go round for ever without effect: what a search keeps to decide that.

States are numbers here, and steps what they do. The states of a livelock are run again when one is
found, and the walk is held against its definition once more.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from imc.program.analysis.loops import has_visible_loop
from imc.program.effects import Deeds
from imc.program.ends import ASSUMPTION
from imc.program.events import Event
from imc.program.faults import Fault, Property
from imc.program.interpreter import Interpreter, Moves
from imc.program.keys import StateKeys
from imc.program.lasso import is_meant, reproduced
from imc.program.livelock import LivelockUndecided, find_loop
from imc.program.machine import Outcome
from imc.program.state_graph import StateGraph

UNDECIDED = "whether threads can go round for ever without effect is not decided"
NOWHERE = -1


class Hanging:
    """Follows a depth-first search through all states."""

    def __init__(self, interpreter: Interpreter, keys: StateKeys) -> None:
        self.interpreter = interpreter
        self.keys = keys
        self.deeds = Deeds(keys)
        self.graph = StateGraph()
        self._names: list[tuple[Hashable, ...]] = []  # of the dynamic objects of each state
        self._known: dict[tuple[Hashable, ...], tuple[Hashable, ...]] = {}
        self._path: list[int] = []  # numbers of the states that the search has come through
        self._starts: dict[int, Event] = {}
        checked = Property.LIVELOCK in interpreter.settings.properties
        self.asks = checked and has_visible_loop(interpreter.image.sharing)

    # ------------------------------------------------------------------ the search

    def come(self, path: Sequence[Outcome], number: int, order: Sequence[int]) -> None:
        """The last step of a path has led to a state; new ones have the next number.

        `order`: its dynamic objects, as its key has them.
        """
        graph, outcome = self.graph, path[-1]
        if self.asks:
            names = self.deeds.names(outcome.state, order)
            if number == graph.states:
                graph.states += 1
                self._names.append(self._known.setdefault(names, names))
                if not is_meant(outcome.state):
                    graph.void.add(number)
            else:
                self.deeds.merge(names, self._names[number])
            if self._path:
                deed = self.deeds.deed(path[-2].state, outcome)
                graph.add(self._path[-1], deed, number, outcome.event.choices)
            else:
                graph.starts.append(number)
                self._starts[number] = outcome.event
        self._path.append(number)

    def fail(self) -> None:
        """The last step went wrong."""
        self._path.append(NOWHERE)

    def leave(self) -> None:
        self._path.pop()

    def note(self, moves: Moves) -> None:
        """What is possible in the state where the search is."""
        assuming = {t for t, why in moves.blocked.items() if why.what == ASSUMPTION}
        if assuming:
            self.graph.assuming[self._path[-1]] = assuming

    # ------------------------------------------------------------------ the answer

    def hangs(self, states: set[int]) -> bool:
        """Whether there is a livelock among some states; also if that is not decided."""
        graph = self.graph
        if not self.asks or not any(
            graph.targets[s] in states for n in states for s in graph.steps(n)
        ):
            return False  # most parts are single states, which nobody goes round in
        try:
            return find_loop(self._steady_graph(), states) is not None
        except LivelockUndecided:
            return True

    def livelock(self) -> tuple[Fault, list[Event]] | None:
        """A livelock, and the events that lead to it and round it.

        Raises `LivelockUndecided` where that is not known.
        """
        graph = self._steady_graph()
        loop = find_loop(graph) if self.asks else None
        if loop is None:
            return None
        first = graph.sources[(graph.way_to(graph.sources[loop[0]]) + loop)[0]]
        choices = self._starts[first].choices
        start = next(o for o in self.interpreter.initial() if o.event.choices == choices)
        return reproduced(self.interpreter, self.keys, graph, start, loop)

    def _steady_graph(self) -> StateGraph:
        unsteady = self.deeds.unsteady
        return self.graph.blurred(unsteady) if unsteady else self.graph
