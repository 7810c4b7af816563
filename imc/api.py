"""The Python API: what the commands do, as functions.

    result = imc.explore("prog.c", algorithm="optimal-await", time_limit=10)

A program is a file, several files (none, if `compile_commands` names them), or what `load` has made
of them. Options have the names and
defaults that they have on the command line: `--bound-loops 3` is `bound_loops=3`, and an option
that can be given several times takes a sequence. Bad input raises `imc.errors.UserError`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypedDict, Unpack

from imc.errors import UserError
from imc.explorer import Exploration, Limits, Reduction
from imc.explorer.request import ExploreRequest
from imc.frontend import FrontendOptions, load_program
from imc.frontend.cache import Cache
from imc.frontend.clang import CompilerOptions
from imc.program.faults import properties
from imc.program.interpreter import Interpreter
from imc.program.program import Program
from imc.program.settings import Settings, wakeups
from imc.schedule.files import demand_assumptions, demand_same_program, read_schedule
from irs.schedule import Schedule

if TYPE_CHECKING:
    from imc.checker.check import Acceptance
    from imc.execution.builds import Executable
    from imc.execution.runs import Runs
    from imc.schedule.prefix import TracePrefixes
    from imc.verifier.iteration import Verification

__all__ = [
    "build",
    "check",
    "counterexample",
    "explore",
    "load",
    "run",
    "trace_prefixes",
    "verify",
]

Source: TypeAlias = "Program | str | Path | Iterable[str | Path]"


class Reading(TypedDict, total=False):
    """How C is read; a program that is already loaded takes none of it."""

    define: Sequence[str]  # "NAME" or "NAME=VALUE"
    include: Sequence[str | Path]  # folders of headers
    cc: str | None  # the clang to use
    bits: int  # data model: 64 or 32
    flags: Sequence[str]  # further flags for clang: what comes after -- in commands
    strict: bool  # refuse functions that nobody defines
    stubs: Sequence[str | Path]  # C files that define what nobody else does
    compile_commands: str | Path | None  # how a build system compiles the files, or all of them
    target: str | None  # which program of compile_commands
    cache: Cache | None  # of compiled IR


class Checking(Reading, total=False):
    """What is checked, and what surrounds the program."""

    check: Sequence[str]  # properties besides the usual ones, e.g. "race"
    no_check: Sequence[str]  # properties that do not count
    max_threads: int | None  # create at most so many threads, and go on without the others
    spurious_wakeups: bool | None  # all waits may end without a signal, or none may
    arguments: Sequence[str]  # of the program
    stdin: bytes | str | Path  # the program's standard input: bytes, or a file


def load(sources: Source, **options: Unpack[Reading]) -> Program:
    """Reads C, preprocessed C or LLVM IR; what it returns can be handed to all other functions."""
    if isinstance(sources, Program):
        if options:
            raise TypeError(f"the program is loaded already: {', '.join(options)} come too late")
        return sources
    return _load(sources, **options)


def _load(
    sources: str | Path | Iterable[str | Path],
    define: Sequence[str] = (),
    include: Sequence[str | Path] = (),
    cc: str | None = None,
    bits: int = 64,
    flags: Sequence[str] = (),
    strict: bool = False,
    stubs: Sequence[str | Path] = (),
    compile_commands: str | Path | None = None,
    target: str | None = None,
    cache: Cache | None = None,
) -> Program:
    paths = [sources] if isinstance(sources, (str, Path)) else sources
    compiler = CompilerOptions(
        cc=cc,
        include=tuple(map(str, include)),
        define=tuple(define),
        bits=bits,
        flags=tuple(flags),
    )
    options = FrontendOptions(
        compiler,
        strict,
        stubs=tuple(Path(p) for p in stubs),
        compile_commands=None if compile_commands is None else Path(compile_commands),
        target=target,
    )
    return load_program([Path(p) for p in paths], options, cache)


def explore(
    program: Source,
    *,
    algorithm: str = "auto",
    count: bool = False,
    traces: bool = False,
    plp: bool = True,
    awaits: bool = True,
    ifaa: bool = True,
    lapor: bool = True,
    shuffle: int | None = None,
    bound_loops: int | None = None,
    inputs: Sequence[int] = (0, 1, 2),
    time_limit: float | None = None,
    max_executions: int | None = None,
    memory_limit: float | None = None,
    core: str = "native",
    emit_schedule: str | Path | None = None,
    optimise: str = "opt3",
    progress: Callable[[Exploration], None] | None = None,
    **options: Unpack[Checking],
) -> Exploration:
    """Explores every interleaving, and says whether one goes wrong.

    `core` is what explores, where it can: "native" or "python"; results do not depend on it.
    `plp`, `awaits`, `ifaa` and `lapor` are what `--no-plp` and its like turn off;
    `shuffle` is the seed of another order of threads. With `emit_schedule`, an order of events
    after which all is known to be safe is written to that file, less and less of it as more is
    explored.
    """
    limits = Limits(time_limit, max_executions, memory_mb=memory_limit)
    reduction = Reduction(plp, awaits, shuffle, traces, lapor)
    recorded = emit_schedule is not None
    request = ExploreRequest(algorithm, count, reduction, ifaa, limits, recorded, core)
    loaded, settings = _loaded(program, **options)
    settings = replace(settings, loop_bound=bound_loops, inputs=tuple(inputs))
    interpreter = Interpreter(loaded, request.settings(settings))
    if emit_schedule is None:
        return request.explore(interpreter, progress)
    from imc.schedule.emission import PrefixEmission

    return PrefixEmission(interpreter, Path(emit_schedule), optimise, limits, progress).explore()


def trace_prefixes(
    program: Source,
    *,
    optimise: str = "opt3",
    bound_loops: int | None = None,
    inputs: Sequence[int] = (0, 1, 2),
    time_limit: float | None = None,
    progress: Callable[[Exploration], None] | None = None,
    **options: Unpack[Checking],
) -> TracePrefixes:
    """The schedules that `explore` emits, one by one; `result` is the exploration so far."""
    from imc.schedule.prefix import trace_prefixes

    loaded, settings = _loaded(program, **options)
    request = ExploreRequest(limits=Limits(time_limit), recorded=True)
    settings = replace(settings, loop_bound=bound_loops, inputs=tuple(inputs))
    interpreter = Interpreter(loaded, request.settings(settings))
    return trace_prefixes(interpreter, optimise, request.limits, progress)


def verify(
    program: Source,
    *,
    until: str = "verdict",
    iterations: int | None = None,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    strategy: str = "round-robin",
    interpolation: Sequence[str] = ("wp", "farkas", "spacer"),
    emit_schedule: str | Path | None = None,
    optimise: str = "opt3",
    progress: Callable[[str], None] | None = None,
    **options: Unpack[Checking],
) -> Verification:
    """An iterator over verified schedules as they are found; `outcome` is what they amount to.

    `verify(...).run()` finds all of them at once. With `emit_schedule`, each is written to that
    file in the place of the one before.
    """
    from imc.explorer.hunt import Hunt
    from imc.schedule.emission import EmittingVerification
    from imc.verifier.iteration import Verification
    from imc.verifier.options import Until, VerifyOptions

    loaded, settings = _loaded(program, **options)
    chosen = VerifyOptions(
        until=Until(_one_of("until", until, tuple(Until))),
        iterations=iterations,
        time_s=time_limit,
        memory_mb=memory_limit,
        strategy=strategy,
        interpolation=tuple(interpolation),
        progress=progress,
        hunt=Hunt,
    )
    if emit_schedule is None:
        return Verification(loaded, settings, chosen)
    return EmittingVerification(loaded, settings, chosen, Path(emit_schedule), optimise)


def check(
    program: Source,
    schedule: Schedule | str | Path,
    *,
    time_limit: float | None = None,
    **options: Unpack[Checking],
) -> Acceptance:
    """Proves a schedule anew, with another solver than the one that found it.

    Raises `imc.checker.refusal.Rejected` with the claim that fails, or `Undecided`.
    """
    from imc.checker.check import check_schedule, proved_properties
    from imc.checker.deadline import Deadline

    deadline = Deadline(time_limit)
    loaded, settings = _loaded(program, **options)
    claims = options.get("check", ()), options.get("no_check", ())
    given = schedule if isinstance(schedule, Schedule) else read_schedule(Path(schedule))
    demand_same_program(loaded, given)
    settings = replace(settings, properties=proved_properties(given, *claims))
    return check_schedule(loaded, given, settings, deadline)


def run(
    program: Source,
    *,
    schedule: Schedule | str | Path | None = None,
    unconstrained: bool = False,
    live: bool = False,
    prefix: int | None = None,
    backend: str = "python",
    mode: str = "auto",
    arguments: Sequence[str] = (),
    inputs: str | Path | None = None,
    seed: int | None = None,
    stdin: str | Path | None = None,
    trace: str | Path | None = None,
    time_limit: float | None = None,
    stall_limit: float = 10.0,
    runs: int = 1,
    pin: bool = False,
    say: Callable[[str], None] = print,
    **options: Unpack[Reading],
) -> Runs:
    """Runs a program under a schedule, unconstrained, or `live`: verified while it runs.

    Its output goes where ours does. `last` is how it ended: with the program's exit status, or
    with a `problem` if it was stopped before it did what was not verified. `say` is given lines
    for the user.
    """
    from imc.execution.mode import ThreadMode
    from imc.execution.runs import RunRequest, Runs

    loaded = load(program, **options)
    request = RunRequest(
        schedule=None if schedule is None else _schedule(loaded, schedule),
        unconstrained=unconstrained,
        live=live,
        prefix=prefix,
        native=_one_of("backend", backend, ("python", "native")) == "native",
        mode=ThreadMode(_one_of("mode", mode, tuple(ThreadMode))),
        arguments=tuple(arguments),
        inputs=None if inputs is None else Path(inputs),
        seed=seed,
        stdin=None if stdin is None else Path(stdin),
        trace=None if trace is None else Path(trace),
        time_limit=time_limit,
        stall_limit=stall_limit,
        runs=runs,
        pin=pin,
        cc=options.get("cc"),
    )
    execution = Runs(loaded, request, say)
    execution.run()
    return execution


def build(
    program: Source,
    *,
    output: str | Path,
    schedule: Schedule | str | Path | None = None,
    unconstrained: bool = False,
    replay: str | Path | None = None,
    debug: bool = False,
    embed: bool = False,
    count: Sequence[int] = (),
    calls: bool = False,
    mode: str = "auto",
    **options: Unpack[Reading],
) -> Executable:
    """Builds an executable whose threads keep to a schedule, replay an error, or run freely."""
    from imc.execution.builds import BuildRequest, build_executable
    from imc.execution.mode import ThreadMode
    from imc.schedule.replaying import replay_of

    loaded = load(program, **options)
    chosen = None if schedule is None else _schedule(loaded, schedule)
    inputs: tuple[int, ...] = ()
    if replay is not None:
        if chosen is not None:
            raise UserError("schedule and replay exclude each other")
        found = replay_of(loaded, Path(replay))
        chosen, inputs = found.schedule, found.inputs
    request = BuildRequest(
        Path(output),
        chosen,
        unconstrained,
        embed,
        tuple(count),
        calls,
        ThreadMode(_one_of("mode", mode, tuple(ThreadMode))),
        options.get("cc"),
        inputs,
        debug or replay is not None,
    )
    return build_executable(loaded, request)


def counterexample(found: Exploration | Verification, width: int = 80) -> str:
    """How it goes wrong, with a column per thread; empty if it does not."""
    from imc.report.trace import counterexample_text

    violation = found if isinstance(found, Exploration) else found.outcome.violation
    if violation is None or violation.fault is None or violation.image is None:
        return ""
    return counterexample_text(violation.image, violation.trace, violation.fault, width)


def _loaded(
    program: Source,
    check: Sequence[str] = (),
    no_check: Sequence[str] = (),
    max_threads: int | None = None,
    spurious_wakeups: bool | None = None,
    arguments: Sequence[str] = (),
    stdin: bytes | str | Path = b"",
    **options: Unpack[Reading],
) -> tuple[Program, Settings]:
    """The program, and the settings that it is asked to be looked at with."""
    settings = Settings(
        properties=properties(check, no_check),
        max_threads=max_threads,
        wakeups=wakeups(spurious_wakeups),
        arguments=tuple(arguments),
        stdin=stdin if isinstance(stdin, bytes) else Path(stdin).read_bytes(),
    )
    return load(program, **options), settings


def _schedule(program: Program, given: Schedule | str | Path) -> Schedule:
    """A schedule that this program can be run under, from a file or not."""
    path = None if isinstance(given, Schedule) else Path(given)
    schedule = given if isinstance(given, Schedule) else read_schedule(Path(given))
    demand_same_program(program, schedule, path)
    demand_assumptions(program, schedule, path)
    return schedule


def _one_of(option: str, word: str, words: Sequence[str]) -> str:
    if word not in words:
        raise UserError(f"{option} cannot be '{word}'", hint=f"it is one of {', '.join(words)}")
    return word
