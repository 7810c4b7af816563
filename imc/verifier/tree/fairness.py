"""Fairness as a question about a graph.

A thread is treated unfairly if the scheduler can go round for ever without it although it could
move: if the graph of tree and cover edges without the thread's own steps has a cycle through a node
where the thread may be enabled. A loop that is known to end is no such cycle: somebody scans a file
to its end, and then it is the others' turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from imc.verifier.tree.art import Node

Enabled = Callable[[Node, int], bool]
End = Callable[[list[tuple[Node, Node]]], bool]
NOBODY = -1
LONGEST = 128  # steps of a loop


def unfair_thread(node: Node, by: Node, enabled: Enabled, end: End) -> int | None:
    """A thread that starves in a cycle which a cover of `node` by `by` would close, if any."""
    branch = _branch(node, by)
    moved = {n.thread for n in branch[1:]}
    long = len(branch) > LONGEST or len(moved) > 1  # too much for asking whether it ends
    for thread in by.running():
        if long and thread not in moved and any(enabled(n, thread) for n in branch):
            return thread
    for thread in by.running():
        cycle = _cycle_without(thread, node, by)
        if any(enabled(n, thread) for n in cycle) and not _ends(cycle, thread, node, by, end):
            return thread
    return None


def _ends(cycle: set[Node], thread: int, node: Node, by: Node, end: End) -> bool:
    """Whether one cannot go round for ever in the cycles without a thread."""
    if len({n.thread for n in cycle if n is not by}) > 1:  # whoever waits for whom
        return False
    edges = [(n, after) for n in cycle for after in _steps(n, thread) if after in cycle]
    return end([*edges, (node, by)])


def _branch(node: Node, by: Node) -> list[Node]:
    """The tree path between the two, if there is one: the cycle that is quickest to look at."""
    if by.depth > node.depth:
        return []
    path = [node]
    while path[-1].depth > by.depth:
        parent = path[-1].parent
        assert parent is not None
        path.append(parent)
    return path[::-1] if path[-1] is by else []


def cycle_nodes(node: Node, by: Node) -> set[Node]:
    """The nodes of all cycles that a cover would close."""
    return _cycle_without(NOBODY, node, by)


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
