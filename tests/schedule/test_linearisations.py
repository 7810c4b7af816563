"""Every order that a compiled schedule permits is as good as the order that was verified."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from compiled import HANG_S, SETTINGS, compiled
from crosscheck.generator import Generator
from crosscheck.source import to_c
from enforcement import Enforcement, Stage, TooLarge
from walks import walk

import imc.api
from imc.checker.check import check_schedule
from imc.program.program import Program
from imc.schedule.beliefs import Ambiguous
from imc.schedule.optimise import LEVELS
from irs.schedule import ScheduledEvent, Section

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
ENOUGH_S = 10  # for schedules of a random program; those that are not found are not played
PROGRAMS = (
    "double_lock_wrong", "prodcons", "prodcons_unlocked_check", "barrier", "filesystem",
    "filesystem_assume", "filesystem_assume_useful", "bank_race", "cond_queue", "pool",
    "lost_update", "peterson", "dekker", "treiber_stack",
)  # fmt: skip


def play(program: Program, results: int, time_s: float = HANG_S) -> int:
    """Plays and checks schedules at all levels; answers how many."""
    count = 0
    # The first round may turn out that addresses are used as numbers, which changes keys.
    for schedules in compiled(program, results, ("opt1", *LEVELS), time_s):
        stages: dict[object, Stage] = {}
        played: dict[Stage, list[Enforcement]] = {}
        for schedule in schedules:
            left_out = frozenset(s for s in schedule.sites if s.action in ("pass", "skip"))
            stage = stages.setdefault(left_out, Stage(program, SETTINGS, schedule))
            enforcement = Enforcement(stage, schedule)
            assert enforcement.check() == [], schedule.made.optimisation
            assert walk(enforcement, program.digest) == [], schedule.made.optimisation
            assert check_schedule(program, schedule, SETTINGS).sections == len(schedule.sections)
            played.setdefault(stage, []).append(enforcement)
        for first, *others in played.values():
            if others:
                first = others.pop(0)
            for other in others:
                assert other.ends == first.ends
                if {first.level, other.level} == {"opt0", "opt1"}:
                    assert other.boundaries == first.boundaries
        count += 1
    return count


@pytest.mark.parametrize("name", PROGRAMS)
def test_examples(name: str) -> None:
    assert play(imc.api.load(EXAMPLES / f"{name}.c"), 2) >= 1


@pytest.mark.parametrize("number", range(30))
def test_random_programs(number: int, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(to_c(Generator(11, number).source()))
    try:
        play(imc.api.load(path), 2, ENOUGH_S)
    except (TooLarge, Ambiguous) as why:
        pytest.skip(f"{type(why).__name__}: not every program can be played")


def test_a_wait_that_is_dropped_is_noticed() -> None:
    program = imc.api.load(EXAMPLES / "double_lock_wrong.c")
    ((one,),) = compiled(program, 1, ("opt0",))
    sections = tuple(
        Section(tuple(ScheduledEvent(e.thread, e.site) for e in section.events), section.next)
        for section in one.sections
    )
    loose = replace(one, sections=sections)
    enforcement = Enforcement(Stage(program, SETTINGS, loose), loose)
    assert any("wait" in complaint for complaint in enforcement.check())
