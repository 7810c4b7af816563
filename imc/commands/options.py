"""Options that several commands take, and what all of them do with a program and its result."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from imc.commands.numbers import Finite
from imc.commands.outputs import guarded
from imc.errors import UserError
from imc.frontend import FrontendOptions, load_program
from imc.frontend.clang import CompilerOptions
from imc.program.faults import DEFAULT_PROPERTIES, Property, properties
from imc.program.program import Program
from imc.program.settings import Settings, wakeups

F = TypeVar("F", bound=Callable[..., Any])
PROPERTIES = click.Choice([str(p) for p in Property])


def _defines(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...]:
    for value in values:
        if not re.match(r"[A-Za-z_]\w*(\(.*\))?(=.*)?$", value, re.DOTALL):
            raise click.BadParameter(f"'{value}' is not NAME or NAME=VALUE")
    return values


class ProgramCommand(click.Command):
    """A command that reads a program: what comes after -- is for clang.

    Without files before it, files come after it as everywhere, and flags after another one.
    """

    after = "[-- FLAGS]"
    files_after = True

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own, given = split_at_dashes(args)
        rest = super().parse_args(ctx, list(own))
        if self.files_after and given and not _has_program(ctx):
            files, given = split_at_dashes(given)
            rest = super().parse_args(ctx, [*own, "--", *files])
        if not _has_program(ctx):
            parameter = next(p for p in self.params if p.name == "sources")
            raise click.MissingParameter(ctx=ctx, param=parameter)
        ctx.params["flags"] = self.flags(ctx, given)
        return rest

    def flags(self, ctx: click.Context, given: list[str] | None) -> tuple[str, ...]:
        return tuple(given or ())

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        return [*super().collect_usage_pieces(ctx), self.after]


def _has_program(ctx: click.Context) -> bool:
    return bool(ctx.params["sources"]) or ctx.params["compile_commands"] is not None


def split_at_dashes(args: list[str]) -> tuple[list[str], list[str] | None]:
    """What comes before the first -- and what comes after it, if there is one."""
    if "--" not in args:
        return args, None
    at = args.index("--")
    return args[:at], args[at + 1 :]


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
        click.argument("sources", nargs=-1, metavar="FILE...", type=click.Path(path_type=Path)),
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
            "--stubs",
            multiple=True,
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            metavar="FILE.c",
            help="Definitions of all functions that the program leaves undefined "
            "(a file with some of them is one more source).",
        ),
        click.option(
            "--compile-commands",
            type=click.Path(path_type=Path),
            metavar="FILE.json",
            help="Compile as a build system does, by its compile_commands.json; without sources, "
            "all files of the program.",
        ),
        click.option(
            "--target",
            metavar="NAME",
            help="Which program of --compile-commands, if it has several.",
        ),
        click.option(
            "--json",
            "json_file",
            metavar="FILE",
            help="Write the result as JSON ('-': standard output).",
        ),
    ]
    return _with(guarded(command), options)


def memory_option(command: F) -> F:
    """How much memory may be used, for the commands that keep what they have seen."""
    return click.option(
        "--memory-limit",
        type=Finite(min=0, min_open=True),
        metavar="MB",
        help="Stop when imc uses more than MB megabytes (default: half of the machine's memory).",
    )(command)


def assumptions_option(command: F) -> F:
    """What a verdict rests on, in full."""
    return click.option(
        "--assumptions",
        "every",
        is_flag=True,
        help="List all assumptions, with their codes.",
    )(command)


def _with(command: F, options: list[Callable[[Any], Any]]) -> F:
    for option in reversed(options):
        command = option(command)
    return command


def run_options(command: F) -> F:
    """What every command that runs a program in its head takes."""
    options = [
        click.option(
            "--time-limit",
            type=Finite(min=0, min_open=True),
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
            "--spurious-wakeups/--no-spurious-wakeups",
            "spurious",
            default=None,
            help="All waits on condition variables may end without a signal, or none may "
            "(default: those that are not in a loop that tests again).",
        ),
        assumptions_option,
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
        flags=options["flags"],
    )
    chosen = FrontendOptions(
        compiler,
        options["strict"],
        stubs=options["stubs"],
        compile_commands=options["compile_commands"],
        target=options["target"],
    )
    return load_program(list(sources), chosen)


def named_after(program: Program, options: dict[str, Any]) -> Path:
    """What a schedule of the program is called after."""
    return Path(options["target"] or program.name)


def settings_of(options: dict[str, Any], **more: Any) -> Settings:
    """The settings that `run_options` ask for."""
    stdin: Path | None = options["stdin_file"]
    return Settings(
        properties=properties(options["check"], options["no_check"]),
        max_threads=options["max_threads"],
        wakeups=wakeups(options["spurious"]),
        arguments=options["arguments"],
        stdin=stdin.read_bytes() if stdin else b"",
        **more,
    )


def was_given(parameter: str) -> bool:
    """Whether the user has said it, and not only the default."""
    source = click.get_current_context().get_parameter_source(parameter)
    return source is not click.core.ParameterSource.DEFAULT


def refuse_given(parameter: str, reason: str, way_out: str) -> None:
    """Refuses an option that would be ignored, if it was given."""
    if was_given(parameter):
        raise UserError(reason, hint=f"add {way_out}, or leave it out")
