"""Counterexamples run again, concretely: only what the program really does is a violation."""

from __future__ import annotations

from pysmt.fnode import FNode

from imc.program.analysis.sharing import Sharing
from imc.program.code import reads_input
from imc.program.concrete import ConcreteDomain
from imc.program.ends import circle_fault, classify
from imc.program.events import Event
from imc.program.faults import Blocked, Fault, NeedChoice, Property
from imc.program.interpreter import Interpreter
from imc.program.program import Program
from imc.program.races import find_race
from imc.program.settings import Settings
from imc.program.state import State, Status
from imc.program.types import IntType, Type
from imc.program.values import Value
from imc.symbolic.art import Tree
from imc.symbolic.integers import input_name
from imc.symbolic.result import Violation
from imc.symbolic.search import Counterexample
from imc.symbolic.solver import SolverUnknown
from imc.symbolic.steps import Move


class GivenInputs(ConcreteDomain):
    """The concrete domain with the inputs of one execution."""

    def __init__(self) -> None:
        super().__init__()
        self.inputs: dict[str, int] = {}

    def input(self, name: str, type: Type) -> Value:
        if not isinstance(type, IntType):
            return None
        return self.inputs.get(input_name(name, type), 0) & ((1 << type.width) - 1)


class Replayer:
    """Runs a program as counterexamples say."""

    def __init__(self, program: Program, sharing: Sharing, settings: Settings) -> None:
        self.domain = GivenInputs()
        self.interpreter = Interpreter(program, settings, self.domain, sharing)

    def violation(self, tree: Tree, found: Counterexample) -> Violation:
        """Inputs for a counterexample, and the events that the program then goes through."""
        inputs = _inputs(tree, found)
        self.domain.inputs = inputs or {}
        moves = [node.move for node in found.node.path()[1:]]
        if found.move is not None:
            moves.append(found.move)
        events, fault = _run(
            self.interpreter,
            [(m.event.thread, m.choices) for m in moves if _is_event(tree, m)],
            None if found.move is not None else found.fault.kind,
        )
        names = tuple(_input(tree, name, value) for name, value in sorted((inputs or {}).items()))
        if inputs is not None and fault is not None and fault.kind is found.fault.kind:
            return Violation(self.interpreter.image, fault, tuple(events), names, True)
        symbolic = (found.node.path()[0].event, *(m.event for m in moves))
        return Violation(tree.places.image, found.fault, symbolic, names, False)


def _input(tree: Tree, name: str, value: int) -> str:
    """An input in words; its name tells the thread and how many it had read before."""
    _, thread, number, _ = name.split(".")
    return f"input {number} of {tree.places.image.threads.names[int(thread)]} is {value}"


def _is_event(tree: Tree, move: Move) -> bool:
    """Not the rest of a loop that only a symbolic run has to interrupt."""
    code = tree.places.image.code(move.event.function)
    pc = move.event.pc
    return pc in code.visible or reads_input(code.function.code[pc])


def _inputs(tree: Tree, found: Counterexample) -> dict[str, int] | None:
    """What the environment must answer to come this way."""
    terms, domain = tree.terms, tree.places.domain
    formulas = list(found.node.conditions)
    wanted: set[FNode] = set()
    for node in found.node.path():
        wanted |= node.transition.inputs
    formulas += [terms.substitute(c, found.node.values) for c in found.guard]
    wanted |= {s for f in formulas for s in terms.symbols(f) if s in domain.inputs}
    wanted = {s for s in wanted if s not in domain.elements}
    formulas += [domain.in_range(s) for s in wanted]
    try:
        model = tree.solver.model(formulas, wanted)
    except SolverUnknown:
        return None
    return None if model is None else {s.symbol_name(): n for s, n in model.items()}


def _run(
    interpreter: Interpreter, schedule: list[tuple[int, tuple[int, ...]]], last: Property | None
) -> tuple[list[Event], Fault | None]:
    """Runs the threads in the given order; stops at the first fault, or looks for `last`."""
    (outcome, *_) = interpreter.initial()
    events = [outcome.event]
    if outcome.fault is not None:
        return events, outcome.fault
    for thread, choices in schedule:
        state = outcome.state.threads.get(thread)
        if state is None or state.status is not Status.RUNNING:
            return events, None
        try:
            outcome = interpreter.step(outcome.state, thread, choices)
        except (Blocked, NeedChoice):
            return events, None
        events.append(outcome.event)
        if outcome.fault is not None:
            return events, outcome.fault
    return events, None if last is None else _at_rest(interpreter, outcome.state, last)


def _at_rest(interpreter: Interpreter, state: State, kind: Property) -> Fault | None:
    """The race or deadlock that a state is in, perhaps behind a thread that reads inputs."""
    moves = interpreter.moves(state)
    others = interpreter.moves(state, postponed=True)
    if kind is Property.RACE:
        events = [o.event for o in (*moves.outcomes, *others.outcomes)]
        return find_race(interpreter.image, events)
    return classify(interpreter, state, moves)[1] or circle_fault(interpreter, state, others)
