"""Colours of drawn graphs, on light and dark pages."""

from __future__ import annotations

from typing import NamedTuple


class Colours(NamedTuple):
    """Fill and border of a box, on a light and on a dark page."""

    fill: str
    border: str
    dark_fill: str
    dark_border: str


PLAIN = Colours("#ffffff", "#8894a4", "#252b33", "#77838f")
KINDS = {
    "entry": Colours("#e3f4e6", "#3f9a56", "#1c3524", "#5bb874"),
    "exit": Colours("#e8ecf1", "#66758a", "#303842", "#8d9bad"),
    "loop": Colours("#e4effb", "#3d7fc4", "#1b2f47", "#5f9fe0"),
    "call": Colours("#f0eafa", "#8462bd", "#30264a", "#a68bdc"),
    "sync": Colours("#fdf2d9", "#c28a1e", "#3d3117", "#d9a842"),
    "error": Colours("#fde6e4", "#cf4338", "#482120", "#ee7268"),
    "covered": Colours("#f3f3f3", "#b3b8bf", "#1f2328", "#545d68"),
}
"""Kinds of nodes with colours of their own; every other kind is drawn in `PLAIN`."""


class Page(NamedTuple):
    """Colours of all but boxes; those of edges are for the ways they lead."""

    back: str
    group: str
    frame: str
    text: str
    line: str
    rising: str
    dashed: str
    bridge: str


LIGHT = Page("#ffffff", "#f2f4f7", "#d5dae1", "#1f2328", "#57606a", "#2f6fb5", "#a8641a", "#7a52b3")
DARK = Page("#0f1318", "#171c22", "#313943", "#e2e6ea", "#99a3ae", "#6cabec", "#d9a05b", "#b08fe6")
ON_DARK = "@media screen and (prefers-color-scheme:dark)"  # paper is light
_SHAPES = {
    "text": 'font:12px ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;white-space:pre',
    ".title": "font-size:14px;font-weight:bold",
    ".name": "font-weight:bold",
    ".label": "font-size:11px;paint-order:stroke;stroke-width:4px;stroke-linejoin:round",
    ".node rect": "stroke-width:1.2",
    ".covered rect": "stroke-dasharray:4 3",
    ".edge path": "fill:none;stroke-width:1.3",
    ".dashed path": "stroke-dasharray:5 4",
    ".dotted path": "stroke-dasharray:1.5 3",
    ".bold path": "stroke-width:2.4",
}


def stylesheet() -> str:
    """The rules for all pictures; they hold only inside of them."""
    boxes = {"plain": PLAIN, **KINDS}
    light = _colours(LIGHT, {kind: (c.fill, c.border) for kind, c in boxes.items()})
    dark = _colours(DARK, {kind: (c.dark_fill, c.dark_border) for kind, c in boxes.items()})
    dark_rules = f"{ON_DARK}{{\n{_rules(dark)}\n}}"
    return "\n".join([_rules(_SHAPES), _rules(light), dark_rules])


def _rules(rules: dict[str, str]) -> str:
    return "\n".join(f".imc-graph {selector}{{{body}}}" for selector, body in rules.items())


def _colours(page: Page, boxes: dict[str, tuple[str, str]]) -> dict[str, str]:
    rules = {
        ".page": f"fill:{page.back}",
        ".group": f"fill:{page.group};stroke:{page.frame}",
        "text": f"fill:{page.text}",
        ".label": f"fill:{page.line};stroke:{page.back}",
        ".boxed .label": f"stroke:{page.group}",
    }
    for kind, colour in (
        ("edge", page.line),
        ("rising", page.rising),
        ("dashed", page.dashed),
        ("bridge", page.bridge),
    ):
        rules[f".{kind} path"] = f"stroke:{colour}"
        rules[f".{kind} .head"] = f"fill:{colour};stroke:none"
    for kind, (fill, border) in boxes.items():
        rules[f".{kind} rect"] = f"fill:{fill};stroke:{border}"
    return rules
