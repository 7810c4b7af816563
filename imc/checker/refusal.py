"""Why a schedule is not accepted: a claim that does not hold, or one that nobody could decide."""

from __future__ import annotations

from reprlib import Repr

MOST_SHOWN = 60  # characters of what a file says, in a message


class Rejected(Exception):
    """A claim of a schedule that does not hold, or is no claim at all; the text says where."""


class Undecided(Exception):
    """Nothing was refuted, but a question has no answer: of the solver, or in the time there is."""


_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxlong = MOST_SHOWN // 2


def shown(value: object) -> str:
    """What a file says, for a message: short, and nothing that a terminal obeys."""
    text = _SHORT.repr(value)
    return text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 3] + "..."
