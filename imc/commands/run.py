"""imc run: a program under its schedule, for real."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from imc.commands.numbers import Finite
from imc.commands.options import (
    ProgramCommand,
    load,
    mode_option,
    schedule_option,
    source_options,
    split_at_dashes,
)
from imc.errors import UserError
from imc.schedule.files import NEW_ONE, demand_assumptions, demand_same_program, read_schedule
from irs.errors import Deviation, Stalled

if TYPE_CHECKING:
    from imc.execution.run_result import RunResult
    from imc.execution.runs import Runs

NOT_VERIFIED, DEVIATED, INTERRUPTED, TERMINATED, BROKEN_PIPE = 3, 5, 130, 143, 141
ARGUMENTS = "imc.run.arguments"  # in click's context


class WithArguments(ProgramCommand):
    """What comes last after -- is the program's own affair; flags for clang have one more --."""

    after = "[-- [FLAGS --] ARGS]"
    files_after = False

    def flags(self, ctx: click.Context, given: list[str] | None) -> tuple[str, ...]:
        flags, arguments = split_at_dashes(given or [])
        if arguments is None:
            flags, arguments = [], flags
        ctx.meta[ARGUMENTS] = tuple(arguments)
        return tuple(flags)


@click.command(cls=WithArguments, short_help="Run a program under a schedule.")
@source_options
@schedule_option("The schedule to keep to, as imc verify --emit-schedule writes it.")
@click.option("--unconstrained", is_flag=True, help="Let the threads run as they like.")
@click.option(
    "--live",
    is_flag=True,
    help="Verify the program while it runs: it starts under the first schedule that is proved, and "
    "is permitted more as more is.",
)
@click.option(
    "--chart",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Draw what a live run does over time, as SVG.",
)
@click.option(
    "--backend",
    type=click.Choice(["python", "native"]),
    default="python",
    show_default=True,
    help="Python threads, or an executable made for the run (see also imc build).",
)
@click.option(
    "--input",
    "input_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Numbers for __VERIFIER_nondet_* and its like, in the order in which they are read.",
)
@click.option("--seed", type=int, metavar="N", help="Random numbers that are the same each time.")
@click.option(
    "--stdin",
    "stdin_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The program's standard input, instead of our own.",
)
@click.option(
    "--prefix",
    "events",
    type=click.IntRange(min=0),
    metavar="N",
    help="Keep to the schedule for its first N events only.",
)
@click.option("--trace", metavar="FILE", help="Record what happens (see imc replay).")
@click.option(
    "--time-limit",
    type=Finite(min=0, min_open=True),
    metavar="S",
    help="Stop after S seconds, and say how far the program has come.",
)
@click.option(
    "--runs",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    help="Run N times, or until one fails.",
)
@click.option(
    "--stall-limit",
    type=Finite(min=0),
    default=10.0,
    show_default=True,
    metavar="S",
    help="Tell who waits for whom when nothing has moved for S seconds, and stop if nobody "
    "computes either (0: never).",
)
@click.option(
    "--pin",
    is_flag=True,
    help="Keep to one core: Python runs one thread at a time anyway.",
)
@mode_option
@click.pass_context
def run(
    context: click.Context,
    /,
    sources: tuple[Path, ...],
    schedule_file: Path | None,
    unconstrained: bool,
    live: bool,
    chart: Path | None,
    backend: str,
    input_file: Path | None,
    seed: int | None,
    stdin_file: Path | None,
    events: int | None,
    trace: str | None,
    time_limit: float | None,
    runs: int,
    stall_limit: float,
    pin: bool,
    mode: str,
    json_file: str | None,
    **options: Any,
) -> None:
    """Run a program so that it does only what its schedule permits.

    The threads of the program are threads, and its output, exit status and failed assertions are
    those of the program. Where it would do what was not verified, it is stopped before.

    \b
    imc run examples/prodcons.c --schedule prodcons.sched.json --time-limit 5
    imc run prog.c --schedule prog.sched.json --input numbers.txt -- ARGS
    imc run prog.c --schedule prog.sched.json -- -std=c99 -UFOO -- ARGS
    imc run prog.c --schedule prog.sched.json --trace run.jsonl --seed 1
    imc run prog.c --schedule prog.sched.json --backend native
    imc run prog.c --unconstrained --runs 100
    imc run examples/prodcons.c --live --backend native --time-limit 5

    \b
    Exit codes: the program's own; 2 wrong use or bad input, 3 no schedule to
    start under was proved (--live), 5 the run deviated from the schedule or
    stalled, 130 interrupted, 143 terminated.
    """
    from imc.execution.mode import ThreadMode
    from imc.execution.runs import RunRequest, Runs

    if chart is not None and not live:
        raise UserError("only a live run is drawn as a chart")
    schedule = read_schedule(schedule_file) if schedule_file is not None else None
    request = RunRequest(
        schedule=schedule,
        unconstrained=unconstrained,
        live=live,
        prefix=events,
        native=backend == "native",
        mode=ThreadMode(mode),
        arguments=context.meta.get(ARGUMENTS, ()),
        inputs=input_file,
        seed=seed,
        stdin=stdin_file,
        trace=Path(trace) if trace is not None else None,
        time_limit=time_limit,
        stall_limit=stall_limit,
        runs=runs,
        pin=pin,
        sample=chart is not None,
        output_to_errors=json_file == "-",
        cc=options["cc"],
    )
    program = load(sources, options)
    if schedule is not None and schedule_file is not None:
        flags = not options["flags"] and any(a.startswith("-") for a in request.arguments)
        hint = f"flags for clang: -- {' '.join(request.arguments)} --" if flags else NEW_ONE
        demand_same_program(program, schedule, schedule_file, hint)
        demand_assumptions(program, schedule, schedule_file)
    execution = Runs(program, request, _say)
    if context.get_parameter_source("mode") is not ParameterSource.DEFAULT:
        _say(str(execution.mode))
    status = _run(execution)
    if execution.live is not None:
        execution.live.check(request.trace)
        status = status or (DEVIATED if execution.live.problem else 0)
    _write(execution, schedule_file, status, chart, json_file)
    sys.exit(status)


