"""Calls that others can see in the middle of, and that the run-time performs step by step.

Which steps there are is the model's: what other threads may use is read and written in events of
its own, anything else at once with what the call does. So the run-time has to be told which is
which, by the same analysis.
"""

from __future__ import annotations

from dataclasses import dataclass

from imc.program.analysis.sharing import Sharing
from imc.program.instructions import Library
from imc.program.library import LIBRARY
from imc.program.program import Function

MOST = 32  # arguments that can be told of


@dataclass(frozen=True, slots=True)
class Steps:
    """Who performs a call, and which of its arguments lead to shared memory, a bit for each."""

    performer: str
    shared: int


def steps_of(sharing: Sharing, function: Function, i: Library) -> Steps | None:
    """How a call in several steps is built; None if that is not possible."""
    performer = LIBRARY[i.function].native_steps.get(i.name)
    if performer is None:
        return None
    bits = (sharing.may_be_shared(function.name, a) << n for n, a in enumerate(i.args[:MOST]))
    return Steps(performer, sum(bits))
