"""Limits hold for code that does not look at them, and so does Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, NoReturn

import pytest
from click.testing import CliRunner, Result
from patience import HANG_S, computed_s, wait_until

from imc.cli import cli
from imc.errors import UserError
from imc.interrupts import uninterrupted
from imc.program.alarm import alarm, postpone
from imc.program.faults import OutOfTime

EXAMPLES = Path(__file__).parents[2] / "examples"
PROGRAM = str(EXAMPLES / "lost_update.c")
COMMANDS = ("verify", "explore", "bench", "tune")
SOON = ("--time-limit", "0.2")


def for_ever(*_: Any, **__: Any) -> NoReturn:
    while True:
        pass


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, [*words], catch_exceptions=False)


@pytest.mark.parametrize(
    ("command", "what"),
    [
        *((command, "commands.options.load_program") for command in COMMANDS),
        ("verify", "verifier.engine.Sharing"),
        ("explore", "program.interpreter.Sharing"),
    ],
)
def test_reading_a_program(
    command: str, what: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Whatever takes so long, compiling the program or what has to be known of it."""
    monkeypatch.setattr(f"imc.{what}", for_ever)
    report = tmp_path / "report.json"
    done = run(command, PROGRAM, *SOON, "--json", str(report))
    assert done.exit_code == 3
    words = "stopped after 0.2 s, while the program was read"
    assert done.stdout == f"verdict: unknown ({words})\n"
    assert json.loads(report.read_text())["bounds"] == [words]


def test_a_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("imc.verifier.search.search.Search.first", for_ever)
    done = run("verify", PROGRAM, *SOON, "--until", "first")
    assert done.exit_code == 3
    assert "stopped after 0.2 s" in done.stdout


def test_a_schedule_is_compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What was found is told, and why there is no file of it."""
    monkeypatch.setattr("imc.schedule.emission.compile", for_ever)
    target = tmp_path / "s.json"
    limit = ("--time-limit", "5")
    done = run("verify", PROGRAM, *limit, "--until", "first", f"--emit-schedule={target}")
    if "a first schedule" in done.stdout:  # or the machine was too busy for one
        assert "there was no time to compile it" in done.stdout
    assert done.exit_code == 3 and not target.exists()


def test_an_exploration(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("imc.explorer.exhaustive.ExhaustiveSearch._explore", for_ever)
    done = run("explore", PROGRAM, *SOON, "--core", "python")
    assert done.exit_code == 3
    assert "stopped after 0.2 s" in done.stdout


def test_a_check(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    target = tmp_path / "s.json"
    assert run("verify", PROGRAM, "--until", "first", f"--emit-schedule={target}").exit_code
    monkeypatch.setattr("imc.checker.checker.Checker.check", for_ever)
    done = run("check", PROGRAM, str(target), *SOON)
    assert done.exit_code == 3
    assert "0.2 s" in done.stdout


def test_an_alarm_within_another() -> None:
    with pytest.raises(OutOfTime), alarm(0.1, grace_s=0.0):
        with pytest.raises(OutOfTime), alarm(0.0, grace_s=0.01):
            for_ever()
        for_ever()


@pytest.mark.parametrize("command", ["bench", "tune"])
def test_building_what_is_measured(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("imc.measurement.bench.native.Workshop.variant", for_ever)
    with pytest.raises(UserError, match=r"measured: the time is over|no schedule was found"):
        run(command, PROGRAM, "--time-limit", "4")


def test_an_alarm_that_is_postponed() -> None:
    with pytest.raises(OutOfTime), alarm(0.0, grace_s=0.01):
        postpone(0.05)
        for_ever()
    postpone(0.0)  # nobody has set one


def test_what_must_not_be_interrupted() -> None:
    """As starting a process, in which Python would lose the interrupt."""
    came_so_far = []
    with pytest.raises(KeyboardInterrupt), uninterrupted():
        signal.raise_signal(signal.SIGINT)
        came_so_far.append("behind it")
    assert came_so_far


HARD = """
import z3
from imc.interrupts import heed_interrupts, interruptible
heed_interrupts()
context = interruptible(z3.Context())
solver = z3.SolverFor("QF_LIA", ctx=context)
solver.set("ctrl_c", False)
pigeons = [[z3.Int(f"p{i}_{j}", ctx=context) for j in range(12)] for i in range(13)]
for holes in pigeons:
    solver.add(z3.Sum(holes) == 1, *(h >= 0 for h in holes), *(h <= 1 for h in holes))
for hole in zip(*pigeons):
    solver.add(z3.Sum(list(hole)) <= 1)
print("asking", flush=True)
try:
    print(solver.check())
except KeyboardInterrupt:
    print("interrupted")
"""


def test_a_solver_is_interrupted() -> None:
    """It computes outside of Python, which learns of signals when it comes back."""
    with subprocess.Popen([sys.executable, "-c", HARD], stdout=subprocess.PIPE, text=True) as asked:
        assert asked.stdout is not None and asked.stdout.readline() == "asking\n"
        before = computed_s(asked.pid)
        wait_until(lambda: asked.poll() is not None or computed_s(asked.pid) > before + 0.3)
        os.kill(asked.pid, signal.SIGINT)
        try:
            assert asked.communicate(timeout=HANG_S)[0] == "interrupted\n"
        finally:
            asked.kill()


UNHEARD = """
import signal, threading
from imc.interrupts import heed_interrupts, raising
heed_interrupts()
signal.signal(signal.SIGTERM, raising(lambda: SystemExit(7)))
def send():
    while not waiting.is_set():
        pass
    signal.pthread_kill(threading.get_ident(), signal.SIGTERM)
    threading.Event().wait()
waiting = threading.Event()
threading.Thread(target=send, daemon=True).start()
waiting.set()
threading.Event().wait()
"""


def test_a_signal_that_ends_no_wait_is_heard() -> None:
    """It has come to another thread, or just before the main thread began to wait."""
    run = subprocess.run([sys.executable, "-c", UNHEARD], timeout=HANG_S, check=False)
    assert run.returncode == 7
