"""Strategies by what users call them."""

from __future__ import annotations

import re

from imc.errors import UserError
from imc.verifier.search.strategy import (
    BACKWARDS,
    FewestSwitches,
    LeastFreedom,
    RoundRobin,
    SideBySide,
    Strategy,
    WholeRounds,
)
from imc.verifier.search.turns import LongRuns, TurnOrder

# Tried one after the other where none is named; the others are for fast schedules, not for any.
TRIED = (RoundRobin, WholeRounds, FewestSwitches, LeastFreedom)
PLAIN: dict[str, type[RoundRobin]] = {kind.name: kind for kind in (*TRIED, SideBySide)}
LONG_RUNS = re.compile(
    r"long-runs(:(?P<runs>[1-9]\d*)(,repeats=(?P<repeats>[1-9]\d*))?(,(?P<order>ungrouped|reversed))?)?"
)
KNOWN = (
    *(f"{name}{more}" for name in PLAIN for more in ("", f",{BACKWARDS}")),
    *(f"long-runs:K{more}" for more in ("", ",repeats=M", ",ungrouped", ",reversed")),
)


def strategy(name: str) -> Strategy:
    """The strategy of a name, with its parameters."""
    plain, _, order = name.partition(",")
    if plain in PLAIN and name in KNOWN:
        return PLAIN[plain](backwards=order == BACKWARDS)
    found = LONG_RUNS.fullmatch(name)
    if found is None:
        raise UserError(f"there is no strategy '{name}'", hint=f"known: {', '.join(KNOWN)}")
    runs, repeats = found["runs"] or LongRuns.RUNS, found["repeats"] or 1
    return LongRuns(int(runs), int(repeats), TurnOrder(found["order"] or TurnOrder.GROUPED))
