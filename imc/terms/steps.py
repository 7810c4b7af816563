"""Steps of a skeleton: the one semantics, run on terms, with both answers where it has to ask."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from pysmt.exceptions import PysmtException
from pysmt.fnode import FNode

from imc.errors import Unsupported
from imc.program.code import Image
from imc.program.events import Event
from imc.program.faults import Blocked, Fault, NeedChoice, OutOfTime
from imc.program.machine import Machine, Outcome
from imc.program.state import Frame, State
from imc.program.values import Value
from imc.terms.merging import either, same_event, same_state
from imc.terms.paths import Transition
from imc.terms.places import Places

MOST_BRANCHES = 512  # of one step
MANY_BRANCHES = 6  # of one step, after which it is worth asking what is really possible
DEADLINE_CHECK = 1 << 8  # local jumps between two looks at the clock: terms may be large
MOST_VALUES = 64  # that a step tries for a value which it must know

Conditions = tuple[FNode, ...]


class Oracle(Protocol):
    """What a node knows of the states it stands for."""

    def goes_on(self, taken: Conditions, condition: FNode, needed: bool) -> bool:
        """Whether some state that meets the conditions taken, as some do, meets another one.

        `needed` asks for the best answer there is.
        """
        ...

    def example(self, term: FNode, conditions: Conditions) -> int | None:
        """A number that the term can be in a state that meets the conditions."""
        ...


class JumpBack(NamedTuple):
    """A jump back: how deep in calls, and the instructions from the loop's first to the jump."""

    depth: int
    first: int
    last: int


@dataclass(slots=True, eq=False)
class Move:
    """One way a step can go."""

    event: Event
    transition: Transition
    state: State
    fault: Fault | None
    jumped: bool  # whether the thread has gone back to an earlier instruction
    rounds: frozenset[JumpBack]  # the loops that it is still in then
    choices: tuple[int, ...]  # of the environment, besides the inputs
    ways: tuple[tuple[int, ...], ...] = ()  # those that it stands for, by the event's choices


@dataclass(slots=True)
class Expansion:
    """All ways a thread's next step can go."""

    moves: list[Move] = field(default_factory=list)
    blocked: list[tuple[Conditions, Blocked]] = field(default_factory=list)
    impossible: list[Conditions] = field(default_factory=list)  # left out, as the oracle knows


class SymbolicMachine(Machine):
    """A step in which branches on terms are decided by the choices it is given."""

    oracle: Oracle
    asks: FNode | None = None  # the condition of the choice that is missing
    environment: tuple[int, ...] = ()  # choices that are not about terms
    needed = False  # whether the question is about a number that the step cannot do without
    way: tuple[int, ...] = ()  # the choices, where numbers do not depend on the order of trying

    def __init__(self, image: Image, state: State, choices: tuple[int, ...]) -> None:
        super().__init__(image, state, choices)
        self._turned: set[JumpBack] = set()  # where it jumped back

    def choose(self, count: int) -> int:
        answer = super().choose(count)
        if self.asks is None and count > 1:
            self.environment += (answer,)
        if count > 1 and not self.needed:
            self.way += (answer,)
        return answer

    def decide(self, value: Value) -> bool:
        self.asks = value if isinstance(value, FNode) else None
        answer = super().decide(value)
        self.asks = None
        return answer

    def surely(self, value: Value) -> bool:
        self.needed = True  # and stays so if the question is open: the machine is given up then
        answer = self.decide(value)
        self.needed = False
        return answer

    def taken(self) -> Conditions:
        """The conditions of the branches taken so far."""
        return tuple(self._condition(value, answer) for value, answer in self.state.conditions)

    def _condition(self, value: FNode, answer: bool) -> FNode:
        return value if answer else self.image.domain.terms.negate(value)  # type: ignore[attr-defined]

    def known(self, value: Value, width: int = 64) -> Value:
        if value.__class__ is tuple and isinstance(value[1], FNode):
            return (value[0], self._number(value[1]))
        return self._number(value) & ((1 << width) - 1) if isinstance(value, FNode) else value

    def _number(self, term: FNode) -> int:
        terms = self.image.domain.terms  # type: ignore[attr-defined]
        if terms.is_formula(term):
            return int(self.decide(term))
        number = self.one_of_few(term, MOST_VALUES)
        if number is None:
            raise Unsupported(f"a value that must be known can be more than {MOST_VALUES} numbers")
        return number

    def one_of_few(self, term: FNode, most: int) -> int | None:
        """A number that the term is on the way being taken; None if it can be too many."""
        terms = self.image.domain.terms  # type: ignore[attr-defined]
        for _ in range(most):
            number = self.oracle.example(term, self.taken())
            if number is None:
                raise Impossible
            if self.surely(terms.equal(term, terms.integer(number))):
                self.way += (number,)
                return number
        return None

    def _jump_back(self, frame: Frame, target: int) -> bool:
        super()._jump_back(frame, target)
        self._turned.add(JumpBack(len(self.frames), target, frame.pc))
        if self.jumps % DEADLINE_CHECK == 0 and self.image.out_of_time():
            raise OutOfTime
        if not self.state.conditions:
            return False
        if self.atomic:
            if self.jumps > MOST_BRANCHES:
                raise Unsupported("a loop in an atomic section depends on what is not known")
            return False
        return True

    def rounds(self) -> frozenset[JumpBack]:
        """The loops that the step has jumped back in, and ends in."""
        frames = self.frames
        return frozenset(
            round
            for round in self._turned
            if round.depth <= len(frames)
            and round.first <= frames[round.depth - 1].pc <= round.last
        )


