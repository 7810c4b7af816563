"""The front end's one entry: source files in, a program out."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from pathlib import Path

from imc.errors import SourceLoc, Unsupported
from imc.frontend.cache import Cache
from imc.frontend.clang import CompilerOptions, compile_to_ir
from imc.frontend.ir.reader import read_module
from imc.frontend.link import add_libc, link
from imc.frontend.lower import Lowering
from imc.program.program import Program

# Where a program and the compiler's headers lie does not make it another program.
PATHS = re.compile(r"^(?:; ModuleID|source_filename|.*!DIFile\().*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class FrontendOptions:
    """How C becomes a program."""

    compiler: CompilerOptions = field(default_factory=CompilerOptions)
    strict: bool = False  # refuse functions that nobody defines
    entry: str = "main"


def load_program(
    sources: list[Path], options: FrontendOptions | None = None, cache: Cache | None = None
) -> Program:
    """Compiles, reads and links the files; raises UserError for whatever is wrong with them."""
    options = options or FrontendOptions()
    cache = cache or Cache.default()
    digest = hashlib.sha256()
    modules = []
    for source in sources:
        text = compile_to_ir(source, options.compiler, cache)
        digest.update(PATHS.sub("", text).encode())
        modules.append(read_module(text, str(source)))
        _refuse_labels(source)
    module = add_libc(link(modules), options.compiler, cache)
    return Lowering(module, options.strict).program(options.entry, digest.hexdigest())


def _refuse_labels(source: Path) -> None:
    """CBMC starts threads by a label, which no compiler keeps: silence would be a wrong answer."""
    for number, line in enumerate(source.read_text(errors="replace").splitlines(), 1):
        if "__CPROVER_ASYNC" in line:
            hint = "start the thread with pthread_create"
            raise Unsupported(
                "__CPROVER_ASYNC is not supported", SourceLoc(str(source), number), hint
            )
