"""What verification says: results one after the other, and the verdict they amount to."""

from __future__ import annotations

from dataclasses import dataclass, field

from pysmt.fnode import FNode

from imc.program.verdict import Verdict, exit_code
from imc.program.violation import Violation
from imc.verifier.tree.art import Node


@dataclass(frozen=True, slots=True)
class VerifiedNode:
    """A node of a schedule: who may move there, where that leads, and what is proved to hold."""

    node: Node  # its skeleton and the step that leads to it; the tree around it may have changed
    permits: dict[int, tuple[int, ...]]  # thread -> nodes, one of which the step leads to
    cover: int | None  # the node to go on from instead
    label: tuple[FNode, ...]


@dataclass(frozen=True, slots=True)
class VerifiedTree:
    """An incomplete verification result: safe, deadlock-free and fair for every input.

    A frozen copy of the safe part of the tree: later results do not change it.
    """

    root: int
    nodes: dict[int, VerifiedNode]

    @property
    def roots(self) -> tuple[int]:
        return (self.root,)

    @property
    def free(self) -> tuple[int, ...]:
        """No node is without an order."""
        return ()

    @property
    def covers(self) -> int:
        return sum(n.cover is not None for n in self.nodes.values())


@dataclass(frozen=True, slots=True)
class Result:
    """One iteration: a schedule that permits more than the one before, or a counterexample."""

    index: int
    permits: str  # what is new, in words
    time_s: float
    nodes: int
    covers: int
    solver_calls: int
    schedule: VerifiedTree | None = None
    violation: Violation | None = None

    @property
    def safe(self) -> bool:
        return self.schedule is not None


@dataclass(slots=True)
class Conclusion:
    """What all results together say."""

    verdict: Verdict = Verdict.UNKNOWN
    reason: str = ""  # for a verdict that is not plain
    results: list[Result] = field(default_factory=list)
    violation: Violation | None = None
    bounds: list[str] = field(default_factory=list)
    interrupted: bool = False  # by the user
    time_s: float = 0.0
    time_first_s: float | None = None
    nodes: int = 0
    solver_calls: int = 0
    solver_time_s: float = 0.0
    interpolation: dict[str, int] = field(default_factory=dict)  # sequences by strategy

    @property
    def schedule(self) -> VerifiedTree | None:
        """The most permissive schedule that was found."""
        return next((r.schedule for r in reversed(self.results) if r.schedule), None)

    @property
    def error_reproduced(self) -> bool:
        """Whether the program is known to have an error, under whatever schedules."""
        return self.violation is not None and self.violation.reproduced

    @property
    def exit_code(self) -> int:
        return exit_code(self.verdict, self.error_reproduced, self.interrupted)

    def interrupt(self) -> None:
        """The user has stopped the verification: what is there is told."""
        self.interrupted = True
        self.bounds.append("interrupted")
