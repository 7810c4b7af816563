"""Loops of one thread, closed at their second round: what changes in a round is forgotten.

A loop over a thread's own variables whose length depends on unknowns would be followed round by
round, since each round's values are known by its path. Instead, the node that its rounds begin at
is widened: of what a round changes, no more is kept than linear facts that hold at the beginning
and after every round. They are found from points, as abstraction by models does: whatever
contradicts them is one point more. So the proof does not know how many rounds there are.

What follows a widened node is known for more states than there are. An error there may not be one,
so the search begins anew and follows that loop round by round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations

from pysmt.fnode import FNode

from imc.terms.paths import Transition, Unfolding, unfold
from imc.verifier.solver import SolverUnknown, entails
from imc.verifier.tree.affine import Point, common_facts
from imc.verifier.tree.art import Kind, Node, Tree
from imc.verifier.tree.refine import Refiner

MOST_SYMBOLS = 16  # that the facts of a loop speak of
MOST_POINTS = 96  # until the facts have to be found


class TooWide(Exception):
    """A widened node allows what may not be so: its loop has to be followed round by round."""

    def __init__(self, place: object) -> None:
        super().__init__("a loop has to be followed round by round")
        self.place = place


class Widening:
    """Widens nodes of a tree; `exempt` are the places where that has not helped."""

    def __init__(self, tree: Tree, refiner: Refiner, exempt: Iterable[object]) -> None:
        self.tree = tree
        self.terms = tree.terms
        self.refiner = refiner
        self.exempt = frozenset(exempt)
        # What was found of a loop, to be tried first where its rounds begin again.
        self._found: dict[tuple[object, ...], list[FNode]] = {}

    def widen(self, node: Node, again: Node, reopen: Callable[[Node], None]) -> bool:
        """Widens a node to which a loop has come back, and opens it anew; whether that works."""
        if not self.fits(node, again):
            return False
        path, _ = self.tree.segment(node, again, self.terms.true)
        around = unfold(self.terms, path.transitions)
        changed = self._changed(node, around)
        if changed is None:
            return False
        found = self._facts(node, changed, around)
        if found is None:
            return False
        facts = self._with_ranges(found, changed)
        self._clear(node, changed, reopen)
        if not all(self.refiner.refute(node, (self.terms.negate(f),)) for f in facts):
            raise TooWide(place_of(node))
        node.label.update(dict.fromkeys(facts))
        self._forget(node, changed, facts)
        return True

    def fits(self, node: Node, again: Node) -> bool:
        """Whether one thread has come back to a node by itself, and that was not widened yet."""
        steps = again.path(node)[1:] if again.is_below(node) else []
        if not steps or {n.thread for n in steps} != {node.thread} or node.names != again.names:
            return False
        return node.base is not node and place_of(node) not in self.exempt

    def _changed(self, node: Node, around: Unfolding) -> list[FNode] | None:
        """The numbers that a round changes and somebody may still read; None: not only numbers."""
        symbols = self.tree.places.symbols(node.state)
        changed = [s for s, t in around.values.items() if s is not t and s in symbols]
        if not changed or any(self.terms.is_array(s) for s in changed):
            return None
        return changed

    # ------------------------------------------------------------------- facts

    def _facts(self, node: Node, changed: list[FNode], around: Unfolding) -> list[FNode] | None:
        """What holds at a node before all rounds, and after each one if it does before it."""
        domain = self.tree.places.domain
        symbols = self._relevant(node, changed, around)
        after = {s: around.values[s] for s in changed if s in symbols}
        read = {s for t in (*around.conditions, *after.values()) for s in self.terms.symbols(t)}
        if len(symbols) > MOST_SYMBOLS or any(self.terms.has_arrays(t) for t in after.values()):
            return None
        ranges = [domain.in_range(s) for s in symbols]
        inputs = [domain.in_range(s) for s in sorted(read & domain.inputs, key=FNode.node_id)]
        start = {s: node.values.get(s, s) for s in symbols}
        steady = self._steady(symbols, after)
        within = [domain.in_range(s) for s in after]
        loop = (place_of(node), *symbols)

        def broken(facts: list[FNode]) -> list[Point] | None:
            return self._points(symbols, start, node.conditions, facts) or self._points(
                symbols, after, [*facts, *ranges, *inputs, *around.conditions], facts
            )

        try:
            known = self._found.get(loop)
            if known is not None and broken([f for f in known if f not in within]) is None:
                return known
            points = self._points(symbols, start, node.conditions, [])
            while points is not None and len(points) <= MOST_POINTS:
                facts = common_facts(self.terms, symbols, points, len(after), steady)
                new = broken(facts)
                if new is None:
                    self._found[loop] = found = self._needed([*facts, *within])
                    return found
                points += new
        except SolverUnknown:
            pass
        return None

    def _with_ranges(self, facts: list[FNode], changed: list[FNode]) -> list[FNode]:
        """With what is known of numbers that no fact speaks of: later steps rest on that."""
        spoken_of = {s for fact in facts for s in self.terms.symbols(fact)}
        others = [s for s in changed if s not in spoken_of]
        return [*facts, *map(self.tree.places.domain.in_range, others)]

    def _relevant(self, node: Node, changed: list[FNode], around: Unfolding) -> list[FNode]:
        """What facts may speak of: what a round looks at, and the thread's own that it changes.

        Of what it changes in the program's variables nothing is kept: sums and tallies, mostly.
        """
        terms, places = self.terms, self.tree.places
        own = [s for s in changed if self._is_own(s)]
        read = {s for c in around.conditions for s in terms.symbols(c)}
        read |= {s for c in own for s in terms.symbols(around.values[c])}
        others = (read - set(changed)) & places.symbols(node.state)
        found = [*own, *sorted(others, key=FNode.node_id)]
        return [s for s in found if not terms.is_array(s)]

    def _steady(
        self, symbols: Sequence[FNode], after: Mapping[FNode, FNode]
    ) -> set[tuple[int, int]]:
        """Which two symbols have a sum that a round leaves as it was."""
        add = self.terms.add
        return {
            (n, m)
            for (n, a), (m, b) in combinations(enumerate(symbols[: len(after)]), 2)
            if add(after[a], after[b]) is add(a, b)
        }

    def _is_own(self, symbol: FNode) -> bool:
        number = self.tree.places.of[symbol].object
        return number is None or self.tree.places.image.objects.dynamic[number]

    def _needed(self, facts: list[FNode]) -> list[FNode]:
        """The facts without those that follow from others; equations come first, and stay."""
        terms, solver = self.terms, self.tree.solver
        kept = list(dict.fromkeys(c for fact in facts for c in terms.conjuncts(fact)))
        for fact in reversed(kept.copy()):
            others = [f for f in kept if f is not fact]
            if entails(solver, terms, others, fact):
                kept = others
        return kept

    def _points(
        self,
        symbols: Sequence[FNode],
        values: dict[FNode, FNode],
        conditions: Iterable[FNode],
        facts: Sequence[FNode],
    ) -> list[Point] | None:
        """A point that the values can be at and that contradicts a fact, if there is any."""
        terms = self.terms
        wrong = [terms.negate(terms.substitute(f, values)) for f in facts] or [terms.true]
        terms_of = [values.get(s, s) for s in symbols]
        wanted = {s for t in terms_of for s in terms.symbols(t)}
        question = terms.disjunction(wrong)
        if question is terms.false:
            return None
        domain = self.tree.places.domain
        ranges = [domain.in_range(s) for s in sorted(wanted & domain.inputs, key=FNode.node_id)]
        model = self.tree.solver.model([*conditions, *ranges, question], wanted)
        if model is None:
            return None
        numbers = {s: terms.integer(n) for s, n in model.items()}
        return [tuple(terms.substitute(t, numbers).constant_value() for t in terms_of)]

    # -------------------------------------------------------------------- node

    def _clear(self, node: Node, changed: list[FNode], reopen: Callable[[Node], None]) -> None:
        """Takes back what follows a node, and what it says of what changes."""
        for children in list(node.children.values()):
            for child in children:
                for orphan in self.tree.remove(child):
                    reopen(orphan)
        for covered in list(node.covers):
            self.tree.uncover(covered)
            reopen(covered)
        node.children.clear()
        node.able.clear()
        node.blocked.clear()
        node.kind = Kind.OPEN
        gone = set(changed)
        node.label = {f: None for f in node.label if gone.isdisjoint(self.terms.symbols(f))}
        reopen(node)

    def _forget(self, node: Node, changed: list[FNode], facts: Sequence[FNode]) -> None:
        """From here on, what changes is unknown but for the facts."""
        places, terms = self.tree.places, self.terms
        fresh = {s: places.domain.unknown(f"{s.symbol_name()}@{node.id}", s) for s in changed}
        node.values = {**node.values, **fresh}
        known = [terms.substitute(fact, node.values) for fact in facts]
        node.conditions = tuple(dict.fromkeys([*node.conditions, *known]))
        node.open = None
        node.base = node
        guard = tuple(terms.substitute(fact, fresh) for fact in facts)
        node.forgetting = Transition(guard, fresh, frozenset(fresh.values()))


def place_of(node: Node) -> object:
    """Where a loop begins, in every tree of a program."""
    frame = node.state.threads[node.thread].frames[-1]
    return node.thread, frame.code.number, frame.pc
