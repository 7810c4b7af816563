"""Searches that rest: generators, which give way whenever their clock says that a turn is over.

Nothing is lost by that: a search goes on where it was.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

Answer = TypeVar("Answer")
Turns = Generator[None, None, Answer]


def at_once(search: Turns[Answer]) -> Answer:
    """The whole of a search, as one turn."""
    while True:
        try:
            next(search)
        except StopIteration as end:
            answer: Answer = end.value
            return answer
