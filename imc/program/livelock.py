"""Livelocks, on the graph of a program's states.

A livelock is an infinite execution that is fair and in which, from some point on, all threads that
are left go round without effect or cannot move. Fair: a thread that can move again and again moves
again and again (strong fairness). Without effect: a thread that is back where it was has read no
input, put out nothing, started no thread, and has put back all memory that it has changed since.

On a finite graph that is a closed walk. A part of the graph in which there is none is given up
piece by piece: steps with an effect first, then parts that are unfair to a thread, then steps that
are part of no round without effect even if the other threads did what was best for it, and what is
left is searched for a walk, with what each thread has changed as part of the state.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Iterator

from imc.program.effects import NOWHERE, Cell, Deed, Round, Traces
from imc.program.parts import Steps, closed_walk, fair_parts
from imc.program.state_graph import StateGraph

MOST_NODES = 300_000  # states with traces that are looked at before it is left open
MOST_ROUNDS = 20_000  # places with traces of one thread

Node = tuple[int, tuple[Round, ...]]  # a state, and how far each thread has come


class LivelockUndecided(Exception):
    """There may be a livelock, and looking for it takes too long."""


def find_loop(graph: StateGraph, states: Iterable[int] | None = None) -> list[int] | None:
    """The steps of a closed walk that is a livelock, if there is one among the states.

    Raises `LivelockUndecided` where that would take too long.
    """
    among = set(range(graph.states) if states is None else states) - graph.void
    return _Hunt(graph).loop(among)


def idle_deeds(graph: StateGraph) -> set[int]:
    """The deeds that may be part of a thread's round without effect, whatever the others do."""
    hunt = _Hunt(graph)
    labels = hunt.labels
    while (useful := hunt.useful(labels) - _hopeless(graph, labels)) < labels:
        labels = useful
    return labels


def _hopeless(graph: StateGraph, labels: set[int]) -> set[int]:
    """Deeds that are never done twice in the same place."""
    if graph.hopeless is None:
        return set()
    by_thread: dict[int, list[int]] = {}
    for step, label in enumerate(graph.labels):
        if label in labels:
            by_thread.setdefault(graph.deeds[label].thread, []).append(step)
    once = set().union(*(graph.hopeless(steps) for steps in by_thread.values()))
    again = {
        graph.labels[step] for steps in by_thread.values() for step in steps if step not in once
    }
    return labels - again


