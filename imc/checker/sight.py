"""What can be seen of a tree from outside: where threads stand when nobody only computes.

Steps that only compute happen when they like. So an execution is seen to be at one of several
nodes, and a thread's next event may be known before the tree has come to it.
"""

from __future__ import annotations

from collections.abc import Iterable

from imc.checker.checker import Checker, Point
from imc.checker.outlook import STOPPED, Outlook
from imc.checker.refusal import Rejected, shown
from imc.program.code import reads_input
from imc.program.events import Event
from imc.program.state import Status
from irs.schedule import Case, Guard

Nodes = frozenset[int]
COMPUTES = "computes"


class Sight:
    """Looks at the nodes of a proved tree."""

    def __init__(self, checker: Checker) -> None:
        self.image = checker.image
        self.places = checker.places
        self.points = checker.points
        self.deadline = checker.deadline
        self.outlook = Outlook(self.image, self.is_site)

    def seen(self, thread: int, cases: tuple[Case, ...], node: int) -> set[object]:
        """Sites, None (ended), `STOPPED`, or the number in the place that the cases ask for.

        Where a thread computes until the program ends, its code tells where it may come to.
        """
        asked = {c.guard[1] for c in cases if isinstance(c.guard, tuple) and c.guard[0] == "="}
        if asked:
            if len(asked) > 1 or any(c.at is not None for c in cases):
                raise Rejected("a number of one place has to choose alone")
            (place,) = asked
            return {("=", place, self._number(self.points[node], place))}
        found: set[object] = set()
        work, passed = [node], {node}
        while work:
            self.deadline.look()
            at = self._resolved(work.pop())
            here = self._position(self.points[at], thread)
            if at != node and self.points[at].state.exit_code is not None:
                found |= self.outlook.of(self.points[node].state.threads[thread])
                continue
            if here != COMPUTES:
                found.add(here)
                continue
            edges = self.points[at].permits.values()
            new = {child for moves in edges for _, child in moves} - passed
            passed |= new
            work += new
        return found

    def _position(self, point: Point, thread: int) -> object:
        state = point.state.threads.get(thread)
        if state is None or state.status is Status.DONE or point.state.exit_code is not None:
            return None
        if state.status is Status.STUCK:
            return STOPPED
        frame = state.frames[-1]
        site = (frame.code.function.name, frame.pc)
        return site if self.is_site(*site) else COMPUTES

    def _number(self, point: Point, place: Guard) -> int:
        """A number that the node knows of a place."""
        for _, key, number in self.places.numbers(point.state):
            match place, key:
                case ("memory", *name, offset), ("m", int(found), at):
                    identity = self.image.objects.identities[found]
                    if isinstance(identity, tuple) and [*map(str, identity), at] == [*name, offset]:
                        return number
                case ("register", name, *rest), ("r", int(thread), depth, int(code), register):
                    function = self.image.code_number(code).function.name
                    if [self.image.threads.names[thread], depth, function, register] == [
                        name,
                        *rest,
                    ]:
                        return number
        raise Rejected(f"node {point.number} does not know {shown(place)}")

    def rested(self, nodes: Iterable[int]) -> Nodes:
        """The nodes when nobody only computes any more."""
        left: set[int] = set()
        for start in nodes:
            work = [self._resolved(start)]
            passed = set(work)
            resting = set()
            while work:
                self.deadline.look()
                at = work.pop()
                permits = self.points[at].permits
                if not all(permits.values()):  # a step that no state can take: nobody is here
                    passed.discard(at)
                    continue
                silent = [moves for p, moves in permits.items() if not self.is_event((p, moves))]
                if not silent:
                    resting.add(at)
                    continue
                new = {self._resolved(child) for _, child in silent[0]} - passed
                passed |= new
                work += new
            left |= resting or set(sorted(passed)[:1])
        return frozenset(left)

    def is_event(self, permit: tuple[int, list[tuple[Event, int]]]) -> bool:
        """Whether a permitted step is more than a computation."""
        event = permit[1][0][0]
        return self.is_site(event.function, event.pc)

    def is_site(self, function: str, pc: int) -> bool:
        """Whether something happens at a place in the code, or an input is read."""
        code = self.image.code(function)
        return pc in code.visible or reads_input(code.function.code[pc])

    def _resolved(self, node: int) -> int:
        cover = self.points[node].cover
        return node if cover is None else cover
