"""Counterexamples run again, concretely: only what the program really does is a violation."""

from __future__ import annotations

from collections.abc import Sequence

from pysmt.fnode import FNode

from imc.program.analysis.sharing import Sharing
from imc.program.code import reads_input
from imc.program.concrete.given import GivenInputs
from imc.program.ends import circle_fault, classify
from imc.program.faults import Blocked, Fault, NeedChoice, Property
from imc.program.interpreter import Interpreter
from imc.program.inventions import Invention, invention_behind
from imc.program.lasso import any_livelock
from imc.program.machine import Outcome
from imc.program.program import Program
from imc.program.races import find_race
from imc.program.settings import Settings
from imc.program.state import State, Status
from imc.program.violation import Violation
from imc.terms.steps import Move
from imc.verifier.search.search import Counterexample
from imc.verifier.solver import SolverUnknown
from imc.verifier.tree.art import Tree

MOST_ROUNDS = 8  # of a loop, before it has to come back to where it has been
Step = tuple[int, tuple[int, ...]]  # thread, choices


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
        schedule = [(m.event.thread, m.choices) for m in moves if _is_event(tree, m)]
        rounds = [(m.event.thread, m.choices) for m in found.rounds if _is_event(tree, m)]
        last = None if found.move is not None else found.fault.kind
        outcomes, fault = _run(self.interpreter, schedule, last, rounds)
        if inputs is not None and fault is not None and fault.kind is found.fault.kind:
            invention = self._invention(outcomes, last, fault)
            events = tuple(outcome.event for outcome in outcomes)
            image = self.interpreter.image
            return Violation(image, fault, events, inputs, invention is None, invention)
        symbolic = (found.node.path()[0].event, *(m.event for m in moves))
        return Violation(tree.places.image, found.fault, symbolic, inputs or {}, False)

    def _invention(
        self, outcomes: list[Outcome], last: Property | None, fault: Fault
    ) -> Invention | None:
        """What was made up for a function, if the fault may depend on it."""

        def judge(interpreter: Interpreter, others: list[Outcome]) -> Fault | None:
            end = others[-1]
            if end.fault is not None or last is None:
                return end.fault
            found = _at_rest(interpreter, end.state, last)
            if found is None and last is Property.LIVELOCK:
                return any_livelock(interpreter, others)
            return found

        return invention_behind(self.interpreter, outcomes, fault, judge)


def run(interpreter: Interpreter, tree: Tree, moves: Sequence[Move]) -> State | None:
    """The state that steps of a tree lead to, without inputs; None if they are not possible."""
    steps = [(m.event.thread, m.choices) for m in moves if _is_event(tree, m)]
    outcomes = interpreter.initial()[:1]
    fault = _continue(interpreter, outcomes, steps)
    complete = fault is None and len(outcomes) == len(steps) + 1
    return outcomes[-1].state if complete else None


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
    interpreter: Interpreter, schedule: list[Step], last: Property | None, rounds: list[Step]
) -> tuple[list[Outcome], Fault | None]:
    """Runs the threads in the given order; stops at the first fault, or looks for `last`.

    Rounds are run until the program has been where it is, or does something else.
    """
    outcomes = interpreter.initial()[:1]
    fault = outcomes[0].fault or _continue(interpreter, outcomes, schedule)
    if fault is None and last is not None:
        complete = len(outcomes) == len(schedule) + 1
        fault = _at_rest(interpreter, outcomes[-1].state, last) if complete else None
        for _ in range(MOST_ROUNDS if complete and rounds and fault is None else 0):
            before = len(outcomes)
            fault = _continue(interpreter, outcomes, rounds)
            if fault is not None or len(outcomes) < before + len(rounds):
                break
            fault = any_livelock(interpreter, outcomes)
            if fault is not None:
                break
    return outcomes, fault


def _continue(
    interpreter: Interpreter, outcomes: list[Outcome], schedule: list[Step]
) -> Fault | None:
    """Lets threads move, as far as they can; a fault stops them."""
    for thread, choices in schedule:
        state = outcomes[-1].state.threads.get(thread)
        if state is None or state.status is not Status.RUNNING:
            return None
        try:
            outcomes.append(interpreter.step(outcomes[-1].state, thread, choices))
        except (Blocked, NeedChoice):
            return None
        if outcomes[-1].fault is not None:
            return outcomes[-1].fault
    return None


def _at_rest(interpreter: Interpreter, state: State, kind: Property) -> Fault | None:
    """The race or deadlock that a state is in, perhaps behind a thread that reads inputs."""
    moves = interpreter.moves(state)
    others = interpreter.moves(state, postponed=True)
    if kind is Property.RACE:
        events = [o.event for o in (*moves.outcomes, *others.outcomes)]
        return find_race(interpreter.image, events)
    return classify(interpreter, state, moves)[1] or circle_fault(interpreter, state, others)
