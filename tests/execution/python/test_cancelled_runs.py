"""Threads that are cancelled: on Python threads, under schedules and without."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from imc.cli import cli

FAMILY = Path(__file__).parent.parent.parent / "programs" / "cancellation"
WAITS = ("c11", "condition", "condition_of_two", "join", "main_thread", "semaphore", "sleep_loop")


def imc(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(a) for a in arguments], catch_exceptions=False)


@pytest.mark.parametrize("name", WAITS)
def test_a_wait_ends_by_a_request(name: str) -> None:
    done = imc("run", FAMILY / name / "prog.c", "--unconstrained", "--runs", "20")
    assert done.exit_code == 0, done.output


def test_a_mutex_that_is_left_locked_is_told() -> None:
    program = FAMILY / "condition_without_handler" / "prog.c"
    done = imc("run", program, "--unconstrained", "--runs", "20")
    assert done.exit_code == 5
    assert "waits for mutex 'mutex', held by main.1" in done.output


@pytest.mark.parametrize("name", [*WAITS, "order_of_ends", "output", "race_with_end"])
def test_a_schedule_is_accepted_and_kept(name: str, tmp_path: Path) -> None:
    program, schedule = FAMILY / name / "prog.c", tmp_path / "prog.sched.json"
    found = imc("verify", program, "--until", "first", f"--emit-schedule={schedule}")
    assert schedule.exists(), found.output
    checked = imc("check", program, schedule)
    assert checked.exit_code == 0, checked.output
    done = imc("run", program, "--schedule", schedule, "--runs", "3")
    assert done.exit_code == 0, done.output
