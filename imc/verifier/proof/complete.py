"""Complete verification: every schedule at once, with labels only as strong as errors demand."""

from __future__ import annotations

from collections.abc import Callable

from imc.program.dependence import dependence, races
from imc.program.events import Access
from imc.program.faults import Fault, Property
from imc.program.races import race_fault
from imc.program.settings import Settings
from imc.program.state import Status
from imc.terms.steps import Conditions, Move
from imc.verifier.proof.ranking import Loops
from imc.verifier.search.search import Counterexample
from imc.verifier.tree.art import Kind, Node, Tree
from imc.verifier.tree.expand import Expander, Options
from imc.verifier.tree.knowledge import PathKnowledge
from imc.verifier.tree.movers import Discipline
from imc.verifier.tree.precision import Precision
from imc.verifier.tree.refine import Refiner
from imc.verifier.tree.standstill import (
    CircleInDoubt,
    deadlock_fault,
    endless_fault,
    find_circle,
)

MOST_COVER_ATTEMPTS = 12


class Unproved(Exception):
    """A claim that the proof needs could not be proved; the text says which."""


class CompleteSearch:
    """Explores all schedules, up to steps that commute."""

    def __init__(
        self,
        tree: Tree,
        expander: Expander,
        refiner: Refiner,
        precision: Precision,
        settings: Settings,
        tick: Callable[[], None],
    ) -> None:
        self.tree = tree
        self.expander = expander
        self.refiner = refiner
        self.precision = precision
        self.properties = settings.properties
        self.tick = tick
        self.loops = Loops(tree)
        self.work: list[Node] = []
        self.unsure: set[tuple[Node, int]] = set()  # threads that cannot move in every state
        self.never_still = False  # nobody waits in all states: that has been proved on the way
        self.found: Counterexample | None = None
        self.discipline = Discipline(tree.places)
        self.postponed: set[Node] = set()  # where only one thread has moved: nobody can see when
        self.resumed: set[Node] = set()  # where the others have to move after all
        self.skipped: dict[Node, set[int]] = {}  # left out, since they commute with the last step

    def run(self) -> None:
        """Goes on until every schedule is proved safe, or a counterexample is found."""
        if not self.tree.nodes:
            self._start()
        while self.work and self.found is None:
            self.tick()  # may stop here, to go on later
            node = self.work.pop()
            if node.kind is Kind.OPEN:
                self.found = self._close(node)
            elif node in self.resumed:
                self.resumed.discard(node)
                rest = [t for t in node.running() if t not in node.children]
                self.found = self._expand(node, rest)
        assert self.found is not None or all(n.kind is not Kind.OPEN for n in self.tree.nodes)

    def _start(self) -> None:
        for move in self.expander.start():
            node = self.tree.add(None, move)
            if move.fault is not None:
                self.found = Counterexample(node, move.fault, None)
            self.work.append(node)

    def reopen(self, node: Node) -> None:
        self.work.append(node)

    def _found(
        self, node: Node, fault: Fault, move: Move | None = None, conditions: Conditions = ()
    ) -> Counterexample:
        found = Counterexample(node, fault, move, conditions)
        self.precision.check_exact((*node.conditions, *found.guard))
        return found

    def _close(self, node: Node) -> Counterexample | None:
        if node.state.ended:
            node.kind = Kind.END
            return None
        circle = self._circle(node)  # a cover must not hide it
        if circle is not None:
            return circle
        inside = not node.move.jumped and self.discipline.holds_any(node.state, node.thread)
        if not inside and self._cover(node):
            return None
        self.precision.watch(node)
        running = node.running()
        threads = node.state.threads
        running.sort(key=lambda t: (not threads[t].paused, t != node.thread))
        return self._expand(node, running, inside)

    def _cover(self, node: Node) -> bool:
        others = self.tree.coverers(node)
        for other in others[-MOST_COVER_ATTEMPTS:]:
            if self.refiner.force(node, other):
                if Property.TERMINATION in self.properties:
                    self.loops.check(node, other)
                self.tree.set_cover(node, other)
                self._lift_skips(other)
                self._resume(other)  # a loop must not keep the others out
                return True
        return False

    def _lift_skips(self, by: Node) -> None:
        """What the covering node leaves out need not be left out for the covered one: do it."""
        lifted = self.skipped.get(by)
        if lifted:
            self.skipped[by] = set()
            for thread in lifted:
                options = self.expander.options(by, thread)
                if options.unproved or options.faults:
                    raise Unproved("a step that was left out cannot be proved any more")
                self._adopt(by, thread, options)

    # --------------------------------------------------------------- expansion

    def _expand(
        self, node: Node, threads: list[int], inside: bool = False
    ) -> Counterexample | None:
        """Lets threads move, as far as they must."""
        options: dict[int, Options] = {}
        for thread in threads:
            options[thread] = found = self.expander.options(node, thread)
            if found.unproved:
                raise Unproved(found.unproved)
            self._observe(node, thread, found)
            if found.faults:
                fault = found.faults[0].fault
                assert fault is not None
                return self._found(node, fault, found.faults[0])
            if found.blocked is not None:
                node.blocked[thread] = found.blocked
            elif not node.children and self._moves_unseen(node, thread, found):
                self.postponed.add(node)
                options = {thread: found}
                break
            elif inside and self._cover(node):
                return None
            inside = False
        if any(o.unreachable for o in options.values()):
            node.kind = Kind.END
            return None
        bad = self._deadlock(node, options) or self._race(node, options)
        if bad is not None:
            return bad
        node.kind = Kind.INNER
        for thread, found in options.items():
            if not found.moves:
                continue
            if self._commutes(node, thread, found):
                self.skipped.setdefault(node, set()).add(thread)
            else:
                self._adopt(node, thread, found)
        return None

    def _observe(self, node: Node, thread: int, options: Options) -> None:
        """Lets the others in where a step breaks what kept them out."""
        moves = (*options.moves, *options.faults)
        for released in self.discipline.observe(node, thread, moves, options.waits):
            self._resume(released)

    def _moves_unseen(self, node: Node, thread: int, options: Options) -> bool:
        """Whether it is enough to let this thread move; it must really do so here.

        Nobody can see when it reads an input, nor a step that keeps to the discipline.
        """
        return (
            bool(options.moves)
            and options.may_block is None
            and not self._commutes(node, thread, options)
            and (
                node.state.threads[thread].paused
                or self.discipline.relies(node, thread, options.moves)
            )
        )

    def _resume(self, node: Node) -> None:
        if node in self.postponed:
            self.postponed.discard(node)
            self.resumed.add(node)
            self.work.append(node)

    def _adopt(self, node: Node, thread: int, options: Options) -> None:
        node.children[thread] = [self.tree.add(node, move) for move in options.moves]
        if options.may_block is not None:
            self.unsure.add((node, thread))
        self.work.extend(reversed(node.children[thread]))

    def _commutes(self, node: Node, thread: int, options: Options) -> bool:
        """Whether the thread could as well have moved before the step that led here."""
        parent, before = node.parent, node.thread
        if node.covers:  # what it covers has come another way
            return False
        if parent is None or thread >= before or node.move.jumped or options.may_block is not None:
            return False
        if thread not in parent.children and thread not in self.skipped.get(parent, ()):
            return False
        return all(dependence(node.event, move.event) is None for move in options.moves)

    # -------------------------------------------------------------- properties

    def _circle(self, node: Node) -> Counterexample | None:
        if Property.DEADLOCK not in self.properties:
            return None
        try:
            circle = find_circle(self.expander, node)
        except CircleInDoubt as doubt:
            raise Unproved(str(doubt)) from None
        return circle and self._found(node, circle[0], conditions=circle[1])

    def _deadlock(self, node: Node, options: dict[int, Options]) -> Counterexample | None:
        free = [o for o in options.values() if o.moves and o.may_block is None]
        if free or node.children:
            return None
        waits = [o.blocked or o.may_block for o in options.values()]
        if any(w is not None and w.what == "assumption" for w in waits):
            return None
        fault = self._standstill(node)
        if fault is None:
            return None
        if any(o.moves for o in options.values()):
            return self._conditional_deadlock(node, options, fault)
        if self.expander.reachable(node):
            return self._found(node, fault)
        if not self.refiner.refute_near(node, ()):
            raise Unproved("a deadlock could not be refuted")
        return None

    def _standstill(self, node: Node) -> Fault | None:
        """What it is if nobody can move, if that is checked."""
        stuck = any(t.status is Status.STUCK for t in node.state.threads.values())
        if (Property.LIVELOCK if stuck else Property.DEADLOCK) not in self.properties:
            return None
        tell = endless_fault if stuck else deadlock_fault
        return tell(self.expander, node)

    def _conditional_deadlock(
        self, node: Node, options: dict[int, Options], fault: Fault
    ) -> Counterexample | None:
        """Every thread may be blocked: whether all can be at once."""
        terms = self.tree.terms
        all_blocked: Conditions = tuple(
            terms.disjunction([terms.conjunction(c) for c in o.blocking])
            for o in options.values()
            if o.blocking
        )
        if PathKnowledge(self.tree, node).possible(all_blocked):
            return self._found(node, fault, conditions=all_blocked)
        if not self.refiner.refute_near(node, all_blocked):
            raise Unproved("a deadlock could not be refuted")
        return None

    def _race(self, node: Node, options: dict[int, Options]) -> Counterexample | None:
        if Property.RACE not in self.properties:
            return None
        path = PathKnowledge(self.tree, node)
        moves = [m for o in options.values() for m in o.moves]
        moves += [child.move for children in node.children.values() for child in children]
        for n, a in enumerate(moves):
            for b in moves[n + 1 :]:
                for x, y in races(a.event, b.event):
                    both = (*a.transition.guard, *b.transition.guard, *self._same_place(x, y))
                    if path.possible(both):
                        fault = race_fault(self.tree.places.image, (a.event, x), (b.event, y))
                        return self._found(node, fault, conditions=both)
                    if not self.refiner.refute_near(node, both):
                        raise Unproved("a data race could not be refuted")
        return None

    def _same_place(self, x: Access, y: Access) -> Conditions:
        """When two accesses to an object overlap, if an offset is not known."""
        if x.unknown is None and y.unknown is None:
            return ()
        t, domain = self.tree.terms, self.tree.places.domain
        (a, m), (b, n) = (access.unknown or (access.offset, access.size) for access in (x, y))
        a, b = domain.offset_term(a), domain.offset_term(b)
        return (t.less(a, t.add(b, t.integer(n))), t.less(b, t.add(a, t.integer(m))))
