"""From a program and its schedule to an executable: instrument, compile, link with the run-time."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from imc.execution.native.instrument import Instrumented
from imc.execution.native.operations import Operations
from imc.execution.native.toolchain import Toolchain, write_whole
from imc.frontend.clang import CompilerOptions, find_compiler
from imc.program.analysis.cooperation import asks_who_it_is
from imc.program.analysis.sharing import Sharing
from imc.program.code import Site
from imc.program.program import Program
from imc.schedule.files import arguments_of
from irs.native.tables import ALIKE, DEMANDED, FIBERS, THREADS, encode
from irs.schedule import GATED, Schedule

SUFFIX, INPUTS = ".irs", ".input"


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """How an executable is made.

    `embed`: the schedule becomes part of it, instead of a file beside it. `inline`: gates are
    inlined, instead of called. `count`: lines of the source whose operations are counted,
    `useful`: single operations that are. `link`: what else the linker is given. `fibers`: its
    threads share one core, where the machine can do that; `demanded`: else it does not run.
    `inputs`: what it reads, unless IRS_INPUT says otherwise. `debug`: for debuggers, not for speed.
    """

    compiler: CompilerOptions = CompilerOptions()  # noqa: RUF009 (immutable)
    embed: bool = False
    inline: bool = True
    count: tuple[int, ...] = ()
    useful: frozenset[Site] = frozenset()
    link: tuple[str, ...] = ()
    fibers: bool = False
    demanded: bool = False
    inputs: tuple[int, ...] = ()
    debug: bool = False


@dataclass(frozen=True, slots=True)
class Built:
    """What was made: the executable, and the file of the schedule's tables unless embedded.

    `gates` is how many operations have one, `left_out` how many are not performed.
    """

    executable: Path
    tables: Path | None
    gates: int
    left_out: int


def build(
    program: Program,
    schedule: Schedule | None,
    output: Path,
    describe: Callable[[Sharing, str, int], str],
    options: BuildOptions | None = None,
) -> Built:
    """Makes an executable; without a schedule its threads run as the system lets them."""
    options = options or BuildOptions()
    operations = Operations(program, schedule, describe)
    counted = [
        o
        for o in operations.all
        if (o.loc and o.loc.line in options.count) or (o.function.name, o.pc) in options.useful
    ]
    instrumented = Instrumented(operations, {o.number: n for n, o in enumerate(counted)})
    tables = b""
    if schedule is not None:
        mode = _mode(program, options)
        arguments = arguments_of(schedule)
        tables = encode(schedule, operations.sites, operations.digest, mode, arguments=arguments)
    beside = output.with_name(output.name + SUFFIX) if tables and not options.embed else None
    plan = str(beside.absolute()) if beside is not None else tables
    given = output.with_name(output.name + INPUTS) if options.inputs else None
    with tempfile.TemporaryDirectory(prefix="imc-") as folder:
        compiler = find_compiler(options.compiler)
        tools = Toolchain(compiler, Path(folder), options.inline, options.debug)
        objects = [tools.compile_module(text) for text in instrumented.texts.values()]
        texts = [o.text for o in counted]
        read = str(given.absolute()) if given is not None else ""
        sharing = operations.sharing
        shared = bool(sharing.shared_thread_locals) or sharing.cancelling.ends_matter
        cells = len(operations.cells)
        objects.append(tools.compile_data(operations.digest, plan, texts, cells, shared, read))
        tools.link(objects, output, options.link, program.libraries)
    if beside is not None:
        write_whole(beside, tables)
    if given is not None:
        write_whole(given, "".join(f"{n}\n" for n in options.inputs).encode())
    gates = sum(o.known and o.action in GATED for o in operations.all)
    left_out = sum(o.action in ("skip", "pass") for o in operations.all)
    return Built(output, beside, gates, left_out)


def _mode(program: Program, options: BuildOptions) -> int:
    if not options.fibers:
        return THREADS
    return FIBERS | DEMANDED * options.demanded | ALIKE * (not asks_who_it_is(program))
