"""Livelocks of small random programs, against all closed walks up to a length.

The walks are held against the definition as it is written in docs/exploring.md, in code of its own.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Hashable, Iterator
from pathlib import Path

import pytest

from imc.explorer import explore_exhaustively
from imc.frontend.cache import NO_CACHE
from imc.frontend.load import load_program
from imc.program.faults import Property
from imc.program.interpreter import Interpreter
from imc.program.keys import Key, StateKeys
from imc.program.machine import Outcome
from imc.program.program import Program
from imc.program.settings import Settings
from imc.program.state import State
from imc.program.verdict import Verdict

MOST_STATES = 60
LONGEST_WALK = 10
ONLY_LIVELOCKS = Settings(properties=frozenset({Property.LIVELOCK, Property.LOCK}))

HEAD = """#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
"""
MAIN = """int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
"""


def program(seed: int) -> str:
    choose = random.Random(seed)

    def statement() -> str:
        variable, number = choose.choice("xy"), choose.randrange(2)
        return choose.choice(
            [
                f"{variable} = {number};",
                f"{variable} = {number};",
                f"if ({variable}) {choose.choice('xy')} = {number};",
                f"{variable} = !{variable};",
                "if (pthread_mutex_trylock(&m) == 0) pthread_mutex_unlock(&m);",
                "pthread_mutex_lock(&m); pthread_mutex_unlock(&m);",
                f"if (!pthread_mutex_trylock(&m)) {{ x = {number}; pthread_mutex_unlock(&m); }}",
            ]
        )

    def thread(name: str) -> str:
        before = " ".join(statement() for _ in range(choose.randrange(2)))
        body = " ".join(statement() for _ in range(choose.randrange(3)))
        condition = choose.choice(["x", "!x", "y", "x == y", "x != y"])
        return (
            f"void *{name}(void *arg) {{ {before} while ({condition}) {{ {body} }} return 0; }}\n"
        )

    return HEAD + thread("one") + thread("two") + MAIN


def loaded(text: str) -> Program:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.c"
        path.write_text(text)
        return load_program([path], cache=NO_CACHE)


class Walks:
    """All states of a program, and all closed walks."""

    def __init__(self, program: Program) -> None:
        self.interpreter = Interpreter(program, ONLY_LIVELOCKS)
        self.keys = StateKeys(self.interpreter.image)
        self.steps: dict[Key, list[Outcome]] = {}
        self.states: dict[Key, State] = {}
        work = [outcome.state for outcome in self.interpreter.initial()]
        while work:
            state = work.pop()
            key = self.keys.key(state)
            if key not in self.steps:
                self.states[key] = state
                self.steps[key] = self.interpreter.moves(state).outcomes
                work += [outcome.state for outcome in self.steps[key]]

    def livelock(self) -> bool:
        return any(self.is_livelock(key, walk) for key in self.steps for walk in self.closed(key))

    def closed(self, start: Key) -> Iterator[list[Outcome]]:
        stack: list[tuple[Key, list[Outcome]]] = [(start, [])]
        while stack:
            key, walk = stack.pop()
            if walk and key == start:
                yield walk
            if len(walk) < LONGEST_WALK:
                for outcome in self.steps[key]:
                    stack.append((self.keys.key(outcome.state), [*walk, outcome]))

    def is_livelock(self, start: Key, walk: list[Outcome]) -> bool:
        moved = {outcome.event.thread for outcome in walk}
        keys = [start, *(self.keys.key(outcome.state) for outcome in walk)]
        if any(o.event.thread not in moved for key in keys for o in self.steps[key]):
            return False
        return all(self._without_effect(thread, keys, walk) for thread in moved)

    def _without_effect(self, thread: int, keys: list[Key], walk: list[Outcome]) -> bool:
        """Whether the thread has put everything back each time it is where it was before."""
        own = [k for k, outcome in enumerate(walk) if outcome.event.thread == thread]
        keys, walk = keys[:-1] * 2, walk * 2
        return all(self._puts_back(thread, keys[k:], walk[k:]) for k in own)

    def _puts_back(self, thread: int, keys: list[Key], walk: list[Outcome]) -> bool:
        """Whether it has changed nothing when it is for the next time where it is first."""
        home = self.keys.thread(self.states[keys[0]].threads[thread])
        found: dict[Hashable, Hashable] = {}  # what was in the cells that it has written
        for key, outcome in zip(keys, walk, strict=True):
            if outcome.event.thread != thread:
                continue
            before, after = _cells(self.states[key]), _cells(outcome.state)
            for cell in before.keys() | after.keys():
                old, new = before.get(cell, 0), after.get(cell, 0)
                if old != new:
                    found.setdefault(cell, old)
                    if found[cell] == new:
                        del found[cell]
            if self.keys.thread(outcome.state.threads[thread]) == home:
                return not found
        raise AssertionError("a closed walk leads back")


def _cells(state: State) -> dict[Hashable, Hashable]:
    return {
        (number, at): value
        for number, contents in state.memory.items()
        for at, (_, value) in contents.cells.items()
    }


@pytest.mark.parametrize("seed", range(60))
def test_the_walks_agree_with_the_search(seed: int) -> None:
    text = program(seed)
    loaded_program = loaded(text)
    explored = explore_exhaustively(Interpreter(loaded_program, ONLY_LIVELOCKS))
    if explored.states is None or explored.states > MOST_STATES:
        pytest.skip("too many states to walk through")
    hangs = explored.verdict is Verdict.UNSAFE
    assert not hangs or (explored.fault is not None and explored.reproduced), text
    walks = Walks(loaded_program)
    if hangs and explored.fault is not None and explored.fault.loop in range(LONGEST_WALK + 1):
        assert explored.fault.loop == 0 or walks.livelock(), text
    if not hangs:
        assert not walks.livelock(), text
