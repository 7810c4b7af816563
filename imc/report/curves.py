"""Line charts as one SVG file that needs no other file or program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

LEFT, WIDTH, KEY, TOP, HEIGHT, BOTTOM = 60, 440, 150, 44, 220, 48  # pixels
COLOURS = ("#3f7fc4", "#c4603f", "#3f9a5f", "#8a5fc0", "#b08a20", "#c04f8f", "#4a9aa5")


@dataclass(frozen=True, slots=True)
class Curve:
    """Points with x from 0 to 1, drawn from 1 on the left to 0 on the right."""

    name: str
    points: Sequence[tuple[float, float]]


def line_chart(groups: Sequence[tuple[str, Sequence[Curve]]], below: str) -> str:
    """Charts one below the other, each to its own scale; `below` says what x is, in percent."""
    rows: list[str] = []
    y = 0
    for title, lines in groups:
        rows.append(f'<text class="title" x="12" y="{y + 28}">{escape(title)}</text>')
        rows += _chart(lines, y + TOP, below)
        y += TOP + HEIGHT + BOTTOM
    width, height = LEFT + WIDTH + KEY, y
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img">',
            f"<style>{_STYLE}</style>",
            f'<rect class="back" width="{width}" height="{height}"/>',
            *rows,
            "</svg>\n",
        ]
    )


def _chart(lines: Sequence[Curve], top: float, below: str) -> list[str]:
    largest = max((y for line in lines for _, y in line.points), default=0)
    step = next(s for s in (0.25, 0.5, 1, 2, 5, 10, 20, 50, 1e9) if largest <= 6 * s)
    scale = HEIGHT / (step * (int(largest / step) + 1))
    base = top + HEIGHT
    rows = []
    for n in range(int(largest / step) + 2):
        y = base - n * step * scale
        rows.append(f'<path class="grid" d="M{LEFT} {y:.1f}h{WIDTH}"/>')
        rows.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{n * step:g}</text>')
    for percent in range(100, -1, -25):
        x = LEFT + WIDTH * (1 - percent / 100)
        rows.append(f'<text x="{x:.1f}" y="{base + 18}" text-anchor="middle">{percent} %</text>')
    middle = LEFT + WIDTH / 2
    rows.append(f'<text x="{middle}" y="{base + 36}" text-anchor="middle">{escape(below)}</text>')
    for number, line in enumerate(lines):
        rows += _line(line, COLOURS[number % len(COLOURS)], base, scale)
        y = top + 14 + 20 * number
        x = LEFT + WIDTH + 14
        rows.append(f'<path stroke="{COLOURS[number % len(COLOURS)]}" d="M{x} {y - 4}h18"/>')
        rows.append(f'<text x="{x + 24}" y="{y}">{escape(line.name)}</text>')
    return rows


def _line(line: Curve, colour: str, base: float, scale: float) -> list[str]:
    places = [(LEFT + WIDTH * (1 - x), base - y * scale) for x, y in line.points]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    dots = [f'<circle fill="{colour}" cx="{x:.1f}" cy="{y:.1f}" r="3"/>' for x, y in places]
    return [f'<path stroke="{colour}" d="M{path}"/>', *dots]


_STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#1d2630}.title{font-weight:600}"
    "path{fill:none;stroke-width:2}.back{fill:#ffffff}.grid{stroke:#d5dae0;stroke-width:1}"
    "@media screen and (prefers-color-scheme:dark){text{fill:#d8dee6}.back{fill:#171b20}"
    ".grid{stroke:#39424c}}"
)
