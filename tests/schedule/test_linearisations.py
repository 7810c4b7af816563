"""Every order that a compiled schedule permits is as good as the order that was verified."""

from __future__ import annotations

from pathlib import Path

import pytest
from crosscheck.generator import Generator
from crosscheck.source import to_c
from enforcement import Enforcement, TooLarge

import imc.api
from imc.program.interpreter import Interpreter
from imc.program.keys import StateKeys
from imc.program.program import Program
from imc.program.settings import Settings
from imc.schedule.compile import Compiler
from imc.symbolic.result import Schedule
from imc.symbolic.verify import Verification, VerifyOptions
from irs.format import dumps, loads
from irs.schedule import Event, Made, Section
from irs.schedule import Program as Named
from irs.schedule import Schedule as Compiled

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
SETTINGS = Settings(inputs=(0, 1, 2, 3))
PROGRAMS = (
    "double_lock_wrong", "prodcons", "prodcons_unlocked_check", "barrier", "filesystem",
    "filesystem_assume", "filesystem_assume_useful", "bank_race", "cond_queue", "lost_update",
    "peterson", "dekker", "treiber_stack",
)  # fmt: skip


def schedules(program: Program, results: int) -> list[tuple[Compiler, Schedule]]:
    options = VerifyOptions(iterations=results, time_s=10.0)
    verification = Verification(program, SETTINGS, options)
    compiler = Compiler(verification.engine.places, lambda function, pc: f"{function} {pc}")
    return [(compiler, result.schedule) for result in verification if result.schedule is not None]


def compiled(compiler: Compiler, schedule: Schedule, optimisation: str) -> Compiled:
    made = Made("a test", 1, optimisation, "", ())
    return compiler.compile(schedule, Named("program", "digest"), made)


def check(program: Program, results: int) -> int:
    """Checks schedules at all levels against each other; answers how many."""
    interpreter = Interpreter(program, SETTINGS)
    keys = StateKeys(interpreter.image)
    count = 0
    for compiler, schedule in schedules(program, results):
        boundaries = []
        # The first round may turn out that addresses are used as numbers, which changes keys.
        for optimisation in ("opt1", "opt0", "opt1"):
            one = compiled(compiler, schedule, optimisation)
            assert loads(dumps(one), "a test") == one
            enforcement = Enforcement(interpreter, keys, one)
            assert enforcement.check() == []
            boundaries.append(enforcement.boundaries)
        assert boundaries[1] == boundaries[2]
        count += 1
    return count


@pytest.mark.parametrize("name", PROGRAMS)
def test_examples(name: str) -> None:
    assert check(imc.api.load(EXAMPLES / f"{name}.c"), 2) >= 1


@pytest.mark.parametrize("number", range(30))
def test_random_programs(number: int, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(to_c(Generator(11, number).source()))
    try:
        check(imc.api.load(path), 2)
    except TooLarge:
        pytest.skip("more executions than a test should go through")


def test_a_wait_that_is_dropped_is_noticed() -> None:
    program = imc.api.load(EXAMPLES / "double_lock_wrong.c")
    ((compiler, schedule),) = schedules(program, 1)
    one = compiled(compiler, schedule, "opt1")
    sections = tuple(
        Section(tuple(Event(e.thread, e.site) for e in section.events), section.next)
        for section in one.sections
    )
    loose = Compiled(one.program, one.made, (), (), one.threads, one.sites, one.start, sections)
    interpreter = Interpreter(program, SETTINGS)
    enforcement = Enforcement(interpreter, StateKeys(interpreter.image), loose)
    assert any("wait" in complaint for complaint in enforcement.check())
