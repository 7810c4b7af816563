"""A verified tree as an automaton: who may move, at which site, and where that can lead.

Nodes with the same future are one state, so a branch that makes no difference to anybody's order is
none. Covers are gone: a covered node is the state that it is covered by.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field

from imc.program.code import Image, Site, reads_input
from imc.program.events import Event
from imc.program.instructions import Library
from imc.program.library import LIBRARY, Visibility
from imc.symbolic.art import Node
from imc.symbolic.result import Schedule


@dataclass(slots=True, eq=False)
class Move:
    """A thread's step in a state: one site, one target for each way that it can go."""

    thread: int
    site: Site
    silent: bool  # only computes: nobody can see when
    events: list[Event] = field(default_factory=list)  # as the tree's steps made them
    targets: list[State] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class State:
    """A point that executions under the schedule come to."""

    number: int
    nodes: list[Node]  # of the tree, all with the same future
    moves: dict[int, Move] = field(default_factory=dict)


def automaton(schedule: Schedule, image: Image, merged: bool = True) -> State:
    """The start of the automaton of a tree; unless it is merged, each node is a state."""
    classes = _classes(schedule) if merged else {number: number for number in schedule.nodes}
    states: dict[int, State] = {}
    for number in schedule.nodes:
        if schedule.nodes[number].cover is None:
            found = states.setdefault(classes[number], State(classes[number], []))
            found.nodes.append(schedule.nodes[number].node)
    for number, node in schedule.nodes.items():
        if node.cover is not None:
            continue
        state = states[classes[number]]
        for thread, children in node.permits.items():
            events = [schedule.nodes[child].node.event for child in children]
            site = _site(events[0])
            silent = not is_event(image, site)
            move = state.moves.setdefault(thread, Move(thread, site, silent))
            move.events += events
            for child in children:
                target = states[classes[_resolved(schedule, child)]]
                if target not in move.targets:
                    move.targets.append(target)
    return states[classes[_resolved(schedule, schedule.root)]]


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


def _resolved(schedule: Schedule, number: int) -> int:
    while (cover := schedule.nodes[number].cover) is not None:
        number = cover
    return number


def _site(event: Event) -> Site:
    return event.function, event.pc


def _classes(schedule: Schedule) -> dict[int, int]:
    """Partition refinement: nodes are equal until their steps, or where these lead, differ."""
    numbers = [n for n, node in schedule.nodes.items() if node.cover is None]
    classes = dict.fromkeys(numbers, 0)
    count = 1
    while True:
        names: dict[Hashable, int] = {}
        refined = {}
        for number in numbers:
            signature = (classes[number], _signature(schedule, number, classes))
            refined[number] = names.setdefault(signature, len(names))
        classes = refined
        if len(names) == count:
            return classes
        count = len(names)


def _signature(schedule: Schedule, number: int, classes: dict[int, int]) -> Hashable:
    steps = []
    for thread, children in sorted(schedule.nodes[number].permits.items()):
        targets = frozenset(classes[_resolved(schedule, child)] for child in children)
        events = [schedule.nodes[child].node.event for child in children]
        steps.append((thread, _site(events[0]), frozenset(map(touched, events)), targets))
    return tuple(steps)


def touched(event: Event) -> Hashable:
    """What decides which events an event depends on."""
    accesses = frozenset((a.mode, a.object, a.offset, a.size) for a in event.accesses)
    return accesses, event.spawned, event.joined, event.exits
