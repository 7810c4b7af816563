"""How long turns can be before they have no effect, found out by trying one.

A producer goes on until the buffer is full. Nothing is verified here: it is a hint where to look.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass

from imc.program.program import Program
from imc.program.settings import Settings
from imc.verifier.engine import Budget, Engine
from imc.verifier.search.turns import LongRuns, Turn
from imc.verifier.tree.knowledge import PathKnowledge
from imc.verifier.tree.precision import Diverges, NotExact

NEVER = 1 << 30  # rounds of known values, before any becomes a symbol


@dataclass(frozen=True, slots=True)
class Room:
    """Rounds of a turn until they have no effect, and how many threads of a kind share them."""

    rounds: int
    threads: int

    @property
    def share(self) -> int:
        """Of one thread, if all take their turns before it is the other kind's."""
        return max(1, self.rounds // self.threads)


class _Ended(Exception):
    """Enough has been seen."""


def find_room(program: Program, longest: int, seconds: float) -> Room | None:
    """Lets threads go on for as long as they have an effect; None if that does not end."""
    strategy = LongRuns(longest + 1)
    enforced = Settings().enforced()
    search = Engine(program, enforced).search(strategy, PathKnowledge, NEVER, Budget())
    until = time.monotonic() + seconds
    found: list[Room] = []

    def tick() -> None:
        turn = search.tree.nodes[-1].phase
        if isinstance(turn, Turn) and turn.idle and turn.runs > 2:
            found.append(Room(turn.runs - 1, strategy.most_alike))
        endless = isinstance(turn, Turn) and turn.over and not turn.idle
        if found or endless or time.monotonic() > until:
            raise _Ended

    search.tick = tick
    with suppress(_Ended, Diverges, NotExact):
        search.first()
    return found[0] if found else None