class _Hunt:
    def __init__(self, graph: StateGraph) -> None:
        self.graph = graph
        self.budget = MOST_NODES
        self.labels = {n for n, deed in enumerate(graph.deeds) if not deed.effect}
        self._given_up: set[int] = set()  # steps that cannot come again

    def loop(self, states: set[int]) -> list[int] | None:
        work = [(states, self.labels)]
        while work:
            states, labels = work.pop()
            for part in fair_parts(states, self._steps(labels), self.graph.able):
                steps = self._inner(part, labels)
                inner = {self.graph.labels[step] for step in steps}
                if self._assumes(part, inner):
                    continue
                useful = self.useful(inner)
                if useful < inner:
                    work.append((part, useful))
                    continue
                hopeless = self.graph.hopeless(steps) if self.graph.hopeless is not None else None
                if hopeless:  # asked last, as a solver may have to answer
                    self._given_up |= hopeless
                    work.append((part, inner))
                    continue
                home = min(part)
                found = self._around(home, part, inner)
                if found is not None:
                    return found
                work.append((part - {home}, inner))  # whatever goes round there has an effect
        return None

    def _steps(self, labels: set[int]) -> Steps[int]:
        graph = self.graph

        def steps(state: int) -> Iterator[tuple[int, int]]:
            for step in graph.steps(state):
                if graph.labels[step] in labels and step not in self._given_up:
                    yield graph.thread(step), graph.targets[step]

        return steps

    def _inner(self, part: set[int], labels: set[int]) -> list[int]:
        """The steps inside a part of the graph."""
        graph = self.graph
        return [
            step
            for state in part
            for step in graph.steps(state)
            if graph.targets[step] in part
            and graph.labels[step] in labels
            and step not in self._given_up
        ]

    def _assumes(self, part: set[int], labels: set[int]) -> bool:
        """Whether somebody waits for an assumption all the time: no execution does that."""
        moving = {self.graph.deeds[n].thread for n in labels}
        return any(not self.graph.assuming.get(state, set()) <= moving for state in part)

    # ------------------------------------------------------- one thread by itself

    def useful(self, labels: set[int]) -> set[int]:
        """The deeds that may be part of a round without effect, whatever the other threads do."""
        by_thread: dict[int, list[int]] = {}
        for label in labels:
            by_thread.setdefault(self.graph.deeds[label].thread, []).append(label)
        useful: set[int] = set()
        for own in by_thread.values():
            useful |= self._useful_of_one(own)
        return useful

    def _useful_of_one(self, labels: list[int]) -> set[int]:
        deeds = self.graph.deeds
        kept = self._cells_put_back([deeds[n] for n in labels])
        labels = [n for n in labels if all(c.cell in kept for c in deeds[n].changes)]
        after: dict[Hashable, list[int]] = {}
        for label in labels:
            after.setdefault(deeds[label].before, []).append(label)
        useful: set[int] = set()
        for home in _returns(after, deeds):
            found = self._rounds(home, after)
            if found is None:
                return set(labels)
            useful |= found
        return useful

    def _cells_put_back(self, deeds: list[Deed]) -> set[Cell]:
        """Not those into which a thread never writes anything that it has found there."""
        found: dict[Cell, set[Hashable]] = {}
        written: dict[Cell, set[Hashable]] = {}
        for deed in deeds:
            for cell, old, new in deed.changes:
                found.setdefault(cell, set()).add(old)
                written.setdefault(cell, set()).add(new)
        return {cell for cell, values in found.items() if not values.isdisjoint(written[cell])}

    def _rounds(self, home: Hashable, after: dict[Hashable, list[int]]) -> set[int] | None:
        """The deeds on ways from a place back to it without effect; None if there are too many."""
        starts = [(home, Round()), (home, Round(touched=True))]
        edges: dict[tuple[Hashable, Round], list[tuple[int, tuple[Hashable, Round]]]] = {}
        seen = set(starts)
        work = list(starts)
        ends = []
        while work:
            place, way = node = work.pop()
            if len(seen) > MOST_ROUNDS:
                return None
            for label in after.get(place, ()):
                deed = self.graph.deeds[label]
                further = way.after(deed, self._home(deed.thread, home))
                if further is None:
                    continue
                target = (deed.after, further)
                edges.setdefault(target, []).append((label, node))
                if deed.after == home and not further.traces:
                    ends.append(target)
                elif target not in seen:
                    seen.add(target)
                    work.append(target)
        useful: set[int] = set()
        back = set(ends)
        work = list(back)
        while work:
            for label, before in edges.get(work.pop(), ()):
                useful.add(label)
                if before not in back and before not in starts:
                    back.add(before)
                    work.append(before)
        return useful

    # ------------------------------------------------------------ all threads together

    def _around(self, home: int, part: set[int], labels: set[int]) -> list[int] | None:
        """A closed walk through a state, without effect."""
        graph = self.graph
        threads = sorted({graph.deeds[label].thread for label in labels})
        places = self._places(home, part, labels, threads)
        homes = [self._home(t, place) for t, place in zip(threads, places, strict=True)]
        start: Node = (home, tuple(Round() for _ in threads))
        product = _Product(graph, threads, home)
        product.places[start] = places
        product.onward[start] = []
        work = [start]
        while work:
            state, rounds = node = work.pop()
            for step in graph.steps(state):
                label, target = graph.labels[step], graph.targets[step]
                if label not in labels or target not in part or step in self._given_up:
                    continue
                deed = graph.deeds[label]
                at = threads.index(deed.thread)
                further = rounds[at].after(deed, homes[at])
                if further is None:
                    continue
                after: Node = (target, (*rounds[:at], further, *rounds[at + 1 :]))
                product.onward[node].append((step, after))
                if after not in product.onward:
                    self.budget -= 1
                    if self.budget < 0:
                        raise LivelockUndecided
                    places = product.places[node]
                    product.places[after] = (*places[:at], deed.after, *places[at + 1 :])
                    product.onward[after] = []
                    work.append(after)
        return product.walk(set(product.onward))

    def _places(
        self, home: int, part: set[int], labels: set[int], threads: list[int]
    ) -> tuple[Hashable, ...]:
        """Where threads stand in a state; of those that cannot move there, by their next step."""
        graph = self.graph
        found: dict[int, Hashable] = {}
        seen = {home}
        work = deque([home])
        while work and len(found) < len(threads):
            state = work.popleft()
            for step in graph.steps(state):
                deed, target = graph.deeds[graph.labels[step]], graph.targets[step]
                found.setdefault(deed.thread, deed.before)
                if target in part and target not in seen and graph.labels[step] in labels:
                    seen.add(target)
                    work.append(target)
        return tuple(found[t] for t in threads)

    def _home(self, thread: int, place: Hashable) -> Hashable:
        """Where a thread must have put everything back; it is not known to be there if vague."""
        return NOWHERE if thread in self.graph.vague else place


