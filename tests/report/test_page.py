"""Schedules as pages: all that is in them is there once, in its place, and can do no harm."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from schedules import schedules

from imc.report.lane_layout import LINE, TRACKS, LaneLayout
from imc.report.page import schedule_page
from imc.report.schedule_text import schedule_text
from irs.schedule import (
    Branch,
    Case,
    Choice,
    End,
    Follow,
    Free,
    ListedAssumption,
    Made,
    ProgramIdentity,
    Schedule,
    ScheduledEvent,
    Section,
    Site,
)

VOID = {"meta"}
HOSTILE = (
    "</title></style></script><script>alert(1)</script><img src=//x onerror='alert(2)'>\"&\0\u202e"
)


class Page(HTMLParser):
    """The elements of a page with their attributes and texts, after a check that they nest."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: list[str] = []
        self.open: list[tuple[str, int]] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        self.texts.append("")
        if tag not in VOID:
            self.open.append((tag, len(self.texts) - 1))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        opened, _ = self.open.pop()
        assert opened == tag

    def handle_data(self, data: str) -> None:
        for _, number in self.open:
            self.texts[number] += data

    def found(self, tag: str, kind: str = "") -> list[tuple[dict[str, str], str]]:
        """Attributes and text of all elements of a class."""
        return [
            (attributes, text)
            for (name, attributes), text in zip(self.elements, self.texts, strict=True)
            if name == tag and (not kind or kind in attributes.get("class", "").split())
        ]


def drawn(schedule: Schedule) -> Page:
    """The parsed page, after checks that hold for every page."""
    page = Page(schedule_page(schedule, "s.sched.json"))
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    rows = [
        f"s{number}e{row}"
        for number, section in enumerate(schedule.sections)
        for row in range(len(section.events))
    ]
    assert [attributes["id"] for attributes, _ in page.found("li")] == rows
    assert len(page.found("path", "wait")) == waits(schedule)
    assert len(page.found("a", "after")) == waits(schedule)
    for tag, attributes in page.elements:
        assert not {"src", "action", "data", "xlink:href"} & attributes.keys(), tag
        assert not any(name.startswith("on") for name in attributes)
        link = attributes.get("href", "#sections")
        assert link[0] == "#" and link[1:] in ids
    assert len(page.found("script")) == len(page.found("title")) - len(schedule.sections) - 1 == 1
    assert not page.found("link") and not page.found("img")
    return page


def waits(schedule: Schedule) -> int:
    return sum(len(event.waits) for section in schedule.sections for event in section.events)


def site(number: int, what: str, action: str = "gate", **more: object) -> Site:
    return replace(Site("work", number, "op", "p.c", 10 + number, 5, what, action), **more)  # type: ignore[arg-type]


def example(*sections: Section, overlap: bool = False, **more: object) -> Schedule:
    sites = (
        site(0, "write count"),
        site(1, "lock mutex", "skip"),
        site(2, "read count", "free"),
        site(3, "unlock mutex", "pass"),
    )
    return replace(
        Schedule(
            ProgramIdentity("p.c", "0123456789abcdef"),
            Made("imc 1", 2, "opt1", "round-robin", ("assertion", "race")),
            (ListedAssumption("no-overflow", "nobody reads this"),),
            (),
            ("main", "main.1", "main.2"),
            sites,
            overlap,
            0,
            sections,
        ),
        **more,  # type: ignore[arg-type]
    )


@given(schedules().map(lambda schedule: replace(schedule, assumptions=())))
def test_every_event_and_every_wait_is_there_once(schedule: Schedule) -> None:
    page = drawn(schedule)
    events = [event for section in schedule.sections for event in section.events]
    for (attributes, _), event in zip(page.found("div", "event"), events, strict=True):
        assert schedule.sites[event.site].action in attributes["class"].split()
    arrows = page.found("path", "wait")
    expected = [
        (f"s{number}e{row}", thread, count)
        for number, section in enumerate(schedule.sections)
        for row, event in enumerate(section.events)
        for thread, count in event.waits
    ]
    for (attributes, _), (target, thread, count) in zip(arrows, expected, strict=True):
        assert attributes["data-to"] == target
        assert ("before" in attributes["class"]) == (count <= 0)
        if count > 0:
            number, row = map(int, attributes["data-from"][1:].split("e"))
            before = schedule.sections[number].events[: row + 1]
            gates = [e for e in before if e.thread == thread and schedule.sites[e.site].gated]
            assert len(gates) == count and gates[-1] is before[-1]
        else:
            assert "data-from" not in attributes


