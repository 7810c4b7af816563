"""Threads that a bound leaves out: they are never started, and what they would do is missing.

Errors of the others are real, as if these threads were slow. That nobody can go on is not: a thread
that is missing may be the one that others wait for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from imc.program.events import Mode

if TYPE_CHECKING:
    from imc.program.code import Image
    from imc.program.machine import Machine
    from imc.program.state import State

MARK = "threads left out"  # an object that is there from the first one on


def may_start(m: Machine, limit: int) -> bool:
    """Counts threads where all can see it: which ones are left out is a matter of order."""
    place = m.hidden("threads", "number of threads")
    count = m.load_int(place, 0, 4) + 1
    if count < limit:
        m.store_int(place, 0, 4, count)
        m.touch(Mode.WRITE, place, 4, True)
        return True
    m.touch(Mode.READ, place, 4, True)
    mark = m.hidden(MARK, MARK)
    m.store_int(mark, 0, 4, 1)
    m.touch(Mode.WRITE, mark, 4, True)
    m.image.bounds.add(f"at most {limit} threads")
    return False


def is_somebody_missing(image: Image, state: State) -> bool:
    """Whether a thread was left out on the way to a state."""
    return image.settings.max_threads is not None and image.objects.find(MARK) in state.memory
