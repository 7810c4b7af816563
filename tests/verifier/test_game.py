"""The check of schedules accepts what verification yields, and nothing that was tampered with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from game import TooLarge, check_schedule
from patience import HANG_S

import imc.api
from imc.program.faults import Blocked
from imc.program.interpreter import Interpreter
from imc.program.keys import StateKeys
from imc.program.program import Program
from imc.program.settings import Settings
from imc.program.state import State, Status
from imc.verifier.iteration import Verification
from imc.verifier.options import VerifyOptions
from imc.verifier.result import VerifiedNode, VerifiedTree

EXAMPLES = Path(__file__).parents[2] / "examples"
SETTINGS = Settings(inputs=(0, 1, 2, 3))

INPUT = """
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static int g, h;
static void *writer(void *arg) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= x && x <= 2);
    g = x;
    for (int i = 0; i < x; i++)
        h = i;
    return 0;
}
static void *reader(void *arg) {
    int y = g;
    if (y > 1)
        h = y + 1;
    assert(y <= 2);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(h <= 3);
    return 0;
}
"""

ENDLESS = """
#include <assert.h>
#include <pthread.h>
static int g;
static void *one(void *arg) { while (1) g = 1; return 0; }
static void *two(void *arg) { while (1) g = 1; return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_exit(0);
}
"""


def example(name: str, *define: str) -> Program:
    return imc.api.load(EXAMPLES / f"{name}.c", define=define)


@pytest.fixture
def load(tmp_path: Path) -> Callable[[str], Program]:
    def load(text: str) -> Program:
        path = tmp_path / "program.c"
        path.write_text(text)
        return imc.api.load(path)

    return load


def verified(program: Program, iterations: int) -> tuple[Verification, list[VerifiedTree]]:
    verification = Verification(
        program, SETTINGS, VerifyOptions(iterations=iterations, time_s=HANG_S)
    )
    outcome = verification.run()
    return verification, [r.schedule for r in outcome.results if r.schedule is not None]


# --------------------------------------------------------------------- accepts


@pytest.mark.parametrize(
    ("name", "define"),
    [
        ("double_lock", ()),
        ("double_lock_wrong", ()),
        ("lost_update", ()),
        ("peterson", ()),
        ("filesystem_assume", ()),
        ("prodcons", ("SLOTS=2",)),
        ("cond_queue", ()),
    ],
)
def test_schedules_of_examples(name: str, define: tuple[str, ...]) -> None:
    program = example(name, *define)
    _, schedules = verified(program, 4)
    assert schedules
    for schedule in schedules:
        assert check_schedule(program, SETTINGS, schedule) == []


def test_schedules_of_a_program_with_inputs(load: Callable[[str], Program]) -> None:
    program = load(INPUT)
    _, schedules = verified(program, 6)
    assert len(schedules) > 3
    for schedule in schedules:
        assert check_schedule(program, SETTINGS, schedule) == []


def test_too_many_states() -> None:
    program = example("prodcons", "SLOTS=2")
    _, (schedule,) = verified(program, 1)
    with pytest.raises(TooLarge):
        check_schedule(program, SETTINGS, schedule, states=5)


# --------------------------------------------------------------------- rejects


def changed(schedule: VerifiedTree, node: int, **parts: Any) -> VerifiedTree:
    new = replace(schedule.nodes[node], **parts)
    return VerifiedTree(schedule.root, {**schedule.nodes, node: new})


def with_one_permit_more(schedule: VerifiedTree) -> Iterator[VerifiedTree]:
    for number, node in schedule.nodes.items():
        if node.cover is not None or node.node.state.exit_code is not None:
            continue
        for thread, state in node.node.state.threads.items():
            if state.status is Status.RUNNING and thread not in node.permits:
                yield changed(schedule, number, permits={**node.permits, thread: ()})


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("double_lock_wrong", "is permitted but waits"), ("filesystem_assume", "waits: assumption")],
)
def test_a_thread_that_cannot_move_is_permitted(name: str, wrong: str) -> None:
    program = example(name)
    _, (schedule,) = verified(program, 1)
    found = [check_schedule(program, SETTINGS, s) for s in with_one_permit_more(schedule)]
    assert found and all(found)
    assert any(wrong in complaint for complaints in found for complaint in complaints)


def test_a_thread_that_errs_is_permitted(load: Callable[[str], Program]) -> None:
    program = load(ENDLESS.replace("*two(void *arg) { while (1)", "*two(void *arg) { assert(g);"))
    _, (schedule,) = verified(program, 1)
    assert check_schedule(program, SETTINGS, schedule) == []
    found = [check_schedule(program, SETTINGS, s) for s in with_one_permit_more(schedule)]
    assert all(found)
    assert any("errs: assertion" in complaint for complaints in found for complaint in complaints)


def test_a_cover_that_starves_a_thread(load: Callable[[str], Program]) -> None:
    program = load(ENDLESS)
    _, (schedule,) = verified(program, 1)
    assert check_schedule(program, SETTINGS, schedule) == []
    found = []
    for number in schedule.nodes:
        for other in schedule.nodes:
            if other < number:
                tampered = changed(schedule, number, permits={}, cover=other)
                found += check_schedule(program, SETTINGS, tampered)
    assert any("main.1 starves" in complaint for complaint in found)
    assert any("main.2 starves" in complaint for complaint in found)
    assert any("does not belong" in complaint for complaint in found)


def test_a_label_that_is_too_strong(load: Callable[[str], Program]) -> None:
    program = load(INPUT)
    verification, schedules = verified(program, 6)
    terms = verification.engine.terms
    places = list(verification.engine.places.of)
    tried = 0
    for schedule in schedules[:2]:
        for number, node in schedule.nodes.items():
            for symbol in places:
                if symbol.get_type().is_int_type() and _mentions(node.node.state, symbol):
                    claim = terms.equal(symbol, terms.integer(17))
                    tampered = changed(schedule, number, label=(*node.label, claim))
                    assert check_schedule(program, SETTINGS, tampered)
                    tried += 1
    assert tried > 10


def _mentions(state: State, symbol: object) -> bool:
    return any(
        value is symbol
        for contents in state.memory.values()
        for _, value in contents.cells.values()
    )


@pytest.mark.parametrize("kept", [0, 1])
def test_a_child_that_is_missing(kept: int, load: Callable[[str], Program]) -> None:
    program = load(INPUT)
    _, schedules = verified(program, 3)
    tried = 0
    for schedule in schedules:
        for number, node in schedule.nodes.items():
            for thread, children in node.permits.items():
                if len(children) < 2 and kept:
                    continue
                permits = {**node.permits, thread: children[:kept]}
                complaints = check_schedule(
                    program, SETTINGS, changed(schedule, number, permits=permits)
                )
                assert any("leads nowhere" in complaint for complaint in complaints)
                tried += 1
    assert tried > 2


def test_an_end_before_the_end() -> None:
    program = example("lost_update")
    _, (schedule,) = verified(program, 1)
    for number, node in schedule.nodes.items():
        if node.permits:
            complaints = check_schedule(program, SETTINGS, changed(schedule, number, permits={}))
            assert any("could move" in complaint for complaint in complaints)


# -------------------------------------------------- schedules of concrete states


def everything(program: Program, permitted: Callable[[State, int], bool]) -> VerifiedTree:
    """A schedule made of concrete states, which permits threads without any thought."""
    interpreter = Interpreter(program, SETTINGS)
    keys = StateKeys(interpreter.image)
    numbers: dict[object, int] = {}
    nodes: dict[int, VerifiedNode] = {}
    (start,) = interpreter.initial()
    work = [start.state]
    numbers[keys.key(start.state)] = 0
    while work:
        state = work.pop()
        permits = {}
        for thread in state.threads if state.exit_code is None else ():
            if state.threads[thread].status is not Status.RUNNING or not permitted(state, thread):
                continue
            try:
                outcomes = interpreter.successors(state, thread)
            except Blocked:
                continue
            children = []
            for outcome in outcomes:
                key = keys.key(outcome.state)
                if outcome.fault is None and key not in numbers:
                    numbers[key] = len(numbers)
                    work.append(outcome.state)
                if outcome.fault is None:
                    children.append(numbers[key])
            permits[thread] = tuple(children)
        node: Any = SimpleNamespace(state=state)
        nodes[numbers[keys.key(state)]] = VerifiedNode(node, permits, None, ())
    return VerifiedTree(0, nodes)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("double_lock_wrong", "wait for each other"),
        ("lost_update", "errs: assertion"),
        ("peterson", "starves"),
    ],
)
def test_everything_is_permitted(name: str, wrong: str) -> None:
    program = example(name)
    complaints = check_schedule(program, SETTINGS, everything(program, lambda state, thread: True))
    assert any(wrong in complaint for complaint in complaints)


def test_one_of_two_is_permitted(load: Callable[[str], Program]) -> None:
    program = load(ENDLESS)
    complaints = check_schedule(program, SETTINGS, everything(program, lambda s, t: t != 2))
    assert any("main.2 starves" in complaint for complaint in complaints)
    assert not any("main.1 starves" in complaint for complaint in complaints)


def test_alternation_is_fair(load: Callable[[str], Program]) -> None:
    first, second = ENDLESS.split("*two")
    first = first.replace("static int g", "static int g = 2")
    program = load(f"{first}*two{second.replace('g = 1', 'g = 2')}")
    number = Interpreter(program, SETTINGS).image.symbols["g"]

    def permitted(state: State, thread: int) -> bool:
        if len(state.threads) < 3 or state.threads[0].status is Status.RUNNING:
            return thread == 0
        _, turn = state.memory[number].cells[0]
        return turn != thread

    assert check_schedule(program, SETTINGS, everything(program, permitted)) == []
