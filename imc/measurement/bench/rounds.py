"""What counts as a useful round: one more time that a thread has done what its loop is for."""

from __future__ import annotations

import networkx as nx

from imc.program.code import Site
from irs.schedule import Schedule


def repeats(schedule: Schedule) -> bool:
    """Whether a schedule goes on for ever."""
    return bool(repeated(schedule))


def useful_sites(schedule: Schedule) -> set[Site]:
    """Each thread's last gated operation in what repeats: a store if there is one, since a loop
    that found nothing to do stores nothing."""
    found: dict[int, tuple[bool, Site]] = {}
    for number in sorted(repeated(schedule)):
        for event in schedule.sections[number].events:
            site = schedule.sites[event.site]
            if not site.gated:
                continue
            stores = site.operation == "store"
            if event.thread not in found or stores or not found[event.thread][0]:
                found[event.thread] = stores, (site.function, site.pc)
    return {site for _, site in found.values()}


def repeated(schedule: Schedule) -> set[int]:
    """The sections that lead back to themselves."""
    graph = nx.DiGraph()
    for number, section in enumerate(schedule.sections):
        graph.add_edges_from((number, target) for target in section.next.targets)
    return {
        number
        for component in nx.strongly_connected_components(graph)
        for number in component
        if len(component) > 1 or graph.has_edge(number, number)
    }
