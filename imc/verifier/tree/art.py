"""The abstract reachability tree: skeletons with labels, steps between them, and covers.

A node stands for the concrete states that have its skeleton and satisfy its label. It is well
labelled: from each of those states, each step that the node has expanded leads to a state of one of
its children. A covered node needs no children: the node that covers it stands for its states too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import Enum

from pysmt.fnode import FNode

from imc.program.events import Event, Mode
from imc.program.faults import Blocked, Fault
from imc.program.state import State, Status
from imc.program.values import Pointer
from imc.terms.paths import Path, Transition
from imc.terms.places import Places, SkeletonKeys
from imc.terms.steps import Move
from imc.terms.terms import Terms
from imc.verifier.solver import Solver, SolverUnknown, entails


class Kind(Enum):
    OPEN = "open"  # nothing has been done about it yet
    INNER = "inner"  # at least one thread is expanded
    COVERED = "covered"
    END = "end"  # the program has ended, or nobody but failed assumptions could go on
    ERROR = "error"


class Node:
    """A node of the tree; the edge that leads to it is `move` of its parent's state."""

    __slots__ = (
        "able", "base", "blocked", "children", "conditions", "control", "cover", "covers", "depth",
        "fault", "forgetting", "holding", "hungry", "id", "jump", "key", "kind", "label", "losing",
        "lost_by_path", "move", "names", "open", "parent", "phase", "refused", "removed", "slow",
        "state", "values",
    )  # fmt: skip

    def __init__(self, number: int, parent: Node | None, move: Move) -> None:
        self.id = number
        self.parent = parent
        self.move = move
        self.state: State = move.state
        self.fault: Fault | None = move.fault
        self.depth: int = parent.depth + 1 if parent else 0
        self.jump: Node = self._jump()
        self.kind = Kind.OPEN
        self.label: dict[FNode, None] = {}  # conjuncts, in the order in which they came
        self.children: dict[int, list[Node]] = {}  # of each thread that is fully expanded
        self.losing: set[int] = set()  # expanded threads that lead to an error
        self.lost_by_path = False  # it may not be lost where another path leads to the same state
        self.refused: dict[int, str] = {}  # threads that cannot be permitted here, and why
        self.able: dict[int, bool] = {}  # threads that may be able to move, as far as asked
        self.blocked: dict[int, Blocked] = {}  # threads known to be unable to move
        # Threads that a cover was refused for, since they could have moved and have not.
        self.hungry: dict[int, None] = dict(parent.hungry) if parent else {}
        self.hungry.pop(move.event.thread, None)
        # Threads whose last step called code outside of the program, the earliest first.
        self.slow: tuple[int, ...] = tuple(
            t for t in (parent.slow if parent else ()) if t != move.event.thread
        )
        if move.event.leaves:
            self.slow += (move.event.thread,)
        # Mutexes that threads hold, as far as the path shows: for strategies, and no proof.
        self.holding: dict[int, frozenset[Pointer]] = parent.holding if parent else {}
        self._follow_mutexes(move.event)
        self.phase: object = None  # where in the strategy's plan it is: covers keep to that
        self.cover: Node | None = None
        self.covers: list[Node] = []
        self.removed = False  # belongs to a part of the tree that has been given up
        self.key = -1  # number of the skeleton
        self.names: list[int] = []  # dynamic objects in the order of the key
        self.control = 0  # number of the threads' positions, without any values
        self.values: dict[FNode, FNode] = {}  # of places, on the way from the root, over inputs
        self.conditions: tuple[FNode, ...] = ()  # on the inputs, to come this way
        self.open: bool | None = None  # whether they can be met, once somebody has asked
        # The last node on the path that was widened, and what it forgets: see `Widening`.
        self.base: Node | None = parent.base if parent else None
        self.forgetting: Transition | None = None

    def _follow_mutexes(self, event: Event) -> None:
        held = self.holding.get(event.thread, frozenset())
        if held or event.acquired:
            written = {(a.object, a.offset) for a in event.accesses if a.mode is not Mode.READ}
            self.holding = {**self.holding, event.thread: (held - written) | {*event.acquired}}

    def _jump(self) -> Node:
        """An ancestor far above, so that each one is reached in a few leaps (skew binary)."""
        parent = self.parent
        if parent is None:
            return self
        far = parent.jump
        return far.jump if parent.depth - far.depth == far.depth - far.jump.depth else parent

    def is_below(self, other: Node) -> bool:
        """Whether the path to this node leads through another one."""
        at = self
        while at.depth > other.depth:
            if at.jump.depth >= other.depth:
                at = at.jump
            else:
                assert at.parent is not None
                at = at.parent
        return at is other

    @property
    def event(self) -> Event:
        return self.move.event

    @property
    def transition(self) -> Transition:
        return self.move.transition

    @property
    def thread(self) -> int:
        return self.move.event.thread

    def path(self, start: Node | None = None) -> list[Node]:
        """The nodes from `start` (or the root) to this one, both included."""
        nodes: list[Node] = [self]
        while nodes[-1] is not start and nodes[-1].parent is not None:
            nodes.append(nodes[-1].parent)
        return nodes[::-1]

    def is_in_loop(self) -> bool:
        """Whether the thread that has moved is still in the last loop that was widened."""
        base = self.base
        if base is None or base.thread != self.thread:
            return False
        frames, around = (n.state.threads[n.thread].frames for n in (self, base))
        return len(frames) >= len(around)

    def running(self) -> list[int]:
        """Threads that have not ended."""
        if self.state.exit_code is not None:
            return []
        return sorted(t.id for t in self.state.threads.values() if t.status is Status.RUNNING)

    def successors(self) -> Iterator[Node]:
        """Where an execution can be next, over tree and cover edges."""
        if self.cover is not None:
            yield self.cover
        for children in self.children.values():
            yield from children

    def descendants(self) -> Iterator[Node]:
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(child for children in node.children.values() for child in children)


