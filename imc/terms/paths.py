"""Steps and paths as formulas: what a step demands and what it changes, by names of places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pysmt.fnode import FNode

from imc.terms.terms import Terms


@dataclass(frozen=True, slots=True, eq=False)
class Transition:
    """One step as a relation between the values before and after it.

    The guard is a conjunction over the values before and the step's inputs, which nobody but the
    environment controls. Places that `updates` does not name keep their values. The steps of trees
    are equal only if they are identical: see `Stepper`.
    """

    guard: tuple[FNode, ...] = ()
    updates: Mapping[FNode, FNode] = ()  # type: ignore[assignment]
    inputs: frozenset[FNode] = frozenset()


@dataclass(frozen=True, slots=True)
class Path:
    """Transitions one after the other, what holds at their start and must hold at their end."""

    start: tuple[FNode, ...]
    transitions: tuple[Transition, ...]
    goal: FNode


@dataclass(slots=True)
class Unfolding:
    """A path's conditions, and the values at its end, over the values at its start."""

    conditions: list[FNode]
    values: dict[FNode, FNode]
    origins: list[int]  # which transition each condition comes from


def unfold(terms: Terms, transitions: Sequence[Transition]) -> Unfolding:
    """Runs the transitions forwards on names; inputs of different steps have different names."""
    values: dict[FNode, FNode] = {}
    conditions: list[FNode] = []
    origins: list[int] = []
    for number, transition in enumerate(transitions):
        for conjunct in transition.guard:
            condition = terms.substitute(conjunct, values)
            if condition is not terms.true:
                conditions.append(condition)
                origins.append(number)
        if transition.updates:
            new = {s: terms.substitute(t, values) for s, t in transition.updates.items()}
            values.update(new)
    return Unfolding(conditions, values, origins)
