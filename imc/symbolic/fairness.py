"""Fairness as a question about a graph.

A thread is treated unfairly if the scheduler can go round for ever without it although it could
move: if the graph of tree and cover edges without the thread's own steps has a cycle through a node
where the thread may be enabled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from imc.symbolic.art import Node

Enabled = Callable[[Node, int], bool]


def unfair_thread(node: Node, by: Node, enabled: Enabled) -> int | None:
    """A thread that starves in a cycle which a cover of `node` by `by` would close, if any."""
    for thread in by.running():
        cycle = _cycle_without(thread, node, by)
        if any(enabled(n, thread) for n in cycle):
            return thread
    return None


def _cycle_without(thread: int, node: Node, by: Node) -> set[Node]:
    """The nodes between `by` and `node` that are reached, and lead on, without the thread."""
    forward = _reach(by, thread)
    if node not in forward:
        return set()
    backward: dict[Node, list[Node]] = {}
    for n in forward:
        for after in _steps(n, thread):
            backward.setdefault(after, []).append(n)
    seen = {node}
    work = [node]
    while work:
        for before in backward.get(work.pop(), ()):
            if before not in seen:
                seen.add(before)
                work.append(before)
    return seen


def _reach(start: Node, without: int) -> set[Node]:
    seen = {start}
    work = [start]
    while work:
        for after in _steps(work.pop(), without):
            if after not in seen:
                seen.add(after)
                work.append(after)
    return seen


def _steps(node: Node, without: int) -> Iterable[Node]:
    if node.cover is not None:
        yield node.cover
        return
    for thread, children in node.children.items():
        if thread != without and thread not in node.losing:
            yield from children
