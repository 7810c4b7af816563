"""Trace prefixes: an order up to where everything is known to be safe, and none behind it.

The thesis's algorithm 4 (section 5.1): the first complete strategy of a depth-first search is a
schedule, and as the search turns back, it is cut where all that follows has been explored. Ours
branches on what the environment chooses, so it is a symbolic trace without its conditions; and it
may not leave out operations or gates, since what is free later needs its locks, and must wait for
the whole prefix.
"""

from __future__ import annotations

import time
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from imc.explorer.algorithms import Progress
from imc.explorer.graph import Edge, Graph, Vertex
from imc.explorer.recorded import RecordedSearch
from imc.explorer.result import Exploration, Limits
from imc.program.assumptions import Assumption, assumed, by_weight
from imc.program.interpreter import Interpreter
from imc.program.settings import Wakeups
from imc.program.words.sites import site_text
from imc.schedule import listed
from imc.schedule.beliefs import Ambiguous
from imc.schedule.compiler import Compiled, Compiler
from imc.schedule.files import identity_of
from imc.schedule.optimise import Pass, passes
from imc.terms.integers import IntegerDomain
from imc.terms.places import Places
from imc.terms.terms import Terms
from imc.version import VERSION
from irs.schedule import Made

STRATEGY = "trace prefix"
PATIENCE = 5  # how many times as long as compiling took to wait for more


@dataclass(frozen=True, slots=True)
class PrefixNode:
    """A state of the strategy, or a way that leads to one and is covered by it."""

    node: Vertex | Edge
    permits: dict[int, tuple[int, ...]]
    cover: int | None = None


@dataclass(frozen=True, slots=True)
class Prefix:
    """The strategy of an explored graph as a tree."""

    roots: tuple[int, ...]
    nodes: dict[int, PrefixNode]
    free: set[int]
    depths: dict[int, int]  # steps from the start, at least

    def cut(self, depth: int) -> Prefix:
        """Nothing is ordered any more after so many steps."""
        free = {
            number
            for number, found in self.depths.items()
            if found >= depth and not self.nodes[number].node.state.ended
        }
        return replace(self, free=free)


def prefix(graph: Graph) -> Prefix:
    """The strategy as it is now, up to where all is settled; there must be one."""
    nodes: dict[int, PrefixNode] = {}
    vertices = list(graph.strategy())
    ways = max(vertex.number for vertex in vertices) + 1

    def way(edge: Edge) -> int:
        assert edge.target is not None
        number = ways + len(nodes)
        nodes[number] = PrefixNode(edge, {}, edge.target.number)
        return number

    roots = tuple(way(edge) for edge in graph.starts)
    for vertex in vertices:
        chosen = vertex.choice
        permits = {} if chosen is None else {chosen: tuple(map(way, vertex.steps[chosen]))}
        nodes[vertex.number] = PrefixNode(vertex, permits)
    free = {v.number for v in vertices if v.settled and not v.state.ended}
    return Prefix(roots, nodes, free, _depths(graph))


def _depths(graph: Graph) -> dict[int, int]:
    level = [e.target for e in graph.starts if e.target is not None]
    depths: dict[int, int] = {}
    depth = 0
    while level:
        new = dict.fromkeys(v for v in level if v.number not in depths)
        depths |= {vertex.number: depth for vertex in new}
        edges = [e for v in new if v.choice is not None for e in v.steps[v.choice]]
        level = [e.target for e in edges if e.target is not None]
        depth += 1
    return depths


def prefix_passes(optimisation: str) -> str:
    """The passes of a level that a prefix can have, by name."""
    chosen = passes(optimisation) & {Pass.PARTIAL, Pass.OVERLAP}
    return ",".join(one for one in Pass if one in chosen) or "opt0"


def trace_prefixes(
    interpreter: Interpreter,
    optimisation: str = "opt3",
    limits: Limits | None = None,
    progress: Progress | None = None,
    assumptions: Iterable[Assumption] | None = None,
    interval_s: float = 0.0,
) -> TracePrefixes:
    """Schedules that order less and less, while a terminating program is explored.

    With an interval, those that come sooner after another are left out, but for the last one.
    """
    search = RecordedSearch(interpreter, limits, progress)
    return TracePrefixes(search, optimisation, assumptions, interval_s)


