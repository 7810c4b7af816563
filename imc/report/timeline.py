"""A rate over time, with marks, as one SVG file that needs no other file or program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import floor, log10

LEFT, WIDTH, RIGHT, TOP, HEIGHT, BOTTOM = 70, 560, 24, 60, 220, 48  # pixels
MOST_MARKS = 40  # with a label; more would not be read


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that happened at a time, in a word or two; a lasting change is drawn strongly."""

    time_s: float
    text: str
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Timeline:
    """Points of time and rate, in this order."""

    title: str
    points: Sequence[tuple[float, float]]
    marks: Sequence[Mark] = ()


def timeline_chart(timelines: Sequence[Timeline], unit: str) -> str:
    """Charts one below the other, each to its own scale; `unit` is what the rate counts."""
    rows: list[str] = []
    y = 0
    for line in timelines:
        title = f"{line.title}: {unit} per second"
        rows.append(f'<text class="title" x="12" y="{y + 24}">{escape(title)}</text>')
        rows += _chart(line, y + TOP)
        y += TOP + HEIGHT + BOTTOM
    width = LEFT + WIDTH + RIGHT
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{y}" '
            f'viewBox="0 0 {width} {y}" role="img">',
            f"<style>{_STYLE}</style>",
            f'<rect class="back" width="{width}" height="{y}"/>',
            *rows,
            "</svg>\n",
        ]
    )


def _chart(line: Timeline, top: float) -> list[str]:
    last = max([*(t for t, _ in line.points), *(m.time_s for m in line.marks)], default=0) or 1
    most = max((rate for _, rate in line.points), default=0) or 1
    base, across, up = top + HEIGHT, WIDTH / last, HEIGHT / (1.05 * most)
    rows = []
    for rate in _ticks(most):
        y = base - rate * up
        rows.append(f'<path class="grid" d="M{LEFT} {y:.1f}h{WIDTH}"/>')
        rows.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{_short(rate)}</text>')
    for seconds in _ticks(last):
        x = LEFT + seconds * across
        rows.append(f'<text x="{x:.1f}" y="{base + 18}" text-anchor="middle">{seconds:g} s</text>')
    for number, mark in enumerate(line.marks):
        x = LEFT + mark.time_s * across
        kind = "strong" if mark.strong else "mark"
        rows.append(f'<path class="{kind}" d="M{x:.1f} {top}v{HEIGHT}"/>')
        if mark.strong or len(line.marks) <= MOST_MARKS:
            y = top - 6 - 12 * (number % 2)
            rows.append(f'<text class="small" x="{x:.1f}" y="{y:.1f}">{escape(mark.text)}</text>')
    path = "L".join(f"{LEFT + t * across:.1f} {base - rate * up:.1f}" for t, rate in line.points)
    if path:
        rows.append(f'<path class="line" d="M{path}"/>')
    return rows


def _ticks(most: float) -> list[float]:
    """Four to ten round numbers from 0 on."""
    size = 10 ** floor(log10(most))
    step = next(size * f for f in (0.1, 0.2, 0.5, 1, 2) if most <= 8 * size * f)
    return [n * step for n in range(int(most / step) + 1)]


def _short(rate: float) -> str:
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if rate >= size:
            return f"{rate / size:g} {letter}"
    return f"{rate:g}"


_STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#1d2630}.title{font-weight:600}.small{font-size:10px}"
    "path{fill:none}.back{fill:#ffffff}.grid{stroke:#d5dae0}.line{stroke:#3f7fc4;stroke-width:2}"
    ".mark{stroke:#c4603f;stroke-dasharray:2 4}.strong{stroke:#3f9a5f;stroke-width:2}"
    "@media screen and (prefers-color-scheme:dark){text{fill:#d8dee6}.back{fill:#171b20}"
    ".grid{stroke:#39424c}}"
)
