"""How sections lead to each other."""

from __future__ import annotations

from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter

from irs.schedule import Section, Site


def unreachable(sections: Sequence[Section], start: int) -> list[int]:
    """The sections that no execution comes to."""
    seen = {start}
    stack = [start]
    while stack:
        for target in sections[stack.pop()].next.targets:
            if target not in seen:
                seen.add(target)
                stack.append(target)
    return [number for number in range(len(sections)) if number not in seen]


def idle_cycle(sections: Sequence[Section], sites: Sequence[Site]) -> list[int]:
    """Sections without gates that lead round to the first of them, if there are any."""
    gates = {number for number, site in enumerate(sites) if site.gated}
    idle = {
        number
        for number, section in enumerate(sections)
        if not any(event.site in gates for event in section.events)
    }
    graph = {number: idle.intersection(sections[number].next.targets) for number in sorted(idle)}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        cycle: list[int] = error.args[1]
        return cycle[:0:-1]  # it comes from end to start, and has its first section twice
    return []
