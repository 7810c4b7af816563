"""The search for schedules: a game in which we choose the thread and the input chooses the branch.

The search keeps, for every node, the threads it may run there. A node is lost if every thread leads
to an error for some input; what is not lost and has no loose end is a safe schedule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from imc.errors import Unsupported
from imc.program.dependence import dependence
from imc.program.faults import Fault, Property
from imc.program.state import Status
from imc.terms.steps import Conditions, Move
from imc.verifier.proof.ranking import Loops
from imc.verifier.search.strategy import Strategy
from imc.verifier.tree.art import Kind, Node, Tree, last_moves
from imc.verifier.tree.expand import Expander
from imc.verifier.tree.fairness import unfair_thread
from imc.verifier.tree.idling import Hangs, TreeHanging
from imc.verifier.tree.precision import Precision
from imc.verifier.tree.refine import Refiner
from imc.verifier.tree.standstill import (
    CircleInDoubt,
    deadlock_fault,
    endless_fault,
    find_circle,
)
from imc.verifier.tree.widening import TooWide, Widening, place_of

MOST_COVER_ATTEMPTS = 6


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A path to an error: the last node before it, and the step that is wrong (None: no step).

    Without a step, the conditions say in which states of the node the error is.
    """

    node: Node
    fault: Fault
    move: Move | None = None
    conditions: Conditions = ()
    rounds: tuple[Move, ...] = ()  # steps behind the node that come again and again

    @property
    def guard(self) -> Conditions:
        return self.move.transition.guard if self.move is not None else self.conditions


