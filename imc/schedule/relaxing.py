"""Schedules of one verification, each made to take the place of the one before while it is kept to.

A later result is a larger part of the same tree, so where a section of the schedule before ends,
executions are at nodes that the later one knows too. These are made beginnings of its sections.
What holds there must be what was proved: labels are only strengthened as the tree grows, and a node
whose new label does not follow from its old one is no place to go over.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from imc.program.words.sites import site_text
from imc.schedule import listed, made
from imc.schedule.automaton import is_event
from imc.schedule.beliefs import Ambiguous
from imc.schedule.compiler import Compiler
from imc.schedule.files import identity_of
from imc.verifier.iteration import Verification
from imc.verifier.result import Result, VerifiedTree
from imc.verifier.solver import SolverUnknown
from irs.relaxation import Relaxation
from irs.schedule import Branch, Schedule

# No operation is left out and every event has its gate: so schedules need not agree about what they
# rely on, and nothing is missed when the gates are dropped. Where sections overlap a schedule is
# faster, but it takes many times longer to be made.
PASSES = "partial"
LONGEST = 64  # events of a section: at the end of each a run may go over to the next schedule


class Unfit(Exception):
    """A schedule that cannot take the place of the one before, and why."""


class Relaxing:
    """Compiles results one after the other; the last one compiled is what the next one follows."""

    def __init__(
        self,
        verification: Verification,
        longest: int = LONGEST,
    ) -> None:
        self.verification = verification
        engine = verification.engine
        self._image = engine.image
        self._compiler = Compiler(
            engine.places, lambda f, pc: site_text(engine.sharing, f, pc), self._sites(), longest
        )
        self._tree: VerifiedTree | None = None
        self._boundaries: list[frozenset[int] | None] = []
        self._threads: tuple[str, ...] = ()

    @property
    def is_first(self) -> bool:
        """Whether nothing has been compiled yet."""
        return self._tree is None

    def compile(self, result: Result) -> Relaxation:
        """The schedule of a safe result, with where it can be gone over to.

        Raises `Ambiguous` where running threads could not be told what to do, and `Unfit`.
        """
        tree = result.schedule
        assert tree is not None
        found = self._found(tree)
        nodes = list(dict.fromkeys(found.values()))
        try:
            schedule = self._compiled(result, tree, nodes)
        except Ambiguous:
            nodes = [entry for entry in nodes if self._is_clear(result, tree, entry)]
            schedule = self._compiled(result, tree, nodes)
        sections = dict(zip(nodes, self._compiler.entries, strict=True))
        entries = {old: sections[entry] for old, entry in found.items() if entry in sections}
        if self._tree is None:
            self._threads = schedule.threads
        elif not entries:
            raise Unfit("no section of the schedule before ends where it could begin")
        schedule = self._with_same_threads(schedule)
        self._tree, self._boundaries = tree, self._compiler.boundaries
        return Relaxation(schedule, entries)

    def entered(self, result: Result) -> Collection[int]:
        """The sections of the last schedule after which a safe result's could be entered."""
        assert result.schedule is not None
        return self._found(result.schedule).keys()

    def _sites(self) -> list[tuple[str, int]]:
        """All that can be events, so that sites have the same numbers in all schedules."""
        found = []
        for name, function in self._image.program.functions.items():
            if not function.is_declaration:
                found += [(name, pc) for pc in range(len(function.code))]
        return [site for site in found if is_event(self._image, site)]

    def _compiled(
        self, result: Result, tree: VerifiedTree, entries: list[frozenset[int]]
    ) -> Schedule:
        program = self._image.program
        return self._compiler.compile(
            tree,
            identity_of(program),
            made(self.verification, result, PASSES),
            listed(self.verification.enforced_assumptions()),
            sorted(self._image.bounds),
            entries,
        )

    def _is_clear(self, result: Result, tree: VerifiedTree, entry: frozenset[int]) -> bool:
        """Whether running threads could be told what to do after an entry."""
        try:
            self._compiled(result, tree, [entry])
        except Ambiguous:
            return False
        return True

    def _with_same_threads(self, schedule: Schedule) -> Schedule:
        """Trees that were looked at meanwhile may have made threads known that nobody starts."""
        used = {event.thread for section in schedule.sections for event in section.events}
        used |= {s.next.thread for s in schedule.sections if isinstance(s.next, Branch)}
        if any(thread >= len(self._threads) for thread in used):
            raise Unfit("it has threads that the first schedule does not have")
        return replace(schedule, threads=self._threads)

    # ------------------------------------------------------------------------ entries

    def _found(self, tree: VerifiedTree) -> dict[int, frozenset[int]]:
        """By section of the schedule before: the nodes to begin at after it, where that holds."""
        return {
            section: nodes
            for section, nodes in enumerate(self._boundaries)
            if nodes is not None and all(self._holds(node, tree) for node in nodes)
        }

    def _holds(self, number: int, tree: VerifiedTree) -> bool:
        """Whether what was proved at a node of the tree before is what is proved there now."""
        assert self._tree is not None
        new, old = tree.nodes.get(number), self._tree.nodes[number]
        if new is None:
            return False
        engine = self.verification.engine
        more = [claim for claim in new.label if claim not in old.label]
        try:
            return all(
                not engine.solver.satisfiable([*old.label, engine.terms.negate(claim)])
                for claim in more
            )
        except SolverUnknown:
            return False