class TracePrefixes:
    """The schedules of one exploration: each has fewer constraints than the one before.

    They come while the program is explored; when there are no more, `result` is complete.
    """

    def __init__(
        self,
        search: RecordedSearch,
        optimisation: str = "opt3",
        assumptions: Iterable[Assumption] | None = None,
        interval_s: float = 0.0,
    ) -> None:
        self.search = search
        self.optimisation = prefix_passes(optimisation)
        interpreter = search.interpreter
        given = interpreter.program.assumptions if assumptions is None else assumptions
        # What irs runs wakes only by signals, whatever was explored besides.
        enforced = replace(interpreter.settings, wakeups=Wakeups.SIGNALLED)
        self.assumptions = assumed(given, enforced)
        self.interval_s = interval_s
        self.found = 0
        self._steps = search.steps()
        self.problem: Ambiguous | None = None  # why the last one could not be had
        image = search.interpreter.image
        # All numbers of concrete states are known, so no symbol is ever made.
        places = Places(image, IntegerDomain(Terms()))
        self._compiler = Compiler(places, lambda f, pc: site_text(image.sharing, f, pc))
        self._size: tuple[int, int] | None = None
        self._due = 0.0

    @property
    def result(self) -> Exploration:
        return self.search.result

    def __iter__(self) -> Iterator[Compiled]:
        for _ in self._steps:
            if time.monotonic() < self._due:
                continue
            try:
                found = self._next()
            except KeyboardInterrupt as stop:
                with suppress(StopIteration):  # as if it had come while searching
                    self._steps.throw(stop)
                return
            if found is not None:
                yield found
        if self.search.graph.news:
            found = self._next()
            if found is not None:
                yield found

    def _next(self) -> Compiled | None:
        """The schedule as it is now, if it is less than the last one."""
        start = time.monotonic()
        try:
            found = self._compiled(prefix(self.search.graph))
            self.problem = None
        except Ambiguous as problem:
            self.problem = problem
            found = None
        spent = time.monotonic() - start
        if self.interval_s:
            self._due = start + max(self.interval_s, PATIENCE * spent)
        if found is None:
            return None
        size = (found.statistics.waits, found.statistics.events)
        if self._size is not None and size >= self._size:
            return None
        self._size = size
        self.found += 1
        return found

    def cut(self, constraints: int) -> Compiled:
        """The first trace, cut behind so many constraints; ValueError if there is no trace.

        For measuring programs that are safe in every order: it explores no more than the trace.
        """
        while not self.search.graph.won:
            if next(self._steps, self) is self:
                raise ValueError("no order of the program comes safely to an end")
        whole = prefix(self.search.graph)
        depths = range(max(whole.depths.values()) + 1)

        def waits(depth: int) -> int:
            return self._compiled(whole.cut(depth)).statistics.waits

        longest = bisect_right(depths, constraints, key=waits) - 1
        depth = bisect_left(depths, waits(longest), key=waits)
        shortened = whole.cut(depth)
        known = shortened.free <= whole.free
        return self._compiled(shortened, () if known else (Assumption("unexplored"),))

    def _compiled(self, tree: Prefix, more: tuple[Assumption, ...] = ()) -> Compiled:
        interpreter = self.search.interpreter
        program = interpreter.program
        if interpreter.image.domain.numeric:
            more = (*more, Assumption("address-layout"))
        properties = tuple(sorted(map(str, interpreter.settings.properties)))
        made = Made(f"imc {VERSION}", self.found + 1, self.optimisation, STRATEGY, properties)
        schedule = self._compiler.compile(
            tree,
            identity_of(program),
            made,
            listed(by_weight((*self.assumptions, *more))),
            sorted(interpreter.image.bounds),
        )
        return Compiled(schedule, self._compiler.statistics)
