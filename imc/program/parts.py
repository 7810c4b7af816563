"""Parts of graphs that one can go round in: strongly connected, and fair to threads."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

N = TypeVar("N", bound=Hashable)
Steps = Callable[[N], Iterable[tuple[int, N]]]  # threads, and where their steps lead


def fair_parts(nodes: set[N], steps: Steps[N], able: Callable[[N], int]) -> Iterator[set[N]]:
    """The largest parts in which one can go round fairly: whoever can move somewhere does move.

    Where a part is unfair to a thread, what goes round fairly keeps away from where that can move.
    """
    work: list[set[N]] = [set(nodes)]
    while work:
        for part in components(work.pop(), steps):
            moving = can = 0
            for node in part:
                can |= able(node)
                for thread, after in steps(node):
                    if after in part:
                        moving |= 1 << thread
            if not moving:
                continue
            starved = can & ~moving
            if not starved:
                yield part
                continue
            rest = {node for node in part if not able(node) & starved}
            if rest:
                work.append(rest)


def components(nodes: set[N], steps: Steps[N]) -> Iterator[set[N]]:
    """Strongly connected components (Tarjan, without recursion)."""
    index: dict[N, int] = {}
    low: dict[N, int] = {}
    open_: list[N] = []
    is_open: set[N] = set()
    for root in nodes:
        if root in index:
            continue
        index[root] = low[root] = len(index)
        open_.append(root)
        is_open.add(root)
        stack = [(root, iter(steps(root)))]
        while stack:
            node, rest = stack[-1]
            for _, after in rest:
                if after not in nodes:
                    continue
                if after not in index:
                    index[after] = low[after] = len(index)
                    open_.append(after)
                    is_open.add(after)
                    stack.append((after, iter(steps(after))))
                    break
                if after in is_open:
                    low[node] = min(low[node], index[after])
            else:
                stack.pop()
                if stack:
                    above = stack[-1][0]
                    low[above] = min(low[above], low[node])
                if low[node] == index[node]:
                    part = set()
                    while node not in part:
                        part.add(open_.pop())
                    is_open -= part
                    yield part


# ---------------------------------------------------------------- walks


def closed_walk(
    start: N,
    part: set[N],
    onward: dict[N, list[tuple[int, N]]],
    thread: Callable[[int], int],
) -> list[int]:
    """A walk in a part of a graph, in which every thread moves that does so there at all."""

    def inside(node: N) -> Iterator[tuple[int, N]]:
        return ((step, after) for step, after in onward[node] if after in part)

    missing = {thread(step) for node in part for step, _ in inside(node)}
    walk: list[int] = []
    at = start
    while missing:
        goals = {n for n in part if any(thread(step) in missing for step, _ in inside(n))}
        way = shortest([at], goals, inside)
        for step in way:
            at = next(after for s, after in onward[at] if s == step)
        step, at = next((s, a) for s, a in inside(at) if thread(s) in missing)
        walk += [*way, step]
        missing -= {thread(s) for s in walk}
    return walk + shortest([at], {start}, inside)


def shortest(
    starts: Iterable[N],
    goals: set[N],
    onward: Callable[[N], Iterable[tuple[int, N]]],
) -> list[int]:
    """The numbers of the fewest steps that lead to a goal; there must be a way."""
    came: dict[N, tuple[int, N] | None] = dict.fromkeys(starts)
    work = deque(came)
    while work:
        node = work.popleft()
        if node in goals:
            steps = []
            while (edge := came[node]) is not None:
                steps.append(edge[0])
                node = edge[1]
            return steps[::-1]
        for step, after in onward(node):
            if after not in came:
                came[after] = (step, node)
                work.append(after)
    raise AssertionError("no way leads there")
