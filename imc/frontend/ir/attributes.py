"""Attributes of functions, parameters and arguments: stepped over, but for those that matter."""

from __future__ import annotations

from imc.frontend.ir.constants import starts_value
from imc.frontend.ir.lexer import Cursor, words
from imc.frontend.ir.types import TypeTable, starts_type
from imc.program.types import Type

_LINKAGES = words(
    "private internal available_externally linkonce weak common appending extern_weak "
    "linkonce_odr weak_odr external"
)


def linkage_of(words: list[str]) -> str:
    """The linkage among the words before a definition; `external` is the one left unsaid."""
    return next((word for word in words if word in _LINKAGES), "external")


def skip_to_type(c: Cursor) -> list[str]:
    """Step over the words before a type (linkage, calling convention, …); returns them."""
    words = []
    while not starts_type(c.peek()):
        words.append(c.next())
        if c.peek() == "(":
            c.skip_group()
    return words


def read_attributes(c: Cursor, types: TypeTable) -> Type | None:
    """Step over the attributes between a type and its value; returns the type in `byval(type)`."""
    byval = None
    while not starts_value(c.peek()):
        word = c.next()
        if word == "byval" and c.accept("("):
            byval = types.read(c)
            c.expect(")")
        elif c.peek() == "(":
            c.skip_group()
        elif word == "align":
            c.number()
        else:
            c.accept("=")
    return byval


def skip_metadata(c: Cursor) -> None:
    """Step over a metadata argument, up to the comma or parenthesis after it."""
    while c.peek() not in (",", ")"):
        if c.peek() in ("(", "{"):
            c.skip_group()
        else:
            c.next()
