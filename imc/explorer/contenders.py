"""Several searches side by side, in turns that get longer: the first answer counts.

None of them begins anew, so together they take a small multiple of the time of the better of two.
Turns are counted in steps, not in seconds: the answer is the same wherever it is asked.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from imc.explorer.result import Clock, Exploration, Unsuitable
from imc.explorer.turns import Turns
from imc.program.code import Image
from imc.program.verdict import Verdict

FIRST_TURN = 10_000  # steps; each round has turns that are twice as long


@dataclass
class Contender:
    """A search with a clock of its own; `why` tells what an early and a late answer mean."""

    search: Turns[Exploration]
    clock: Clock
    early: str
    late: str
    bounds: set[str] = field(default_factory=set)  # that it has hit, while the others search


def first_answer(image: Image, contenders: list[Contender]) -> Exploration:
    """What the first one finds that comes to an end; the others are given up."""
    turn, why, rounds = FIRST_TURN, "", 0
    for contender in contenders:
        contender.bounds |= image.bounds
    while True:
        for contender in contenders.copy():
            alone = len(contenders) == 1
            contender.clock.begin_turn(None if alone else turn)
            try:
                found = _go_on(contender, image)
            except Unsuitable as problem:
                why = str(problem)
                if alone:
                    problem.result.bounds.append(why)
                    return problem.result
                contenders.remove(contender)
                continue
            if found is None:
                continue
            if not alone and _is_cut_short(found, contender.clock):
                contenders.remove(contender)
                continue
            found.why = why or _reason(found, contender, rounds)
            for other in contenders:
                other.search.close()
            return found
        turn, rounds = 2 * turn, rounds + 1


def _reason(found: Exploration, contender: Contender, rounds: int) -> str:
    if found.verdict is Verdict.UNKNOWN and contender.clock.is_over():
        return "no search came to an end"
    return contender.late if rounds else contender.early


def _go_on(contender: Contender, image: Image) -> Exploration | None:
    """One turn; bounds that are hit in it are the contender's own."""
    image.bounds.clear()
    image.bounds |= contender.bounds
    try:
        next(contender.search)
    except StopIteration as end:
        found: Exploration = end.value
        return found
    contender.bounds = image.bounds.copy()
    return None


def _is_cut_short(found: Exploration, clock: Clock) -> bool:
    """Whether only this search has met a limit, and others may find more."""
    unknown = found.verdict is Verdict.UNKNOWN and not found.interrupted
    return unknown and clock.struck and not clock.is_over()
