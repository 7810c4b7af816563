"""Whether a tree of the search lets threads go round for ever without effect.

Its graph of tree and cover edges is asked what the explicit engines ask of states: a tree that is
said not to hang does not; one that may hang need not.
"""

from __future__ import annotations

from collections.abc import Iterable

from pysmt.fnode import FNode

from imc.program.effects import Deed
from imc.program.livelock import LivelockUndecided, find_loop, idle_deeds
from imc.terms.deeds import Cover, TreeDeeds, TreeGraph, TreeStep
from imc.terms.steps import Move
from imc.verifier.solver import SolverUnknown, entails
from imc.verifier.tree.art import Node, Tree
from imc.verifier.tree.fairness import cycle_nodes


class Hangs(Exception):
    """Threads may go round for ever; with the steps that they do so in, if they are known."""

    def __init__(self, start: Node | None, rounds: tuple[Move, ...]) -> None:
        super().__init__("threads may go round for ever without effect")
        self.start = start
        self.rounds = rounds


class TreeHanging:
    """Asks one tree."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.deeds = TreeDeeds(tree.places, tree.keys)

    def check(self, node: Node, by: Node) -> None:
        """Raises `Hangs` if a cover closes a cycle in which nobody may have an effect."""
        nodes = cycle_nodes(node, by)
        if not nodes:
            return
        graph, steps = self._graph(nodes, {node: by})
        try:
            loop = find_loop(graph)
        except LivelockUndecided:
            raise Hangs(None, ()) from None
        if loop is not None:
            children = [steps[step] for step in loop]
            assert children[0].parent is not None
            raise Hangs(children[0].parent, tuple(child.move for child in children))

    def idle(self) -> Idle:
        """The deeds that threads may go round with for ever, whatever the others do."""
        graph, _ = self._graph(self.tree.nodes, {})
        deeds = {graph.deeds[label] for label in idle_deeds(graph)}
        return Idle(self.deeds, graph, deeds)

    def _graph(
        self, nodes: Iterable[Node], covers: dict[Node, Node]
    ) -> tuple[TreeGraph, list[Node]]:
        """The graph of some nodes, and the nodes that its steps lead to in the tree."""
        chosen = [n for n in nodes if not n.removed and self.tree.terms.false not in n.label]
        covered: dict[Node, Cover] = {}

        def home(node: Node) -> Node:
            """The node that stands for another one's future."""
            while (by := node.cover or covers.get(node)) is not None:
                covered[node] = Cover(node.state, node.names, by.state, by.names)
                node = by
            return node

        numbers: dict[Node, int] = {}
        for n in chosen:
            numbers.setdefault(home(n), len(numbers))
        steps: list[TreeStep] = []
        ends: list[Node] = []
        for n in chosen:
            if n.cover is not None or n in covers:
                continue
            for thread, children in n.children.items():
                if thread in n.losing:
                    continue
                for child in children:
                    if child.fault is not None:
                        continue
                    target = numbers.setdefault(home(child), len(numbers))
                    steps.append(TreeStep(numbers[n], n.state, n.label, child.move, target))
                    ends.append(child)
        return TreeGraph(self.deeds, steps, covered.values(), self._entails), ends

    def _entails(self, facts: Iterable[FNode], claim: FNode) -> bool:
        try:
            return entails(self.tree.solver, self.tree.terms, facts, claim)
        except SolverUnknown:
            return False


class Idle:
    """What threads may do for ever without effect."""

    def __init__(self, tree_deeds: TreeDeeds, graph: TreeGraph, deeds: set[Deed]) -> None:
        self.deeds = deeds
        self._tree_deeds = tree_deeds
        self._graph = graph

    def __contains__(self, step: tuple[Node, Move]) -> bool:
        node, move = step
        return self._graph.certain(self._tree_deeds.of(node.state, move)) in self.deeds
