"""The explored part of a program's state graph, and where in it nothing needs to be ordered.

A state is *settled* when all that can follow it has been explored and is safe. It is *won* when it
is settled, or when a thread's step leads to states that are won, whatever the environment chooses.
Both are kept up to date while a depth-first search goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from imc.program.events import Event
from imc.program.keys import Key, StateKeys
from imc.program.machine import Outcome
from imc.program.state import State


class Vertex:
    """A state that was visited."""

    __slots__ = (
        "choice", "comings", "decided", "event", "faulty", "left", "low", "names", "number",
        "settled", "state", "steps", "won",
    )  # fmt: skip

    def __init__(self, number: int, state: State, event: Event, names: tuple[int, ...]) -> None:
        self.number = number
        self.state = state
        self.event = event  # that first led here
        self.names = names  # of dynamic objects, in the order of the state's key
        self.steps: dict[int, list[Edge]] = {}  # by thread; once it is settled, of its choice only
        self.left: dict[int, int] = {}  # how many outcomes of a thread's step are not won
        self.comings: list[Edge] = []  # edges that wait for this state to be won
        self.choice: int | None = None  # the thread whose step leads on to where nothing matters
        self.faulty = False
        self.decided = False  # all that can follow has been explored
        self.settled = False
        self.won = False
        self.low = number  # the first vertex of its cycles, as far as known (Tarjan)


class Edge:
    """One outcome of a thread's step; without a target it is not followed yet, or goes wrong."""

    __slots__ = ("event", "names", "source", "target")

    def __init__(self, source: Vertex | None, event: Event) -> None:
        self.source = source  # None: the program starts
        self.event = event
        self.target: Vertex | None = None
        self.names: tuple[int, ...] = ()  # as the target's, on this way

    @property
    def state(self) -> State:
        assert self.target is not None
        return self.target.state


class _Visit:
    """A vertex on the search's path; only the first visit decides it."""

    __slots__ = ("edge", "first", "vertex")

    def __init__(self, edge: Edge) -> None:
        self.edge = edge
        self.vertex: Vertex | None = None
        self.first = False


class Graph:
    """Follows a search: `follow` an outcome, `arrive` at its state, `expand` it, `leave` it."""

    def __init__(
        self, keys: StateKeys, hangs: Callable[[set[int]], bool] = lambda _: False
    ) -> None:
        """`hangs`: whether one can go round for ever without effect among some states."""
        self.hangs = hangs
        self.keys = keys
        self.starts: list[Edge] = []
        self.news = False  # the strategy is there, or could be cut since it was looked at
        self._vertices: dict[Key, Vertex] = {}
        self._unfollowed: dict[Outcome, Edge] = {}
        self._path: list[_Visit] = []
        self._undecided: list[Vertex] = []
        self._watched: set[Vertex] = set()  # of the strategy, as it was last looked at
        self._was_won = False

    @property
    def won(self) -> bool:
        """Whether there is a strategy that is safe whatever the environment chooses."""
        return bool(self.starts) and all(e.target is not None and e.target.won for e in self.starts)

    @property
    def settled(self) -> bool:
        """Whether all has been explored, and all is safe."""
        return self.won and all(e.target is not None and e.target.settled for e in self.starts)

    def strategy(self) -> Iterator[Vertex]:
        """The vertices that the strategy leads through, even behind where all is settled."""
        self.news = False
        seen = dict.fromkeys(e.target for e in self.starts if e.target is not None)
        work = list(seen)
        self._watched = set()
        while work:
            vertex = work.pop()
            if not vertex.settled:
                self._watched.add(vertex)
            if vertex.choice is not None:
                targets = [e.target for e in vertex.steps[vertex.choice] if e.target is not None]
                new = dict.fromkeys(t for t in targets if t not in seen)
                seen |= new
                work += new
        return iter(seen)

    # ----------------------------------------------------------------- the search

    def start(self, outcomes: Iterable[Outcome]) -> None:
        for outcome in outcomes:
            edge = self._unfollowed[outcome] = Edge(None, outcome.event)
            self.starts.append(edge)

    def follow(self, outcome: Outcome) -> None:
        self._path.append(_Visit(self._unfollowed.pop(outcome)))

    def arrive(self, key: Key, state: State) -> None:
        """The outcome that is followed has led to a state."""
        visit = self._path[-1]
        edge = visit.edge
        edge.names = self._names(state)
        vertex = self._vertices.get(key)
        if vertex is None:
            number = len(self._vertices)
            vertex = self._vertices[key] = Vertex(number, state, edge.event, edge.names)
            self._undecided.append(vertex)
            visit.first = True
        elif edge.source is not None and not vertex.decided:
            edge.source.low = min(edge.source.low, vertex.low)
        edge.target = visit.vertex = vertex
        if vertex.won:
            self._gain([edge])
        else:
            vertex.comings.append(edge)

    def _names(self, state: State) -> tuple[int, ...]:
        dynamic = self.keys.image.objects.dynamic
        if not any(dynamic[number] for number in state.memory):
            return ()
        return tuple(self.keys.named_key(state)[1])

    @property
    def here(self) -> Vertex | None:
        """Where the search is; None where a step went wrong."""
        return self._path[-1].vertex if self._path else None

    def expand(self, outcomes: Iterable[Outcome]) -> None:
        vertex = self.here
        assert vertex is not None
        for outcome in outcomes:
            thread = outcome.event.thread
            edge = self._unfollowed[outcome] = Edge(vertex, outcome.event)
            vertex.steps.setdefault(thread, []).append(edge)
            vertex.left[thread] = vertex.left.get(thread, 0) + 1

    def reject(self) -> None:
        """The state where the search is must never be come to."""
        if self.here is not None:
            self.here.faulty = True

    def end(self) -> None:
        """Executions end where the search is."""
        assert self.here is not None
        if not self.here.faulty:
            self._win(self.here)

    def leave(self) -> None:
        visit = self._path.pop()
        vertex = visit.vertex
        if vertex is None:
            return
        if visit.first and vertex.low == vertex.number:
            self._decide(vertex)
        if self.here is not None and not vertex.decided:
            self.here.low = min(self.here.low, vertex.low)

    # ------------------------------------------------------------------ what is known

    def _decide(self, first: Vertex) -> None:
        """A component is settled as a whole: when nothing in it or behind it goes wrong."""
        component: set[Vertex] = set()
        while first not in component:
            component.add(self._undecided.pop())
        settled = all(
            not vertex.faulty
            and all(
                edge.target is not None and (edge.target.settled or edge.target in component)
                for edges in vertex.steps.values()
                for edge in edges
            )
            for vertex in component
        ) and not self.hangs({vertex.number for vertex in component})
        for vertex in component:
            vertex.decided = True
            vertex.settled = settled
            if settled:
                if not vertex.won:
                    self._win(vertex)
                chosen = vertex.choice
                vertex.steps = {} if chosen is None else {chosen: vertex.steps[chosen]}
                self.news |= vertex in self._watched

    def _win(self, vertex: Vertex) -> None:
        vertex.won = True
        comings, vertex.comings = vertex.comings, []
        self._gain(comings)

    def _gain(self, edges: list[Edge]) -> None:
        """The targets of edges are won: are their sources as well?"""
        work = list(edges)
        while work:
            edge = work.pop()
            vertex, thread = edge.source, edge.event.thread
            if vertex is None:
                continue
            vertex.left[thread] -= 1
            if vertex.left[thread] == 0 and not vertex.won and not vertex.faulty:
                vertex.won, vertex.choice = True, thread
                work += vertex.comings
                vertex.comings = []
        if self.won and not self._was_won:
            self.news = self._was_won = True