def _run(execution: Runs) -> int:
    """What imc ends with after all runs; says on standard error what nobody has said yet."""
    from imc.execution.live.live import NotVerified
    from imc.execution.surroundings import Terminated
    from imc.report.running import conclusion_lines

    try:
        last = execution.run()[-1]
    except KeyboardInterrupt:
        return INTERRUPTED
    except Terminated:
        return TERMINATED
    except NotVerified as reason:
        _say(f"no schedule was proved, so the program was not started: {reason}")
        return NOT_VERIFIED
    if last.error:
        _say(last.error, tool="")
    for line in conclusion_lines(execution):
        _say(line)
    return _status(last)


def _status(result: RunResult) -> int:
    """What imc ends with after a run; raises what is an error of ours."""
    from imc.execution.run_result import NotEnough

    match result.problem:
        case None:
            return result.exit_status
        case Deviation() | Stalled():
            return DEVIATED
        case NotEnough():
            return 2
        case BrokenPipeError():
            return BROKEN_PIPE
        case OSError() as problem:
            raise UserError(f"cannot write: {problem.strerror}")
        case problem:
            raise problem


def _say(text: str, tool: str = "imc: ") -> None:
    sys.stdout.flush()
    click.echo(tool + text, err=True)


def _write(
    execution: Runs,
    schedule: Path | None,
    status: int,
    chart: Path | None,
    json_file: str | None,
) -> None:
    from imc.report.document import write_document, write_file
    from imc.report.permitted import live_chart
    from imc.report.running import run_document

    if chart is not None and execution.live is not None:
        write_file(chart, live_chart(execution.live))
    if json_file is not None:
        name = None if schedule is None else str(schedule)
        write_document(run_document(execution, name, status), json_file)
