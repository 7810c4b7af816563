"""Stateless and stateful exploration of concrete executions, one file per algorithm."""

from imc.explorer.algorithms import ALGORITHMS, explore
from imc.explorer.exhaustive import explore_exhaustively
from imc.explorer.result import Exploration, Limits, Reduction
from imc.program.verdict import Verdict

__all__ = [
    "ALGORITHMS",
    "Exploration",
    "Limits",
    "Reduction",
    "Verdict",
    "explore",
    "explore_exhaustively",
]
