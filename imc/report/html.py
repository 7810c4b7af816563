"""HTML as text: whatever is not `Markup` is escaped, so no name can act as a part of the page."""

from __future__ import annotations

from html import escape

from imc.report.drawing import printable


class Markup(str):
    """Text that is HTML already."""


def element(tag: str, *content: str, **attributes: str | int | None) -> Markup:
    """An element; attributes are written `class_` and `data_from`, those that are None left out."""
    names = (
        f' {name.rstrip("_").replace("_", "-")}="{_escaped(str(value))}"'
        for name, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{tag}{''.join(names)}>{joined(*content)}</{tag}>")


def joined(*content: str) -> Markup:
    return Markup("".join(map(_escaped, content)))


def _escaped(text: str) -> str:
    return text if isinstance(text, Markup) else escape(printable(text))
