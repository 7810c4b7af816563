"""Deadlocks at nodes, told as the explicit engines tell them."""

from __future__ import annotations

from collections.abc import Iterator

from imc.program.deadlock import deadlock
from imc.program.ends import endless
from imc.program.faults import Blocked, Fault
from imc.terms.steps import Conditions
from imc.verifier.tree.art import Node
from imc.verifier.tree.expand import Expander
from imc.verifier.tree.knowledge import PathKnowledge

# A thread of a circle, when it waits, and for what.
Link = tuple[int, Conditions, Blocked]


class CircleInDoubt(Exception):
    """Threads may wait for each other, as far as the label says, and that was not refuted."""


def find_circle(expander: Expander, node: Node) -> tuple[Fault, Conditions] | None:
    """Threads that wait for each other in a circle, even if others can go on, and when they do.

    The one that has moved last must be among them, unless it has made another one wait. A circle
    that only the label allows is refuted, so that no state which comes here later closes it.
    """
    if not node.event.wakes and not expander.waits(node, node.thread):
        return None
    waits = {t: expander.waits(node, t) for t in node.running()}
    for circle in _circles(waits):
        conditions = tuple(c for _, conditions, _ in circle for c in conditions)
        if PathKnowledge(expander.tree, node).possible(conditions):
            reasons = {**expander.blocked(node), **{t: why for t, _, why in circle}}
            threads = [t for t, _, _ in circle]
            return deadlock(expander.stepper.image, node.state, reasons, threads), conditions
        if not expander.refiner.refute_near(node, conditions):
            raise CircleInDoubt("threads that may wait for each other could not be told apart")
    return None


def _circles(waits: dict[int, list[tuple[Conditions, Blocked]]]) -> Iterator[list[Link]]:
    """Every circle once, from its smallest thread."""

    def grow(path: list[Link], at: int) -> Iterator[list[Link]]:
        for conditions, why in waits.get(at, ()):
            assert why.holder is not None
            link = (at, conditions, why)
            if why.holder == (path[0][0] if path else at):
                yield [*path, link]
            elif why.holder > (path[0][0] if path else at) and why.holder not in {
                t for t, _, _ in path
            }:
                yield from grow([*path, link], why.holder)

    for start in sorted(waits):
        yield from grow([], start)


def deadlock_fault(expander: Expander, node: Node) -> Fault:
    """Nobody can move."""
    return deadlock(expander.stepper.image, node.state, expander.blocked(node), [])


def endless_fault(expander: Expander, node: Node) -> Fault | None:
    """Nobody can move but threads that compute for ever; None if one was stopped otherwise."""
    return endless(expander.stepper.image, node.state, expander.blocked(node))