class Impossible(Exception):
    """The branch being taken contradicts what is known."""


Preparation = Callable[[tuple[int, ...]], SymbolicMachine]


class Stepper:
    """Expands threads of skeletons."""

    machine: type[SymbolicMachine] = SymbolicMachine  # what runs them

    def __init__(self, places: Places) -> None:
        self.places = places
        self.image = places.image
        self.terms = places.terms
        # The same steps come back all over the tree: each relation is one object.
        self._transitions: dict[object, Transition] = {}

    def start(self, oracle: Oracle) -> Expansion:
        """The program's possible starts."""

        def run(choices: tuple[int, ...]) -> SymbolicMachine:
            state = State()
            state.memory = self.image.variables.copy()
            return self._machine(state, choices, oracle)

        return self._expand(run, SymbolicMachine.start, oracle, None)

    def expand(self, state: State, thread: int, oracle: Oracle) -> Expansion:
        """Every way the thread's next step can go."""

        prepare = self._prepared(state, thread, oracle)
        return self._expand(prepare, lambda machine: machine.step(thread), oracle, state)

    def obstacles(self, state: State, thread: int, oracle: Oracle) -> Expansion:
        """When the thread's next step cannot be taken; what follows its operation is not asked."""
        prepare = self._prepared(state, thread, oracle)
        return self._expand(prepare, _attempted(thread), oracle, state)

    def _prepared(self, state: State, thread: int, oracle: Oracle) -> Preparation:
        def prepare(choices: tuple[int, ...]) -> SymbolicMachine:
            copy = state.copy()
            copy.conditions = ()
            self.places.domain.step = f"{thread}.{state.threads[thread].events}"
            return self._machine(copy, choices, oracle)

        return prepare

    def _machine(self, state: State, choices: tuple[int, ...], oracle: Oracle) -> SymbolicMachine:
        self.places.domain.fresh = 0
        self.places.domain.arithmetic.promises.clear()
        machine = self.machine(self.image, state, choices)
        machine.oracle = oracle
        self.places.domain.arithmetic.decide = machine.decide
        self.places.domain.arithmetic.choose = machine.one_of_few
        return machine

    def _expand(
        self,
        prepare: Preparation,
        run: Callable[[SymbolicMachine], Outcome | None],
        oracle: Oracle,
        before: State | None,
    ) -> Expansion:
        result = Expansion()
        work: list[tuple[int, ...]] = [()]
        while work:
            choices = work.pop()
            if self.image.out_of_time():
                raise OutOfTime
            machine = prepare(choices)
            try:
                outcome = run(machine)
            except NeedChoice as need:
                work.extend(reversed(self._answers(machine, choices, need.count, oracle, result)))
                if len(work) + len(result.moves) > MOST_BRANCHES:
                    raise Unsupported("a step with too many branches", machine.place()) from None
            except Blocked as blocked:
                result.blocked.append((machine.taken(), blocked.with_traceback(None)))
            except Impossible:
                result.impossible.append(machine.taken())
            except Unsupported as problem:
                loc = problem.loc or machine.place()
                raise Unsupported(problem.message, loc, problem.hint) from None
            except PysmtException as problem:
                raise Unsupported(
                    "an operation that the verifier only knows for known values", machine.place()
                ) from problem
            else:
                if outcome is not None:
                    self._add(result.moves, self._move(machine, outcome, before))
        return result

    def _add(self, moves: list[Move], new: Move) -> None:
        """Ways that lead to the same are one: see `merging`."""
        for move in moves:
            if self._is_same(move, new):
                self._merge(move, new)
                return
        moves.append(new)

    def _is_same(self, a: Move, b: Move) -> bool:
        if a.fault is not None or b.fault is not None:
            return False
        return (
            (a.jumped, a.rounds, a.choices) == (b.jumped, b.rounds, b.choices)
            and a.transition.updates == b.transition.updates
            and same_event(a.event, b.event)
            and same_state(a.state, b.state)
        )

    def _merge(self, move: Move, other: Move) -> None:
        """Lets a move stand for another one too."""
        ours, theirs = move.transition, other.transition
        guard = either(self.terms, ours.guard, theirs.guard)
        move.transition = self._transition(guard, ours.updates, ours.inputs | theirs.inputs)
        move.ways += other.ways

    def _answers(
        self,
        machine: SymbolicMachine,
        choices: tuple[int, ...],
        count: int,
        oracle: Oracle,
        result: Expansion,
    ) -> list[tuple[int, ...]]:
        """The choices to go on with; a branch that no state takes is noted and left out."""
        if machine.asks is None:
            return [(*choices, k) for k in range(count)]
        asks = machine.asks
        taken = machine.taken()
        answers = []
        for k, condition in ((1, asks), (0, self.terms.negate(asks))):
            if oracle.goes_on(taken, condition, machine.needed or len(taken) >= MANY_BRANCHES):
                answers.append((*choices, k))
            else:
                result.impossible.append((*taken, condition))
        return answers

    def _move(self, machine: SymbolicMachine, outcome: Outcome, before: State | None) -> Move:
        guard = list(dict.fromkeys((*machine.taken(), *self.places.domain.arithmetic.promises)))
        outcome.state.conditions = ()
        outcome.event.choices = machine.way
        updates: dict[FNode, FNode] = {}
        if outcome.fault is None:
            updates = self.places.abstracted(before, outcome.state)
        inputs = frozenset(
            symbol
            for term in (*guard, *updates.values())
            for symbol in self.terms.symbols(term)
            if symbol in self.places.domain.inputs
        )
        guard.extend(map(self.places.domain.in_range, sorted(inputs, key=FNode.symbol_name)))
        return Move(
            outcome.event,
            self._transition(tuple(guard), updates, inputs),
            outcome.state,
            outcome.fault,
            machine.jumps > 0,
            machine.rounds(),
            machine.environment,
            (machine.way,),
        )

    def _transition(
        self, guard: Conditions, updates: Mapping[FNode, FNode], inputs: frozenset[FNode]
    ) -> Transition:
        key = guard, frozenset(updates.items())
        return self._transitions.setdefault(key, Transition(guard, updates, inputs))


def _attempted(thread: int) -> Callable[[SymbolicMachine], None]:
    return lambda machine: machine.attempt(thread)
