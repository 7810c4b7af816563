"""A section as lanes: a column per thread, a row per event, an arrow per wait.

Every event has a row for itself. So an arrow leaves its event sideways, goes down between two lanes
and comes in sideways again, and never crosses a text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate

from imc.report.drawing import columns, printable
from imc.report.layout import COLUMN
from imc.report.schedule_text import site_text, wait_text
from irs.schedule import Schedule

LINE, GAP = 18, 4  # pixels: the height of a line of text, between rows
NUMBER, PAD = 24, 6  # pixels: for the number of an event, after its text
NARROWEST, WIDEST = 84, 330  # pixels: of lanes
SIDE, TRACK, ROUND = 11, 7, 5  # pixels: beside arrows, between them, of their corners
TRACKS = 12  # between two lanes


@dataclass(frozen=True, slots=True)
class Box:
    """An event: its row, and its number among those of its thread that waits count."""

    top: int
    height: int
    lane: int
    number: int | None


@dataclass(slots=True)
class _Trunk:
    """The part of arrows that lies between two lanes, on one of the tracks there."""

    top: int
    bottom: int = 0
    track: int = 0


@dataclass(frozen=True, slots=True)
class Arrow:
    """A wait: from an event (None: those of earlier sections) to its words in another one."""

    source: int | None
    lanes: tuple[int, int]
    ends: tuple[int, int]  # y
    trunk: _Trunk

    @property
    def rightwards(self) -> bool:
        return self.lanes[0] < self.lanes[1]


@dataclass(slots=True)
class _Gutter:
    """The space to the right of a lane."""

    trunks: list[_Trunk] = field(default_factory=list)
    width: int = 2 * SIDE

    def settle(self) -> None:
        """Gives trunks that would lie on each other different tracks, as long as there are any."""
        ends: list[int] = []
        for trunk in sorted(self.trunks, key=lambda trunk: trunk.top):
            track = min(range(len(ends)), key=ends.__getitem__, default=0)
            if len(ends) < TRACKS and (not ends or ends[track] >= trunk.top):
                track = len(ends)
                ends.append(0)
            trunk.track, ends[track] = track, max(ends[track], trunk.bottom)
        self.width += TRACK * max(len(ends) - 1, 0)


class LaneLayout:
    """Where all that is drawn of one section stands, in pixels from the upper left corner."""

    def __init__(self, schedule: Schedule, number: int) -> None:
        self.schedule = schedule
        self.events = schedule.sections[number].events
        waits = [wait for event in self.events for wait in event.waits]
        self.earlier = sorted({thread for thread, count in waits if count <= 0})
        self.threads = sorted({event.thread for event in self.events} | set(self.earlier))
        self._lane = {thread: lane for lane, thread in enumerate(self.threads)}
        self.boxes = self._boxes(GAP + LINE + GAP if self.earlier else GAP)
        self._gutters = [_Gutter() for _ in self.threads]
        self.arrows = self._arrows()
        for gutter in self._gutters:
            gutter.settle()
        self.widths = [self._width(thread) for thread in self.threads]
        steps = (w + g.width for w, g in zip(self.widths, self._gutters, strict=True))
        *self.lefts, self.width = accumulate(steps, initial=SIDE)
        self.height = max((box.top + box.height for box in self.boxes), default=0) + GAP

    def _boxes(self, top: int) -> list[Box]:
        boxes: list[Box] = []
        counted = dict.fromkeys(self.threads, 0)
        for event in self.events:
            gated = self.schedule.sites[event.site].gated
            counted[event.thread] += gated
            height = LINE * (1 + len(event.waits))
            number = counted[event.thread] if gated else None
            boxes.append(Box(top, height, self._lane[event.thread], number))
            top += height + GAP
        return boxes

    def _arrows(self) -> list[list[Arrow]]:
        """For each event one for each wait; from one place to one side they share their trunk."""
        arrows: list[list[Arrow]] = [[] for _ in self.events]
        rows = {(box.lane, box.number): row for row, box in enumerate(self.boxes)}
        trunks: dict[tuple[int, int | None, bool], _Trunk] = {}
        for target, event in enumerate(self.events):
            box = self.boxes[target]
            for place, (thread, count) in enumerate(event.waits, 1):
                lane = self._lane[thread]
                source = rows[lane, count] if count > 0 else None
                start = LINE // 2 + (GAP if source is None else self.boxes[source].top)
                end = box.top + place * LINE + LINE // 2
                rightwards = lane < box.lane
                trunk = trunks.get((lane, source, rightwards))
                if trunk is None:
                    trunk = trunks[lane, source, rightwards] = _Trunk(start)
                    self._gutters[lane if rightwards else lane - 1].trunks.append(trunk)
                trunk.bottom = end
                arrows[target].append(Arrow(source, (lane, box.lane), (start, end), trunk))
        return arrows

    def _width(self, thread: int) -> int:
        """Enough for the words in the lane, up to a limit."""
        texts = [self.schedule.threads[thread]]
        for event in self.events:
            if event.thread == thread:
                texts.append(site_text(self.schedule.sites[event.site]))
                texts += (f"after {wait_text(self.schedule, wait)}" for wait in event.waits)
        widest = max(columns(printable(text)) for text in texts)
        return min(max(round(widest * COLUMN) + NUMBER + PAD, NARROWEST), WIDEST)

    def path(self, arrow: Arrow) -> str:
        """How to draw an arrow: with round corners and a head."""
        (lane, to), (y, end) = arrow.lanes, arrow.ends
        left = lane if arrow.rightwards else lane - 1  # of the trunk
        down = self.lefts[left] + self.widths[left] + SIDE + TRACK * arrow.trunk.track
        x, tip, way = self.lefts[lane], self.lefts[to], 1
        if arrow.rightwards:
            x += self.widths[lane]
        else:
            tip, way = tip + self.widths[to], -1
        turn, head = ROUND * way, 6 * way
        return (
            f"M{x} {y}H{down - turn}q{turn} 0 {turn} {ROUND}"
            f"V{end - ROUND}q0 {ROUND} {turn} {ROUND}H{tip}m{-head} -4l{head} 4l{-head} 4"
        )
