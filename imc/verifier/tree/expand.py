"""Expanding a thread at a node: what it can do, what has to be proved for that, what goes wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from imc.errors import Unsupported
from imc.program.faults import Blocked
from imc.program.instructions import Library
from imc.program.interpreter import obstacle, persists
from imc.program.library import LIBRARY
from imc.program.state import Status
from imc.terms.steps import Conditions, Expansion, Move, Stepper
from imc.verifier.tree.art import Node, Tree
from imc.verifier.tree.knowledge import LabelKnowledge, PathKnowledge
from imc.verifier.tree.refine import Refiner

Knowledge = Callable[[Tree, Node | None], PathKnowledge]


@dataclass(slots=True)
class Options:
    """What a thread can do at a node, once everything that this rests on has been proved."""

    moves: list[Move] = field(default_factory=list)
    faults: list[Move] = field(default_factory=list)  # moves that violate a property
    blocked: Blocked | None = None  # it cannot move at all
    may_block: Blocked | None = None  # it can, or cannot, depending on what is not known
    blocking: list[Conditions] = field(default_factory=list)  # when it cannot
    waits: list[Blocked] = field(default_factory=list)  # all that it may have to wait for
    unproved: str = ""  # why nothing can be said

    @property
    def unreachable(self) -> bool:
        """No way on, and nothing in the way: there is no state to move from."""
        return not (self.moves or self.faults or self.blocked or self.may_block)


class Expander:
    """Runs threads of nodes and keeps labels strong enough for what was left out."""

    def __init__(
        self, tree: Tree, stepper: Stepper, refiner: Refiner, knowledge: Knowledge
    ) -> None:
        self.tree = tree
        self.stepper = stepper
        self.refiner = refiner
        self.knowledge = knowledge
        # A label should say as little as it can, unless what the path knows is to be kept.
        along = knowledge is PathKnowledge
        self.refute = refiner.refute_along if along else refiner.refute_near

    def start(self) -> list[Move]:
        return self.stepper.start(self.knowledge(self.tree, None)).moves

    def options(self, node: Node, thread: int) -> Options:
        """What the thread can do, with the node's label strengthened to match."""
        why = self._known_obstacle(node, thread)
        if why is not None:
            return Options(blocked=why, waits=[why])
        expansion = self.stepper.expand(node.state, thread, self.knowledge(self.tree, node))
        impossible = list(expansion.impossible)
        path = PathKnowledge(self.tree, node)
        result = Options(waits=[why for _, why in expansion.blocked])
        for move in expansion.moves:
            if move.fault is None:
                result.moves.append(move)
            elif path.possible(move.transition.guard):
                result.faults.append(move)
            else:
                impossible.append(move.transition.guard)
        for conditions, why in expansion.blocked:
            if not expansion.moves and not conditions:
                self._remember(node, thread, why)
                return Options(blocked=why, waits=result.waits)
            if path.possible(conditions):
                result.may_block = why
                result.blocking.append(conditions)
            else:
                impossible.append(conditions)
        if not all(self.refute(node, conditions) for conditions in impossible):
            result.unproved = "an impossible branch could not be refuted"
        if result.may_block is not None and not result.moves and not result.faults:
            result.blocked = result.may_block
        return result

    def reachable(self, node: Node) -> bool:
        """Whether the node's path can be taken: one that only labels allow may not be."""
        return PathKnowledge(self.tree, node).possible(())

    def enabled(self, node: Node, thread: int) -> bool:
        """Whether the thread may be able to move at a node."""
        state = node.state.threads.get(thread)
        if state is None or state.status is not Status.RUNNING or thread in node.blocked:
            return False
        if thread in node.children or node.state.exit_code is not None:
            return thread in node.children
        if self._known_obstacle(node, thread) is not None:
            return False
        if thread not in node.able:
            node.able[thread] = self._able(node, thread)
        return node.able[thread]

    def _able(self, node: Node, thread: int) -> bool:
        """Not only on the path: a cover leads more states here than the path does.

        Where the path keeps the thread from moving, the label is made to say so.
        """
        try:
            expansion = self.stepper.expand(node.state, thread, LabelKnowledge(self.tree, node))
        except Unsupported:  # in a state that is not on the path, perhaps
            return True
        path = PathKnowledge(self.tree, node)
        if any(path.possible(move.transition.guard) for move in expansion.moves):
            return True
        impossible = [*expansion.impossible, *(m.transition.guard for m in expansion.moves)]
        return not all(self.refiner.refute_near(node, c) for c in impossible)

    def waits(self, node: Node, thread: int) -> list[tuple[Conditions, Blocked]]:
        """When and for whom a thread waits, in the states that the label allows."""
        if thread not in node.running():
            return []
        why = self._known_obstacle(node, thread)
        if why is not None:
            return [((), why)] if why.holder is not None else []
        frame = node.state.threads[thread].frames[-1]
        i = frame.code.function.code[frame.pc]
        if not isinstance(i, Library) or not LIBRARY[i.function].waits:
            return []
        expansion = self.stepper.obstacles(node.state, thread, LabelKnowledge(self.tree, node))
        if not all(self.refiner.refute_near(node, c) for c in expansion.impossible):
            raise Unsupported("whom a thread waits for depends on what could not be refuted")
        return [(c, why) for c, why in expansion.blocked if why.holder is not None]

    def look(self, node: Node, thread: int) -> Expansion:
        """The thread's next step, without any consequences for labels."""
        expansion = self.stepper.expand(node.state, thread, PathKnowledge(self.tree, node))
        for conditions, why in expansion.blocked:
            if not conditions and not expansion.moves:
                self._remember(node, thread, why)
        return expansion

    def blocked(self, node: Node) -> dict[int, Blocked]:
        """The running threads that cannot move at a node, and why."""
        found = {}
        for thread in node.running():
            if thread in node.children:
                continue
            why = node.blocked.get(thread) or self._known_obstacle(node, thread)
            if why is None:
                expansion = self.look(node, thread)
                if not expansion.moves and expansion.blocked:
                    why = expansion.blocked[0][1]
            if why is not None:
                found[thread] = why
        return found

    def _known_obstacle(self, node: Node, thread: int) -> Blocked | None:
        """What kept the thread from moving when it last tried, if that has not changed."""
        found = node.state.threads[thread].obstacle
        if found is not None and persists(found, node.state):
            return found[0]
        return None

    def _remember(self, node: Node, thread: int, why: Blocked) -> None:
        node.state.threads[thread].obstacle = obstacle(why, node.state)
