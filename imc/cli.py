"""The command line: options in, one call, report out."""

from __future__ import annotations

import gc
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import NoReturn

import click

from imc.commands.terminal import print_text, silence_output
from imc.errors import UserError
from imc.interrupts import heed_interrupts
from imc.version import VERSION

BAD_INPUT, INTERRUPTED, INTERNAL = 2, 130, 70

# Collections: trees of nodes live long, and to look through them again and again takes a third
# of the time of a large verification.
RARELY = (100_000, 20, 100)
COMMANDS = ("bench", "build", "check", "explore", "replay", "run", "show", "tune", "verify")
CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 80}


class Commands(click.Group):
    """The commands, of which only the one that is called is imported: others have their solvers."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        found = getattr(import_module(f"imc.commands.{cmd_name}"), cmd_name)
        assert isinstance(found, click.Command)
        return found


def _version(context: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if wanted:
        from imc.frontend.cache import Cache
        from imc.frontend.clang import CompilerOptions, compiler_identity

        clang = compiler_identity(CompilerOptions(), Cache.default())
        print_text(f"imc {VERSION}, reading C with {clang}")
        context.exit()


@click.group(cls=Commands, context_settings=CONTEXT)
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
    imc verify prog.c            prove schedules safe for every input
    imc check prog.c FILE        check a schedule's proof independently
    imc run prog.c               run it under a schedule
    imc build prog.c -o prog     an executable that keeps to a schedule
    imc bench prog.c             what keeping to a schedule costs
    imc tune prog.c              find the schedule that is fastest
    imc explore prog.c           explore every interleaving
    imc explore prog.c --count   ... and count executions and traces
    imc verify a.c b.c -- FLAGS  with flags for clang, such as -std=c99

    \b
    Exit codes: 0 safe, 1 unsafe, 2 wrong use or bad input, 3 unknown,
    4 partially safe, and there is an error outside of the schedules,
    5 a run deviated or stalled, 6 partially safe, and the rest is not proved,
    70 an error of imc itself, 130 interrupted.
    """


def main() -> None:
    """Runs the command; every foreseen error is one line and a documented exit code."""
    for name in ("stdout", "stderr"):  # a closed stream must not keep us from working
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115 (open to the end)
    gc.set_threshold(*RARELY)
    gc.enable()
    heed_interrupts()
    try:
        with cli.make_context("imc", sys.argv[1:]) as context:
            cli.invoke(context)
        sys.stdout.flush()
    except (KeyboardInterrupt, click.exceptions.Abort):
        _fail("interrupted", INTERRUPTED)
    except click.exceptions.NoArgsIsHelpError as error:
        print_text(error.format_message())
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
        silence_output()
        _fail(f"cannot write the result: {error.strerror}", BAD_INPUT)
    except Exception as error:  # the last resort: an error of ours is one line too
        if os.environ.get("IMC_DEBUG"):
            raise
        from imc.commands.reproduction import save

        saved = save(error, sys.argv[1:])
        report = f" with {saved}" if saved is not None else ""
        _fail(
            f"internal error: {type(error).__name__}: {error} "
            f"(please report it{report}; IMC_DEBUG=1 shows where it comes from)",
            INTERNAL,
        )


def _fail(message: str, code: int) -> NoReturn:
    line = message.replace("\n", "\\n")
    sys.stderr.write(f"imc: {line}\n")
    sys.exit(code)
