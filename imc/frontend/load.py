"""The front end's one entry: source files in, a program out."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from imc.errors import SourceLoc, Unsupported, UserError
from imc.frontend.cache import Cache
from imc.frontend.clang import CompilerOptions, compile_to_ir
from imc.frontend.identity import identify
from imc.frontend.ir.module import Module
from imc.frontend.ir.reader import read_module
from imc.frontend.link import LOCAL, TABLES, add_libc, defined_names, link
from imc.frontend.lower import Lowering
from imc.frontend.project import Project
from imc.program.program import Program


@dataclass(frozen=True, slots=True)
class FrontendOptions:
    """How C becomes a program."""

    compiler: CompilerOptions = field(default_factory=CompilerOptions)
    strict: bool = False  # refuse functions that nobody defines
    stubs: tuple[Path, ...] = ()  # define what the sources leave undefined, and all of it
    entry: str = "main"
    compile_commands: Path | None = None  # how a build system compiles the sources, or all files
    target: str | None = None  # which of its programs

    def __post_init__(self) -> None:
        if self.target is not None and self.compile_commands is None:
            raise UserError(
                "--target chooses a program of a project", hint="give --compile-commands FILE, too"
            )


def load_program(
    sources: list[Path], options: FrontendOptions | None = None, cache: Cache | None = None
) -> Program:
    """Compiles, reads and links the files; raises UserError for whatever is wrong with them."""
    options = options or FrontendOptions()
    cache = cache or Cache.default()
    libraries = options.compiler.sorted_flags().link
    if options.compile_commands is not None:
        project = Project(options.compile_commands, options.compiler, cache)
        files = project.files(sources, options.target)
        libraries = project.libraries
    else:
        files = [(source, compile_to_ir(source, options.compiler, cache)) for source in sources]
    if not files:
        raise UserError("a program has at least one file")
    for path in options.stubs:
        if path.is_file() and path.stat().st_size == 0:
            hint = "define the functions in it that the program leaves undefined"
            raise UserError(f"the stubs {path} are empty", hint=hint)
    stubs = [(path, compile_to_ir(path, options.compiler, cache)) for path in options.stubs]
    modules = []
    for source, text in (*files, *stubs):
        modules.append(read_module(text, str(source)))
        _refuse_labels(source)
    for stub in modules[len(files) :]:
        _refuse_definitions(stub, modules[: len(files)])
    module = add_libc(link(modules), options.compiler, cache)
    strict = options.strict or bool(options.stubs)
    lowering = Lowering(module, strict)
    program = lowering.program(options.entry)
    tables = {n: repr(module.globals[n].initializer) for n in TABLES if n in module.globals}
    identity = identify(
        module.texts,
        module.origins,
        lowering.reachable - tables.keys(),
        defined_names(module),
        (options.entry, *(f"{name} {rows}" for name, rows in tables.items())),
    )
    program.digest = identity.digest
    program.function_hashes, program.variable_hashes = identity.functions, identity.variables
    program.libraries = libraries
    return program


def _refuse_definitions(stubs: Module, program: list[Module]) -> None:
    """Stubs stand for what is not there; whoever defines something twice means something else."""
    for module in program:
        for name, function in stubs.functions.items():
            own = module.functions.get(name)
            if own is None or own.is_declaration or own.linkage in LOCAL:
                continue
            if not function.is_declaration and function.linkage not in LOCAL:
                raise UserError(
                    f"{stubs.name} defines '{name}', which the program defines itself",
                    own.loc,
                    "leave it out of the stubs",
                )


def _refuse_labels(source: Path) -> None:
    """CBMC starts threads by a label, which no compiler keeps: silence would be a wrong answer."""
    for number, line in enumerate(source.read_text(errors="replace").splitlines(), 1):
        if "__CPROVER_ASYNC" in line:
            hint = "start the thread with pthread_create"
            raise Unsupported(
                "__CPROVER_ASYNC is not supported", SourceLoc(str(source), number), hint
            )