def last_moves(node: Node, most: int) -> dict[int, int]:
    """The depths at which up to `most` threads have moved last on the way to a node."""
    found: dict[int, int] = {}
    at: Node | None = node
    while at is not None and len(found) < most:
        found.setdefault(at.thread, at.depth)
        at = at.parent
    return found


class Tree:
    """All nodes, with what keeps them well labelled."""

    def __init__(self, terms: Terms, solver: Solver, places: Places) -> None:
        self.terms = terms
        self.solver = solver
        self.places = places
        self.keys = SkeletonKeys(places.image)
        self.nodes: list[Node] = []
        self.phase: Callable[[Node], object] = lambda _: None  # of the strategy's plan
        self._alike: dict[tuple[int, object], list[Node]] = {}
        self._numbers: dict[object, int] = {}
        self._controls: dict[object, int] = {}

    def add(self, parent: Node | None, move: Move) -> Node:
        node = Node(len(self.nodes), parent, move)
        self.nodes.append(node)
        self._follow(node)
        if node.fault is not None:
            node.kind = Kind.ERROR
        else:
            key, node.names = self.keys.named_key(node.state)
            node.key = self._numbers.setdefault(key, len(self._numbers))
            node.control = self._control(node.state)
            node.phase = self.phase(node)
            self._alike.setdefault((node.key, node.phase), []).append(node)
            if parent is not None and parent.label:
                self._inherit(node, parent)
        return node

    def coverers(self, node: Node) -> list[Node]:
        """Earlier nodes with the same skeleton, at the same point of the strategy's plan."""
        alike = self._alike[node.key, node.phase]
        return [n for n in alike if n.id < node.id and n.cover is None]

    def _inherit(self, node: Node, parent: Node) -> None:
        """Carries on what has held since the program's start, for as long as it does.

        These are the candidates for invariants; other facts are written down only when needed. In
        a loop that was widened all facts are: each round is known by nothing else.
        """
        transition = node.transition
        facts = [fact for fact in self.nodes[0].label if fact in parent.label]
        if node.is_in_loop():
            symbols = self.places.symbols(node.state)
            facts = [fact for fact in parent.label if symbols.issuperset(self.terms.symbols(fact))]
        for fact in facts:
            if not self.terms.symbols(fact).isdisjoint(transition.updates):
                claim = self.terms.substitute(fact, transition.updates)
                try:
                    facts = [*parent.label, *transition.guard]
                    if not entails(self.solver, self.terms, facts, claim):
                        continue
                except SolverUnknown:
                    continue
            node.label[fact] = None

    def _follow(self, node: Node) -> None:
        """Computes values and conditions on the way from the root."""
        values = node.parent.values if node.parent else {}
        conditions = list(node.parent.conditions) if node.parent else []
        substitute = self.terms.substitute
        for conjunct in node.transition.guard:
            condition = substitute(conjunct, values)
            if condition is not self.terms.true:
                conditions.extend(self.terms.conjuncts(condition))
        node.conditions = tuple(dict.fromkeys(conditions))
        if node.transition.updates:
            values = dict(values)
            values.update(
                (s, substitute(t, node.parent.values if node.parent else {}))
                for s, t in node.transition.updates.items()
            )
        node.values = values

    def _control(self, state: State) -> int:
        control = tuple(
            (t.id, t.status, t.paused, tuple((f.code.number, f.pc, f.phase) for f in t.frames))
            for t in state.threads.values()
        )
        return self._controls.setdefault(control, len(self._controls))

    def remove(self, node: Node) -> list[Node]:
        """Gives up a subtree; answers the nodes outside it that were covered by its nodes."""
        orphans = []
        for gone in node.descendants():
            gone.removed = True
            if gone.cover is not None:
                self.uncover(gone)
            for covered in list(gone.covers):
                self.uncover(covered)
                orphans.append(covered)
            if gone.fault is None:
                self._alike[gone.key, gone.phase].remove(gone)
        return [n for n in orphans if not n.removed]

    # ------------------------------------------------------------------ labels

    def implies(self, node: Node, claim: FNode) -> bool:
        """Whether a node's label implies a formula; not, if the solver cannot tell."""
        try:
            return entails(self.solver, self.terms, node.label, claim)
        except SolverUnknown:
            return False

    def segment(
        self, start: Node | None, end: Node, goal: FNode
    ) -> tuple[Path, list[Node | None]]:
        """The path between two nodes as a formula; from the very beginning without a start.

        With it, the node that each point between its transitions is. A node that was widened
        forgets by a transition of its own.
        """
        nodes = end.path(start)
        points: list[Node | None] = [start]
        transitions: list[Transition] = []
        for node in nodes if start is None else nodes[1:]:
            transitions.append(node.transition)
            points.append(node)
            if node.forgetting is not None:
                transitions.append(node.forgetting)
                points[-1:] = [None, node]
        known = tuple(start.label) if start is not None else ()
        return Path(known, tuple(transitions), goal), points

    # ------------------------------------------------------------------ covers

    def translated(self, formulas: Iterable[FNode], source: Node, target: Node) -> list[FNode]:
        """Formulas about one node's places as formulas about another's with the same key.

        Where that cannot be said, the answer is false: nothing implies it.
        """
        if source.names == target.names:
            return list(formulas)
        objects = dict(zip(source.names, target.names, strict=True))
        mapping: dict[FNode, FNode] = {}
        formulas = list(formulas)
        for formula in formulas:
            for symbol in self.terms.symbols(formula):
                place = self.places.of[symbol]
                moved = objects.get(place.object) if place.object is not None else None
                if moved is None and place.object in target.names:
                    return [self.terms.false]  # it speaks of an object that is no more
                if moved is not None and moved != place.object:
                    mapping[symbol] = self.places.moved(symbol, moved)
        return [self.terms.substitute(f, mapping) for f in formulas]

    def set_cover(self, node: Node, by: Node) -> None:
        node.cover = by
        node.kind = Kind.COVERED
        by.covers.append(node)

    def uncover(self, node: Node) -> None:
        assert node.cover is not None
        node.cover.covers.remove(node)
        node.cover = None
        node.kind = Kind.INNER if node.children else Kind.OPEN
