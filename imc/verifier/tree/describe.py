"""Words for what a schedule newly permits."""

from __future__ import annotations

from imc.program.code import Image
from imc.verifier.tree.art import Node


def departure(image: Image, node: Node, thread: int) -> str:
    """Where a schedule departs from those before: who may go first, and in whose place."""
    names = image.threads.names
    others = [names[t] for t in node.children if t != thread]
    frame = node.state.threads[thread].frames[-1]
    loc = frame.code.locs[frame.pc]
    line = f" (line {loc.line})" if loc else ""
    more = f" and {len(others) - 1} others" if len(others) > 2 else ""
    instead = f" before {' and '.join(others[: 1 if more else 2])}{more}" if others else ""
    return f"{names[thread]}{line} may go{instead}"
