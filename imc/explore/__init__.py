"""Stateless and stateful exploration of concrete executions, one file per algorithm."""

from imc.explore.exhaustive import explore_exhaustively
from imc.explore.result import Exploration, Limits
from imc.program.verdict import Verdict

__all__ = ["Exploration", "Limits", "Verdict", "explore_exhaustively"]
