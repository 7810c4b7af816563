"""Options that several commands take, and what all of them do with a program and its result."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

import irs
from imc.errors import UserError
from imc.frontend import FrontendOptions, load_program
from imc.frontend.clang import CompilerOptions
from imc.frontend.lower import NO_ARGUMENTS, NO_INPUT, NO_SPURIOUS
from imc.program.faults import DEFAULT_PROPERTIES, Property
from imc.program.program import Assumption, Program
from imc.program.settings import Settings
from irs import Schedule

F = TypeVar("F", bound=Callable[..., Any])
PROPERTIES = click.Choice([str(p) for p in Property])


def _defines(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...]:
    for value in values:
        if not re.match(r"[A-Za-z_]\w*(\(.*\))?(=.*)?$", value, re.DOTALL):
            raise click.BadParameter(f"'{value}' is not NAME or NAME=VALUE")
    return values


def schedule_option(help: str, required: bool = False) -> Callable[[F], F]:
    """The file of a schedule, for the commands that keep to one."""
    return click.option(
        "--schedule",
        "schedule_file",
        required=required,
        type=click.Path(path_type=Path),
        metavar="FILE",
        help=help,
    )


def mode_option(command: F) -> F:
    """How threads are run, for the commands that run them."""
    return click.option(
        "--mode",
        type=click.Choice(["auto", "threads", "fibers"]),
        default="auto",
        show_default=True,
        help="Threads of the system, or fibers that share one core and change over where one has "
        "to wait; auto: fibers where threads would mostly wait for each other.",
    )(command)


def source_options(command: F) -> F:
    """What every command that reads a program takes."""
    options = [
        click.argument(
            "sources", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path)
        ),
        click.option(
            "-D",
            "defines",
            multiple=True,
            callback=_defines,
            metavar="NAME[=VALUE]",
            help="Define a macro.",
        ),
        click.option(
            "-I", "includes", multiple=True, metavar="DIR", help="Look for headers in DIR."
        ),
        click.option(
            "--cc", metavar="CLANG", help="The clang to use (default: IMC_CC, or the bundled one)."
        ),
        click.option("--32", "bits", flag_value=32, type=int, help="Data model ILP32."),
        click.option(
            "--64", "bits", flag_value=64, type=int, default=64, help="Data model LP64 (default)."
        ),
        click.option("--strict", is_flag=True, help="Refuse functions that nobody defines."),
        click.option(
            "--json",
            "json_file",
            metavar="FILE",
            help="Write the result as JSON ('-': standard output).",
        ),
    ]
    return _with(command, options)


def _with(command: F, options: list[Callable[[Any], Any]]) -> F:
    for option in reversed(options):
        command = option(command)
    return command


def run_options(command: F) -> F:
    """What every command that runs a program in its head takes."""
    options = [
        click.option(
            "--time-limit",
            type=click.FloatRange(min=0, min_open=True),
            metavar="S",
            help="Stop after S seconds.",
        ),
        click.option(
            "--check",
            multiple=True,
            type=PROPERTIES,
            metavar="PROPERTY",
            help="Check this property too: race, overflow or termination.",
        ),
        click.option(
            "--no-check",
            multiple=True,
            type=PROPERTIES,
            metavar="PROPERTY",
            help=f"Do not check this property: {', '.join(sorted(DEFAULT_PROPERTIES))}.",
        ),
        click.option(
            "--max-threads",
            type=click.IntRange(min=1, max=64),
            metavar="N",
            help="Create at most N threads, and go on without the others.",
        ),
        click.option(
            "--spurious-wakeups",
            is_flag=True,
            help="Condition variables may wake without a signal.",
        ),
        click.option(
            "--arg", "arguments", multiple=True, metavar="WORD", help="An argument of the program."
        ),
        click.option(
            "--stdin",
            "stdin_file",
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            metavar="FILE",
            help="The program's standard input.",
        ),
    ]
    return _with(command, options)


def load(sources: tuple[Path, ...], options: dict[str, Any]) -> Program:
    compiler = CompilerOptions(
        cc=options["cc"],
        include=options["includes"],
        define=options["defines"],
        bits=options["bits"],
    )
    return load_program(list(sources), FrontendOptions(compiler, options["strict"]))


def settings_of(options: dict[str, Any], **more: Any) -> Settings:
    """The settings that `run_options` ask for."""
    stdin: Path | None = options["stdin_file"]
    return Settings(
        properties=(DEFAULT_PROPERTIES | {Property(c) for c in options["check"]})
        - {Property(c) for c in options["no_check"]},
        max_threads=options["max_threads"],
        spurious_wakeups=options["spurious_wakeups"],
        arguments=options["arguments"],
        stdin=stdin.read_bytes() if stdin else b"",
        **more,
    )


def assumptions_of(program: Program, settings: Settings) -> list[Assumption]:
    """What the verdict rests on, less what the options have lifted."""
    lifted = {
        NO_SPURIOUS: settings.spurious_wakeups,
        NO_INPUT: bool(settings.stdin),
        NO_ARGUMENTS: bool(settings.arguments),
    }
    return [a for a in program.assumptions if not lifted.get(a.text)]


def text_width() -> int:
    return shutil.get_terminal_size((80, 24)).columns if sys.stdout.isatty() else 80


def print_text(text: str) -> None:
    """Prints a result; a reader that has left does not change what we found."""
    try:
        click.echo(text)
    except BrokenPipeError:
        silence_output()


def silence_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def demand_same_program(program: Program, schedule: Schedule, path: Path) -> None:
    """Refuses a schedule that was proved for something else."""
    if program.digest != schedule.program.digest:
        raise UserError(
            f"{path} was made for another program, or for other options of the compiler",
            hint="imc verify --emit-schedule makes a new one",
        )


def read_schedule(path: Path) -> Schedule:
    """A schedule file; whatever is wrong with it is told in one line."""
    try:
        return irs.load(path)
    except irs.BadSchedule as problem:
        raise UserError(str(problem), hint="imc verify --emit-schedule makes a new one") from None
    except OSError as problem:
        raise UserError(f"cannot read {path}: {problem.strerror}") from None
