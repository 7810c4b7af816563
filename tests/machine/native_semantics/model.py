"""The model's answer: all outcomes of a program, over every interleaving of its events."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path

from imc.errors import UserError
from imc.explorer.algorithms import explore
from imc.explorer.result import Limits
from imc.frontend.cache import NO_CACHE
from imc.frontend.load import load_program
from imc.program.analysis.promotion import promotable
from imc.program.analysis.sharing import Sharing as Sharing
from imc.program.analysis.sharing import memory_uses
from imc.program.faults import DEFAULT_PROPERTIES, Property
from imc.program.instructions import Reg
from imc.program.interpreter import Interpreter
from imc.program.keys import StateKeys
from imc.program.machine import Outcome as Step
from imc.program.program import Program as Program
from imc.program.settings import Settings
from imc.program.state import State, Status
from imc.program.verdict import Verdict
from imc.program.watch import OutOfSight
from native_semantics.outcomes import DEADLOCK, EXIT, Outcome

# Threads in a circle do not end an execution: others may still go on, as they do on the machine.
SETTINGS = Settings(properties=DEFAULT_PROPERTIES - {Property.DEADLOCK})
ENGINES = ("source", "optimal")
HANG_S = 600.0  # for what would never end


class Refused(Exception):
    """The model has no answer; the text is why."""


@dataclass
class Prediction:
    """The outcomes that are possible; `stuck`: reasons of ours why an execution was cut."""

    outcomes: set[Outcome] = field(default_factory=set)
    states: int = 0
    stuck: set[str] = field(default_factory=set)
    invented: list[str] = field(default_factory=list)  # of functions that nobody defines


class AllVisible(Sharing):
    """Every access to memory that is not a register of the model is an event."""

    def visible_in(self, function: str) -> frozenset[int]:
        f = self.program.functions[function]
        promoted = promotable(f)
        accesses = {
            pc
            for pc, i in enumerate(f.code)
            for use in memory_uses(i)
            if not (isinstance(use.pointer, Reg) and use.pointer.index in promoted)
        }
        return super().visible_in(function) | accesses


def load(path: Path) -> Program:
    try:
        return load_program([path], cache=NO_CACHE)
    except UserError as error:
        raise Refused(str(error)) from None


def predict(
    program: Program, sharing: Sharing | None = None, states: int = 20_000, seconds: float = HANG_S
) -> Prediction:
    """All outcomes; raises Refused where there are too many states or something is not modelled."""
    interpreter = Interpreter(program, SETTINGS, sharing=sharing)
    prediction = Prediction()
    deadline = time.monotonic() + seconds
    try:
        _visit(interpreter, prediction, states, deadline)
    except (UserError, OutOfSight) as problem:
        raise Refused(str(problem)) from None
    prediction.invented = sorted(b for b in interpreter.image.bounds if "is taken from" in b)
    return prediction


def _visit(interpreter: Interpreter, prediction: Prediction, limit: int, deadline: float) -> None:
    keys = StateKeys(interpreter.image)
    seen: set[object] = set()
    work: list[Step] = interpreter.initial()
    while work:
        step = work.pop()
        if step.fault is not None:
            prediction.outcomes.add(Outcome(step.fault.kind.value))
            continue
        key = (keys.key(step.state), step.state.output)
        if key in seen:
            continue
        seen.add(key)
        prediction.states = len(seen)
        if len(seen) > limit or (len(seen) % 64 == 0 and time.monotonic() > deadline):
            raise Refused("too many states")
        moves = interpreter.moves(step.state)
        work += moves.outcomes
        if not moves.outcomes:
            _end(step.state, prediction)


def _end(state: State, prediction: Prediction) -> None:
    stuck = {t.reason for t in state.threads.values() if t.status is Status.STUCK}
    if state.ended:
        output = b"".join(state.output).decode("latin-1")
        prediction.outcomes.add(Outcome(EXIT, state.exit_code or 0, output))
    elif stuck:
        prediction.stuck |= stuck
    else:
        prediction.outcomes.add(DEADLOCK)


def verdicts(program: Program, seconds: float) -> dict[str, Verdict]:
    """What each engine says, where it says something in time."""
    found = {}
    for engine in ("exhaustive", *ENGINES):
        result = explore(Interpreter(program), engine, limits=Limits(time_s=seconds))
        cut = any(bound.startswith("stopped") for bound in result.bounds)
        if result.verdict is not Verdict.UNKNOWN or not cut:
            found[engine] = result.verdict
    return found
