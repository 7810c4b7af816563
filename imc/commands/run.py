"""imc run: a program under its schedule, for real."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from imc.commands.options import (
    demand_same_program,
    load,
    mode_option,
    read_schedule,
    schedule_option,
    source_options,
)
from imc.errors import UserError
from imc.frontend.lower import NO_ARGUMENTS
from imc.program.program import Program
from irs.errors import BadSchedule, Deviation, Stalled
from irs.gate import Choose
from irs.order import prefix
from irs.plan import Plan
from irs.schedule import Schedule

if TYPE_CHECKING:
    from imc.run.ends import RunResult
    from imc.run.mode import Chosen

NOT_VERIFIED, DEVIATED, INTERRUPTED, TERMINATED, BROKEN_PIPE = 3, 5, 130, 143, 141
ARGUMENTS = "imc.run.arguments"  # in click's context


class WithArguments(click.Command):
    """What comes after -- is the program's own affair."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "--" in args:
            at = args.index("--")
            ctx.meta[ARGUMENTS] = tuple(args[at + 1 :])
            args = args[:at]
        return super().parse_args(ctx, args)


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
    type=click.FloatRange(min=0, min_open=True),
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
    type=click.FloatRange(min=0),
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
    imc run prog.c --schedule prog.sched.json --trace run.jsonl --seed 1
    imc run prog.c --schedule prog.sched.json --backend native
    imc run prog.c --unconstrained --runs 100
    imc run examples/prodcons.c --live --backend native --time-limit 5

    \b
    Exit codes: the program's own; 2 wrong use or bad input, 3 no schedule to
    start under was proved (--live), 5 the run deviated from the schedule or
    stalled, 130 interrupted, 143 terminated.
    """
    from imc.commands.live import LiveRun
    from imc.commands.native import run_natively
    from imc.live.live import NotVerified
    from imc.native.run import RunOptions as NativeOptions
    from imc.run.inputs import Inputs
    from imc.run.mode import Mode, choose_mode
    from imc.run.run import Runner, RunOptions
    from imc.run.surroundings import Output, Terminated, pinned, recording, terminable

    if (schedule_file is not None, unconstrained, live).count(True) != 1:
        raise UserError("either --schedule FILE, --unconstrained or --live is needed")
    if live and (runs > 1 or events is not None):
        raise UserError("--live is one run, and has no prefix of a schedule")
    if chart is not None and not live:
        raise UserError("only a live run is drawn as a chart")
    if input_file is not None and seed is not None:
        raise UserError("inputs come from --input or from --seed, not from both")
    if trace is not None and unconstrained:
        raise UserError("only a run under a schedule can be recorded")
    schedule = _schedule(schedule_file, events) if schedule_file is not None else None
    program = load(sources, options)
    arguments = context.meta.get(ARGUMENTS, ())
    if schedule is not None and schedule_file is not None:
        demand_same_program(program, schedule, schedule_file)
        if arguments and NO_ARGUMENTS in schedule.assumptions:
            _say(f"the schedule rests on an assumption that does not hold: {NO_ARGUMENTS}")
    how = choose_mode(program, schedule, Mode(mode), backend == "native")
    if context.get_parameter_source("mode") is not ParameterSource.DEFAULT:
        _say(str(how))
    output = Output(json_file == "-")
    on_threads = RunOptions(
        arguments=arguments,
        time_limit=time_limit,
        stall_s=stall_limit,
        choose=None if seed is None else _random_choice(seed),
        on_stall=lambda lines: _say("nothing has moved for a while: " + "; ".join(lines)),
        fibers=how.fibers,
    )
    natively = NativeOptions(
        arguments=arguments,
        inputs=input_file,
        seed=seed,
        seconds=time_limit,
        trace=Path(trace) if trace is not None else None,
        watchdog_s=stall_limit,
        stdin=stdin_file,
        output_to_errors=json_file == "-",
    )
    runner = Runner(program, Plan(schedule) if schedule is not None else None, on_threads)
    stdin = stdin_file.read_bytes() if stdin_file is not None else None
    results: list[RunResult] = []
    found: LiveRun | None = None
    ended = 0
    with pinned(pin), terminable():
        try:
            if live:
                found = LiveRun(program, arguments, stdin or b"", _say, chart)
                inputs = Inputs(seed, input_file, stdin)
                if backend == "native":
                    results = [found.natively(options["cc"], natively)]
                else:
                    results = [found.on_threads(on_threads, inputs, output.write, natively.trace)]
            elif backend == "native":
                results = run_natively(program, schedule, options["cc"], natively, runs, how)
            while not results or (len(results) < runs and not _status(results[-1])):
                inputs = Inputs(seed, input_file, stdin)
                with recording(trace, schedule) as recorder:
                    results.append(runner.run(inputs, output.write, recorder))
        except KeyboardInterrupt:
            ended = INTERRUPTED
        except Terminated:
            ended = TERMINATED
        except NotVerified as reason:
            _say(f"no schedule was proved, so the program was not started: {reason}")
            ended = NOT_VERIFIED
    output.flush()
    if how.fibers and results and not results[-1].fibers:
        how = replace(how, fibers=False, why="this machine cannot do fibers")
    status = ended or _conclude(results, runs, time_limit, how, told=backend == "native")
    if found is not None:
        found.check(natively.trace)
        found.draw()
        status = status or (DEVIATED if found.problem else 0)
    if json_file is not None:
        more = found.document() if found is not None else {}
        _write_document(json_file, program, schedule_file, backend, how, results, status, more)
    sys.exit(status)


def _schedule(path: Path, events: int | None) -> Schedule:
    schedule = read_schedule(path)
    try:
        return schedule if events is None else prefix(schedule, events)
    except BadSchedule as problem:
        raise UserError(
            str(problem), hint="imc verify --optimise opt0 leaves nothing out"
        ) from None


def _random_choice(seed: int) -> Choose:
    """Where a schedule leaves the choice to us, with a seed it is made at random."""
    source = Random(seed)
    return lambda thread, site, sections: source.choice(sections)


# -------------------------------------------------------------------------- the result


def _status(result: RunResult) -> int:
    """What imc ends with after a run; raises what is an error of ours."""
    from imc.run.ends import NotEnough

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


def _conclude(
    results: list[RunResult], runs: int, time_limit: float | None, how: Chosen, told: bool
) -> int:
    """Says on standard error what the program, and a run-time that has `told` it, did not say."""
    last = results[-1]
    if last.error:
        _say(last.error, tool="")
    problem = None if told else last.problem
    if isinstance(problem, Deviation):
        _say(f"the run deviated from its schedule: {problem}")
    elif problem is not None and not isinstance(problem, BrokenPipeError):
        _say(str(problem))
    for thread in last.stuck:
        _say(f"a thread has stopped: {thread}")
    if last.out_of_time:
        _say(f"stopped after {time_limit:g} s ({how.name}): {_figures(last)}")
    if runs > 1:
        time_s = sum(result.time_s for result in results)
        _say(f"{len(results)} of {runs} runs in {time_s:.2f} s")
    return _status(last)


def _figures(result: RunResult) -> str:
    events = sum(result.events.values())
    threads = ", ".join(f"{name} {count}" for name, count in result.events.items())
    sections = f", {result.sections} sections" if result.sections else ""
    return f"{events} events, {events / result.time_s:.0f} per second ({threads}){sections}"


def _say(text: str, tool: str = "imc: ") -> None:
    sys.stdout.flush()
    click.echo(tool + text, err=True)


def _write_document(
    target: str,
    program: Program,
    schedule: Path | None,
    backend: str,
    how: Chosen,
    results: list[RunResult],
    status: int,
    more: dict[str, Any],
) -> None:
    from imc.report.document import write_document

    last = results[-1] if results else None
    problem = last.problem if last is not None else None
    deviation = None
    if isinstance(problem, Deviation):
        deviation = {
            "thread": problem.thread,
            "event": problem.event,
            "section": problem.section,
            "expected": list(problem.expected),
        }
    write_document(
        {
            "program": program.name,
            "digest": program.digest,
            "schedule": None if schedule is None else str(schedule),
            "backend": backend,
            "mode": how.name,
            "mode_reason": how.why,
            "runs": len(results),
            "events": sum(sum(result.events.values()) for result in results),
            "gated_events": sum(result.gated for result in results),
            "threads": last.events if last is not None else {},
            "sections": sum(result.sections for result in results),
            "time_s": round(sum(result.time_s for result in results), 4),
            "exit_status": status,
            "error": last.error or None if last is not None else None,
            "deviation": deviation,
            "stalled": list(problem.lines) if isinstance(problem, Stalled) else None,
            "stopped_threads": last.stuck if last is not None else [],
            "out_of_time": last is not None and last.out_of_time,
            **more,
        },
        target,
    )