class Search:
    """One tree, extended schedule by schedule."""

    def __init__(
        self,
        tree: Tree,
        expander: Expander,
        refiner: Refiner,
        strategy: Strategy,
        precision: Precision,
        tick: Callable[[], None],
        exempt: Iterable[object] = (),
    ) -> None:
        self.tree = tree
        self.expander = expander
        self.refiner = refiner
        self.strategy = strategy
        tree.phase = strategy.phase
        self.precision = precision
        self.tick = tick
        self.work: list[Node] = []
        self.counterexamples: list[Counterexample] = []
        self.root: Node | None = None
        self.departed: tuple[Node, int]  # where the schedule being looked for departs
        self.lost = False
        self.doubts: dict[str, None] = {}  # why a lost game is not known to be lost
        self.checked = precision.settings.properties
        self.loops = Loops(tree)
        self.widening = Widening(tree, refiner, exempt)
        self.hanging = TreeHanging(tree) if Property.LIVELOCK in self.checked else None
        self.fate: Callable[[Tree, Node], bool] | None = None  # whether all hangs from a node on
        self._dead: set[object] = set()  # states that lead to an error whoever moves: see `_place`

    # --------------------------------------------------------------- schedules

    def first(self) -> bool:
        """Looks for a first schedule; whether there is one."""
        move, *others = self.expander.start()
        if others:
            raise Unsupported("the environment chooses before the program's first event")
        self.root = self.tree.add(None, move)
        if move.fault is not None:
            self.counterexamples.append(Counterexample(self.root, move.fault))
            self.lost = True
        else:
            self.work = [self.root]
            self._close_all()
        return not self.lost

    def candidates(self) -> Iterator[tuple[Node, int]]:
        """Nodes of the safe part where a thread that could move has not been tried."""
        for node in self.safe_part():
            if node.kind is not Kind.INNER:
                continue
            if node.state.threads[node.thread].paused:  # nobody can see when it reads its input
                continue
            for thread in node.running():
                tried = (node.children, node.losing, node.refused, node.blocked)
                if not any(thread in t for t in tried) and not self._skipped(node, thread):
                    yield node, thread

    def next(self) -> tuple[Node, int] | None:
        """Looks for a schedule that departs from those known; where it does, or None at the end."""
        for node, thread in self.strategy.starts(self.candidates()):
            self.departed = node, thread
            known = len(self.counterexamples)
            if self._expand(node, thread):
                self._close_all()
                return node, thread
            if len(self.counterexamples) > known:
                return node, thread
        return None

    def give_up(self, why: str) -> None:
        """Takes back the schedule that is being looked for."""
        node, thread = self.departed
        for child in node.children.pop(thread, ()):
            for orphan in self.tree.remove(child):
                self.reopen(orphan)
        node.refused[thread] = why
        self.work = [n for n in self.work if not n.removed]
        self._close_all()

    def safe_part(self) -> list[Node]:
        """The nodes that executions under the known schedules go through, nearest first."""
        if self.root is None or self.lost:
            return []
        seen = {self.root: None}
        queue = [self.root]
        for node in queue:
            for after in node.successors():
                if after not in seen:
                    seen[after] = None
                    queue.append(after)
        return queue

    def _skipped(self, node: Node, thread: int) -> bool:
        """Whether the thread's step commutes with the one before, which it may as well precede."""
        parent, before = node.parent, node.thread
        if parent is None or thread >= before or node.move.jumped:
            return False
        if thread not in parent.state.threads or any(thread == n for n in node.event.spawned):
            return False
        options = self.expander.look(node, thread)
        return bool(options.moves) and all(
            dependence(node.event, move.event) is None for move in options.moves
        )

    # --------------------------------------------------------------- the game

    def _close_all(self) -> None:
        while self.work:
            self.tick()  # may stop here, to go on later
            node = self.work.pop()
            if not node.removed and node.kind is Kind.OPEN:
                self._close(node)

    def _close(self, node: Node) -> None:
        """Covers a node, or lets a thread move there."""
        if node.state.ended:
            node.kind = Kind.END
            return
        if _place(node) in self._dead or self._in_circle(node):
            self._retreat(node)
            return
        known = len(self.counterexamples)
        if not self._cover(node):
            if len(self.counterexamples) > known:  # going round here is no schedule
                self._retreat(node, by_its_path=True)
                return
            self.precision.watch(node)
            self._advance(node)

    def _in_circle(self, node: Node) -> bool:
        """Whether threads wait for each other at a node, or may do so."""
        if Property.DEADLOCK not in self.checked:
            return False
        try:
            circle = find_circle(self.expander, node)
        except (CircleInDoubt, Unsupported) as problem:
            self.doubts[str(problem)] = None
            return True
        if circle is not None:
            fault, conditions = circle
            self._found(Counterexample(node, fault, conditions=conditions))
        return circle is not None

    def _cover(self, node: Node) -> bool:
        others = self.tree.coverers(node)
        if len(others) > 2 * MOST_COVER_ATTEMPTS:
            others = others[:MOST_COVER_ATTEMPTS] + others[-MOST_COVER_ATTEMPTS:]
        for other in others:
            may_force = self.refiner.may_force(node, other)
            if not may_force and not self.widening.fits(other, node):
                continue
            starved = unfair_thread(node, other, self.expander.enabled, self.loops.end)
            if starved is not None:
                node.hungry[starved] = None
                continue
            if may_force and self.refiner.force(node, other):
                if self._hangs(node, other):
                    return False
                if Property.TERMINATION in self.checked:
                    self.loops.check(node, other)
                self.tree.set_cover(node, other)
                return True
            if self.widening.widen(other, node, self.reopen):
                return True
        return False

    def _hangs(self, node: Node, by: Node) -> bool:
        """Whether a cover would let everybody who is left go round without effect."""
        if self.hanging is None:
            return False
        try:
            self.hanging.check(node, by)
        except Hangs as found:
            start = found.start or by
            fault = Fault(Property.LIVELOCK, f"livelock: {found}", start.event.loc)
            if found.start is None:
                self.doubts[str(found)] = None
            self._found(Counterexample(start, fault, rounds=found.rounds))
            return True
        return False

    def _advance(self, node: Node) -> None:
        """Expands a thread at a node; if none can be, the node is lost, and its parents may be."""
        if node.hungry and self._goes_round(node):
            if not self._lost_before(node):
                self.doubts[f"no fair schedule was found for {self._names(node.hungry)}"] = None
            self._retreat(node, by_its_path=True)
        elif not self._expand_some(node):
            self._retreat(node)

    def _retreat(self, node: Node, by_its_path: bool = False) -> None:
        """A node is lost: goes back to where another thread can be tried.

        It is lost wherever it comes up again, unless that is so by the path that led there.
        """
        node.lost_by_path |= by_its_path
        at = self._lose(node)
        while at is not None:
            hangs = self._is_lost(at)
            if not hangs and self._expand_some(at):
                return
            at.lost_by_path |= hangs
            at = self._lose(at)

    def _is_lost(self, node: Node) -> bool:
        """Where something hangs, it may do so whatever is tried: that is not tried then."""
        hangs = any(found.rounds for found in self.counterexamples)
        return hangs and self.fate is not None and self.fate(self.tree, node)

    def _goes_round(self, node: Node) -> bool:
        """Whether the path has been here so often that every thread has had its chance."""
        visits = 0
        at: Node | None = node
        while at is not None:
            visits += at.key == node.key
            at = at.parent
        return visits > len(node.running()) + 1

    def _lost_before(self, node: Node) -> bool:
        """Whether everybody who has to move is known to lose from this very state."""
        losing: set[int] = set()
        at = node.parent
        while at is not None:
            if at.key == node.key and at.values == node.values:
                losing |= at.losing
            at = at.parent
        return losing.issuperset(node.hungry)

    def _names(self, threads: Iterable[int]) -> str:
        names = self.tree.places.image.threads.names
        return ", ".join(names[t] for t in threads)

    def _expand_some(self, node: Node) -> bool:
        """Whether some thread leads on from the node, so far as is known."""
        if node.children:
            return True
        for thread in self._order(node):
            if thread in node.losing or thread in node.refused:
                continue
            if self._expand(node, thread):
                return True
        if not node.losing and not node.refused:
            return self._end(node)
        return False

    def _order(self, node: Node) -> list[int]:
        """The threads to try: if one has starved, those first that have waited for longest."""
        order = self.strategy.threads(node)
        if not node.hungry or (order and order[0] == node.thread):
            return order
        moved = last_moves(node, len(order))
        return sorted(order, key=lambda t: moved.get(t, -1))

    def _expand(self, node: Node, thread: int) -> bool:
        try:
            options = self.expander.options(node, thread)
        except Unsupported as problem:
            node.refused[thread] = str(problem)
            return False
        if options.unproved:
            node.refused[thread] = options.unproved
            return False
        if options.blocked is not None:
            node.blocked[thread] = options.blocked
            return False
        if options.faults:
            node.losing.add(thread)
            move = options.faults[0]
            assert move.fault is not None
            self._found(Counterexample(node, move.fault, move))
            return False
        if options.may_block is not None:
            node.refused[thread] = f"it may wait for {options.may_block}"
            return False
        node.children[thread] = [self.tree.add(node, move) for move in options.moves]
        node.kind = Kind.INNER
        self.work.extend(reversed(node.children[thread]))
        return True

    def _end(self, node: Node) -> bool:
        """Nobody can move: whether that is a proper end."""
        stuck = [t for t in node.state.threads.values() if t.status is Status.STUCK]
        waiting = [t for t, b in node.blocked.items() if b.what == "assumption"]
        fault = None
        if not stuck and not waiting and Property.DEADLOCK in self.checked:
            fault = deadlock_fault(self.expander, node)
        elif stuck and not waiting and Property.LIVELOCK in self.checked:
            fault = endless_fault(self.expander, node)
        if fault is None or (
            not self.expander.reachable(node) and self.refiner.refute_near(node, ())
        ):
            node.kind = Kind.END
            return True
        self._found(Counterexample(node, fault))
        return False

    def _found(self, counterexample: Counterexample) -> None:
        self._not_too_wide(counterexample.node)
        conditions = counterexample.node.conditions
        self.precision.check_exact((*conditions, *counterexample.guard))
        self.counterexamples.append(counterexample)

    def _lose(self, node: Node) -> Node | None:
        """Gives up the step that led to a lost node; answers the node where it was taken."""
        self._not_too_wide(node)
        self.doubts.update(dict.fromkeys(node.refused.values()))
        parent = node.parent
        if not node.lost_by_path:
            self._dead.add(_place(node))
        elif parent is not None:
            parent.lost_by_path = True
        if parent is None:
            self.lost = True
            self.work.clear()
            return None
        children = parent.children.pop(node.thread)
        parent.losing.add(node.thread)
        for child in children:
            for orphan in self.tree.remove(child):
                self.reopen(orphan)
        return parent

    def _not_too_wide(self, node: Node) -> None:
        """What is wrong behind a widened node may be wrong because of that."""
        if node.base is not None:
            raise TooWide(place_of(node.base))

    def reopen(self, node: Node) -> None:
        """A node that has lost its cover has to be closed again."""
        if not node.removed:
            self.work.append(node)


def _place(node: Node) -> object:
    """Which states a node stands for, on its path: the same ones are nothing new elsewhere."""
    return node.key, frozenset(node.values.items()), frozenset(node.conditions)
