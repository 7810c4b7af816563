"""A counterexample as a schedule: the order of its events, and none behind the error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from imc.errors import UserError
from imc.explorer.recording import demand_same_recording, read_recording
from imc.explorer.reproduce import fault_of, run_recording
from imc.program.assumptions import Assumption, assumed, by_weight
from imc.program.code import reads_input
from imc.program.concrete.given import GivenInputs, input_name
from imc.program.events import Event
from imc.program.instructions import Library
from imc.program.interpreter import Interpreter
from imc.program.library import LIBRARY
from imc.program.machine import Outcome
from imc.program.program import Program
from imc.program.state import State
from imc.program.types import IntType
from imc.program.words.sites import site_text
from imc.schedule import listed
from imc.schedule.compiler import Compiler
from imc.terms.integers import IntegerDomain
from imc.terms.places import Places
from imc.terms.terms import Terms
from imc.version import VERSION
from irs.schedule import Made, ProgramIdentity, Schedule

STRATEGY, LEVEL = "counterexample", "opt0"


@dataclass(frozen=True, slots=True)
class _Reached:
    """A state of the execution, and the event that led there."""

    state: State
    event: Event
    names: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class _OnTheWay:
    node: _Reached
    permits: Mapping[int, Sequence[int]]
    cover: int | None = None


@dataclass(frozen=True, slots=True)
class _Execution:
    """One execution as a strategy: at each state, the thread that moves next."""

    nodes: Mapping[int, _OnTheWay]
    free: frozenset[int]
    roots: tuple[int, ...] = field(default=(0,))


@dataclass(frozen=True, slots=True)
class Replay:
    """What leads an executable into an error."""

    schedule: Schedule
    inputs: tuple[int, ...]  # that it is told, in order
    asked: tuple[str, ...]  # calls on the way whose answers it gets from the world


def replay_of(program: Program, file: Path) -> Replay:
    """The counterexample in a file, for an executable.

    Raises `UserError` where there is none, or an executable could not be made to go that way.
    """
    recording = read_recording(file)
    demand_same_recording(program, recording, file)
    domain = None if recording.inputs is None else GivenInputs(recording.inputs)
    interpreter = Interpreter(program, recording.settings, domain)
    outcomes = run_recording(interpreter, recording)
    if not outcomes or fault_of(interpreter, outcomes, recording.kind) is None:
        raise UserError(f"the error of {file} has not come again", hint="imc replay shows how far")
    inputs = inputs_of(interpreter, outcomes, recording.inputs)
    return Replay(replaying(interpreter, outcomes), tuple(inputs), _asked(program, outcomes))


def replaying(interpreter: Interpreter, outcomes: Sequence[Outcome]) -> Schedule:
    """The schedule that leads threads along an execution, and then lets them go."""
    image, program = interpreter.image, interpreter.program
    nodes: dict[int, _OnTheWay] = {}
    for number, outcome in enumerate(outcomes):
        later = outcomes[number + 1 : number + 2]
        permits = {after.event.thread: (number + 1,) for after in later}
        nodes[number] = _OnTheWay(_Reached(outcome.state, outcome.event), permits)
    last = len(outcomes) - 1
    free: frozenset[int] = frozenset() if nodes[last].node.state.ended else frozenset({last})
    places = Places(image, IntegerDomain(Terms()))  # all numbers are known: no symbol is made
    compiler = Compiler(places, lambda f, pc: site_text(image.sharing, f, pc))
    properties = tuple(sorted(map(str, interpreter.settings.properties)))
    assumptions = assumed(program.assumptions, interpreter.settings.enforced())
    return compiler.compile(
        _Execution(nodes, free),
        ProgramIdentity(program.name, program.digest),
        Made(f"imc {VERSION}", 1, LEVEL, STRATEGY, properties),
        listed(by_weight((*assumptions, Assumption("unexplored")))),
        [],
    )


def inputs_of(
    interpreter: Interpreter, outcomes: Sequence[Outcome], given: Mapping[str, int] | None
) -> list[int]:
    """What an execution is told, in order; raises `UserError` if chance decides about more than
    that and what the world answers.

    Inputs are `given` by name, or are choices among those of the settings.
    """
    values = []
    for outcome in outcomes:
        event = outcome.event
        call = _input(interpreter.program, event)
        if call is not None and LIBRARY[call.function].told_natively:
            values.append(_value(interpreter, outcome, call, given))
        elif call is None and event.choices:
            raise UserError(
                "the error depends on what an executable cannot be told: whom a signal wakes, a "
                "wake-up without a signal, or a function that nobody defines",
                event.loc,
                "imc replay runs it step by step",
            )
    return values


def _input(program: Program, event: Event) -> Library | None:
    """The call by which a step asks for a value, if it does and nobody had to make it up."""
    instruction = program.functions[event.function].code[event.pc]
    asks = isinstance(instruction, Library) and reads_input(instruction) and not event.invents
    return instruction if asks and isinstance(instruction, Library) else None


def _asked(program: Program, outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    """What the world is asked on the way, which an executable cannot be told the answers of."""
    found: dict[str, None] = {}
    for outcome in outcomes:
        call = _input(program, outcome.event)
        if call is not None and not LIBRARY[call.function].told_natively:
            found[f"{call.name} ({outcome.event.loc})" if outcome.event.loc else call.name] = None
    return tuple(found)


def _value(
    interpreter: Interpreter, outcome: Outcome, call: Library, given: Mapping[str, int] | None
) -> int:
    event = outcome.event
    boolean = call.name.endswith("_bool") or call.type == IntType(1)
    if given is not None:
        name = interpreter.image.threads.names[event.thread]
        number = outcome.state.threads[event.thread].inputs
        type = IntType(1) if boolean or not isinstance(call.type, IntType) else call.type
        return given.get(input_name(f"input.{name}.{number}", type), 0)
    if not event.choices:
        return 0
    (choice,) = event.choices
    return choice if boolean else interpreter.settings.inputs[choice]
