"""Symbolic values for the one semantics of a step; the engine that uses them will live here too."""

from imc.symbolic.domain import SymbolicDomain

__all__ = ["SymbolicDomain"]
