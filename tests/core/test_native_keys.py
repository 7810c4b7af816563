"""The core takes states for the same if and only if the model does, on the way forth and back."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from random_sources import collected, random_source

from imc.compact.flatten import flatten
from imc.compact.form import NotCompact
from imc.core.interface import Step
from imc.core.machine import NativeMachine
from imc.errors import Unsupported
from imc.frontend import FrontendOptions
from imc.frontend.cache import NO_CACHE
from imc.frontend.clang import CompilerOptions
from imc.frontend.load import load_program
from imc.program.faults import TooManyThreads
from imc.program.interpreter import Interpreter
from imc.program.keys import Key, StateKeys
from imc.program.program import Program
from imc.program.state import State
from imc.program.watch import OutOfSight

WALKS, STEPS = 5, 30
RANDOM = 15


class BothKeys:
    """Random walks of both, with what both say the states are."""

    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter = interpreter
        self.keys = StateKeys(interpreter.image)
        self.native = NativeMachine(flatten(interpreter.image), interpreter.image)
        self.numbers: dict[Key, int] = {}
        self.known: dict[int, Key] = {}

    def walk(self, rng: random.Random) -> None:
        outcome = rng.choice(self.interpreter.initial())
        if self.native.start(outcome.event.choices) is not Step.MOVED:
            return
        path: list[tuple[State, int]] = []
        for _ in range(STEPS):
            if rng.random() < 0.7:
                self.compare(outcome.state)
            if path and rng.random() < 0.3:
                state, mark = path.pop()
                self.native.undo(mark)
                self.compare(state)
            else:
                state = outcome.state
            found = self.interpreter.moves(state).outcomes
            if not found:
                break
            outcome = rng.choice(found)
            mark = self.native.mark()
            result = self.native.step(outcome.event.thread, outcome.event.choices)
            if result is not Step.MOVED or outcome.fault is not None:
                break
            path.append((state, mark))
        self.native.undo(0)

    def compare(self, state: State) -> None:
        if self.interpreter.image.domain.numeric:
            raise NotCompact("addresses are numbers: the core refuses to take such steps")
        key, number = self.keys.key(state), self.native.state()
        assert self.numbers.setdefault(key, number) == number, "one state of the model is two"
        assert self.known.setdefault(number, key) == key, "two states of the model are one"


def walk_all(program: Program, seed: int) -> int:
    """How many different states were met."""
    try:
        both = BothKeys(Interpreter(program))
        rng = random.Random(seed)
        for _ in range(WALKS):
            both.walk(rng)
    except (NotCompact, OutOfSight, TooManyThreads, Unsupported):
        return 0
    return len(both.known)


@pytest.mark.parametrize(("path", "defines"), collected())
def test_program(path: Path, defines: tuple[str, ...]) -> None:
    walk_all(load_program([path], FrontendOptions(CompilerOptions(define=defines))), 5)


@pytest.mark.parametrize("kind", ["simple", "rich", "spinning", "features"])
def test_random_programs(kind: str, tmp_path: Path) -> None:
    met = 0
    for number in range(RANDOM):
        path = tmp_path / f"program{number}.c"
        path.write_text(random_source(kind, number, 31))
        met += walk_all(load_program([path], cache=NO_CACHE), number)
    assert met > 10 * RANDOM
