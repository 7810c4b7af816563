"""Whether a tree goes on for everybody: where it ends, nobody waits or computes for ever; there is
no circle of waiting threads, and no cycle on which a thread that could move never does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import networkx as nx
from pysmt.fnode import FNode

from imc.checker.refusal import Rejected
from imc.program.ends import endless
from imc.program.faults import Property
from imc.program.state import State, Status
from imc.terms.ranking import LoopEdge, Ranking

if TYPE_CHECKING:
    from imc.checker.checker import Checker, Point


class Progress:
    """Checks a tree whose steps and covers are proved."""

    def __init__(self, checker: Checker) -> None:
        self.checker = checker
        self.points = checker.points
        self.names = checker.image.threads.names
        self.deadlocks = Property.DEADLOCK in checker.settings.properties
        self.livelocks = Property.LIVELOCK in checker.settings.properties

    def check(self) -> None:
        """Raises `Rejected` where somebody may wait for ever."""
        for point in self.points.values():
            self.checker.deadline.look()
            if point.cover is None:
                self._check_end(point)
                self._check_circles(point)
        self._check_fairness()

    def _check_end(self, point: Point) -> None:
        """Where nothing is permitted, nobody can move, and that is as it should be."""
        if point.permits or point.state.ended:
            return
        checker, terms = self.checker, self.checker.terms
        waits: list[FNode] = []  # when a thread waits for an assumption to hold
        for thread in _running(point.state):
            if self._may_move(point, thread):
                name = self.names[thread]
                raise Rejected(f"node {point.number}: nothing is permitted, but {name} can move")
            for conditions, why in checker.blocked(point, thread):
                if why.what == "assumption":
                    waits.append(terms.conjunction(conditions))
        wrong = self._standstill(point)
        nobody = terms.negate(terms.disjunction(waits))
        if wrong and checker.possible(point, (nobody,)):
            raise Rejected(f"node {point.number}: no thread can move, {wrong}")

    def _standstill(self, point: Point) -> str:
        """What is wrong if nobody can move; nothing, if something else has stopped a thread."""
        stuck = any(t.status is Status.STUCK for t in point.state.threads.values())
        if not stuck:
            return "a deadlock" if self.deadlocks else ""
        fault = endless(self.checker.image, point.state, {}) if self.livelocks else None
        return "" if fault is None else f"a livelock: {'; '.join(fault.details)}"

    def _may_move(self, point: Point, thread: int) -> bool:
        if point.state.exit_code is not None or thread not in _running(point.state):
            return False
        moves = self.checker.expand(point, thread).moves
        return any(self.checker.possible(point, move.transition.guard) for move in moves)

    def _check_circles(self, point: Point) -> None:
        """No threads wait for each other, in any state of the node."""
        if not self.deadlocks or point.state.exit_code is not None:
            return
        graph = nx.DiGraph()
        for thread in _running(point.state):
            if thread in point.permits:
                continue
            for conditions, why in self.checker.blocked(point, thread):
                if why.holder is not None and self.checker.possible(point, conditions):
                    graph.add_edge(thread, why.holder)
        if not nx.is_directed_acyclic_graph(graph):
            raise Rejected(f"node {point.number}: threads may wait for each other")

    def _check_fairness(self) -> None:
        """Without the steps of a thread, no cycle passes a node where it may move."""
        threads = {t for point in self.points.values() for t in point.state.threads}
        for thread in sorted(threads):
            for component in nx.strongly_connected_components(self._without(thread)):
                self.checker.deadline.look()
                one = next(iter(component))
                if len(component) == 1 and self.points[one].cover != one:
                    continue
                for number in sorted(component):
                    if self._may_move(self.points[number], thread):
                        if self._ends(component, thread):
                            break
                        raise Rejected(f"{self.names[thread]} may starve at node {number}")

    def _ends(self, component: set[int], without: int) -> bool:
        """Whether one cannot go round for ever there, so that nobody waits for ever."""
        edges: list[LoopEdge] = []
        for number in component:
            point = self.points[number]
            if point.cover in component and point.cover is not None:
                renames = point.names != self.points[point.cover].names
                edges.append(LoopEdge(number, point.cover, point.label, None, renames))
            for thread, permitted in point.permits.items():
                for _, child in permitted if thread != without else ():
                    if child in component:
                        step = self.points[child].move.transition
                        facts = (*point.label, *self.checker.with_ranges(step.guard))
                        edges.append(LoopEdge(number, child, facts, step.updates))
        return not Ranking(
            self.checker.terms, self.checker.follows, self.checker.domain.inputs
        ).unranked(edges)

    def _without(self, thread: int) -> nx.DiGraph:
        """The tree with its covers, but without the steps of a thread."""
        graph = nx.DiGraph()
        for point in self.points.values():
            self.checker.deadline.look()
            if point.cover is not None:
                graph.add_edge(point.number, point.cover)
            for other, edges in point.permits.items():
                if other != thread:
                    graph.add_edges_from((point.number, child) for _, child in edges)
        return graph


def _running(state: State) -> list[int]:
    return sorted(t.id for t in state.threads.values() if t.status is Status.RUNNING)
