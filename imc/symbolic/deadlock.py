"""Deadlocks at nodes, told as the explicit engines tell them."""

from __future__ import annotations

from imc.program.deadlock import cycle_of, deadlock
from imc.program.faults import Fault
from imc.symbolic.art import Node
from imc.symbolic.expand import Expander


def circle_fault(expander: Expander, node: Node) -> Fault | None:
    """Threads that wait for each other in a circle, even if others can go on."""
    blocked = expander.blocked(node)
    circle = cycle_of({t: b.holder for t, b in blocked.items()})
    if not circle:
        return None
    return deadlock(expander.stepper.image, node.state, blocked, circle)


def deadlock_fault(expander: Expander, node: Node) -> Fault:
    """Nobody can move."""
    return deadlock(expander.stepper.image, node.state, expander.blocked(node), [])
