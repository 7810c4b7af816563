"""A check of schedules that shares nothing with the search: run everything that one permits.

The concrete interpreter goes through all executions of a schedule, for all listed inputs. Each
concrete state is paired with the schedule's node that it must belong to; every mismatch is told.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import networkx as nx
import pysmt.operators as op
from pysmt.fnode import FNode

from imc.program.code import FunctionCode, Image
from imc.program.concrete import ConcreteDomain
from imc.program.deadlock import cycle_of
from imc.program.faults import Blocked, NeedChoice, Property
from imc.program.instructions import Alloca
from imc.program.interpreter import Interpreter
from imc.program.keys import StateKeys
from imc.program.machine import Machine, Outcome
from imc.program.memory import MemoryObject
from imc.program.program import Program
from imc.program.settings import Settings
from imc.program.state import Frame, State, Status, Thread
from imc.program.types import IntType
from imc.program.values import UNDEF, Aggregate, Fragment, Value, to_signed
from imc.symbolic.arrays import ArrayObject, Summary
from imc.symbolic.result import Schedule

MOST_STATES = 20_000
MOST_JUMPS = 5_000
MOST_COMPLAINTS = 8


class TooLarge(Exception):
    """The schedule has more executions than the check goes through."""


class Mismatch(Exception):
    """A concrete state does not belong to a node; the text says why."""


def check_schedule(
    program: Program, settings: Settings, schedule: Schedule, states: int = MOST_STATES
) -> list[str]:
    """What is wrong with a schedule, for the inputs of the settings; nothing if all is well."""
    game = _Game(program, settings, schedule, states)
    game.explore()
    if not game.complaints:
        game.check_fairness()
    return list(game.complaints)


# ------------------------------------------------------------------- formulas


@dataclass(frozen=True)
class Array:
    """A concrete array: a number for every byte offset at which an element begins."""

    cells: tuple[tuple[int, int], ...]
    default: int

    def at(self, index: int) -> int:
        return dict(self.cells).get(index, self.default)


Binding = dict[FNode, Any]  # symbols to ints and arrays


def evaluate(term: FNode, binding: Binding) -> Any:
    """The number, truth value or array that a term is."""
    kind = term.node_type()
    if kind == op.SYMBOL:
        if term not in binding:
            raise Mismatch(f"nothing is known of {term}")
        return binding[term]
    if kind in (op.INT_CONSTANT, op.BOOL_CONSTANT):
        return term.constant_value()
    if kind == op.AND:
        return all(evaluate(a, binding) for a in term.args())
    if kind == op.OR:
        return any(evaluate(a, binding) for a in term.args())
    if kind == op.ITE:
        return evaluate(term.arg(1 if evaluate(term.arg(0), binding) else 2), binding)
    args = [evaluate(a, binding) for a in term.args()]
    match kind:
        case op.NOT:
            return not args[0]
        case op.IMPLIES:
            return not args[0] or args[1]
        case op.LE:
            return args[0] <= args[1]
        case op.LT:
            return args[0] < args[1]
        case op.EQUALS | op.IFF:
            return args[0] == args[1]
        case op.PLUS:
            return sum(args)
        case op.MINUS:
            return args[0] - args[1]
        case op.TIMES:
            product = 1
            for factor in args:
                product *= factor
            return product
        case op.DIV:  # rounds so that the remainder is not negative
            return args[0] // args[1] if args[1] > 0 else -(args[0] // -args[1])
        case op.ARRAY_SELECT:
            return args[0].at(args[1])
        case op.ARRAY_STORE:
            cells = {**dict(args[0].cells), args[1]: args[2]}
            return Array(tuple(sorted(cells.items())), args[0].default)
        case op.ARRAY_VALUE if len(args) == 1:
            return Array((), args[0])
    raise Mismatch(f"no way to evaluate {term}")


# ------------------------------------------------------------------ belonging


class _Matcher:
    """Compares one concrete state with one skeleton, and finds what the symbols stand for."""

    def __init__(self, image: Image, concrete: State, skeleton: State) -> None:
        self.image = image
        self.concrete = concrete
        self.skeleton = skeleton
        self.binding: Binding = {}
        self._objects: dict[int, int] = {}  # the skeleton's dynamic objects to the concrete ones
        self._inverse: dict[int, int] = {}
        self._pairs: list[tuple[int, int]] = []

    def match(self) -> Binding:
        concrete, skeleton = self.concrete, self.skeleton
        # Which exit code it is nobody can see any more; a skeleton need not know it.
        self._same("has ended", concrete.exit_code is not None, skeleton.exit_code is not None)
        self._same("threads", sorted(concrete.threads), sorted(skeleton.threads))
        for number in sorted(concrete.threads):
            self._thread(concrete.threads[number], skeleton.threads[number])
        dynamic = self.image.objects.dynamic
        for number in sorted(skeleton.memory):
            if not dynamic[number]:
                self._object(number, number)
        for number in concrete.memory:
            if not dynamic[number] and number not in skeleton.memory:
                raise Mismatch(f"'{self.image.objects[number].name}' is not in the node")
        for ours, theirs in self._pairs:  # grows while we walk it
            self._object(ours, theirs)
        return self.binding

    def _same(self, what: str, concrete: object, skeleton: object) -> None:
        if concrete != skeleton:
            raise Mismatch(f"{what}: {concrete}, and {skeleton} in the node")

    def _bind(self, symbol: FNode, value: object) -> None:
        if self.binding.setdefault(symbol, value) != value:
            raise Mismatch(f"{symbol} would be both {self.binding[symbol]} and {value}")

    # ----------------------------------------------------------------- threads

    def _thread(self, ours: Thread, theirs: Thread) -> None:
        name = self.image.threads.names[ours.id]
        for what in ("status", "paused", "detached", "joined", "keys", "ending", "spawned"):
            self._same(f"{what} of {name}", getattr(ours, what), getattr(theirs, what))
        self._value(f"result of {name}", ours.result, theirs.result, 64)
        self._same(f"calls of {name}", len(ours.frames), len(theirs.frames))
        last = len(ours.frames) - 1
        for depth, (frame, other) in enumerate(zip(ours.frames, theirs.frames, strict=True)):
            where = f"{name} in {frame.code.function.name}"
            self._same(
                f"position of {where}",
                (frame.code.function.name, frame.pc, frame.phase, frame.loops),
                (other.code.function.name, other.pc, other.phase, other.loops),
            )
            live = set(frame.code.live[frame.pc])
            if depth < last and frame.phase == 0:
                live.discard(ours.frames[depth + 1].result)  # type: ignore[arg-type]
            self._frame(where, frame, other, sorted(live))

    def _frame(self, where: str, ours: Frame, theirs: Frame, live: list[int]) -> None:
        for register in live:
            name = f"register {ours.code.function.registers[register].name or register} of {where}"
            width = _width(ours.code, register) or 8 * self.image.layout.pointer_bytes
            self._value(name, ours.regs[register], theirs.regs[register], width)
        self._value(f"scratch of {where}", ours.scratch, theirs.scratch, 64)
        self._same(f"arguments of {where}", len(ours.varargs), len(theirs.varargs))
        for (kind, _, value), (_, _, other) in zip(ours.varargs, theirs.varargs, strict=True):
            width = kind.width if isinstance(kind, IntType) else 64
            self._value(f"argument of {where}", value, other, width)

    # ------------------------------------------------------------------ values

    def _value(self, where: str, ours: Value, theirs: Value, width: int) -> None:
        if isinstance(theirs, FNode):
            self._term(where, ours, theirs, width)
        elif theirs.__class__ is tuple:
            if ours.__class__ is not tuple:
                raise Mismatch(f"{where}: {ours}, and {theirs} in the node")
            self._pair(where, ours[0], theirs[0])
            if isinstance(theirs[1], FNode):
                self._symbol(where, theirs[1], ours[1])
            else:
                self._same(where, ours[1], theirs[1])
        elif isinstance(theirs, Aggregate):
            if not isinstance(ours, Aggregate) or len(ours) != len(theirs):
                raise Mismatch(f"{where}: {ours}, and {theirs} in the node")
            for a, b in zip(ours, theirs, strict=True):
                self._value(where, a, b, width)
        elif isinstance(theirs, Fragment):
            if not isinstance(ours, Fragment) or ours.index != theirs.index:
                raise Mismatch(f"{where}: {ours}, and a fragment in the node")
            self._value(where, ours.value, theirs.value, 8 * theirs.size)
        elif ours.__class__ is not theirs.__class__ or ours != theirs:
            raise Mismatch(f"{where}: {ours}, and {theirs} in the node")

    def _term(self, where: str, ours: Value, theirs: FNode, width: int) -> None:
        if ours.__class__ is not int:
            raise Mismatch(f"{where}: {ours}, and {theirs} in the node")
        if theirs.is_symbol():
            self._symbol(where, theirs, to_signed(ours, width) if width > 1 else ours)
        elif theirs.is_le() and theirs.arg(0).is_int_constant(1) and theirs.arg(1).is_symbol():
            self._same(f"truth value in {where}", ours in (0, 1), True)
            self._symbol(where, theirs.arg(1), ours)
        else:
            raise Mismatch(f"{where}: the node has {theirs}, which is not a symbol")

    def _symbol(self, where: str, symbol: FNode, value: Value) -> None:
        if value.__class__ is not int or not symbol.is_symbol():
            raise Mismatch(f"{where}: {value}, and {symbol} in the node")
        self._bind(symbol, value)

    def _pair(self, where: str, ours: int, theirs: int) -> None:
        """Objects that pointers lead to: dynamic ones may have other numbers."""
        dynamic = self.image.objects.dynamic
        infos = self.image.objects.infos
        if not dynamic[ours] or not dynamic[theirs]:
            self._same(f"object of {where}", infos[ours].name, infos[theirs].name)
            self._same(f"object of {where}", ours, theirs)
            return
        if self._objects.get(theirs, ours) != ours or self._inverse.get(ours, theirs) != theirs:
            raise Mismatch(f"{where}: two objects are confused")
        if theirs not in self._objects:
            self._objects[theirs], self._inverse[ours] = ours, theirs
            self._same(f"object of {where}", infos[ours].kind, infos[theirs].kind)
            self._pairs.append((ours, theirs))

    # ----------------------------------------------------------------- objects

    def _object(self, ours: int, theirs: int) -> None:
        name = self.image.objects[ours].name
        contents, other = self.concrete.memory.get(ours), self.skeleton.memory.get(theirs)
        if contents is None or other is None:
            self._same(f"'{name}' is there", contents is not None, other is not None)
            return
        self._same(f"size of '{name}'", contents.size, other.size)
        self._same(f"owner of '{name}'", contents.owner, other.owner)
        if isinstance(other, Summary):
            low, high = other.range
            for at, number in self._elements(name, contents, other.element):
                if not low <= number <= high:
                    raise Mismatch(f"'{name}' at {at} is {number}, not in {low}..{high}")
        elif isinstance(other, ArrayObject):
            cells = tuple(self._elements(name, contents, other.element))
            if not other.term.is_symbol():
                raise Mismatch(f"'{name}': the node has {other.term}, which is not a symbol")
            self._bind(other.term, Array(cells, 0))
        else:
            self._cells(name, contents, other)

    def _elements(self, name: str, contents: MemoryObject, size: int) -> Iterator[tuple[int, int]]:
        for at in range(0, contents.size, size):
            value = self._cell(contents, at, size)
            if value.__class__ is not int:
                raise Mismatch(f"'{name}' at {at} is {value}, and an element in the node")
            yield at, to_signed(value, 8 * size)

    def _cell(self, contents: MemoryObject, at: int, size: int) -> Value:
        return contents.read(at, size, IntType(8 * size), self.image.domain)

    def _cells(self, name: str, ours: MemoryObject, theirs: MemoryObject) -> None:
        covered: set[int] = set()
        for at, (size, value) in theirs.cells.items():
            cell = ours.cells.get(at)
            mine = cell[1] if cell and cell[0] == size else self._cell(ours, at, size)
            self._value(f"'{name}' at {at}", mine, value, 8 * size)
            covered.update(range(at, at + size))
        for at, (size, value) in ours.cells.items():
            if not covered.issuperset(range(at, at + size)):
                other = theirs.fill
                if value.__class__ is int and other.__class__ is int and value == other:
                    continue
                if value is UNDEF and other is UNDEF:
                    continue
                raise Mismatch(f"'{name}' at {at} is {value}, and {other} in the node")
            covered.update(range(at, at + size))
        if len(covered) < ours.size:
            self._same(f"fill of '{name}'", ours.fill is UNDEF, theirs.fill is UNDEF)


def _width(code: FunctionCode, register: int) -> int:
    """The width of an integer register; a local without memory is a register of its type."""
    kind = code.function.registers[register].type
    if register in code.promoted:
        for i in code.function.code:
            if isinstance(i, Alloca) and i.result == register:
                kind = i.type
    return kind.width if isinstance(kind, IntType) else 0


# ---------------------------------------------------------------------- steps


class _Pausing(Machine):
    """A step that ends at a jump back, as steps over unknown values do."""

    pause_at = 1
    cut = False

    def _jump_back(self, frame: Frame, target: int) -> bool:
        stop = super()._jump_back(frame, target)
        if self.jumps >= self.pause_at and not self.atomic:
            self.cut = True
            return True
        return stop


@dataclass
class _Run:
    """One way a step can go: to an outcome, which a jump back may have cut short, or nowhere."""

    choices: tuple[int, ...]
    outcome: Outcome | None = None
    blocked: Blocked | None = None
    cut: bool = False


@dataclass(eq=False)
class _Position:
    """A concrete state with the node that it belongs to."""

    key: object
    state: State
    node: int
    binding: Binding  # what the symbols of labels stand for, or stood for when they last did
    before: tuple[_Position, str] | None
    enabled: set[int] = field(default_factory=set)


class _Game:
    def __init__(
        self, program: Program, settings: Settings, schedule: Schedule, states: int
    ) -> None:
        self.settings = settings
        self.schedule = schedule
        self.most = states
        self.interpreter = Interpreter(program, settings, ConcreteDomain())
        self.image = self.interpreter.image
        self._share_names()
        self.names = self.image.threads.names
        self.keys = StateKeys(self.image)
        self.complaints: dict[str, None] = {}
        self.positions: dict[object, _Position] = {}
        self.edges: list[tuple[_Position, int, _Position]] = []
        self.work: list[_Position] = []
        self.labelled = frozenset(
            symbol
            for node in schedule.nodes.values()
            for conjunct in node.label
            for symbol in _symbols(conjunct)
        )

    def _share_names(self) -> None:
        """Gives objects and threads the numbers that they have in the schedule."""
        states = (n.node.state for n in self.schedule.nodes.values())
        frames = (f for s in states for t in s.threads.values() for f in t.frames)
        frame = next(frames, None)
        if frame is not None:
            self.image.objects = copy.deepcopy(frame.code.image.objects)
            self.image.threads = copy.deepcopy(frame.code.image.threads)

    def _complain(self, text: str, at: _Position | None) -> None:
        """With the threads that have moved, so that it can be looked at."""
        moved = []
        where = f"node {at.node}: " if at is not None else ""
        while at is not None and at.before is not None:
            at, name = at.before
            moved.append(name)
        self.complaints[f"{where}{text} (after {' '.join(moved[::-1]) or 'the start'})"] = None

    # -------------------------------------------------------------- executions

    def explore(self) -> None:
        """Goes through all executions that are permitted."""
        self._step(None, 0, (self.schedule.root,))
        while self.work and len(self.complaints) < MOST_COMPLAINTS:
            self._leave(self.work.pop())

    def _leave(self, at: _Position) -> None:
        """Takes every step that is permitted at a position."""
        permits = self.schedule.nodes[at.node].permits
        if at.state.exit_code is not None:
            if permits:
                self._complain("there are steps after the program's end", at)
            return
        blocked = self._look(at)
        circle = cycle_of({t: b.holder for t, b in blocked.items()})
        if circle and Property.DEADLOCK in self.settings.properties:
            names = " and ".join(self.names[t] for t in circle)
            self._complain(f"{names} wait for each other", at)
        elif not permits:
            self._check_end(at, blocked)
        for thread, children in permits.items():
            found = at.state.threads.get(thread)
            if found is None or found.status is not Status.RUNNING:
                self._complain(f"{self.names[thread]} is permitted but not running", at)
            else:
                self._step(at, thread, children)

    def _look(self, at: _Position) -> dict[int, Blocked]:
        """Notes who can move; answers who cannot, and why."""
        blocked = {}
        for number, thread in sorted(at.state.threads.items()):
            if thread.status is Status.RUNNING:
                try:
                    self.interpreter.successors(at.state, number)
                    at.enabled.add(number)
                except Blocked as why:
                    blocked[number] = why.with_traceback(None)
        return blocked

    def _check_end(self, at: _Position, blocked: dict[int, Blocked]) -> None:
        if at.state.ended:
            return
        if at.enabled:
            names = ", ".join(self.names[t] for t in sorted(at.enabled))
            self._complain(f"nothing is permitted although {names} could move", at)
            return
        stuck = any(t.status is Status.STUCK for t in at.state.threads.values())
        waits = any(why.what == "assumption" for why in blocked.values())
        if not stuck and not waits and Property.DEADLOCK in self.settings.properties:
            self._complain("no thread can move: a deadlock", at)

    def _step(self, at: _Position | None, thread: int, children: tuple[int, ...]) -> None:
        """One thread's step for all choices; each must lead to a child.

        A symbolic step ends at a jump back once it has branched on something unknown. So the
        concrete one is cut there too: at the first jump back whose state belongs to a child.
        """
        name = self.names[thread]
        work: list[tuple[int, tuple[int, ...]]] = [(1, ())]
        while work:
            jumps, choices = work.pop()
            for run in self._runs(at.state if at else None, thread, jumps, choices):
                if run.outcome is None:
                    assert run.blocked is not None
                    self._complain(f"{name} is permitted but waits: {run.blocked.what}", at)
                    continue
                if run.outcome.fault is not None:
                    self._complain(f"{name} errs: {run.outcome.fault.message}", at)
                    continue
                wrong = self._arrive(run.outcome.state, children, at, name, thread)
                if wrong and run.cut and jumps < MOST_JUMPS:
                    work.append((jumps + 1, run.choices))
                elif wrong:
                    self._complain(f"a step of {name} leads nowhere: {'; '.join(wrong)}", at)

    def _runs(
        self, state: State | None, thread: int, jumps: int, choices: tuple[int, ...]
    ) -> Iterator[_Run]:
        """A step for every choice that begins with `choices`, cut at its `jumps`th jump back."""
        work = [choices]
        while work:
            chosen = work.pop()
            copied = state.copy() if state is not None else State()
            if state is None:
                copied.memory = self.image.variables.copy()
            machine = _Pausing(self.image, copied, chosen)
            machine.pause_at = jumps
            try:
                outcome = machine.step(thread) if state is not None else machine.start()
            except NeedChoice as need:
                work.extend((*chosen, k) for k in reversed(range(need.count)))
            except Blocked as why:
                yield _Run(chosen, blocked=why.with_traceback(None))
            else:
                yield _Run(chosen, outcome, cut=machine.cut)

    def _arrive(
        self,
        state: State,
        children: tuple[int, ...],
        before: _Position | None,
        name: str,
        thread: int,
    ) -> list[str]:
        """Finds the children that a state belongs to; if there is none, answers why not."""
        wrong = []
        found = False
        for child in children:
            try:
                binding = self._belongs(state, child, before.binding if before else {})
            except Mismatch as why:
                wrong.append(f"not to {child}, {why}")
                continue
            found = True
            at = self._follow(state, child, binding, before, name)
            if at is not None and before is not None:
                self.edges.append((before, thread, at))
        return [] if found else wrong or ["there are no children"]

    def _belongs(self, state: State, node: int, earlier: Binding) -> Binding:
        """What a node's symbols stand for in a state; raises Mismatch if it is not one of its."""
        if node not in self.schedule.nodes:
            raise Mismatch("there is no such node")
        found = self.schedule.nodes[node]
        here = _Matcher(self.image, state, found.node.state).match()
        binding = {**earlier, **here}
        for conjunct in found.label:
            if not evaluate(conjunct, binding):
                values = {str(s): binding[s] for s in sorted(_symbols(conjunct), key=str)}
                raise Mismatch(f"its label {conjunct.serialize()} is false for {values}")
        return binding

    def _follow(
        self,
        state: State,
        node: int,
        binding: Binding,
        before: _Position | None,
        name: str,
    ) -> _Position | None:
        """Goes along cover links, and notes the position if it is new."""
        passed = {node}
        while (cover := self.schedule.nodes[node].cover) is not None:
            here = _Position(None, state, node, binding, (before, name) if before else None)
            try:
                binding = self._belongs(state, cover, binding)
            except Mismatch as why:
                self._complain(f"it is covered by {cover} but does not belong to it: {why}", here)
                return None
            if cover in passed:
                self._complain("covers go round in a circle", here)
                return None
            node = cover
            passed.add(node)
        binding = {s: v for s, v in binding.items() if s in self.labelled}
        key = (self.keys.key(state), node, frozenset(binding.items()))
        found = self.positions.get(key)
        if found is None:
            if len(self.positions) >= self.most:
                raise TooLarge(f"more than {self.most} states")
            found = _Position(key, state, node, binding, (before, name) if before else None)
            self.positions[key] = found
            self.work.append(found)
        return found

    # ---------------------------------------------------------------- fairness

    def check_fairness(self) -> None:
        """No thread may be left out for ever although it can move."""
        for thread in sorted({t for p in self.positions.values() for t in p.enabled}):
            graph = nx.DiGraph()
            graph.add_edges_from((a, b) for a, t, b in self.edges if t != thread)
            for component in nx.strongly_connected_components(graph):
                one = next(iter(component))
                if len(component) == 1 and not graph.has_edge(one, one):
                    continue
                starved = [p for p in component if thread in p.enabled]
                if starved:
                    nodes = ", ".join(map(str, sorted({p.node for p in component})))
                    text = f"{self.names[thread]} starves in the nodes {nodes}"
                    self._complain(text, min(starved, key=lambda p: p.node))
                    break


def _symbols(term: FNode) -> set[FNode]:
    found = set()
    stack = [term]
    seen = set()
    while stack:
        at = stack.pop()
        if at in seen:
            continue
        seen.add(at)
        if at.is_symbol():
            found.add(at)
        stack.extend(at.args())
    return found
