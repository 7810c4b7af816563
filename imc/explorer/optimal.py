"""Optimal-DPOR: exactly one execution of each Mazurkiewicz trace, by wakeup trees.

Events that may have to wait (for a lock, a signal, a value) are reversed with the closest earlier
event before which they could have happened, as in Optimal-DPOR-Await (Jonsson, Lång, Sagonas).
"""

from __future__ import annotations

from functools import partial

from imc.explorer.dpor import Explorer
from imc.explorer.reversals import reversals
from imc.explorer.wakeup import insert, redundant
from imc.program.faults import Blocked


class Optimal(Explorer):
    """Wakeup trees keep what is to be explored; nothing is ever explored twice."""

    name = "optimal"

    def ended(self, blocked: dict[int, Blocked]) -> None:
        for base, sequence in reversals(self.execution, blocked):
            self.result.race_checks += 1
            level = self.levels[base]
            commutes = partial(self.commutes, base)
            if not redundant(level.sleep.values(), sequence, commutes):
                insert(level.branches, sequence, commutes)

    def exhausted(self, blocked: dict[int, Blocked]) -> None:
        """Everything that could move sleeps: cannot happen here, and is counted to show it."""
        self.result.redundant += 1