@given(schedules().map(lambda schedule: replace(schedule, assumptions=())))
def test_arrows_cross_no_text(schedule: Schedule) -> None:
    for number, section in enumerate(schedule.sections):
        lanes = LaneLayout(schedule, number)
        for upper, lower in pairwise(lanes.boxes):
            assert upper.top + upper.height < lower.top
        frames = list(zip(lanes.lefts, lanes.widths, strict=True))
        for (left, width), (right, _) in pairwise(frames):
            assert left + width < right
        for box, arrows in zip(lanes.boxes, lanes.arrows, strict=True):
            for place, arrow in enumerate(arrows, 1):
                x, y, down, end, tip = points(lanes.path(arrow))
                source = LINE // 2 + 4 if arrow.source is None else lanes.boxes[arrow.source].top
                assert y == source + (0 if arrow.source is None else LINE // 2)
                assert box.top + place * LINE < end < box.top + (place + 1) * LINE
                assert x in (frames[arrow.lanes[0]][0], sum(frames[arrow.lanes[0]]))
                assert tip in (frames[box.lane][0], sum(frames[box.lane]))
                assert min(x, tip) < down < max(x, tip)
                assert not any(left <= down <= left + width for left, width in frames)
        assert (len(section.events) == 0) == (not lanes.boxes)


def points(path: str) -> tuple[int, ...]:
    """Where an arrow begins (x, y), its way down (x), and where it ends (y, x)."""
    number = r"(-?\d+)"
    found = re.match(
        rf"M{number} {number}H{number}q{number} 0 \S+ {number}V{number}q0 {number} .*?H{number}m",
        path,
    )
    assert found
    x, y, before, turn, deep, above, _, tip = map(int, found.groups())
    return x, y, before + turn, above + deep, tip


def test_different_arrows_lie_beside_each_other() -> None:
    events = [ScheduledEvent(0, 0) for _ in range(5)]
    events += [ScheduledEvent(1, 0, ((0, number),)) for number in (1, 2, 3, 4, 5, 5)]
    lanes = LaneLayout(example(Section(tuple(events), End())), 0)
    ways = [points(lanes.path(arrow))[2] for arrows in lanes.arrows for arrow in arrows]
    assert ways[4] == ways[5], "one event is waited for twice"
    assert all(one != other for one, other in combinations(ways[:5], 2))


def test_space_between_lanes_has_a_limit() -> None:
    events = [ScheduledEvent(0, 0) for _ in range(200)]
    events += [ScheduledEvent(1, 0, ((0, number),)) for number in range(1, 201)]
    lanes = LaneLayout(example(Section(tuple(events), End())), 0)
    assert lanes.lefts[1] - lanes.lefts[0] - lanes.widths[0] < 10 * TRACKS


def test_what_is_said_of_the_whole() -> None:
    section = Section(
        (ScheduledEvent(0, 0), ScheduledEvent(1, 2), ScheduledEvent(1, 0, ((0, 1),))), End()
    )
    page = drawn(example(section, bounds=("at most 3 threads",)))
    words = dict(
        zip((t for _, t in page.found("dt")), (t for _, t in page.found("dd")), strict=True)
    )
    assert words["program"] == "p.c, digest 0123456789abcdef"
    assert words["made by"] == "imc 1, round-robin, result 2"
    assert words["optimisation"] == "opt1"
    assert words["proved"].startswith("within the bounds below, whatever the input")
    assert words["properties"] == "assertion, race"
    assert words["proof"] == "not in the file"
    assert words["bounds"] == "at most 3 threads"
    assert words["assumed"].startswith("signed arithmetic does not overflow")
    assert words["assumed"].endswith("[no-overflow]")
    assert words["threads"] == "main, main.1, main.2"
    assert words["size"] == "1 section, 3 events (1 free), 1 wait, 2 threads"


def test_only_gates_are_numbered() -> None:
    events = (
        ScheduledEvent(0, 1),
        ScheduledEvent(0, 2),
        ScheduledEvent(0, 0),
        ScheduledEvent(0, 3),
        ScheduledEvent(1, 0, ((0, 2),)),
    )
    page = drawn(example(Section(events, End())))
    assert [text for _, text in page.found("span", "number")] == ["", "", "1", "2", "1"]
    assert page.found("a", "after") == [
        ({"class": "after", "href": "#s0e3"}, "after 2 of main"),
    ]
    legend = page.found("p", "legend")[0][1]
    assert "happen without asking" in legend and "not performed" in legend


def test_waits_for_earlier_sections() -> None:
    first = Section((ScheduledEvent(0, 0), ScheduledEvent(2, 0)), Follow(1))
    second = Section((ScheduledEvent(1, 0, ((0, 0), (2, -2))),), Follow(1))
    schedule = example(first, second, overlap=True)
    page = drawn(schedule)
    words = [text for _, text in page.found("a", "after")]
    assert words == ["after all earlier events of main", "after all but 2 earlier events of main.2"]
    assert [text for _, text in page.found("b")] == ["main", "main.2", "main", "main.1", "main.2"]
    assert len(page.found("i")) == 2
    assert "Sections overlap" in page.found("p", "legend")[0][1]
    printed = " ".join(schedule_text(schedule, "s").split())
    assert "all earlier events of main and all but 2 earlier events of main.2" in printed


def test_what_comes_next() -> None:
    guard = ("=", ("memory", "global", "count", 8), 5)
    cases = Case(0, None, 1), Case(None, None, 2), Case(None, guard, 2), Case(3, ("stopped",), 3)
    some = (ScheduledEvent(0, 0),)
    schedule = example(
        Section(some, Branch(0, cases)),
        Section(some, Choice((0, 2))),
        Section((), End()),
        Section((), Free()),
    )
    page = drawn(schedule)
    words = [text for _, text in page.found("p", "next")]
    assert words == [
        "then section 1 if main comes to write count (line 10), section 2 if main has ended, "
        "section 2 if count at 8 is 5, section 3 if an assumption has stopped main",
        "then, freely, section 0 or 2",
        "then the program ends",
        "then nothing is ordered",
    ]
    printed = " ".join(schedule_text(schedule, "s").split())
    assert all(text in printed for text in words)
    assert [text for _, text in page.found("p", "size")][2] == "no events, after section 0 or 1"
    labels = [text for _, text in page.found("text", "label")]
    assert "main comes to write count (line 10)" in labels
    assert len(page.found("g", "dashed")) == 2


def test_names_are_text() -> None:
    sites = (site(0, HOSTILE, file=HOSTILE, function=HOSTILE), site(1, "read", file="other.c"))
    section = Section(
        (ScheduledEvent(0, 0), ScheduledEvent(1, 1, ((0, 1),))),
        Branch(0, (Case(0, None, 0), Case(None, (HOSTILE,), 1))),
    )
    page = drawn(
        example(
            section,
            Section((), End()),
            sites=sites,
            threads=(HOSTILE, "main.1"),
            program=ProgramIdentity(HOSTILE, HOSTILE),
            made=Made(HOSTILE, 1, "opt1", HOSTILE, (HOSTILE,)),
            assumptions=(ListedAssumption("external-function", HOSTILE, HOSTILE),),
            bounds=(HOSTILE,),
        )
    )
    kept = HOSTILE.replace("\0", "\ufffd").replace("\u202e", "\ufffd")
    assert page.found("span", "what")[0][1] == kept
    assert page.found("h1")[0][1] == f"Schedule of {kept}"
    assert [text for _, text in page.found("span", "line")][2] == "other.c:11"


@pytest.mark.parametrize("what", ["x" * 5000, "線" * 500])
def test_long_names_do_not_stretch_lanes(what: str) -> None:
    schedule = example(Section((ScheduledEvent(0, 0),), End()), sites=(site(0, what, file=what),))
    assert LaneLayout(schedule, 0).width < 500
    assert page_width(drawn(schedule)) < 700


def page_width(page: Page) -> int:
    style = next(a["style"] for a, _ in page.found("div", "scroll") if "style" in a)
    found = re.search(r"--width:(\d+)", style)
    assert found
    return int(found[1])
