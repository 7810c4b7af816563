"""Known values, where inputs are given: one execution of a program that reads some."""

from __future__ import annotations

from collections.abc import Mapping

from imc.program.concrete.domain import ConcreteDomain
from imc.program.types import IntType, Type
from imc.program.values import Value


def input_name(name: str, type: IntType) -> str:
    """What an input is called: on another path, one of another type may be as many reads away."""
    return f"{name}.{type.width}"


def reader_of(name: str) -> tuple[str, int]:
    """The thread that reads an input, and the input's number among those that it reads."""
    thread, number, _ = name.partition(".")[2].rsplit(".", 2)
    return thread, int(number)


class GivenInputs(ConcreteDomain):
    """The concrete domain with the inputs of one execution; those that are not named are 0."""

    answers = True

    def __init__(self, inputs: Mapping[str, int] | None = None) -> None:
        super().__init__()
        self.inputs: Mapping[str, int] = inputs or {}

    def input(self, name: str, type: Type) -> Value:
        if not isinstance(type, IntType):
            return None
        return self.inputs.get(input_name(name, type), 0) & ((1 << type.width) - 1)
