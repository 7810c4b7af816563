"""A section of a schedule as HTML: its lanes with their events and arrows, and what comes next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import PurePosixPath

from imc.report.drawing import columns, printable
from imc.report.html import Markup, element
from imc.report.lane_layout import LINE, LaneLayout
from imc.report.layout import COLUMN
from imc.report.schedule_text import ACTIONS, next_words, site_text, wait_text
from irs.schedule import Schedule, ScheduledEvent, Section, Site

MARGIN = 200  # pixels at most, for lines of the source


def section_name(schedule: Schedule, number: int) -> str:
    return f"section {number}{' (start)' if number == schedule.start else ''}"


def size_text(schedule: Schedule, sections: Sequence[Section]) -> str:
    """How many events, waits and threads there are."""
    events = [event for section in sections for event in section.events]
    actions = Counter(schedule.sites[event.site].action for event in events)
    special = ", ".join(f"{actions[a]} {word}" for a, word in ACTIONS.items() if actions[a])
    waits = sum(len(event.waits) for event in events)
    return ", ".join(
        [
            counted(len(events), "event") + (f" ({special})" if special else ""),
            counted(waits, "wait"),
            counted(len({event.thread for event in events}), "thread"),
        ]
        if events
        else ["no events"]
    )


def counted(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'s' * (number != 1)}"


def section_html(schedule: Schedule, number: int, before: Sequence[int]) -> Markup:
    """With links to other sections; `#s1` leads to section 1, and `#s1e0` to its first event."""
    section = schedule.sections[number]
    after = [word for n in before for word in (" or " if n != before[0] else ", after section ", n)]
    return element(
        "section",
        element("h2", element("a", section_name(schedule, number), href="#sections")),
        element("p", size_text(schedule, [section]), *map(_linked, after), class_="size"),
        _Picture(schedule, number).html() if section.events else "",
        element("p", *map(_linked, next_words(schedule, number)), class_="next"),
        id=f"s{number}",
    )


def _linked(word: str | int) -> str:
    return word if isinstance(word, str) else element("a", str(word), href=f"#s{word}")


class _Picture:
    """The lanes, to the right of a column with the lines of the source."""

    def __init__(self, schedule: Schedule, number: int) -> None:
        self.schedule = schedule
        self.number = number
        self.lanes = LaneLayout(schedule, number)
        self.events = schedule.sections[number].events
        files = {site.file for site in schedule.sites if site.file is not None}
        self.several = len(files) > 1
        lines = (self._line(schedule.sites[event.site]) for event in self.events)
        widest = max(map(columns, (*lines, "line")))
        self.margin = min(round(widest * COLUMN) + 20, MARGIN)
        self.frames = [
            f"left:{self.margin + left}px;width:{width}px"
            for left, width in zip(self.lanes.lefts, self.lanes.widths, strict=True)
        ]

    def _line(self, site: Site) -> str:
        """The line of the source; with its file, if there are several."""
        line = "" if site.line is None else str(site.line)
        if self.several and site.file:
            line = f"{PurePosixPath(site.file).name}:{line}"
        return printable(line)

    def html(self) -> Markup:
        """A frame that is scrolled by itself; the names of the threads stay in sight."""
        width = self.margin + self.lanes.width
        threads = list(zip(self.lanes.threads, self.frames, strict=True))
        names = (element("b", self.schedule.threads[t], style=frame) for t, frame in threads)
        earlier = [
            element("i", "earlier", style=frame) for t, frame in threads if t in self.lanes.earlier
        ]
        rows = (self._row(row, event) for row, event in enumerate(self.events))
        return element(
            "div",
            element("div", element("span", "line", class_="line"), *names, class_="names"),
            element(
                "div",
                self._arrows(),
                *earlier,
                element("ol", *rows),
                class_="lanes",
                style=f"height:{self.lanes.height}px",
            ),
            class_="scroll",
            tabindex=0,
            style=f"--width:{width};--margin:{self.margin}px",
        )

    def _arrows(self) -> Markup:
        """The lanes themselves, and the arrows between them."""
        stripes = (
            element("rect", x=left, width=width, height=self.lanes.height)
            for left, width in zip(self.lanes.lefts, self.lanes.widths, strict=True)
        )
        arrows = (
            element(
                "path",
                class_="wait before" if arrow.source is None else "wait",
                d=self.lanes.path(arrow),
                data_from=self._id(arrow.source),
                data_to=self._id(target),
            )
            for target, arrows in enumerate(self.lanes.arrows)
            for arrow in arrows
        )
        return element(
            "svg",
            *stripes,
            *arrows,
            width=self.lanes.width,
            height=self.lanes.height,
            style=f"left:{self.margin}px",
            aria_hidden="true",
        )

    def _id(self, row: int | None) -> str | None:
        return None if row is None else f"s{self.number}e{row}"

    def _row(self, row: int, event: ScheduledEvent) -> Markup:
        """The line, and in the lane of the thread what happens after what."""
        box, arrows = self.lanes.boxes[row], self.lanes.arrows[row]
        site = self.schedule.sites[event.site]
        after = (
            element(
                "a",
                f"after {wait_text(self.schedule, wait)}",
                class_="after",
                href=None if arrow.source is None else f"#{self._id(arrow.source)}",
            )
            for wait, arrow in zip(event.waits, arrows, strict=True)
        )
        return element(
            "li",
            element("span", self._line(site), class_="line"),
            element(
                "div",
                element("span", self.schedule.threads[event.thread], " ", class_="who"),
                element("span", str(box.number or ""), class_="number"),
                element("span", site_text(site), class_="what"),
                *after,
                class_=f"event {site.action}",
                title=self._title(event, site),
                style=f"{self.frames[box.lane]};height:{box.height}px;line-height:{LINE}px",
            ),
            id=self._id(row),
            style=f"top:{box.top}px;height:{box.height}px",
        )

    def _title(self, event: ScheduledEvent, site: Site) -> str:
        """All about an event, for who points at it."""
        place = (site.file, site.line, site.column)
        where = ":".join(str(part) for part in place if part is not None)
        texts = [
            f"{self.schedule.threads[event.thread]}: {site_text(site)}",
            f"{where} in {site.function}" if where else f"in {site.function}",
        ]
        if site.action in ACTIONS:
            texts.append(ACTIONS[site.action])
        return ", ".join(texts)
