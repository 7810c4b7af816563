"""A bar chart as one SVG file that needs no other file or program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

LABEL, BAR, FIGURE, ROW, TOP = 130, 420, 150, 26, 44  # pixels


@dataclass(frozen=True, slots=True)
class Bar:
    """A value with its spread, and what is written beside it."""

    name: str
    value: float
    low: float
    high: float
    text: str


def bar_chart(groups: Sequence[tuple[str, Sequence[Bar]]]) -> str:
    """Groups one below the other, each drawn to its own scale."""
    rows: list[str] = []
    y = 0
    for title, bars in groups:
        rows.append(f'<text class="title" x="12" y="{y + 28}">{escape(title)}</text>')
        y += TOP
        largest = max((bar.high for bar in bars), default=0) or 1
        for bar in bars:
            rows += _bar(bar, y, BAR / largest)
            y += ROW
    width, height = LABEL + BAR + FIGURE, y + 16
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


def _bar(bar: Bar, y: int, scale: float) -> list[str]:
    middle = y + ROW / 2
    low, high = LABEL + bar.low * scale, LABEL + bar.high * scale
    return [
        f'<text x="{LABEL - 8}" y="{middle + 4:.1f}" text-anchor="end">{escape(bar.name)}</text>',
        f'<rect class="bar" x="{LABEL}" y="{y + 4}" width="{bar.value * scale:.1f}" '
        f'height="{ROW - 8}"/>',
        f'<path class="spread" d="M{low:.1f} {middle:.1f}H{high:.1f}'
        f'M{low:.1f} {middle - 4:.1f}v8M{high:.1f} {middle - 4:.1f}v8"/>',
        f'<text x="{high + 8:.1f}" y="{middle + 4:.1f}">{escape(bar.text)}</text>',
    ]


_STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#1d2630}.title{font-weight:600}"
    ".back{fill:#ffffff}.bar{fill:#5b93cf}.spread{stroke:#1d2630;fill:none}"
    "@media screen and (prefers-color-scheme:dark){text{fill:#d8dee6}.back{fill:#171b20}"
    ".bar{fill:#4a7fb5}.spread{stroke:#d8dee6}}"
)
