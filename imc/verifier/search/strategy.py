"""Strategies: which thread moves next, and where the next schedule departs from those known."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from imc.program.code import FunctionCode, reads_input
from imc.program.state import Thread
from imc.verifier.tree.art import Node

BACKWARDS = "reversed"  # behind a strategy's name


class Strategy(Protocol):
    """Decides nothing about soundness: only which schedules are looked at first."""

    name: str
    length: int  # how often a thread goes round its loop until it is all others' turn again
    whole: bool  # whether what a thread does to one job is left in one piece

    def threads(self, node: Node) -> list[int]:
        """The running threads at a node, the one to try first at the front."""
        ...

    def starts(self, candidates: Iterable[tuple[Node, int]]) -> list[tuple[Node, int]]:
        """Nodes with a thread not expanded there, the best place for a new schedule first."""
        ...

    def phase(self, node: Node) -> object:
        """Where in its plan the strategy is; a node is covered only by one of the same phase."""
        ...


class RoundRobin:
    """Each thread goes on until it comes round a loop; then it is the next one's turn.

    Code outside of the program may take long: its caller's next turn comes after all others'.
    """

    name = "round-robin"
    length = 1
    whole = False

    def __init__(self, backwards: bool = False) -> None:
        self.backwards = backwards  # the last one that was started comes first
        if backwards:
            self.name = f"{self.name},{BACKWARDS}"

    def threads(self, node: Node) -> list[int]:
        running = node.running()
        last = node.thread
        later = [t for t in running if t > last]
        earlier = [t for t in running if t < last]
        if self.backwards:
            later, earlier = earlier[::-1], later[::-1]
        own = [last] if last in running else []
        if self.ends_turn(node) and not node.event.spawned:  # who starts threads may start them all
            return slow_last(node, later + earlier + own)
        return own + slow_last(node, later + earlier)

    def ends_turn(self, node: Node) -> bool:
        """Whether the thread that led to a node has gone round a loop, with free hands."""
        return node.move.jumped and has_free_hands(node)

    def starts(self, candidates: Iterable[tuple[Node, int]]) -> list[tuple[Node, int]]:
        """Nodes that schedules come back to first, then in the order of their depth."""
        return sorted(candidates, key=lambda c: (not c[0].covers, c[0].depth, c[0].id, c[1]))

    def phase(self, node: Node) -> object:
        """It has no plan."""
        return None


def has_free_hands(node: Node) -> bool:
    """Whether others may as well go on after the step that led to a node.

    Not in the middle of a computation that nobody sees, and not with a mutex that others may want.
    """
    return not computes(node.state.threads[node.thread]) and not node.holding.get(node.thread)


class WholeRounds(RoundRobin):
    """Each thread goes on until it comes round its outermost loop, or one in which threads hand
    something to each other: what it does to one job is not torn apart.

    Loops in a loop are part of its rounds, unless others may have to move for them to end.
    """

    name = "whole-rounds"
    whole = True

    def ends_turn(self, node: Node) -> bool:
        over = comes_round(node) or (node.move.jumped and bool(node.hungry))
        return over and has_free_hands(node)


class SideBySide(WholeRounds):
    """Whole rounds, but those of the same kind compute side by side.

    Who begins to compute lets its peers, that run the same code, begin too; when all of them do,
    they take turns at what they have found, and the others wait until a round is over.
    """

    name = "side-by-side"

    def ends_turn(self, node: Node) -> bool:
        return super().ends_turn(node) or self._is_in_company(node)

    def threads(self, node: Node) -> list[int]:
        order = super().threads(node)
        if not self._is_in_company(node):
            return order
        peers = _peers(node)
        if not all(computes(node.state.threads[t]) for t in peers):
            return order
        return sorted(order, key=lambda t: (t not in peers, t != node.thread))

    def _is_in_company(self, node: Node) -> bool:
        free = not node.holding.get(node.thread)
        return free and begins_to_compute(node) and bool(_peers(node))


def _peers(node: Node) -> set[int]:
    """The other threads that run the same code as the one that led to a node."""
    threads = node.state.threads
    number = threads[node.thread].frames[0].code.number
    others = (t for t in node.running() if t != node.thread)
    return {t for t in others if threads[t].frames[0].code.number == number}


def begins_to_compute(node: Node) -> bool:
    """Whether the step to a node ends in a loop over unknowns that it did not begin in."""
    thread = node.state.threads[node.thread]
    if node.parent is None or not computes(thread):
        return False
    before = node.parent.state.threads[node.thread].frames
    depth = len(thread.frames) - 1
    frame = thread.frames[depth]
    if depth >= len(before) or before[depth].code is not frame.code:
        return True
    return before[depth].pc not in _outermost(frame.code, frame.pc)


def comes_round(node: Node) -> bool:
    """Whether the step to a node went back to the beginning of a loop that ends turns.

    That is its thread's outermost one, and any in which threads hand something to each other.
    """
    frames = node.state.threads[node.thread].frames
    for round in node.move.rounds:
        code = frames[round.depth - 1].code
        outer = _outermost(code, round.first)
        if not outer:
            continue  # one block lies before another, no more
        if any(round.first <= pc <= round.last for pc in code.exchanges):
            return True
        inner = any(_outermost(f.code, f.pc) for f in frames[: round.depth - 1])
        if round.first == min(outer) and not inner:
            return True
    return False


def _outermost(code: FunctionCode, pc: int) -> frozenset[int]:
    return next((loop for loop in code.loops if pc in loop), frozenset())


def computes(thread: Thread) -> bool:
    """Whether a thread is in a loop over what is not known, and not at an input."""
    if not thread.paused:
        return False
    frame = thread.frames[-1]
    return not reads_input(frame.code.function.code[frame.pc])


def slow_last(node: Node, order: list[int]) -> list[int]:
    """Who may still be in code outside of the program goes to the end, the earliest first."""
    if not node.slow:
        return order
    return [t for t in order if t not in node.slow] + [t for t in node.slow if t in order]


class FewestSwitches(RoundRobin):
    """A thread goes on for as long as it can, over the ends of its loops too."""

    name = "fewest-switches"

    def threads(self, node: Node) -> list[int]:
        running = node.running()
        last = node.thread
        later = [t for t in running if t > last]
        earlier = [t for t in running if t < last]
        rest = earlier[::-1] + later[::-1] if self.backwards else later + earlier
        if last not in running:
            return slow_last(node, rest)
        repeats = self.ends_turn(node) and _runs_in_a_row(node) > LONGEST_RUN
        return slow_last(node, [*rest, last] if repeats else [last, *rest])


class LeastFreedom(RoundRobin):
    """New schedules depart where the fewest threads are left to choose from."""

    name = "least-freedom"

    def starts(self, candidates: Iterable[tuple[Node, int]]) -> list[tuple[Node, int]]:
        listed = list(candidates)
        freedom: dict[int, int] = {}
        for node, _ in listed:
            freedom[node.id] = freedom.get(node.id, 0) + 1
        return sorted(listed, key=lambda c: (freedom[c[0].id], c[0].depth, c[0].id, c[1]))


LONGEST_RUN = 2  # jumps back before a thread that could go on has to let others in


def _runs_in_a_row(node: Node) -> int:
    """How often the thread that led here has jumped back since another one moved."""
    count, thread = 0, node.thread
    at: Node | None = node
    while at is not None and at.thread == thread:
        count += at.move.jumped
        at = at.parent
    return count
