"""Waits that are put back where an order cannot be told from those that were kept.

Which waits others imply is found way by way; who checks a schedule looks at all ways at once, and
may see less. A wait more is always permitted: what is waited for is listed before.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from imc.checker.order import Order, Unordered
from imc.program.events import Event
from imc.schedule.relation import Depends, depends
from irs.schedule import Schedule


def repaired(
    schedule: Schedule,
    events: list[list[list[Event]]],
    order: Depends,
    entries: Collection[int] = (),
) -> Schedule:
    """The schedule with the waits that it lacks; raises `Unordered` where there is no gate."""
    while True:
        try:
            Order(schedule, events, order, entries, order is depends).check()
            return schedule
        except Unordered as problem:
            schedule = _with_wait(schedule, problem)


def _with_wait(schedule: Schedule, problem: Unordered) -> Schedule:
    section = schedule.sections[problem.section]
    event = section.events[problem.index]
    if not schedule.sites[event.site].gated:
        raise problem
    waits = dict(event.waits) | {problem.other: problem.needed}
    events = list(section.events)
    events[problem.index] = event._replace(waits=tuple(waits.items()))
    sections = list(schedule.sections)
    sections[problem.section] = replace(section, events=tuple(events))
    return replace(schedule, sections=tuple(sections))
