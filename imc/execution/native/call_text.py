"""Instructions in the text of the IR: where their operands begin and end."""

from __future__ import annotations

import re

Span = tuple[int, int]  # from, and up to

_ATTRIBUTE = re.compile(r"\s*(?:align \d+|[a-z_]+(?:\(\d+\))?)(?=\s)")
_CALLEE = re.compile(r"[@%](?:[\w.$-]+|\"[^\"]*\")\(")
_OPEN, _CLOSE = "([{<", ")]}>"


def call_operands(line: str) -> list[Span]:
    """The operands of a call, without their types and attributes."""
    callee = _CALLEE.search(line)
    assert callee is not None, line
    return [_without_type(line, span) for span in split(line, callee.end())]


def address_operand(line: str) -> Span:
    """The address that a load or store uses: what comes behind the type, or the value."""
    return _without_type(line, split(line, 0)[1])


def split(line: str, start: int) -> list[Span]:
    """Where the parts begin and end that commas divide, up to a parenthesis that closes them."""
    spans, begin, depth, at, quoted = [], start, 0, start, False
    while at < len(line):
        character = line[at]
        quoted ^= character == '"'
        if not quoted and character in _CLOSE:
            if depth == 0:
                break
            depth -= 1
        elif not quoted and character in _OPEN:
            depth += 1
        elif not quoted and character == "," and depth == 0:
            spans.append((begin, at))
            begin = at + 1
        at += 1
    return [*spans, (begin, at)]


def closing(line: str, at: int) -> int:
    """The parenthesis that closes one opened before."""
    depth = 1
    while depth:
        depth += {"(": 1, ")": -1}.get(line[at], 0)
        at += 1
    return at - 1


def behind_attributes(line: str, at: int) -> int:
    """Where an operand begins, behind the attributes at `at`."""
    while attribute := _ATTRIBUTE.match(line, at):
        if line[at:].lstrip().startswith("getelementptr"):
            break
        at = attribute.end()
    return at + len(line[at:]) - len(line[at:].lstrip())


def _without_type(line: str, span: Span) -> Span:
    """A scalar's or an address's, which are words; attributes stand between it and the operand."""
    begin, end = span
    begin += len(line[begin:end]) - len(line[begin:end].lstrip())
    return behind_attributes(line, line.index(" ", begin)), end
