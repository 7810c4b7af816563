"""The concrete domain: values are known, every branch decides itself."""

from imc.program.concrete.domain import ConcreteDomain

__all__ = ["ConcreteDomain"]