class _Product:
    """States with what each thread has changed since a state that all of them must come back to."""

    def __init__(self, graph: StateGraph, threads: list[int], home: int) -> None:
        self.graph = graph
        self.threads = threads
        self.home = home
        self.onward: dict[Node, list[tuple[int, Node]]] = {}
        self.places: dict[Node, tuple[Hashable, ...]] = {}

    def walk(self, nodes: set[Node]) -> list[int] | None:
        """A closed walk on which a thread that is where it was has changed nothing since."""
        for part in fair_parts(nodes, self._steps, self._able):
            goal = next((node for node in part if self._is_home(node)), None)
            if goal is None:
                continue
            choices = self._choices(part)
            if choices is None:
                return closed_walk(goal, part, self.onward, self.graph.thread)
            for left_out in choices:
                found = self.walk(part - left_out)
                if found is not None:
                    return found
        return None

    def _steps(self, node: Node) -> Iterator[tuple[int, Node]]:
        for step, after in self.onward[node]:
            yield self.graph.thread(step), after

    def _able(self, node: Node) -> int:
        return self.graph.able(node[0])

    def _is_home(self, node: Node) -> bool:
        state, rounds = node
        return state == self.home and not any(r.traces for r in rounds)

    def _choices(self, part: set[Node]) -> list[set[Node]] | None:
        """What to leave out so that a thread is in a place with one kind of traces only.

        One set for each kind; None if that is so for all threads and places.
        """
        for at, thread in enumerate(self.threads):
            if thread in self.graph.vague:
                continue
            kinds: dict[Hashable, dict[Traces, set[Node]]] = {}
            for node in part:
                traces = node[1][at].traces
                kinds.setdefault(self.places[node][at], {}).setdefault(traces, set()).add(node)
            for found in kinds.values():
                if len(found) > 1:
                    every = set().union(*found.values())
                    return [every - kept for kept in found.values()]
        return None


def _returns(after: dict[Hashable, list[int]], deeds: list[Deed]) -> list[Hashable]:
    """Places of one thread such that whatever goes round passes through one of them."""
    done: set[Hashable] = set()
    found: dict[Hashable, None] = {}
    for root in after:
        if root in done:
            continue
        on_path = {root}
        done.add(root)
        stack = [(root, iter(after.get(root, ())))]
        while stack:
            place, labels = stack[-1]
            label = next(labels, None)
            if label is None:
                stack.pop()
                on_path.discard(place)
                continue
            target = deeds[label].after
            if target in on_path:
                found[target] = None
            elif target not in done:
                done.add(target)
                on_path.add(target)
                stack.append((target, iter(after.get(target, ()))))
    return list(found)
