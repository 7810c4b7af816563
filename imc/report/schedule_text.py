"""Schedules for people: each section as columns of threads, with its waits in words."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap

from imc.program.faults import DEFAULT_PROPERTIES, Property
from imc.report.assumptions import assumption_lines, of_schedule
from imc.report.columns import HANGING, Row, columns
from imc.report.drawing import Drawing, DrawnEdge, DrawnNode
from irs.schedule import (
    Branch,
    Case,
    Choice,
    End,
    Follow,
    Free,
    Guard,
    Schedule,
    ScheduledEvent,
    Section,
    Site,
    Wait,
)

ACTIONS = {"pass": "passed", "free": "free", "skip": "skipped"}
"""Words for what is not done as usual at an event: see docs/schedule-format.md."""
VIOLATIONS = {
    Property.ASSERTION: "violates an assertion",
    Property.DEADLOCK: "ends in a deadlock",
    Property.LIVELOCK: "goes round for ever without effect",
    Property.MEMORY: "misuses memory",
    Property.LOCK: "misuses a lock",
    Property.DIVISION: "divides by zero",
    Property.ABORT: "aborts",
    Property.UNINITIALISED: "branches on an uninitialised value",
    Property.OVERFLOW: "overflows",
    Property.RACE: "has a data race",
    Property.TERMINATION: "computes for ever between two events",
}


def schedule_text(schedule: Schedule, name: str, width: int = 80, every: bool = False) -> str:
    """All of a schedule but its certificate."""
    made = schedule.made
    lines = [
        f"{name}: schedule of {schedule.program.name}",
        f"made by {made.by}, {made.strategy}, result {made.result}, {made.optimisation}",
        f"program {schedule.program.digest[:16]}",
    ]
    for bound in schedule.bounds:
        lines += wrap(f"bound: {bound}", width, **HANGING)
    lines += assumption_lines(of_schedule(schedule), width, every)
    for number, section in enumerate(schedule.sections):
        start = " (start)" if number == schedule.start else ""
        lines += ["", f"section {number}{start}"]
        lines += _section_lines(schedule, section, width)
        text = "".join(map(str, next_words(schedule, number)))
        lines += wrap(f"  {text}", width, **HANGING)
    return "\n".join(lines)


def proved_text(properties: Iterable[Property], bounded: bool) -> str:
    """What a schedule's proof shows, if it was proved for these properties."""
    shown = frozenset(properties)
    within = "within the bounds below, " if bounded else ""
    does, fair = "errs or hangs", "no thread starves"
    if not shown >= DEFAULT_PROPERTIES:
        *most, last = [words for kind, words in VIOLATIONS.items() if kind in shown] or [""]
        does = f"{', '.join(most)} or {last}" if most else last
        fair = "no thread that can move is left out for ever"
    claims = [f"no execution under this schedule {does}"] if does else []
    return f"{within}whatever the input, {', and '.join([*claims, fair])}"


def _section_lines(schedule: Schedule, section: Section, width: int) -> list[str]:
    if not section.events:
        return []
    rows = []
    for event in section.events:
        site = schedule.sites[event.site]
        remarks = ", ".join(filter(None, (ACTIONS.get(site.action), _waits_text(schedule, event))))
        text = site_text(site) + (f" ({remarks})" if remarks else "")
        rows.append(Row(site.line, schedule.threads[event.thread], text))
    order = sorted({event.thread for event in section.events})
    return columns(rows, [schedule.threads[t] for t in order], width)


def site_text(site: Site) -> str:
    return site.what or site.operation


def _waits_text(schedule: Schedule, event: ScheduledEvent) -> str:
    """After which events of other threads: the last one of each, by its number in the section."""
    waits = [wait_text(schedule, wait) for wait in event.waits]
    return f"after {' and '.join(waits)}" if waits else ""


def wait_text(schedule: Schedule, wait: Wait) -> str:
    """What is waited for; where sections overlap, earlier ones are counted from their end."""
    thread, count = schedule.threads[wait[0]], wait[1]
    if count > 0:
        return f"{count} of {thread}"
    return f"all{f' but {-count}' if count else ''} earlier events of {thread}"


def next_words(schedule: Schedule, number: int) -> list[str | int]:
    """What comes after a section; the numbers in it are sections."""
    match schedule.sections[number].next:
        case Follow(section) if section == number:
            return ["then again"]
        case Follow(section):
            return ["then section ", section]
        case Choice((first, *others)):
            more = [word for section in others for word in (" or ", section)]
            return ["then, freely, section ", first, *more]
        case Branch(thread, cases):
            name = schedule.threads[thread]
            words: list[str | int] = []
            for case in cases:
                start = ", section " if words else "then section "
                words += [start, case.section, f" if {_case_text(schedule, name, case)}"]
            return words
        case End():
            return ["then the program ends"]
        case Free():
            return ["then nothing is ordered"]
    raise AssertionError


def _case_text(schedule: Schedule, thread: str, case: Case) -> str:
    if case.guard is not None:
        return _guard_text(thread, case.guard)
    if case.at is None:
        return f"{thread} has ended"
    site = schedule.sites[case.at]
    line = f" (line {site.line})" if site.line else ""
    return f"{thread} comes to {site_text(site)}{line}"


def _guard_text(thread: str, guard: Guard) -> str:
    match guard:
        case ("stopped",):
            return f"an assumption has stopped {thread}"
        case ("=", ("memory", "global", name, offset), number):
            return f"{name} at {offset} is {number}"
        case ("=", ("register", owner, _, function, register), number):
            return f"register {register} of {function} in {owner} is {number}"
    return str(guard)


def schedule_graph(schedule: Schedule, name: str) -> Drawing:
    """The sections as boxes with a lane per thread, and how they follow each other."""
    nodes = []
    for number, section in enumerate(schedule.sections):
        lines = _section_lines(schedule, section, 78)
        nodes.append(DrawnNode(str(number), (f"section {number}", *lines), "sync" if lines else ""))
    return Drawing(name, tuple(nodes), section_edges(schedule))


def section_edges(schedule: Schedule) -> tuple[DrawnEdge, ...]:
    """From each section to those that can come next, labelled with when they do."""
    edges: dict[DrawnEdge, None] = {}
    for number, section in enumerate(schedule.sections):
        following = section.next
        for target in following.targets:
            label = ""
            if isinstance(following, Branch):
                thread = schedule.threads[following.thread]
                cases = [c for c in following.cases if c.section == target]
                label = " or ".join(_case_text(schedule, thread, c) for c in cases)
            style = "dashed" if isinstance(following, Choice) else "solid"
            edges[DrawnEdge(str(number), str(target), label, style)] = None
    return tuple(edges)
