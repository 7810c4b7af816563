"""The command line: options in, one call, report out."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import click

from imc import __version__
from imc.errors import UserError
from imc.explore import Limits, explore_exhaustively
from imc.frontend import FrontendOptions, load_program
from imc.frontend.cache import Cache
from imc.frontend.clang import CompilerOptions, compiler_identity
from imc.frontend.lower import NO_ARGUMENTS, NO_INPUT, NO_SPURIOUS
from imc.program.analysis.sharing import Sharing
from imc.program.faults import DEFAULT_PROPERTIES, Property
from imc.program.interpreter import Interpreter
from imc.program.program import Assumption, Program
from imc.program.settings import Settings
from imc.program.verdict import EXIT_CODES
from imc.report.document import exploration_document, write_document, write_file
from imc.report.dot import to_dot
from imc.report.progress import ProgressLine
from imc.report.show import control_flow, show_document, show_text
from imc.report.summary import exploration_text
from imc.report.svg import to_svg

BAD_INPUT, INTERRUPTED, INTERNAL = 2, 130, 70
MOST_INPUTS = 1000
F = TypeVar("F", bound=Callable[..., Any])

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 80}


def _version(context: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if wanted:
        clang = compiler_identity(CompilerOptions(), Cache.default())
        _print(f"imc {__version__}, reading C with {clang}")
        context.exit()


@click.group(context_settings=CONTEXT)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_version,
    help="Show the versions of imc and of its clang.",
)
def cli() -> None:
    """Model checking of threaded C programs.

    \b
    imc show prog.c              its threads, events and shared variables
    imc explore prog.c           explore every interleaving
    imc explore prog.c --count   ... and count executions and traces

    \b
    Exit codes: 0 safe, 1 unsafe, 2 wrong use or bad input, 3 unknown,
    70 an error of imc itself, 130 interrupted.
    """


def _defines(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...]:
    for value in values:
        if not re.match(r"[A-Za-z_]\w*(\(.*\))?(=.*)?$", value, re.DOTALL):
            raise click.BadParameter(f"'{value}' is not NAME or NAME=VALUE")
    return values


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
    for option in reversed(options):
        command = option(command)
    return command


def load(sources: tuple[Path, ...], options: dict[str, Any]) -> Program:
    compiler = CompilerOptions(
        cc=options["cc"],
        include=options["includes"],
        define=options["defines"],
        bits=options["bits"],
    )
    return load_program(list(sources), FrontendOptions(compiler, options["strict"]))


# ------------------------------------------------------------------------ show


@cli.command()
@source_options
@click.option(
    "--dot",
    "dot_file",
    metavar="FILE",
    help="Write the control flow for Graphviz ('-': standard output).",
)
@click.option("--svg", "svg_file", metavar="FILE", help="Write the control flow as a picture.")
def show(
    sources: tuple[Path, ...],
    json_file: str | None,
    dot_file: str | None,
    svg_file: str | None,
    **options: Any,
) -> None:
    """Show a program's threads, events, shared variables, locks and loops.

    \b
    imc show examples/prodcons.c
    imc show examples/peterson.c --svg peterson.svg
    """
    if (json_file, dot_file, svg_file).count("-") > 1:
        raise UserError("only one of --json, --dot and --svg can go to standard output")
    sharing = Sharing(load(sources, options))
    for target, draw in ((dot_file, to_dot), (svg_file, to_svg)):
        if target is not None:
            text = draw(control_flow(sharing))
            _print(text) if target == "-" else write_file(Path(target), text)
    if json_file is not None:
        write_document(show_document(sharing), json_file)
    if "-" not in (json_file, dot_file, svg_file):
        _print(show_text(sharing))


# --------------------------------------------------------------------- explore


def _inputs(context: click.Context, parameter: click.Parameter, value: str) -> tuple[int, ...]:
    """ "0,1,5..8" as numbers."""
    numbers: list[int] = []
    try:
        for part in value.split(","):
            low, dots, high = part.partition("..")
            values = range(int(low, 0), int(high if dots else low, 0) + 1)
            if len(values) > MOST_INPUTS:
                raise click.BadParameter(f"'{part}' are more than {MOST_INPUTS} values")
            numbers.extend(values)
    except ValueError:
        raise click.BadParameter(f"'{value}' is not a list such as 0,1,5..8") from None
    if not numbers:
        raise click.BadParameter("it names no value")
    return tuple(dict.fromkeys(numbers))


PROPERTIES = click.Choice([str(p) for p in Property])


@cli.command()
@source_options
@click.option(
    "--algorithm", type=click.Choice(["exhaustive"]), default="exhaustive", show_default=True
)
@click.option(
    "--stateful/--count",
    default=True,
    help="Visit every state once (default), or run and count every execution.",
)
@click.option(
    "--bound-loops",
    type=click.IntRange(min=0),
    metavar="N",
    help="Repeat loops at most N times.",
)
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0, min_open=True),
    metavar="S",
    help="Stop after S seconds.",
)
@click.option(
    "--max-executions",
    type=click.IntRange(min=1),
    metavar="N",
    help="Stop after N executions (with --count).",
)
@click.option(
    "--check",
    multiple=True,
    type=PROPERTIES,
    metavar="PROPERTY",
    help="Check this property too: race or overflow.",
)
@click.option(
    "--no-check",
    multiple=True,
    type=PROPERTIES,
    metavar="PROPERTY",
    help=f"Do not check this property: {', '.join(sorted(DEFAULT_PROPERTIES))}.",
)
@click.option(
    "--max-threads",
    type=click.IntRange(min=1, max=64),
    metavar="N",
    help="Create at most N threads, and go on without the others.",
)
@click.option(
    "--inputs",
    default="0,1,2",
    show_default=True,
    callback=_inputs,
    metavar="LIST",
    help="Values of nondeterministic integers, e.g. 0,1,5..8.",
)
@click.option(
    "--spurious-wakeups", is_flag=True, help="Condition variables may wake without a signal."
)
@click.option(
    "--arg", "arguments", multiple=True, metavar="WORD", help="An argument of the program."
)
@click.option(
    "--stdin",
    "stdin_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The program's standard input.",
)
def explore(
    sources: tuple[Path, ...],
    algorithm: str,
    stateful: bool,
    bound_loops: int | None,
    max_threads: int | None,
    time_limit: float | None,
    max_executions: int | None,
    check: tuple[str, ...],
    no_check: tuple[str, ...],
    inputs: tuple[int, ...],
    spurious_wakeups: bool,
    arguments: tuple[str, ...],
    stdin_file: Path | None,
    json_file: str | None,
    **options: Any,
) -> None:
    """Explore every interleaving of a program and say whether one goes wrong.

    \b
    imc explore examples/lost_update.c
    imc explore examples/peterson.c --count
    imc explore examples/bank_race.c --check race
    imc explore prog.c lib.c -I include -DN=3 --time-limit 60 --json -
    """  # fmt: skip
    program = load(sources, options)
    settings = Settings(
        properties=(DEFAULT_PROPERTIES | {Property(c) for c in check})
        - {Property(c) for c in no_check},
        loop_bound=bound_loops,
        max_threads=max_threads,
        inputs=inputs,
        spurious_wakeups=spurious_wakeups,
        arguments=arguments,
        stdin=stdin_file.read_bytes() if stdin_file else b"",
    )
    interpreter = Interpreter(program, settings)
    limits = Limits(time_limit, max_executions)
    progress = ProgressLine()
    result = explore_exhaustively(interpreter, stateful, limits, progress.update)
    progress.clear()
    assumptions = _assumptions(program, settings)
    if json_file is not None:
        write_document(exploration_document(interpreter, result, assumptions), json_file)
    if json_file != "-":
        _print(exploration_text(interpreter, result, assumptions, _width()))
    sys.exit(EXIT_CODES[result.verdict])


def _assumptions(program: Program, settings: Settings) -> list[Assumption]:
    """What the verdict rests on, less what the options have lifted."""
    lifted = {
        NO_SPURIOUS: settings.spurious_wakeups,
        NO_INPUT: bool(settings.stdin),
        NO_ARGUMENTS: bool(settings.arguments),
    }
    return [a for a in program.assumptions if not lifted.get(a.text)]


def _width() -> int:
    return shutil.get_terminal_size((80, 24)).columns if sys.stdout.isatty() else 80


# ------------------------------------------------------------------------ main


def main() -> None:
    """Runs the command; every foreseen error is one line and a documented exit code."""
    for name in ("stdout", "stderr"):  # a closed stream must not keep us from working
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115 (open to the end)
    try:
        with cli.make_context("imc", sys.argv[1:]) as context:
            cli.invoke(context)
        sys.stdout.flush()
    except (KeyboardInterrupt, click.exceptions.Abort):
        _fail("interrupted", INTERRUPTED)
    except click.exceptions.NoArgsIsHelpError as error:
        _print(error.format_message())
        sys.exit(BAD_INPUT)
    except click.ClickException as error:
        path = (
            error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "imc"
        )
        _fail(f"{error.format_message()} (see '{path} --help')", BAD_INPUT)
    except click.exceptions.Exit as leave:
        sys.exit(leave.exit_code)
    except UserError as error:
        _fail(str(error), BAD_INPUT)
    except RecursionError:
        _fail("the program nests too deeply for imc", BAD_INPUT)
    except MemoryError:
        _fail("out of memory; bound the exploration, e.g. by --bound-loops", BAD_INPUT)
    except OSError as error:
        _silence_output()
        _fail(f"cannot write the result: {error.strerror}", BAD_INPUT)
    except Exception as error:  # the last resort: an error of ours is one line too
        if os.environ.get("IMC_DEBUG"):
            raise
        _fail(
            f"internal error: {type(error).__name__}: {error} "
            "(please report it; IMC_DEBUG=1 shows where it comes from)",
            INTERNAL,
        )


def _print(text: str) -> None:
    """Prints a result; a reader that has left does not change what we found."""
    try:
        click.echo(text)
    except BrokenPipeError:
        _silence_output()


def _silence_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, code: int) -> NoReturn:
    line = message.replace("\n", "\\n")
    sys.stderr.write(f"imc: {line}\n")
    sys.exit(code)
