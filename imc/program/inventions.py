"""Whether an error rests on what was made up for a function that nobody defines.

An execution is run again in the same order of threads, and with the same inputs, but without
knowing what such functions answer: where a branch depends on it, both ways are followed. If all of
them lead to the error, it is the program's own; otherwise nobody can tell whether it is real.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from weakref import WeakKeyDictionary

from imc.errors import UserError
from imc.program.concrete.given import GivenInputs
from imc.program.concrete.guesses import Depends, Guess, Guesses, Invention, guess_among
from imc.program.faults import Blocked, Fault, NeedChoice, Property, TooManyThreads
from imc.program.interpreter import Interpreter
from imc.program.keys import StateKeys
from imc.program.machine import Machine, Outcome
from imc.program.state import State, Status
from imc.program.types import Type
from imc.program.values import Value
from imc.program.watch import OutOfSight

__all__ = ["Invention", "invention_behind"]

Choices = tuple[int, ...]
Verdict = Callable[[Interpreter, list[Outcome]], Fault | None]  # what is wrong at the end of a run
MOST_WAYS = 256  # that are followed, before it is taken for depending
OF_THE_WAY = (Property.RACE, Property.LIVELOCK)  # seen on the whole way, not at its end


# What a run can come to that only other answers have led to.
class Astray(Exception):
    """The run does not go the way of the execution any more."""


ASTRAY = (Astray, Blocked, OutOfSight, TooManyThreads, UserError)


def invention_behind(
    interpreter: Interpreter, execution: Sequence[Outcome], fault: Fault, judge: Verdict
) -> Invention | None:
    """What was made up that an execution would perhaps not end in the fault without."""
    first = next((o.event for o in execution if o.event.invents), None)
    if first is None:
        return None
    try:
        names = interpreter.image.threads.names
        _Following(_guessing(interpreter), names, fault.kind).follow(execution, judge)
    except Depends as depends:
        return depends.invention
    except ASTRAY:
        return Invention(first.invents, first.loc)
    return None


class GuessingMachine(Machine):
    """A step in which branches on guesses are decided by the choices that it is given."""

    told: Choices | None = None  # what the environment has chosen besides
    taken = 0  # how many of these

    def input(self, type: Type) -> Value:
        known = super().input(type)
        return Guess(Invention(self.invents, self.place())) if self.invents else known

    def unsaid(self, args: list[Value], type: Type) -> Value:
        guess = guess_among(*args)
        return Guess(guess.source) if guess is not None else super().unsaid(args, type)

    def known(self, value: Value, width: int = 64) -> Value:
        if value.__class__ is Guess:
            raise Depends(value.source)
        return value

    def decide(self, value: Value) -> bool:
        if value.__class__ is not Guess:
            return super().decide(value)
        answer = bool(super().choose(2))
        self.state.conditions += ((value, answer),)
        return answer

    def choose(self, count: int) -> int:
        if count <= 1 or self.told is None:
            return super().choose(count)
        if self.taken == len(self.told) or self.told[self.taken] >= count:
            raise Astray
        self.taken += 1
        return self.told[self.taken - 1]


class GuessingInterpreter(Interpreter):
    """Steps without knowledge of what is made up."""

    def step(self, state: State, thread: int, choices: Choices = ()) -> Outcome:
        return GuessingMachine(self.image, state.copy(), choices).step(thread)

    def ways(self, state: State, thread: int, told: Choices | None) -> list[Outcome]:
        """Where a step may lead, whatever is guessed; raises what keeps one of them from it.

        What the environment chose is told; None: that was made up as well.
        """
        found: list[Outcome] = []
        work: list[Choices] = [()]
        while work:
            machine = GuessingMachine(self.image, state.copy(), work.pop())
            machine.told = told
            try:
                found.append(machine.step(thread))
            except NeedChoice as need:
                work += [(*machine.choices, k) for k in range(need.count)]
            if len(work) + len(found) > MOST_WAYS:
                raise Astray
        return found


_GUESSING: WeakKeyDictionary[Interpreter, GuessingInterpreter] = WeakKeyDictionary()


def _guessing(interpreter: Interpreter) -> GuessingInterpreter:
    """The same program, with the same inputs."""
    given = interpreter.image.domain
    inputs = given.inputs if isinstance(given, GivenInputs) else None
    found = _GUESSING.get(interpreter)
    if found is None or found.settings != interpreter.settings:
        sharing = interpreter.image.sharing
        found = GuessingInterpreter(
            interpreter.program, interpreter.settings, Guesses(inputs), sharing
        )
        _GUESSING[interpreter] = found
    assert isinstance(found.image.domain, Guesses)
    found.image.domain.inputs = inputs or {}
    found.image.deadline = interpreter.image.deadline
    found.image.computes_until = interpreter.image.computes_until
    return found


class _Following:
    """The ways that an execution can go if what is made up is not known."""

    def __init__(self, guessing: GuessingInterpreter, names: Sequence[str], kind: Property) -> None:
        self.guessing = guessing
        self.names = names  # of the threads of the execution
        self.kind = kind
        self._ways = 1
        self._keys = StateKeys(guessing.image)
        self._seen: set[tuple[int, Hashable]] = set()

    def follow(self, execution: Sequence[Outcome], judge: Verdict) -> None:
        """Raises `Depends`, or one of `ASTRAY`, unless the fault comes whatever is guessed."""
        begun = execution[0].event.choices
        work = [[o] for o in self.guessing.initial() if o.event.choices == begun][:1]
        if not work:
            raise Astray
        while work:
            outcomes = work.pop()
            while len(outcomes) < len(execution) and outcomes[-1].fault is None:
                found = self._next(outcomes, execution[len(outcomes)])
                if not found:  # it has come to where another way goes on
                    break
                work += [[*outcomes, other] for other in found[1:]]
                outcomes.append(found[0])
            else:
                end = judge(self.guessing, outcomes)
                if end is None or end.kind is not self.kind:
                    raise _undecided(outcomes[-1].state)

    def _next(self, outcomes: list[Outcome], step: Outcome) -> list[Outcome]:
        """Where the thread of a step may come to that no other way has come to."""
        last, event = outcomes[-1].state, step.event
        name, numbers = self.names[event.thread], self.guessing.image.threads.names
        thread = last.threads.get(numbers.index(name)) if name in numbers else None
        if thread is None or thread.status is not Status.RUNNING or last.exit_code is not None:
            raise _undecided(last)
        told = None if event.invents else event.choices
        found = self.guessing.ways(last, thread.id, told)
        if (self._ways > 1 or len(found) > 1) and self.kind not in OF_THE_WAY:
            self._ways = max(self._ways, 2)  # from now on it is worth comparing
            found = [o for o in found if o.fault is not None or self._is_new(len(outcomes), o)]
        self._ways += max(len(found) - 1, 0)
        if self._ways > MOST_WAYS:
            raise _undecided(last)
        return found

    def _is_new(self, length: int, outcome: Outcome) -> bool:
        seen = length, self._keys.key(outcome.state)
        new = seen not in self._seen
        self._seen.add(seen)
        return new


def _undecided(state: State) -> Exception:
    """What led another way: the last guess that a branch was taken for."""
    guesses = [value.source for value, _ in state.conditions if value.__class__ is Guess]
    return Depends(guesses[-1]) if guesses else Astray()
