"""Points over logarithmic axes, as one SVG file that needs no other file or program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 420, 64, 24, 52, 52  # pixels


@dataclass(frozen=True, slots=True)
class Dot:
    """A point with its name; the best one stands out."""

    x: float
    y: float
    name: str
    best: bool = False


def scatter_chart(
    title: str, axes: tuple[str, str], dots: Sequence[Dot], levels: Sequence[tuple[str, float]]
) -> str:
    """The dots, and horizontal lines to compare them with."""
    across = _Axis([dot.x for dot in dots], LEFT, WIDTH - RIGHT)
    up = _Axis([*(dot.y for dot in dots), *(y for _, y in levels)], HEIGHT - BOTTOM, TOP)
    rows = [f'<text class="title" x="12" y="28">{escape(title)}</text>']
    for tick in across.ticks:
        rows.append(_text(across(tick), HEIGHT - BOTTOM + 18, f"{tick:g}", "middle"))
        rows.append(f'<path class="grid" d="M{across(tick):.1f} {TOP}V{HEIGHT - BOTTOM}"/>')
    for tick in up.ticks:
        rows.append(_text(LEFT - 8, up(tick) + 4, f"{tick:g}", "end"))
        rows.append(f'<path class="grid" d="M{LEFT} {up(tick):.1f}H{WIDTH - RIGHT}"/>')
    for name, y in levels:
        rows.append(f'<path class="level" d="M{LEFT} {up(y):.1f}H{WIDTH - RIGHT}"/>')
        rows.append(_text(WIDTH - RIGHT - 4, up(y) - 5, name, "end"))
    for dot in dots:
        x, y = across(dot.x), up(dot.y)
        kind, size = ("best", 6) if dot.best else ("dot", 4)
        rows.append(f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{size}"/>')
        beside = x > WIDTH - 180
        rows.append(_text(x + (-9 if beside else 9), y + 4, dot.name, "end" if beside else "start"))
    rows.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, axes[0], "middle"))
    rows.append(_text(LEFT, TOP - 8, axes[1], "start"))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
            f'viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
            f"<style>{_STYLE}</style>",
            f'<rect class="back" width="{WIDTH}" height="{HEIGHT}"/>',
            *rows,
            "</svg>\n",
        ]
    )


class _Axis:
    """Positive numbers to pixels, by their logarithms."""

    def __init__(self, values: Sequence[float], low: float, high: float) -> None:
        logs = [log10(value) for value in values if value > 0] or [0.0]
        self._first, self._last = floor(min(logs)), max(ceil(max(logs)), floor(min(logs)) + 1)
        self._low, self._high = low, high

    @property
    def ticks(self) -> list[float]:
        return [10.0**n for n in range(self._first, self._last + 1)]

    def __call__(self, value: float) -> float:
        if value <= 0:
            return self._low
        part = (log10(value) - self._first) / (self._last - self._first)
        return self._low + part * (self._high - self._low)


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


_STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#1d2630}.title{font-size:14px;font-weight:600}"
    ".back{fill:#ffffff}.grid{stroke:#e3e7ec}.level{stroke:#b0553a;stroke-dasharray:5 4}"
    ".dot{fill:#5b93cf}.best{fill:#c8811b}"
    "@media screen and (prefers-color-scheme:dark){text{fill:#d8dee6}.back{fill:#171b20}"
    ".grid{stroke:#2b323a}.dot{fill:#4a7fb5}}"
)
