"""The functions that Python programs call do what the commands do, with the same options."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any, get_type_hints

import click
import pytest

import imc
import imc.api
import imc.schedule
from imc.cli import cli
from imc.errors import UserError
from irs import Schedule

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
COMMANDS = ("verify", "explore", "check", "run", "build")
SPELT = {  # options that have another name in Python
    "-D": "define",
    "-I": "include",
    "--32": "bits",
    "--64": "bits",
    "--arg": "arguments",
    "--input": "inputs",
    "--no-await": "awaits",
    "--no-ifaa": "ifaa",
    "--no-lapor": "lapor",
    "--no-plp": "plp",
    "--seed": "seed",
    "--threads-order": "shuffle",
    "-o": "output",
}
# What is about text, files and pictures; programs have the results themselves.
PRINTED = {"--json", "--tree", "--full", "--dot", "--svg", "--chart", "--assumptions"}
NOT_THERE = {("explore", "--seed")}  # part of shuffle


def keywords(name: str) -> set[str]:
    function = getattr(imc.api, name)
    more = {"check": imc.api.Checking, "verify": imc.api.Checking, "explore": imc.api.Checking}
    given = set(inspect.signature(function).parameters)
    return given | set(get_type_hints(more.get(name, imc.api.Reading)))


def command_of(name: str) -> click.Command:
    found = cli.get_command(click.Context(cli), name)
    assert found is not None
    return found


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_a_keyword(name: str) -> None:
    command = command_of(name)
    options = {p.opts[0] for p in command.params if isinstance(p, click.Option)} - PRINTED
    wanted = {
        SPELT.get(option, option.removeprefix("--").replace("-", "_"))
        for option in options
        if (name, option) not in NOT_THERE
    }
    assert wanted <= keywords(name)


@pytest.mark.parametrize("name", COMMANDS)
def test_flags_for_clang_are_a_keyword(name: str) -> None:
    assert "flags" in keywords(name)
    assert "FLAGS" in command_of(name).get_usage(click.Context(command_of(name)))


@pytest.mark.parametrize("name", COMMANDS)
def test_defaults_are_those_of_the_commands(name: str) -> None:
    given = inspect.signature(getattr(imc.api, name)).parameters
    defaults = {
        p.name: p.default
        for p in command_of(name).params
        if isinstance(p, click.Option) and p.default is not None and not p.required
    }
    for option in {"until", "strategy", "algorithm", "optimise", "backend", "mode", "stall_limit"}:
        if option in defaults and option in given:
            assert given[option].default == defaults[option], option


def test_the_functions_are_those_of_the_package() -> None:
    assert set(imc.__all__) == set(imc.api.__all__) <= set(dir(imc))
    for name in imc.__all__:
        assert getattr(imc, name) is getattr(imc.api, name)
        assert getattr(imc, name).__doc__
    with pytest.raises(AttributeError, match="no attribute 'explain'"):
        _ = imc.explain


def test_what_is_explored_can_be_told() -> None:
    found = imc.explore(EXAMPLES / "lost_update.c", define=["THREADS=2"], algorithm="exhaustive")
    assert found.verdict == "unsafe"
    assert "counter := 1" in imc.counterexample(found)
    assert imc.counterexample(imc.explore(EXAMPLES / "double_lock.c")) == ""
    verification = imc.verify(EXAMPLES / "double_lock_wrong.c")
    assert verification.run().verdict == "partially-safe"
    assert "deadlock: main.1 waits for main.2" in imc.counterexample(verification)


@pytest.fixture(scope="module")
def schedule() -> Schedule:
    verification = imc.verify(EXAMPLES / "bank_race.c", iterations=1)
    return imc.schedule.compile(verification, next(iter(verification))).schedule


@pytest.mark.parametrize("backend", ["python", "native"])
def test_runs_keep_to_a_schedule(
    backend: str, schedule: Schedule, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    trace = tmp_path / "run.jsonl"
    ran = imc.run(EXAMPLES / "bank_race.c", schedule=schedule, backend=backend, trace=trace)
    assert ran.last.succeeded and ran.last.gated
    assert "2 transfers" in capfd.readouterr().out
    assert trace.exists()


def test_files_are_taken_and_written(schedule: Schedule, tmp_path: Path) -> None:
    program = imc.load(EXAMPLES / "bank_race.c")
    file = tmp_path / "bank.sched.json"
    imc.verify(program, until="first", emit_schedule=file).run()
    assert imc.check(program, file).nodes == imc.check(program, schedule).nodes
    executable = imc.build(program, schedule=str(file), output=tmp_path / "bank", embed=True)
    assert executable.path.exists() and executable.built.gates
    result = imc.explore(program, emit_schedule=tmp_path / "prefix.sched.json")
    assert result.verdict == "safe" and result.image is not None
    assert imc.run(program, schedule=tmp_path / "prefix.sched.json").last.succeeded


def wrong(function: Any, *given: Any, **options: Any) -> str:
    with pytest.raises(UserError) as error:
        function(*given, **options)
    return str(error.value)


def test_wrong_use_is_told(schedule: Schedule) -> None:
    program = imc.load(EXAMPLES / "peterson.c")
    assert "another program" in wrong(imc.run, program, schedule=schedule)
    assert "another program" in wrong(imc.check, program, schedule)
    assert "--schedule" in wrong(imc.run, program)
    assert "--schedule" in wrong(imc.build, program, output="x")
    assert "is one of python, native" in wrong(imc.run, program, backend="gpu", unconstrained=True)
    assert "is one of first, verdict, all" in wrong(imc.verify, program, until="never")
    assert "there are auto, exhaustive" in wrong(imc.explore, program, algorithm="best")
    assert "always counts" in wrong(imc.explore, program, algorithm="optimal", count=True)
    assert "'speed' is not a valid Property" in wrong(imc.explore, program, check=["speed"])
    with pytest.raises(TypeError, match="define come too late"):
        imc.explore(program, define=["N=1"])
    with pytest.raises(TypeError, match="bound_loop"):
        imc.explore(program, bound_loop=1)  # type: ignore[call-arg]
