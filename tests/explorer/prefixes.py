"""Brute force that goes on only once from equivalent beginnings of executions.

Beginnings with the same events, ordered alike, lead to the same state; that is looked at as well.
"""

from __future__ import annotations

from dataclasses import dataclass

from imc.explorer.semantics import Semantics
from imc.explorer.traces import TraceBuilder
from imc.program.ends import Ending, classify
from imc.program.interpreter import Moves
from imc.program.keys import Key
from imc.program.machine import Outcome

LONGEST = 400  # events of an execution


@dataclass(frozen=True)
class Size:
    """How large programs may be that are compared."""

    executions: int = 500  # all of which are executed
    prefixes: int = 6000  # where there are more executions


class TooLarge(Exception):
    """The program has too many executions to be compared."""


class Prefixes:
    """All traces that a program has, and the states in which they end."""

    def __init__(self, semantics: Semantics, most: int, merge: bool = True) -> None:
        """`most` prefixes, or executions if equivalent prefixes are not merged."""
        self.semantics = semantics
        self.most = most
        self.traces: set[tuple[int, ...]] = set()
        self.finals: set[object] = set()
        self.ambiguous = 0  # prefixes that lead to other states than equivalent ones
        self.executions = 0
        self.merges = merge
        self._builder = TraceBuilder()
        self._known: dict[tuple[int, ...], tuple[Key, bool]] = {}
        for start in semantics.starts():
            self._visit(start)

    def _visit(self, outcome: Outcome) -> None:
        builder = self._builder
        builder.push(outcome.event)
        if len(builder.events) > LONGEST:
            raise TooLarge
        if not self._comes_again(outcome):
            moves = self.semantics.moves(outcome.state)
            if not moves.outcomes:
                self._end(outcome, moves)
            for after in moves.outcomes:
                self._visit(after)
        builder.pop()

    def _comes_again(self, outcome: Outcome) -> bool:
        if not self.merges:
            return False
        prefix, key = self._builder.canonical(), self.semantics.keys.key(outcome.state)
        numeric = self.semantics.image.domain.numeric  # names differ once addresses are numbers
        if prefix in self._known:
            known, then = self._known[prefix]
            self.ambiguous += then == numeric and known != key
            return True
        self._known[prefix] = key, numeric
        if len(self._known) > self.most:
            raise TooLarge
        return False

    def _end(self, outcome: Outcome, moves: Moves) -> None:
        self.executions += 1
        if not self.merges and self.executions > self.most:
            raise TooLarge
        self.traces.add(self._builder.canonical())
        end, _ = classify(self.semantics.interpreter, outcome.state, moves)
        if end is Ending.COMPLETE:
            self.finals.add(self.semantics.keys.final(outcome.state, with_output=True))

    def complaints(self) -> list[str]:
        """That the order of dependent events does not tell where an execution leads."""
        what = "prefixes lead to other states than equivalent ones"
        return [f"{self.ambiguous} {what}"] if self.ambiguous else []


def every_trace(semantics: Semantics, size: Size) -> Prefixes:
    """By all executions if they are few, else from every prefix once."""
    try:
        return Prefixes(semantics, size.executions, merge=False)
    except TooLarge:
        return Prefixes(semantics, size.prefixes)
