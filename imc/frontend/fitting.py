"""Refuses calls of functions that were declared as something else than they are."""

from __future__ import annotations

from imc.errors import UserError
from imc.program.calling import misfit
from imc.program.instructions import Call
from imc.program.library import LIBRARY
from imc.program.program import Function
from imc.program.types import DataLayout, FloatType, FunctionType


def demand_fit(i: Call, uses: bool, target: Function, caller: Function, layout: DataLayout) -> None:
    """A function of the program is called as it is defined, whatever another file declares."""
    problem = misfit(i, uses, target, layout)
    if problem:
        raise UserError(
            f"'{target.source_name or target.name}' is called {problem}",
            i.loc or caller.loc,
            f"declare it as at {target.loc or 'its definition'}",
        )


def demand_arguments(i: Call, known: str, name: str, caller: Function) -> None:
    """A library function is not given a number where it follows an address."""
    followed = () if name.startswith("llvm.") else LIBRARY[known].follows()
    if any(isinstance(a.type, FloatType) for k, a in enumerate(i.args) if k in followed):
        called = FunctionType(i.type.result, tuple(a.type for a in i.args))
        raise UserError(
            f"'{name}' is called as {called}, which it is not",
            i.loc or caller.loc,
            "include the header that declares it",
        )
