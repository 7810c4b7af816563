"""A verified tree as an automaton: who may move, at which site, and where that can lead.

Nodes with the same future are one state, so a branch that makes no difference to anybody's order is
none. Covers are gone: a covered node is the state that it is covered by.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from typing import Protocol

from imc.program.code import Image, Site, reads_input
from imc.program.events import Event
from imc.program.instructions import Library
from imc.program.library import LIBRARY, Visibility
from imc.program.state import State


class StrategyNode(Protocol):
    """A state of the program, the event that led there, and how it names dynamic objects."""

    @property
    def state(self) -> State: ...
    @property
    def event(self) -> Event: ...
    @property
    def names(self) -> Sequence[int]: ...


class Branching(Protocol):
    """Who may move at a node and to which nodes; or the node to go on from instead."""

    @property
    def node(self) -> StrategyNode: ...
    @property
    def permits(self) -> Mapping[int, Sequence[int]]: ...
    @property
    def cover(self) -> int | None: ...


class StrategyTree(Protocol):
    """What was verified, by the symbolic engine or by exploring."""

    @property
    def roots(self) -> Sequence[int]: ...
    @property
    def nodes(self) -> Mapping[int, Branching]: ...
    @property
    def free(self) -> Collection[int]:
        """The nodes behind which nothing needs to be ordered."""


@dataclass(slots=True, eq=False)
class AutomatonMove:
    """A thread's step in a state: one site, one target for each way that it can go."""

    thread: int
    site: Site
    silent: bool  # only computes: nobody can see when
    events: list[Event] = field(default_factory=list)  # as the tree's steps made them
    targets: list[AutomatonState] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class AutomatonState:
    """A point that executions under the schedule come to."""

    number: int
    nodes: list[StrategyNode]  # of the tree, all with the same future
    free: bool = False  # nothing needs to be ordered any more
    moves: dict[int, AutomatonMove] = field(default_factory=dict)


def automaton(tree: StrategyTree, image: Image, merged: bool = True) -> dict[int, AutomatonState]:
    """The state of each node of a tree; unless it is merged, no two have the same one."""
    classes = _classes(tree) if merged else {number: number for number in tree.nodes}
    states: dict[int, AutomatonState] = {}
    for number in tree.nodes:
        if tree.nodes[number].cover is None:
            new = AutomatonState(classes[number], [], number in tree.free)
            found = states.setdefault(classes[number], new)
            found.nodes.append(tree.nodes[number].node)
    for number, node in tree.nodes.items():
        if node.cover is not None:
            continue
        state = states[classes[number]]
        for thread, children in node.permits.items():
            events = [tree.nodes[child].node.event for child in children]
            site = _site(events[0])
            silent = not is_event(image, site)
            move = state.moves.setdefault(thread, AutomatonMove(thread, site, silent))
            move.events += events
            for child in children:
                target = states[classes[_resolved(tree, child)]]
                if target not in move.targets:
                    move.targets.append(target)
    return {number: states[classes[_resolved(tree, number)]] for number in tree.nodes}


def is_event(image: Image, site: Site) -> bool:
    """Whether an event happens at a site or an input is read: not only a computation goes on."""
    function, pc = site
    code = image.code(function)
    return pc in code.visible or reads_input(code.function.code[pc])


def opaque(image: Image, events: Iterable[Event]) -> set[int]:
    """Objects that the library has filled in, as locks are: what is in them is its own affair."""
    found: set[int] = set()
    for event in events:
        i = image.code(event.function).function.code[event.pc]
        if isinstance(i, Library) and LIBRARY[i.function].visible is Visibility.ALWAYS:
            found |= {access.object for access in event.accesses}
    return found


def _resolved(tree: StrategyTree, number: int) -> int:
    while (cover := tree.nodes[number].cover) is not None:
        number = cover
    return number


def _site(event: Event) -> Site:
    return event.function, event.pc


Step = tuple[int, tuple[int, ...]]  # what a thread does, and where that may lead


def _classes(tree: StrategyTree) -> dict[int, int]:
    """Which nodes are equal: their steps are, and where these lead. Numbered as they come."""
    numbers = [n for n, node in tree.nodes.items() if node.cover is None]
    kinds: dict[Hashable, int] = {}  # of steps, which are compared often
    steps = {n: _steps(tree, n, kinds) for n in numbers}
    after = {n: [to for _, targets in steps[n] for to in targets] for n in numbers}
    classes: dict[int, int] = {}
    try:
        names: dict[Hashable, int] = {}
        for number in TopologicalSorter(after).static_order():  # what follows comes first
            signature = _signature(tree, number, steps[number], classes)
            classes[number] = names.setdefault(signature, len(names))
    except CycleError:
        classes = _refined(tree, steps)
    first = {name: n for n, name in enumerate(dict.fromkeys(classes[n] for n in numbers))}
    return {number: first[classes[number]] for number in numbers}


def _refined(tree: StrategyTree, steps: dict[int, list[Step]]) -> dict[int, int]:
    """Partition refinement: nodes are equal until their steps, or where these lead, differ.

    The largest part of a class keeps its number, so only what leads to the others is looked at.
    """
    before: dict[int, set[int]] = {n: set() for n in steps}
    for number, own in steps.items():
        for _, targets in own:
            for target in targets:
                before[target].add(number)
    classes = dict.fromkeys(steps, 0)
    members = [dict.fromkeys(steps)]
    signatures: dict[int, Hashable] = {}
    changed = set(steps)
    while changed:
        for number in changed:
            signatures[number] = _signature(tree, number, steps[number], classes)
        concerned: dict[int, list[int]] = {}
        for number in changed:
            concerned.setdefault(classes[number], []).append(number)
        moved: set[int] = set()
        for split, some in concerned.items():
            members[split], *others = _parts(members[split], some, signatures)
            for part in others:
                classes.update(dict.fromkeys(part, len(members)))
                members.append(part)
                moved.update(part)
        changed = set().union(*(before[number] for number in moved))
    return classes


def _parts(
    members: dict[int, None], changed: Iterable[int], signatures: dict[int, Hashable]
) -> list[dict[int, None]]:
    """A class by signatures, the largest part first; those that have not changed have the same."""
    parts: dict[Hashable, dict[int, None]] = {}
    for number in changed:
        del members[number]
        parts.setdefault(signatures[number], {})[number] = None
    if members:
        members.update(parts.pop(signatures[next(iter(members))], {}))
        return sorted([members, *parts.values()], key=len, reverse=True)
    return sorted(parts.values(), key=len, reverse=True)


def _steps(tree: StrategyTree, number: int, kinds: dict[Hashable, int]) -> list[Step]:
    steps = []
    for thread, children in sorted(tree.nodes[number].permits.items()):
        targets = tuple(_resolved(tree, child) for child in children)
        events = [tree.nodes[child].node.event for child in children]
        kind = (thread, _site(events[0]), frozenset(map(touched, events)))
        steps.append((kinds.setdefault(kind, len(kinds)), targets))
    return steps


def _signature(
    tree: StrategyTree, number: int, steps: Iterable[Step], classes: dict[int, int]
) -> Hashable:
    to = ((kind, frozenset(classes[target] for target in targets)) for kind, targets in steps)
    return number in tree.free, tuple(to)


def touched(event: Event) -> Hashable:
    """What decides which events an event depends on."""
    accesses = frozenset((a.mode, a.object, a.offset, a.size) for a in event.accesses)
    return accesses, event.spawned, event.joined, event.exits
