"""Which values a skeleton keeps and which become symbols: known ones stay, until that diverges."""

from __future__ import annotations

from collections.abc import Iterable

from pysmt.fnode import FNode

from imc.program.analysis.loops import stepping
from imc.program.settings import Settings
from imc.terms.arrays import WHOLE
from imc.terms.places import PlaceKey, Places, Variable
from imc.verifier.tree.art import Node, Tree


class Diverges(Exception):
    """The tree grows along one path with nothing but numbers changing: make these abstract."""

    def __init__(self, variables: set[Variable], local: bool = False) -> None:
        super().__init__("the values of some variables grow without end")
        self.variables = variables
        self.local = local  # in a loop over a thread's own, whose end depends on what is not known


LOCAL_PATIENCE = 8  # times longer for a thread's own variables: most loops over them end
ALONE = 3  # rounds of a thread by itself, where it depends on what is not known how they go on


class NotExact(Exception):
    """An error rests on elements of arrays that have not been told apart."""

    def __init__(self, objects: set[int]) -> None:
        super().__init__("elements of an array have to be told apart")
        self.objects = objects


class Precision:
    """Watches paths for numbers that never come back.

    A path has come round when the threads are where they were and the same one has moved last.
    """

    def __init__(
        self, places: Places, settings: Settings, patience: int, widens: bool = False
    ) -> None:
        self.places = places
        self.settings = settings
        self.patience = patience  # visits of the same positions that a path is allowed
        self.widens = widens  # loops of one thread are closed at once, if what moves is abstract
        self.known: frozenset[Variable] = frozenset()  # what must not be abstract, however it grows
        self._visits: dict[Node, int] = {}
        self._before: dict[Node, Node] = {}
        self._loops: dict[int, list[tuple[frozenset[int], set[int]]]] = {}  # by function
        self._alone: dict[Node, int] = {}  # rounds before a node that its thread has made by itself
        self._alike: dict[tuple[int, int, object], list[Node]] = {}

    def watch(self, node: Node) -> None:
        """Raises `Diverges` when the threads' positions repeat on a path too often.

        A node that has lost its cover comes here again, and is no visit more.
        """
        if node in self._visits:
            return
        earlier = self._earlier(node)
        if earlier is None:
            self._visits[node] = 1
            return
        self._before[node] = earlier
        self._visits[node] = count = self._visits[earlier] + 1
        unknown = len(node.conditions) > len(earlier.conditions)
        if unknown and self.widens and self._is_alone(node, earlier):
            self._alone[node] = rounds = self._alone.get(earlier, 0) + 1
            if rounds % ALONE == 0:
                growing = self._growing(node, rounds)
                if growing:
                    raise Diverges(growing | self._around(node), local=True)
        if count % self.patience == 0:
            growing = self._growing(node, count)
            local = all(variable[0] == "register" for variable in growing)
            hopeless = unknown if self.widens else node.state.threads[node.thread].paused
            if growing and (not local or hopeless or count >= LOCAL_PATIENCE * self.patience):
                raise Diverges(growing, local and hopeless)

    def _is_alone(self, node: Node, earlier: Node) -> bool:
        """Whether one thread has gone round by itself, and has started no other one."""
        steps = node.path(earlier)[1:]
        return all(n.thread == node.thread and not n.event.spawned for n in steps)

    def _around(self, node: Node) -> set[Variable]:
        """What the loops around move on that a thread is in: they will come to the same."""
        found: set[Variable] = set()
        for frame in node.state.threads[node.thread].frames:
            code = frame.code
            if code.number not in self._loops:
                self._loops[code.number] = stepping(code.function, code.promoted)
            for loop, registers in self._loops[code.number]:
                if frame.pc in loop:
                    found |= {self.places.variable_of_register(code, r) for r in registers}
        return found - self.known

    def check_exact(self, formulas: Iterable[FNode]) -> None:
        """Raises `NotExact` when formulas speak of elements that have not been told apart."""
        domain = self.places.domain
        objects = {
            domain.elements[symbol]
            for formula in formulas
            for symbol in domain.terms.symbols(formula)
            if symbol in domain.elements and not self._is_range(formula, symbol)
        }
        if objects - domain.exact:
            raise NotExact(objects)

    def _is_range(self, formula: FNode, symbol: FNode) -> bool:
        """Whether a formula says no more than that a symbol fits its width."""
        domain = self.places.domain
        whole = domain.in_range(symbol)
        return formula is whole or formula in domain.terms.conjuncts(whole)

    def _earlier(self, node: Node) -> Node | None:
        """The last node on the path at which it was at the same point."""
        alike = self._alike.setdefault((node.control, node.thread, node.phase), [])
        while alike and alike[-1].removed:
            alike.pop()
        found = next((n for n in reversed(alike) if node.is_below(n)), None)
        alike.append(node)
        return found

    def _growing(self, node: Node, rounds: int) -> set[Variable]:
        """Variables that have had many values at these positions, in the last rounds."""
        values: dict[PlaceKey, set[int]] = {}
        variables: dict[PlaceKey, Variable] = {}
        visits = [node]
        while len(visits) <= rounds and visits[-1] in self._before:
            visits.append(self._before[visits[-1]])
        for visit in visits:
            for variable, key, number in self.places.numbers(visit.state):
                values.setdefault(key, set()).add(number)
                variables[key] = variable
        needed = max(3, len(visits) // 2)
        growing = {variables[k] for k, numbers in values.items() if len(numbers) >= needed}
        return growing - self.known


def mixed(places: Places, tree: Tree) -> set[Variable]:
    """Variables in memory that are known at some nodes and symbols at others, with threads alike.

    A proof has to do without knowing them anyway, and keeps nodes apart for nothing if it does not.
    """
    known: dict[tuple[int, PlaceKey], Variable] = {}
    symbols: set[tuple[int, PlaceKey]] = set()
    for node in tree.nodes[:MOST_LOOKED_AT]:
        for variable, key, _ in places.numbers(node.state):
            known[node.control, key] = variable
        for number, contents in node.state.memory.items():
            for at, (_, value) in contents.cells.items():
                if isinstance(value, FNode):
                    symbols.add((node.control, ("m", number, at)))
    return {known[at] for at in symbols if at in known} - places.abstract


MOST_LOOKED_AT = 3000  # nodes, to see which values there are
MANY = 3  # values that make a variable worth abstracting, where there are too many states


def volatile(places: Places, tree: Tree) -> set[Variable]:
    """Variables that have had many values while the threads were where they are.

    Only single cells in memory: a thread's own variables follow the values that they are given,
    and what is known of all elements of an array is worth keeping.
    """
    values: dict[tuple[int, PlaceKey], set[int]] = {}
    variables: dict[tuple[int, PlaceKey], Variable] = {}
    for node in tree.nodes[:MOST_LOOKED_AT]:
        for variable, key, number in places.numbers(node.state):
            values.setdefault((node.control, key), set()).add(number)
            variables[node.control, key] = variable
    many = {variables[k] for k, numbers in values.items() if len(numbers) >= MANY}
    return {variable for variable in many if variable[0] != "register" and variable[-1] != WHOLE}
