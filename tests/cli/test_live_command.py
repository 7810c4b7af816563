"""imc run --live as users meet it: what is said while a program runs, and how it ends."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
from cli_runs import Imc, finish, kill
from patience import HANG_S, computed_s, has_ended, wait_until

from imc.execution.live.session import LOOK_EVERY, TimedLines

EXAMPLES = Path(__file__).parents[2] / "examples"
LONG = ("-DPRODUCERS=4", "-DCONSUMERS=4")  # the verifier does not come to an end with these
BACKENDS = pytest.mark.parametrize("backend", ["python", "native"])


class Running:
    """A live run of an endless program, which is read while it goes on."""

    def __init__(self, imc: Imc, name: str, backend: str, *options: str) -> None:
        self.folder = imc.folder
        self.lines: list[str] = []
        program = EXAMPLES / name
        more = ("--backend", backend, "--trace", "run.jsonl", "--json", "run.json", *options)
        self.process = imc.start("run", program, "--live", *more)

    def until(self, text: str) -> None:
        """Reads what is said up to a line, unless that was said before; not for ever."""
        assert self.process.stderr is not None
        timer = Timer(HANG_S, kill, (self.process,))
        timer.start()
        try:
            while not any(text in line for line in self.lines):
                line = self.process.stderr.readline()
                assert line, (text, self.lines)
                self.lines.append(line)
        except BaseException:
            kill(self.process)
            raise
        finally:
            timer.cancel()

    def stop(self) -> dict[str, Any]:
        """Ends the run as a user does, and answers its document."""
        self.process.send_signal(signal.SIGINT)
        ended = finish(self.process)
        assert ended.code == 130, (self.lines, ended)
        self.lines += ended.err.splitlines()
        document: dict[str, Any] = json.loads((self.folder / "run.json").read_text())
        return document

    def verifier(self) -> int:
        """The child that is Python still; others are for a moment, before they are programs."""
        found: list[int] = []

        def is_alone() -> bool:
            assert self.process.poll() is None, self.lines
            found[:] = [child for child in self.children() if "-m" in _words(child)]
            return len(found) == 1

        wait_until(is_alone)
        return found[0]

    def children(self) -> list[int]:
        pid = self.process.pid
        found = Path(f"/proc/{pid}/task/{pid}/children").read_text()
        return [int(child) for child in found.split()]


@BACKENDS
def test_gates_are_dropped_when_all_is_proved(imc: Imc, backend: str) -> None:
    running = Running(imc, "double_lock.c", backend)
    running.until("runs under schedule 1 (")
    running.until("every schedule is proved")
    running.until("proved safe: gates dropped")
    found = running.stop()
    assert found["verdict"] == "safe"
    assert found["counterexample"] is None
    assert found["permitted"][-1]["schedule"] is None
    assert found["permitted"][0]["schedule"] == 1
    assert any("run.jsonl: permitted" in line for line in running.lines)


@BACKENDS
def test_a_wrong_program_goes_on_safely(imc: Imc, backend: str) -> None:
    running = Running(imc, "double_lock_wrong.c", backend)
    running.until("counterexample outside the schedules")
    running.until("schedule 2 swapped in")  # how many there are depends on who is fast
    found = running.stop()
    assert found["error"] is None and found["deviation"] is None
    assert found["counterexample"]["reproduced"]
    schedules = [p["schedule"] for p in found["permitted"]]
    assert schedules == list(range(1, len(schedules) + 1))
    times = [p["time_s"] for p in found["permitted"]]
    assert times == sorted(times)
    assert any("run.jsonl: permitted" in line for line in running.lines)


@BACKENDS
def test_the_program_goes_on_without_the_verifier(imc: Imc, backend: str) -> None:
    running = Running(imc, "prodcons_unlocked_check.c", backend, *LONG)
    running.until("runs under schedule 1 (")
    os.kill(running.verifier(), signal.SIGKILL)
    running.until("the verifier has ended early (signal 9); the program goes on")
    found = running.stop()
    assert found["deviation"] is None
    assert any("run.jsonl: permitted" in line for line in running.lines)


@BACKENDS
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_nobody_outlives_imc(imc: Imc, backend: str, number: int) -> None:
    running = Running(imc, "prodcons_unlocked_check.c", backend, *LONG)
    running.until("runs under schedule 1 (")
    children = running.children()
    assert children
    os.kill(running.process.pid, number)
    finish(running.process)
    wait_until(lambda: all(map(has_ended, children)))


def test_a_native_program_does_not_outlive_imc(imc: Imc) -> None:
    imc.write({"prog.c": "int main(void) { for (;;); }"})
    process = imc.start("run", "prog.c", "--unconstrained", "--backend", "native")
    there = Path(f"/proc/{process.pid}/task/{process.pid}/children")

    def programs() -> list[int]:
        """What the program is called compilers are not; they may be over at any moment."""
        found = map(int, there.read_text().split())
        return [child for child in found if _name(child) == "prog"]

    wait_until(lambda: process.poll() is not None or bool(programs()))
    (child,) = programs()
    wait_until(lambda: computed_s(child) > 0)
    os.kill(process.pid, signal.SIGKILL)
    finish(process)
    wait_until(lambda: has_ended(child))


def test_a_limit_without_a_schedule(imc: Imc) -> None:
    run = imc("run", EXAMPLES / "prodcons.c", "--live", "--time-limit", "1e-9")
    assert run.code == 3 and run.out == ""
    assert "the program was not started: there was none after 1e-09 s" in run.err


def test_a_record_is_checked_as_long_as_there_is_time() -> None:
    lines = ([n] for n in range(5 * LOOK_EVERY))
    assert len(list(TimedLines(lines, None))) == 5 * LOOK_EVERY
    cut = TimedLines(([n] for n in range(5 * LOOK_EVERY)), -1.0)
    assert list(cut) == [] and cut.cut


def _words(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().split("\0")
    except (FileNotFoundError, ProcessLookupError):
        return []  # it has just ended


def _name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except (FileNotFoundError, ProcessLookupError):
        return ""


@BACKENDS
def test_the_verifier_ends_with_the_program(imc: Imc, backend: str) -> None:
    imc.write({"prog.c": "int main(void) { return 7; }"})
    result = imc("run", "prog.c", "--live", "--backend", backend)
    assert result.code == 7
    assert "runs under schedule 1" in result.err


def test_without_a_schedule_nothing_is_started(imc: Imc) -> None:
    imc.write({"prog.c": "#include <assert.h>\nint main(void) { assert(0); }"})
    result = imc("run", "prog.c", "--live")
    assert result.code == 3
    assert "no schedule was proved, so the program was not started" in result.err
    assert "assertion" in result.err


@pytest.mark.parametrize("options", [("--unconstrained",), ("--runs", "2"), ("--prefix", "3")])
def test_what_does_not_go_together(imc: Imc, options: tuple[str, ...]) -> None:
    program = EXAMPLES / "prodcons.c"
    imc("run", program, "--live", *options).failed("--live")


def test_the_time_limit_is_that_of_all_together(imc: Imc) -> None:
    program = EXAMPLES / "double_lock_wrong.c"
    result = imc("run", program, "--live", "--time-limit", "2", "--json", "-")
    if result.code == 3:  # a machine that was too slow to find a schedule
        assert "the program was not started: there was none after 2 s" in result.err
        return
    assert result.code == 0
    assert json.loads(result.out)["out_of_time"]
