"""Whether a tree lets threads go round for ever without effect: it must not.

Every infinite execution under a schedule ends up in a part of the tree that one can go round in.
There no walk may be one in which nobody may have an effect, by the definition of a livelock that
everybody uses. The schedule decides who moves, so all walks count, whoever could move besides: that
nobody who can move is left out is proved before, and nothing here is excused by it. What is not
known for certain is no effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from pysmt.fnode import FNode

from imc.checker.deadline import Deadline
from imc.checker.refusal import Rejected, Undecided
from imc.program.events import Event
from imc.program.livelock import LivelockUndecided, find_loop
from imc.program.parts import components
from imc.terms.deeds import Cover, Entails, TreeDeeds, TreeGraph, TreeStep

if TYPE_CHECKING:
    from imc.checker.checker import Checker, Point


class EndlessRounds:
    """Checks a tree whose steps and covers are proved."""

    def __init__(self, checker: Checker) -> None:
        self.checker = checker
        self.points = checker.points
        self.deeds = TreeDeeds(checker.places, checker.keys)
        self._open: Undecided | None = None  # a question that would have had to be answered

    def check(self) -> None:
        """Raises `Rejected` where threads may go round without effect."""
        homes = {n for n, point in self.points.items() if point.cover is None}
        for part in components(homes, self._onward):
            self.checker.deadline.look()
            self._check_part(sorted(part))

    def _check_part(self, part: list[int]) -> None:
        numbers = {node: n for n, node in enumerate(part)}  # those of a file may be any
        steps: list[TreeStep] = []
        covers: list[Cover] = []
        for node, n in numbers.items():
            point = self.points[node]
            for child in self._children(point):
                home = self._home(child)
                target = numbers.get(home.number)
                if target is None:
                    continue
                steps.append(TreeStep(n, point.state, point.label, child.move, target))
                if home is not child:
                    covers.append(Cover(child.state, child.names, home.state, home.names))
        if not steps:
            return
        graph = _Walks(self.deeds, steps, covers, self._entails, self.checker.deadline)
        self._open = None
        try:
            loop = find_loop(graph)
        except LivelockUndecided:
            raise Undecided("whether threads can go round for ever takes too long") from None
        if loop is None:
            return
        if self._open is not None:
            raise self._open
        where = self._told(steps[n].move.event for n in loop)
        at = part[steps[loop[0]].source]
        raise Rejected(f"node {at}: threads may go round for ever without effect: {where}")

    def _told(self, events: Iterable[Event]) -> str:
        """Who goes round, and over which lines."""
        lines: dict[int, set[int]] = {}
        for event in events:
            found = lines.setdefault(event.thread, set())
            if event.loc is not None:
                found.add(event.loc.line)
        names = self.checker.image.threads.names
        return ", ".join(
            names[thread] + (f" (line{'s' * (len(some) > 1)} {_listed(some)})" if some else "")
            for thread, some in sorted(lines.items())
        )

    # ------------------------------------------------------------------ the graph

    def _onward(self, number: int) -> Iterator[tuple[int, int]]:
        for child in self._children(self.points[number]):
            yield child.move.event.thread, self._home(child).number

    def _children(self, point: Point) -> Iterator[Point]:
        for edges in point.permits.values():
            for _, child in edges:
                yield self.points[child]

    def _home(self, point: Point) -> Point:
        """The node that stands for another one's future."""
        return point if point.cover is None else self.points[point.cover]

    def _entails(self, facts: Iterable[FNode], claim: FNode) -> bool:
        try:
            return self.checker.follows(facts, claim)
        except Undecided as problem:
            self._open = problem
            return False


class _Walks(TreeGraph):
    """A part of the tree in which no walk is unfair: the schedule decides who can move."""

    def __init__(
        self,
        deeds: TreeDeeds,
        steps: list[TreeStep],
        covers: Iterable[Cover],
        entails: Entails,
        deadline: Deadline,
    ) -> None:
        super().__init__(deeds, steps, covers, entails)
        self._deadline = deadline

    def able(self, state: int) -> int:
        """Nobody who would have to move: asked of every state, so the deadline is looked at."""
        self._deadline.look()
        return 0


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(numbers)))
